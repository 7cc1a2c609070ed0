#pragma once

#include <memory>
#include <utility>

#include "core/engine/python_engine.h"
#include "tests/core/engine/engine_fixture.h"

namespace ulp::engine {

/// The Python with torch and transformers that `make setup-test` installs.
inline constexpr const char* kPython = ULP_ORACLE_PYTHON;

inline Result<std::unique_ptr<PythonModel>> tryPython(PythonRequest request) {
  request.program = request.program.empty() ? kPython : request.program;
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
