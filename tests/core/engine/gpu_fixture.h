#pragma once

#include <cstdlib>
#include <string>

#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

namespace ulp::engine {

/// A small model and a CUDA device. Skipped without one, unless ULP_REQUIRE_GPU=1 says that there
/// must be one.
class GpuTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why = "no CUDA device is listed";
    for (const DeviceInfo& device : sharedEngine().devices()) {
      if (device.id == "cuda:0" && device.note.empty()) {
        TinyModel().write(m_folder);
        m_model = openOrFail({.path = m_folder.path()});
        return;
      }
      why = device.note.empty() ? why : device.note;
    }
    const char* required = std::getenv("ULP_REQUIRE_GPU");  // NOLINT(concurrency-mt-unsafe)
    ASSERT_FALSE(required != nullptr && std::string(required) == "1") << why;
    GTEST_SKIP() << why;
  }

  test::TempDir m_folder;
  std::unique_ptr<Model> m_model;
};

}  // namespace ulp::engine
