#include <chrono>
#include <fmt/format.h>
#include <sstream>
#include <string>

#include "app/cli/doctor/checks.h"
#include "core/base/processes/program_output.h"
#include "core/engine/find_python.h"
#include "core/engine/torch_folder.h"

namespace ulp::cli {
namespace {

/// "torch 2.11.0" a line; a package that is not there has no version.
constexpr const char* kQuestion =
    "import sys, importlib.metadata as m\n"
    "print('Python', sys.version.split()[0])\n"
    "for name in ('torch', 'transformers', 'accelerate'):\n"
    "    try: print(name, m.version(name))\n"
    "    except m.PackageNotFoundError: print(name)\n";
constexpr const char* kPurpose = "models that the native engine does not know run in it";

Check packageCheck(const std::string& name, const std::string& version) {
  if (!version.empty()) {
    return {name, CheckState::Fine, version};
  }
  return {name,
          CheckState::Absent,
          name == "torch" ? "engine: python needs 2.1 or later"
                          : "engine: python needs it for models of the hub",
          // Any torch from 2.1 on runs models there; this one serves the native engine as well.
          name == "torch" ? fmt::format("python3 -m pip install torch=={}", engine::kTorchVersion)
                          : fmt::format("python3 -m pip install {}", name)};
}

}  // namespace

std::vector<Check> pythonChecks() {
  const auto python = engine::findPython();
  if (!python) {
    return {{"Python", CheckState::Absent, python.error().message(), kPurpose}};
  }
  const auto answer = outputOf(
      {.words = {python->string(), "-c", std::string(engine::kWithoutWorkingFolder) + kQuestion}},
      std::chrono::seconds(20));
  if (!answer || answer->exitCode != 0) {
    return {{"Python",
             CheckState::Broken,
             fmt::format("{}: {}",
                         python->string(),
                         answer ? fmt::format("ended with {}", answer->exitCode)
                                : answer.error().message()),
             "name another one with ULPSCOPE_PYTHON"}};
  }
  std::vector<Check> checks;
  std::istringstream lines(answer->text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = line.find(' ');
    const std::string name = line.substr(0, blank);
    const std::string version = blank == std::string::npos ? "" : line.substr(blank + 1);
    checks.push_back(name == "Python"
                         ? Check{name, CheckState::Fine, version + " " + python->string()}
                         : packageCheck(name, version));
  }
  return checks;
}

}  // namespace ulp::cli
