#include "views/framework/words/fuzzy_match.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <QtCore/QStringList>

namespace ulp::views {
namespace {

constexpr int kLetter = 16;
constexpr int kBoundary = 10;
constexpr int kFollows = 12;
constexpr int kGapOpens = 6;
constexpr int kGapGrows = 1;
constexpr int kLengthShare = 4;
constexpr std::size_t kStopInterval = 4096;

bool isWordLetter(char16_t letter) {
  return QChar(letter).isLetterOrNumber();
}

/// A word begins here, or a number does.
bool beginsWord(std::u16string_view text, std::size_t at) {
  if (at == 0) {
    return true;
  }
  const char16_t before = text[at - 1];
  return !isWordLetter(before) || (QChar(text[at]).isDigit() != QChar(before).isDigit());
}

int scoreOf(std::u16string_view text, const std::vector<int>& positions) {
  int score = 0;
  int before = -1;
  for (const int at : positions) {
    score += kLetter;
    if (beginsWord(text, static_cast<std::size_t>(at))) {
      score += kBoundary;
    }
    if (before >= 0) {
      const int gap = at - before - 1;
      score += gap == 0 ? kFollows : -kGapOpens - gap * kGapGrows;
    }
    before = at;
  }
  return score;
}

/// Where the word stands in one piece, at the beginning of a word if it does so anywhere.
std::size_t findWhole(std::u16string_view text, std::u16string_view word) {
  const std::size_t first = text.find(word);
  for (std::size_t at = first; at != std::u16string_view::npos; at = text.find(word, at + 1)) {
    if (beginsWord(text, at)) {
      return at;
    }
  }
  return first;
}

/// Letters in order with gaps: the earliest end, and from there back the latest beginning, which is
/// the tightest place of those that end there.
bool findScattered(std::u16string_view text, std::u16string_view word, std::vector<int>& found) {
  std::size_t next = 0;
  std::size_t end = 0;
  for (; end < text.size() && next < word.size(); ++end) {
    next += text[end] == word[next] ? 1U : 0U;
  }
  if (next < word.size()) {
    return false;
  }
  found.resize(word.size());
  std::size_t at = end;
  for (std::size_t left = word.size(); left > 0; --left) {
    do {
      --at;
    } while (text[at] != word[left - 1]);
    found[left - 1] = static_cast<int>(at);
  }
  return true;
}

bool findWord(std::u16string_view text, std::u16string_view word, std::vector<int>& found) {
  if (const std::size_t whole = findWhole(text, word); whole != std::u16string_view::npos) {
    found.resize(word.size());
    std::iota(found.begin(), found.end(), static_cast<int>(whole));
    return true;
  }
  return findScattered(text, word, found);
}

std::uint64_t bitOf(char16_t letter) {
  if (letter >= u'a' && letter <= u'z') {
    return std::uint64_t{1} << (letter - u'a');
  }
  if (letter >= u'0' && letter <= u'9') {
    return std::uint64_t{1} << (26 + letter - u'0');
  }
  return std::uint64_t{1} << (36 + letter % 28);
}

}  // namespace

std::u16string foldCase(const QString& text) {
  std::u16string folded;
  folded.reserve(static_cast<std::size_t>(text.size()));
  for (const QChar letter : text) {
    folded.push_back(letter.toLower().unicode());
  }
  return folded;
}

std::uint64_t letterMask(std::u16string_view folded) {
  std::uint64_t mask = 0;
  for (const char16_t letter : folded) {
    mask |= bitOf(letter);
  }
  return mask;
}

FuzzyQuery::FuzzyQuery(const QString& text) {
  for (const QString& word : text.simplified().split(u' ', Qt::SkipEmptyParts)) {
    m_words.push_back(foldCase(word));
    m_mask |= letterMask(m_words.back());
  }
}

std::optional<int> FuzzyQuery::score(std::u16string_view folded) const {
  int total = -static_cast<int>(folded.size()) / kLengthShare;
  std::vector<int> found;
  for (const std::u16string& word : m_words) {
    if (!findWord(folded, word, found)) {
      return std::nullopt;
    }
    total += scoreOf(folded, found);
  }
  return total;
}

std::vector<int> FuzzyQuery::positions(std::u16string_view folded) const {
  std::vector<int> all;
  std::vector<int> found;
  for (const std::u16string& word : m_words) {
    if (!findWord(folded, word, found)) {
      return {};
    }
    all.insert(all.end(), found.begin(), found.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

FuzzyIndex::FuzzyIndex(const std::vector<QString>& texts) {
  m_masks.reserve(texts.size());
  m_starts.reserve(texts.size() + 1);
  for (const QString& text : texts) {
    const std::u16string folded = foldCase(text);
    m_starts.push_back(static_cast<std::uint32_t>(m_block.size()));
    m_masks.push_back(letterMask(folded));
    m_block += folded;
  }
  m_starts.push_back(static_cast<std::uint32_t>(m_block.size()));
}

std::u16string_view FuzzyIndex::folded(int index) const {
  const auto at = static_cast<std::size_t>(index);
  return std::u16string_view(m_block).substr(m_starts[at], m_starts[at + 1] - m_starts[at]);
}

FuzzyResult FuzzyIndex::search(const QString& query,
                               std::size_t limit,
                               const FuzzyResult* previous,
                               const std::stop_token& stop) const {
  FuzzyResult result;
  result.query = query;
  const FuzzyQuery wanted(query);
  const bool narrows = previous != nullptr && query.startsWith(previous->query);
  const std::size_t count = narrows ? previous->matched.size() : m_masks.size();
  std::vector<FuzzyHit> hits;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kStopInterval == 0 && stop.stop_requested()) {
      break;
    }
    const int index = narrows ? previous->matched[i] : static_cast<int>(i);
    ++result.examined;
    if ((wanted.mask() & ~m_masks[static_cast<std::size_t>(index)]) != 0) {
      continue;
    }
    if (const std::optional<int> score = wanted.score(folded(index))) {
      result.matched.push_back(index);
      hits.push_back({.index = index, .score = wanted.isEmpty() ? 0 : *score});
    }
  }
  const std::size_t kept = std::min(limit, hits.size());
  const auto last = hits.begin() + static_cast<std::ptrdiff_t>(kept);
  std::ranges::partial_sort(
      hits, last, {}, [](const FuzzyHit& hit) { return std::pair(-hit.score, hit.index); });
  hits.resize(kept);
  result.best = std::move(hits);
  return result;
}

}  // namespace ulp::views
