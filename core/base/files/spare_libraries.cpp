#include "core/base/files/spare_libraries.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "core/base/files/shared_library.h"

namespace ulp {
namespace {

namespace fs = std::filesystem;

/// ../ of the program; empty where it does not know its own place.
fs::path installation() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path().parent_path();
}

std::vector<fs::path> filesOf(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    files.push_back(each->path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

void openSpareLibraries() {
  const fs::path root = installation();
  if (root.empty()) {
    return;
  }
  // Spares need each other, in no order of their names.
  std::vector<fs::path> waiting = filesOf(root / "lib" / "spare");
  for (std::size_t before = waiting.size() + 1; waiting.size() < before;) {
    before = waiting.size();
    std::erase_if(waiting, [](const fs::path& file) {
      return openSharedLibrary(file.filename()).has_value() || openSharedLibrary(file).has_value();
    });
  }
  std::error_code ignored;
  const fs::path fonts = root / "share" / "fonts" / "fonts.conf";
  if (fs::exists(fonts, ignored) && !fs::exists("/etc/fonts/fonts.conf", ignored)) {
    ::setenv("FONTCONFIG_FILE", fonts.c_str(), 0);  // NOLINT(concurrency-mt-unsafe)
  }
}

}  // namespace ulp
