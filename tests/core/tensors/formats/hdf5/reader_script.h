#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/tensors/formats/hdf5/reader_process.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {

/// As long as it lives, a shell script stands in the place of ulpscope-hdf5. No other thread may
/// read the environment when it is made or dies.
class ReaderScript {
 public:
  ReaderScript(const test::TempDir& dir, const std::string& lines) {
    const auto file = dir.write("reader", "#!/bin/sh\nulimit -c 0\n" + lines + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    ::setenv(kHdf5ReaderVariable, file.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }
  ~ReaderScript() { ::unsetenv(kHdf5ReaderVariable); }  // NOLINT(concurrency-mt-unsafe)
  ReaderScript(const ReaderScript&) = delete;
  ReaderScript& operator=(const ReaderScript&) = delete;

  /// Where the real one lies, for scripts that start it.
  static std::string program() {
    return std::string(ULP_BINARY_DIR) + "/bin/" + kHdf5ReaderProgram;
  }
};

}  // namespace ulp::tensors
