#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "tests/support/machine/content_of.h"

namespace ulp::test {

/// The text with a moment as tools write it into names, "20261121072259", as a word: it differs
/// between two runs.
inline std::string withoutMoments(std::string text) {
  constexpr std::size_t kDigits = 14;
  std::size_t digits = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] >= '0' && text[i] <= '9') {
      ++digits;
      continue;
    }
    if (digits == kDigits) {
      text.replace(i - kDigits, kDigits, "MOMENT");
      i -= kDigits - std::string("MOMENT").size();
    }
    digits = 0;
  }
  return text;
}

/// All files of a folder, or the one file, by their path in it.
inline std::map<std::string, std::string> filesOf(const std::filesystem::path& place) {
  if (!std::filesystem::is_directory(place)) {
    return {{"", contentOf(place)}};
  }
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(place)) {
    if (entry.is_regular_file()) {
      files.emplace(withoutMoments(entry.path().lexically_relative(place).string()),
                    withoutMoments(contentOf(entry.path())));
    }
  }
  return files;
}

}  // namespace ulp::test
