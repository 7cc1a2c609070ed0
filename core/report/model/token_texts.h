#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ulp::report {

/// Beside precision_report.json; docs/formats/run_folder.md.
inline constexpr std::string_view kTokenTextFile = "tokens.json";

/// The tokens of a study and what they say.
struct TokenTexts {
  std::int64_t sequences = 0;
  std::int64_t length = 0;          ///< predictions in a sequence; it has one id more
  std::vector<std::int64_t> ids{};  ///< [sequences, length + 1], micro-batches in order
  std::string tokenizer{};          ///< which one it is; empty: the model has none
  /// UTF-8, by id; a token that is a part of a character stands as its bytes, "<0xE4>".
  std::map<std::int64_t, std::string> texts{};

  /// The token that was to be predicted at a position.
  [[nodiscard]] std::int64_t predicted(std::int64_t sequence, std::int64_t position) const;
  /// Empty where the id has no text.
  [[nodiscard]] std::string textOf(std::int64_t id) const;
};

/// Errors: Io.
[[nodiscard]] Result<> writeTokenTexts(const TokenTexts& tokens,
                                       const std::filesystem::path& folder);
/// Reads the texts of a run folder; nothing where it has none, as those of earlier versions.
/// Errors: Io, CorruptData.
[[nodiscard]] Result<std::optional<TokenTexts>> readTokenTexts(const std::filesystem::path& folder);

/// Blanks and line breaks of a token as signs that can be seen, what ulp::visibleText() changes as
/// its code.
[[nodiscard]] std::string shownToken(std::string_view text);
/// The token that is given at each position of the one sequence of a study, as shownToken() or,
/// where it has no text, as "#17". Empty: there are several sequences, or the folder does not say.
[[nodiscard]] std::vector<std::string> tokensByPosition(const std::filesystem::path& folder);

}  // namespace ulp::report
