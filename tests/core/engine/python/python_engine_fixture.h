#pragma once

#include <array>
#include <fcntl.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/engine/python_engine.h"
#include "tests/core/engine/engine_fixture.h"
#include "tests/support/machine/child_process.h"

namespace ulp::engine {

/// The Python with torch and transformers that `make setup-test` installs.
inline constexpr const char* kPython = ULP_ORACLE_PYTHON;

/// A program that goes on as a fork of one that has loaded torch and transformers, once for all
/// tests of a process: loading takes longer than what most of them do.
inline const std::string& loadedPython() {
  struct Waiting {
    Waiting() {
      std::array<int, 2> ends{-1, -1};
      if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        std::abort();
      }
      // Ends with this process, whose end of the pipe nobody else has.
      const std::vector<std::string> command{
          kPython, ULP_SOURCE_DIR "/tests/support/forked_python.py", folder.path().string()};
      child = std::make_unique<test::ChildProcess>(command,
                                                   test::ChildOptions{.standardInput = ends[0]});
      ::close(ends[0]);
      if (!child->waitForText("ready")) {
        ADD_FAILURE() << child->err();
        std::abort();
      }
    }
    test::TempDir folder;
    std::string program = (folder / "python").string();
    std::unique_ptr<test::ChildProcess> child;
  };
  static const Waiting kWaiting;
  return kWaiting.program;
}

inline Result<std::unique_ptr<PythonModel>> tryPython(PythonRequest request) {
  request.program =
      request.program.empty() ? std::filesystem::path(loadedPython()) : request.program;
  return openPythonModel(request, sharedEngine(), std::stop_token());
}

inline std::unique_ptr<PythonModel> pythonOrFail(PythonRequest request) {
  auto model = tryPython(std::move(request));
  if (!model) {
    ADD_FAILURE() << model.error().message();
    std::abort();
  }
  return std::move(*model);
}

}  // namespace ulp::engine
