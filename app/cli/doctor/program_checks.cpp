#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <system_error>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/doctor/checks.h"
#include "core/base/files/plugin_library.h"
#include "core/base/list_of.h"
#include "core/base/processes/program_output.h"
#include "core/tensors/formats/hdf5/reader_process.h"
#include "core/text/chat/template_process.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInstallAgain = "install Ulpscope again";
/// What the dynamic linker ends a program with whose libraries are not there.
constexpr int kCannotBeLoaded = 127;

/// Starts a helper, which without arguments does nothing.
Check helperCheck(const char* name, const char* variable) {
  const std::vector<fs::path> places = installedAt(variable, name, "bin");
  for (const fs::path& place : places) {
    if (::access(place.c_str(), X_OK) != 0) {
      continue;
    }
    const auto end = outputOf({.words = {place.string()}}, std::chrono::seconds(20));
    if (end && end->exitCode != kCannotBeLoaded) {
      return {name, CheckState::Fine, place.string()};
    }
    return {name,
            CheckState::Broken,
            fmt::format("{}: {}",
                        place.string(),
                        end ? "its libraries cannot be loaded" : end.error().message()),
            fmt::format("run ldd {}, and install what is not found", place.string())};
  }
  const auto tried = listOf(places, [](const fs::path& place) { return place.string(); });
  return {name,
          CheckState::Broken,
          fmt::format("is not there (looked for {})", fmt::join(tried, ", ")),
          kInstallAgain};
}

}  // namespace

std::vector<Check> programChecks() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return {{std::string(kProgramName),
           CheckState::Fine,
           fmt::format("{} {}", ULP_VERSION, program.string())},
          helperCheck(tensors::kHdf5ReaderProgram, tensors::kHdf5ReaderVariable),
          helperCheck(text::kTemplateProgram, text::kTemplateProgramVariable)};
}

}  // namespace ulp::cli
