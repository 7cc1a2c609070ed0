// The engine's shared library with FakeEngine inside. Configured by the environment:
// ULP_FAKE_DELAY_US (before each site), ULP_FAKE_HIDDEN (width of the tensors), ULP_FAKE_LOST_IN (a
// run in this format loses the device).

#include <cstdlib>
#include <string>

#include "core/engine/engine_abi.h"
#include "core/numerics/rounding/number_format.h"
#include "tests/support/data/fake_engine.h"

namespace {

long numberFrom(const char* variable, long otherwise) {
  const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): no thread sets any
  return text == nullptr ? otherwise : std::stol(text);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) bool ulpscopeCreateEngine(
    std::uint64_t fingerprint, std::unique_ptr<ulp::engine::Engine>* engine) {
  if (fingerprint != ulp::engine::engineFingerprint()) {
    return false;
  }
  ulp::test::FakeEngineConfig config;
  config.siteDelay = std::chrono::microseconds(numberFrom("ULP_FAKE_DELAY_US", 0));
  config.hidden = numberFrom("ULP_FAKE_HIDDEN", config.hidden);
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no thread sets any
  if (const char* format = std::getenv("ULP_FAKE_LOST_IN"); format != nullptr) {
    config.losesDeviceIn = ulp::numerics::parseNumberFormat(format);
  }
  *engine = std::make_unique<ulp::test::FakeEngine>(config);
  return true;
}
