#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/text/characters/prefix_trie.h"
#include "core/text/steps/normalizer.h"

namespace ulp::text {

/// A token that is found in the text itself, before it is cut into words.
struct AddedToken {
  std::string content;
  std::int64_t id = 0;
  bool singleWord = false;  ///< only where no word character is next to it
  bool stripsLeft = false;  ///< takes the white space before it
  bool stripsRight = false;
  bool isNormalized = false;  ///< looked for, normalised, in the normalised text
  bool isSpecial = false;
};

/// A part of a text: an added token, or what lies between two.
struct AddedStretch {
  std::optional<std::uint32_t> id;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The added tokens of a tokenizer; of several that begin at one place the longest counts.
class AddedTokens {
 public:
  AddedTokens() = default;
  /// Tokens without content are left out. Errors: those of the normalizer.
  [[nodiscard]] static Result<AddedTokens> create(std::vector<AddedToken> tokens,
                                                  const Normalizer& normalizer);

  /// The stretches of a text as it was given, or of a normalised one; together they cover it.
  [[nodiscard]] std::vector<AddedStretch> findRaw(std::string_view text) const;
  [[nodiscard]] std::vector<AddedStretch> findNormalized(std::string_view text) const;

  [[nodiscard]] const std::vector<AddedToken>& tokens() const { return m_tokens; }
  /// Null where no added token has that number.
  [[nodiscard]] const AddedToken* find(std::int64_t id) const;

 private:
  [[nodiscard]] std::vector<AddedStretch> find(std::string_view text, const PrefixTrie& trie) const;

  std::vector<AddedToken> m_tokens;
  std::unordered_map<std::int64_t, std::size_t> m_places;  ///< in m_tokens, by id
  PrefixTrie m_raw;                                        ///< numbers are places in m_tokens
  PrefixTrie m_normalized;
};

}  // namespace ulp::text
