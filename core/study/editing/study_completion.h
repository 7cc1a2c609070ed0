#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/study/schema/schema.h"

namespace ulp::study {

/// Where a place of a study's text is, found from indentation and brackets alone, so that it works
/// while the text is being typed and is no YAML.
struct TextContext {
  bool isText = true;                 ///< false: in a comment, a list or quotes, where no key is
  bool isValue = false;               ///< behind the colon of `key`
  std::vector<std::string> parents;   ///< keys of the maps around it
  std::string key;                    ///< before the colon; in a key, what is written of it
  std::size_t begin = 0;              ///< where the word at the place begins
  std::vector<std::string> siblings;  ///< keys that the same map has on other lines, or before it
};
[[nodiscard]] TextContext contextAt(std::string_view yaml, std::size_t offset);

/// The schema key whose key or value stands there; null: none.
[[nodiscard]] const Key* keyAt(std::string_view yaml, std::size_t offset);

struct Completion {
  std::string text;    ///< what is shown
  std::string insert;  ///< what takes the place of the word: "path: ", "bfloat16"
  std::string help;
};

struct Completions {
  std::size_t begin = 0;  ///< the word to be replaced is [begin, offset)
  std::vector<Completion> items;
};

/// Lists what can stand at `offset` and begins with, or else contains, what is typed: keys that are
/// not set yet, dotted below variants, and the values of a key. Offsets are in bytes.
[[nodiscard]] Completions completeStudy(std::string_view yaml, std::size_t offset);

}  // namespace ulp::study
