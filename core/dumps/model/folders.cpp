#include "core/dumps/model/folders.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <utility>

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

/// What is in a folder, sorted.
struct Listing {
  std::vector<fs::directory_entry> entries;
  /// What is not in it is not there. Some folders let their files be read, but not be listed.
  bool isWhole = false;

  [[nodiscard]] const fs::directory_entry* find(const std::string& path) const {
    const auto found = std::ranges::lower_bound(entries, path, {}, pathOf);
    return found != entries.end() && pathOf(*found) == path ? &*found : nullptr;
  }
  static const std::string& pathOf(const fs::directory_entry& entry) {
    return entry.path().native();
  }
};

/// Of what is in a folder. Most systems tell it with the names, so that nothing is asked.
fs::file_type typeOf(const fs::directory_entry& entry) {
  std::error_code ignored;
  if (entry.is_symlink(ignored)) {
    return entry.status(ignored).type();
  }
  return entry.is_regular_file(ignored) ? fs::file_type::regular
         : entry.is_directory(ignored)  ? fs::file_type::directory
                                        : fs::file_type::unknown;
}

/// What OneLook has read.
class KeptFolders {
 public:
  /// Null: more than is kept.
  const Listing* in(const fs::path& folder) {
    const auto [found, isNew] = m_folders.try_emplace(folder.native());
    if (isNew) {
      found->second = read(folder);
    }
    return found->second.get();
  }
  /// Links followed.
  fs::file_type typeAt(const fs::path& path) {
    const auto [known, isNew] = m_types.try_emplace(path.native());
    if (isNew) {
      known->second = lookAt(path);
    }
    return known->second;
  }

 private:
  [[nodiscard]] fs::file_type lookAt(const fs::path& path) const {
    // As texts: to take a path to pieces takes longer than to ask what is there.
    const std::string& text = path.native();
    const std::size_t name = text.rfind('/') + 1;
    const auto folder = name > 1 ? m_folders.find(text.substr(0, name - 1)) : m_folders.end();
    const Listing* const listing = folder == m_folders.end() ? nullptr : folder->second.get();
    if (const auto* entry = listing != nullptr ? listing->find(text) : nullptr) {
      return typeOf(*entry);
    }
    const std::string_view file = std::string_view(text).substr(name);
    if (listing != nullptr && listing->isWhole && !file.empty() && file != "." && file != "..") {
      return fs::file_type::not_found;
    }
    std::error_code ignored;
    return fs::status(path, ignored).type();
  }

  std::unique_ptr<const Listing> read(const fs::path& folder) {
    Listing listing;
    std::error_code problem;
    for (fs::directory_iterator it(folder, problem), end; !problem && it != end;
         it.increment(problem)) {
      if (listing.entries.size() == m_left) {
        return nullptr;
      }
      listing.entries.push_back(*it);
    }
    listing.isWhole = !problem;
    m_left -= listing.entries.size();
    std::ranges::sort(listing.entries, {}, Listing::pathOf);
    return std::make_unique<const Listing>(std::move(listing));
  }

  static constexpr std::size_t kMost = 50'000;
  std::unordered_map<std::string, std::unique_ptr<const Listing>> m_folders;
  std::unordered_map<std::string, fs::file_type> m_types;
  std::size_t m_left = kMost;
};

std::optional<KeptFolders>& keptFolders() {
  thread_local std::optional<KeptFolders> kept;
  return kept;
}

fs::file_type typeAt(const fs::path& path) {
  std::error_code ignored;
  return keptFolders() ? keptFolders()->typeAt(path) : fs::status(path, ignored).type();
}

/// Calls `use` with what is in a folder until it returns false.
template <class Use>
void eachIn(const fs::path& folder, const Use& use) {
  if (const Listing* kept = keptFolders() ? keptFolders()->in(folder) : nullptr) {
    static_cast<void>(std::ranges::all_of(kept->entries, use));
    return;
  }
  std::error_code problem;
  for (fs::directory_iterator it(folder, problem), end; !problem && it != end;
       it.increment(problem)) {
    if (!use(*it)) {
      return;
    }
  }
}

using UseEntry = std::function<bool(const fs::directory_entry&)>;

/// eachEntry() over what is kept. False: `use` ended it.
bool eachKeptEntry(const fs::path& folder, const UseEntry& use, int deepest) {
  bool goesOn = true;
  eachIn(folder, [&](const fs::directory_entry& entry) {
    std::error_code ignored;
    goesOn = use(entry);
    if (goesOn && deepest > 0 && !entry.is_symlink(ignored) && entry.is_directory(ignored)) {
      goesOn = eachKeptEntry(entry.path(), use, deepest - 1);
    }
    return goesOn;
  });
  return goesOn;
}

}  // namespace

OneLook::OneLook() : m_isOuter(!keptFolders()) {
  if (m_isOuter) {
    keptFolders().emplace();
  }
}

OneLook::~OneLook() {
  if (m_isOuter) {
    keptFolders().reset();
  }
}

bool isFile(const fs::path& path) {
  return typeAt(path) == fs::file_type::regular;
}

bool isFolder(const fs::path& path) {
  return typeAt(path) == fs::file_type::directory;
}

fs::path normalPath(const fs::path& path) {
  std::error_code status;
  const fs::path whole = fs::absolute(path, status).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

std::vector<std::string> folderNames(const fs::path& folder) {
  std::vector<std::string> names;
  eachIn(folder, [&](const fs::directory_entry& entry) {
    names.push_back(entry.path().filename().string());
    return true;
  });
  std::ranges::sort(names);
  return names;
}

std::vector<fs::path> foldersIn(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> found;
  eachIn(folder, [&](const fs::directory_entry& entry) {
    std::error_code ignored;
    if (entry.path().filename().string().starts_with(prefix) && entry.is_directory(ignored)) {
      found.push_back(entry.path());
    }
    return true;
  });
  std::ranges::sort(found);
  return found;
}

void eachEntry(const fs::path& folder, const UseEntry& use, int deepest) {
  if (keptFolders()) {
    eachKeptEntry(folder, use, deepest);
    return;
  }
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
