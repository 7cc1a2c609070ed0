#include "core/dumps/model/folders.h"

#include <algorithm>
#include <system_error>

namespace ulp::dumps {

namespace fs = std::filesystem;

bool isFile(const fs::path& path) {
  std::error_code status;
  return fs::is_regular_file(path, status);
}

bool isFolder(const fs::path& path) {
  std::error_code status;
  return fs::is_directory(path, status);
}

fs::path normalPath(const fs::path& path) {
  std::error_code status;
  const fs::path whole = fs::absolute(path, status).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

std::vector<std::string> folderNames(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code problem;
  for (fs::directory_iterator it(folder, problem), end; !problem && it != end;
       it.increment(problem)) {
    names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<fs::path> foldersIn(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> found;
  std::error_code problem;
  for (fs::directory_iterator it(folder, problem), end; !problem && it != end;
       it.increment(problem)) {
    std::error_code ignored;
    if (it->path().filename().string().starts_with(prefix) && it->is_directory(ignored)) {
      found.push_back(it->path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace ulp::dumps
