#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Marks a text for translation in the context `ulp::Findings`; core knows no Qt.
/// tools/update_translations.py finds the text.
#define ULP_TR_NOOP(text) text

namespace ulp {

/// What core says in English and the window in the user's language: a pattern with %1 … %9, and the
/// sentences that stand in their places. A value of any thread.
struct Sentence {
  std::string pattern;  ///< English
  std::vector<Sentence> arguments;
  bool isLiteral = false;  ///< a name or a number: the pattern as it is, in every language

  Sentence() = default;
  /// Literal, even if it holds "%1".
  Sentence(std::string literal)  // NOLINT(google-explicit-constructor): names are arguments
      : pattern(std::move(literal)), isLiteral(true) {}
  Sentence(const char* literal)  // NOLINT(google-explicit-constructor): as above
      : Sentence(std::string(literal)) {}
  /// Words without arguments, such as "nothing", are translated as well.
  Sentence(std::string english, std::vector<Sentence> places)
      : pattern(std::move(english)), arguments(std::move(places)) {}

  [[nodiscard]] bool isEmpty() const { return pattern.empty(); }
  /// In English.
  [[nodiscard]] std::string text() const;
  /// Tells whether text() is `finished`, and makes no text that is much longer: for sentences of
  /// files, which may hold any.
  [[nodiscard]] bool reads(std::string_view finished) const;

  friend bool operator==(const Sentence&, const Sentence&) = default;
};

/// In English, in their order.
[[nodiscard]] std::vector<std::string> textsOf(std::span<const Sentence> sentences);
/// What is shown of a list, and how many more there are of it; 0: as it is.
[[nodiscard]] Sentence andMore(Sentence shown, std::size_t more);
/// All of `items` in one sentence: each is put behind those before by `pattern`, such as "%1; %2".
/// Empty where there are none.
[[nodiscard]] Sentence joined(const char* pattern, std::span<const Sentence> items);

}  // namespace ulp
