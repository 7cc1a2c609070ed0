#include "core/engine/torch_folder.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/base/files/shared_library.h"
#include "core/base/list_of.h"
#include "core/base/processes/program_output.h"
#include "core/engine/find_python.h"

namespace ulp::engine {
namespace {

namespace fs = std::filesystem;

/// Of a package on a slow network disk.
constexpr std::chrono::seconds kLongestLook{20};
constexpr const char* kBuildSource = "the build";

std::string torchVariable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? std::string() : std::string(value);
}

/// "2.11.0+cu130" of the line `__version__ = '2.11.0+cu130'` of a package's version.py; empty where
/// there is no such line.
std::string packageVersion(const fs::path& folder) {
  std::ifstream file(folder / "version.py");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find_first_of("'\"");
    const std::size_t last = line.find_last_of("'\"");
    if (line.starts_with("__version__") && first < last) {
      return line.substr(first + 1, last - first - 1);
    }
  }
  return {};
}

TorchPlace placeAt(std::string source, const fs::path& folder) {
  return {std::move(source), folder, packageVersion(folder)};
}

/// Asks Python where it would import torch from; it does not do so.
TorchPlace placeOfPython(const fs::path& python) {
  const std::string question =
      std::string(kWithoutWorkingFolder) +
      "import importlib.util as u\n"
      "spec = u.find_spec('torch')\n"
      "print(next(iter(spec.submodule_search_locations or []), '') if spec else '')";
  const auto answer = outputOf({.words = {python.string(), "-c", question}}, kLongestLook);
  const std::string folder = answer && answer->exitCode == 0
                                 ? answer->text.substr(0, answer->text.find('\n'))
                                 : std::string();
  return folder.empty() ? TorchPlace{python.string()} : placeAt(python.string(), folder);
}

fs::path ownPythonFolder() {
  const std::string data = torchVariable("XDG_DATA_HOME");
  return (data.empty() ? fs::path(torchVariable("HOME")) / ".local/share" : fs::path(data)) /
         "ulpscope/python";
}

std::string describe(const TorchPlace& place) {
  if (place.folder.empty()) {
    return fmt::format("{} has none", place.source);
  }
  const std::string found = place.version.empty() ? "is not the folder of a torch package"
                                                  : "holds torch " + place.version;
  return fmt::format("{} ({}) {}", place.folder.string(), place.source, found);
}

}  // namespace

bool TorchPlace::isFit() const {
  return version.substr(0, version.find('+')) == kTorchVersion;
}

fs::path builtTorchFolder() {
  return ULP_BUILT_TORCH;
}

std::vector<TorchPlace> findTorch(const fs::path& built) {
  if (const std::string chosen = torchVariable(kTorchFolderVariable); !chosen.empty()) {
    return {placeAt(kTorchFolderVariable, chosen)};
  }
  std::error_code ignored;
  if (!built.empty() && fs::exists(built / "version.py", ignored)) {
    return {placeAt(kBuildSource, built)};
  }
  std::vector<TorchPlace> places;
  if (const auto python = findPython()) {
    places.push_back(placeOfPython(*python));
  }
  const fs::path own = ownPythonFolder();
  places.push_back(fs::exists(own / "torch", ignored) ? placeAt("Ulpscope's own", own / "torch")
                                                      : TorchPlace{own.string()});
  return places;
}

std::string torchInstallCommand() {
  return fmt::format(
      "python3 -m pip install --target {} torch=={}", ownPythonFolder().string(), kTorchVersion);
}

Result<> openTorch() {
  const std::vector<TorchPlace> places = findTorch();
  const auto chosen = std::ranges::find_if(places, &TorchPlace::isFit);
  if (chosen == places.end()) {
    return fail(ErrorCode::Unsupported,
                fmt::format("engine: needs the torch package, version {}: {}; install it where "
                            "your Python finds it (python3 -m pip install torch=={}) or for "
                            "Ulpscope alone ({}), or point {} at the folder that python3 -c "
                            "'import torch; print(torch.__path__[0])' prints",
                            kTorchVersion,
                            fmt::join(listOf(places, describe), ", "),
                            kTorchVersion,
                            torchInstallCommand(),
                            kTorchFolderVariable));
  }
  if (chosen->source == kBuildSource) {
    return {};
  }
  // The engine's library asks for it by this name, and takes what is loaded already.
  const fs::path library = chosen->folder / "lib" / "libtorch_cpu.so";
  if (const auto opened = openSharedLibrary(library); !opened) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{} ({}): LibTorch cannot be loaded ({}); install the package again, "
                            "or point {} at another one",
                            chosen->folder.string(),
                            chosen->source,
                            opened.error().message(),
                            kTorchFolderVariable));
  }
  return {};
}

}  // namespace ulp::engine
