#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <QtCore/QString>

namespace ulp::views {

/// What the user typed, ready to be matched: lower-case words, all of which must occur, each as a
/// subsequence. Letters that follow one another or begin a word weigh more, long texts a little
/// less.
class FuzzyQuery {
 public:
  explicit FuzzyQuery(const QString& text);

  [[nodiscard]] bool isEmpty() const { return m_words.empty(); }
  /// `folded`: lower case. Higher is better; nothing: no match.
  [[nodiscard]] std::optional<int> score(std::u16string_view folded) const;
  /// Positions of the matched letters, ascending; empty where the text does not match.
  [[nodiscard]] std::vector<int> positions(std::u16string_view folded) const;
  /// Letters that occur in it, as letterMask() counts them.
  [[nodiscard]] std::uint64_t mask() const { return m_mask; }

 private:
  std::vector<std::u16string> m_words;
  std::uint64_t m_mask = 0;
};

/// Lower case letter by letter, so that positions in the result are positions in `text`.
[[nodiscard]] std::u16string foldCase(const QString& text);
/// One bit a letter or group of letters: a text whose mask lacks a bit of the query cannot match.
[[nodiscard]] std::uint64_t letterMask(std::u16string_view folded);

struct FuzzyHit {
  int index = 0;
  int score = 0;
};

/// Answer to one query, also the starting point for a longer one.
struct FuzzyResult {
  QString query;
  std::vector<FuzzyHit> best;  ///< best first, equals in the order of the texts; limited
  std::vector<int> matched;    ///< all that match, ascending
  std::size_t examined = 0;    ///< texts that were looked at
};

/// Texts to search in, folded once into one block of memory. Immutable; may be read by any thread.
class FuzzyIndex {
 public:
  FuzzyIndex() = default;
  explicit FuzzyIndex(const std::vector<QString>& texts);

  [[nodiscard]] int size() const { return static_cast<int>(m_masks.size()); }
  [[nodiscard]] std::u16string_view folded(int index) const;
  /// `previous`: an answer of this index to a query of which `query` is a continuation saves
  /// looking at what that query had already ruled out; any other is ignored. Null: none. A
  /// requested stop ends with what was found so far.
  [[nodiscard]] FuzzyResult search(const QString& query,
                                   std::size_t limit,
                                   const FuzzyResult* previous = nullptr,
                                   const std::stop_token& stop = {}) const;

 private:
  std::u16string m_block;
  std::vector<std::uint32_t> m_starts;  ///< one more than texts
  std::vector<std::uint64_t> m_masks;
};

}  // namespace ulp::views
