#include "core/dumps/importers/folder_files.h"

#include <cstddef>
#include <system_error>
#include <unordered_map>

namespace ulp::dumps {

namespace fs = std::filesystem;

void eachFile(const fs::path& folder, const std::function<bool(const fs::path&)>& use) {
  std::error_code failed;
  fs::recursive_directory_iterator entries(
      folder, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && entries != fs::recursive_directory_iterator(); entries.increment(failed)) {
    std::error_code ignored;
    if (entries->is_regular_file(ignored) && !use(entries->path())) {
      return;
    }
  }
}

std::vector<std::string> namesOfFiles(const fs::path& root,
                                      const std::vector<fs::path>& files,
                                      const std::function<bool(const fs::path&)>& hasFormat) {
  std::vector<std::string> names;
  names.reserve(files.size());
  std::unordered_map<std::string, std::size_t> uses;
  for (const fs::path& file : files) {
    fs::path relative = file == root ? file.filename() : file.lexically_relative(root);
    if (hasFormat(file)) {
      relative.replace_extension();
    }
    names.push_back(relative.generic_string());
    ++uses[names.back()];
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (uses[names[i]] > 1) {
      names[i] = files[i].lexically_relative(root).generic_string();
    }
  }
  return names;
}

}  // namespace ulp::dumps
