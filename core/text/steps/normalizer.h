#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/text/characters/aligned_text.h"
#include "core/text/characters/regex.h"
#include "core/text/characters/unicode.h"

namespace ulp::text {

/// First step of a tokenizer: brings a text into the form that the vocabulary knows. Named as in
/// `tokenizers.normalizers`. Errors: Unsupported (a pattern backtracks beyond its limit, or the
/// text grows beyond that of AlignedWriter), Internal.
/// An empty one leaves texts as they are.
using Normalizer = std::function<Result<AlignedText>(const AlignedText& text)>;

struct BertCleaning {
  bool cleanText = true;
  bool handleChineseCharacters = true;
  bool stripAccents = true;
  bool lowercase = true;
};

[[nodiscard]] Normalizer makeNormalForm(NormalForm form);
[[nodiscard]] Normalizer makeLowercase();
[[nodiscard]] Normalizer makeStripAccents();  ///< removes all marks
[[nodiscard]] Normalizer makeStrip(bool left, bool right);
[[nodiscard]] Normalizer makePrepend(std::string prefix);  ///< to a text that is not empty
[[nodiscard]] Normalizer makeReplace(Regex pattern, std::string content);
[[nodiscard]] Normalizer makeNmt();
[[nodiscard]] Normalizer makeBert(const BertCleaning& cleaning);
[[nodiscard]] Normalizer makeNormalizers(std::vector<Normalizer> parts);  ///< one by one

/// With a ReplacementTable. Errors: CorruptData.
[[nodiscard]] Result<Normalizer> makePrecompiled(std::string_view table);

/// Writes every byte as byteCharacter() does.
[[nodiscard]] Result<AlignedText> spelledInBytes(const AlignedText& text);
/// Puts `prefix` in front of a text that is not empty.
[[nodiscard]] Result<AlignedText> withPrefix(const AlignedText& text, std::string_view prefix);
/// Writes `content` in place of each stretch that matched.
[[nodiscard]] Result<AlignedText> withReplaced(const AlignedText& text,
                                               const Stretches& stretches,
                                               std::string_view content);

}  // namespace ulp::text
