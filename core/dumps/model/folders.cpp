#include "core/dumps/model/folders.h"

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <unordered_map>

namespace ulp::dumps {

namespace fs = std::filesystem;

namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// The digits at the front without leading zeros; `text` then begins behind them.
std::string_view takeNumber(std::string_view& text) {
  const auto* const end = std::ranges::find_if_not(text, isDigit);
  std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(number.size());
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

}  // namespace

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
  std::ranges::sort(names);
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
  std::ranges::sort(found);
  return found;
}

void eachEntry(const fs::path& folder,
               const std::function<bool(const fs::directory_entry&)>& use,
               int deepest) {
  std::error_code failed;
  fs::recursive_directory_iterator entries(
      folder, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && entries != fs::recursive_directory_iterator(); entries.increment(failed)) {
    if (entries.depth() >= deepest) {
      entries.disable_recursion_pending();
    }
    if (!use(*entries)) {
      return;
    }
  }
}

void eachFile(const fs::path& folder, const std::function<bool(const fs::path&)>& use) {
  eachEntry(folder, [&](const fs::directory_entry& entry) {
    std::error_code ignored;
    return !entry.is_regular_file(ignored) || use(entry.path());
  });
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

bool naturallyBefore(std::string_view a, std::string_view b) {
  std::string_view restA = a;
  std::string_view restB = b;
  while (!restA.empty() && !restB.empty()) {
    if (isDigit(restA.front()) && isDigit(restB.front())) {
      const std::string_view numberA = takeNumber(restA);
      const std::string_view numberB = takeNumber(restB);
      if (numberA.size() != numberB.size()) {
        return numberA.size() < numberB.size();
      }
      if (numberA != numberB) {
        return numberA < numberB;
      }
      continue;
    }
    if (restA.front() != restB.front()) {
      return restA.front() < restB.front();
    }
    restA.remove_prefix(1);
    restB.remove_prefix(1);
  }
  return restA.empty() == restB.empty() ? a < b : restA.empty();
}

}  // namespace ulp::dumps
