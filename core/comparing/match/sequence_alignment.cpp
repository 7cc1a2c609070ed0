#include "core/comparing/match/sequence_alignment.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/dumps/model/dump.h"

namespace ulp::analysis {
namespace {

/// Memory grows with its square: 16 MiB.
constexpr std::int32_t kMostDifferences = 2000;

/// Equal texts as equal numbers.
std::vector<std::int32_t> numbered(const std::vector<std::string>& texts,
                                   std::unordered_map<std::string_view, std::int32_t>& numbers) {
  std::vector<std::int32_t> result;
  result.reserve(texts.size());
  for (const std::string& text : texts) {
    result.push_back(
        numbers.emplace(text, static_cast<std::int32_t>(numbers.size())).first->second);
  }
  return result;
}

/// Shortest way from the begin of both to their ends; nothing where it is longer than
/// kMostDifferences.
class ShortestEdit {
 public:
  ShortestEdit(std::vector<std::int32_t> left, std::vector<std::int32_t> right)
      : m_left(std::move(left)), m_right(std::move(right)) {}

  [[nodiscard]] std::optional<std::vector<std::size_t>> partners() && {
    for (std::int32_t edits = 0; edits <= kMostDifferences; ++edits) {
      m_reached.emplace_back(2 * static_cast<std::size_t>(edits) + 1);
      for (std::int32_t diagonal = -edits; diagonal <= edits; diagonal += 2) {
        const std::int32_t x = slide(start(edits, diagonal), diagonal);
        reached(edits, diagonal) = x;
        if (x >= std::ssize(m_left) && x - diagonal >= std::ssize(m_right)) {
          return walkBack(edits, diagonal);
        }
      }
    }
    return std::nullopt;
  }

 private:
  /// How far on the left the best way of so many edits has come on a diagonal (left - right).
  [[nodiscard]] std::int32_t& reached(std::int32_t edits, std::int32_t diagonal) {
    const std::int32_t place = diagonal + edits;
    return m_reached[static_cast<std::size_t>(edits)][static_cast<std::size_t>(place)];
  }

  /// The last edit leaves one of the right side out, not one of the left.
  [[nodiscard]] bool isDown(std::int32_t edits, std::int32_t diagonal) {
    return diagonal == -edits || (diagonal != edits && reached(edits - 1, diagonal - 1) <
                                                           reached(edits - 1, diagonal + 1));
  }

  [[nodiscard]] std::int32_t start(std::int32_t edits, std::int32_t diagonal) {
    if (edits == 0) {
      return 0;
    }
    return isDown(edits, diagonal) ? reached(edits - 1, diagonal + 1)
                                   : reached(edits - 1, diagonal - 1) + 1;
  }

  [[nodiscard]] std::int32_t slide(std::int32_t x, std::int32_t diagonal) const {
    while (x < std::ssize(m_left) && x - diagonal < std::ssize(m_right) &&
           m_left[static_cast<std::size_t>(x)] == m_right[static_cast<std::size_t>(x - diagonal)]) {
      ++x;
    }
    return x;
  }

  [[nodiscard]] std::vector<std::size_t> walkBack(std::int32_t edits, std::int32_t diagonal) {
    std::vector<std::size_t> partners(m_left.size(), dumps::kNone);
    for (; edits >= 0; --edits) {
      const std::int32_t from = start(edits, diagonal);
      for (std::int32_t x = reached(edits, diagonal); x > from; --x) {
        const std::int32_t right = x - diagonal;
        partners[static_cast<std::size_t>(x) - 1] = static_cast<std::size_t>(right) - 1;
      }
      if (edits > 0) {
        diagonal += isDown(edits, diagonal) ? 1 : -1;
      }
    }
    return partners;
  }

  std::vector<std::int32_t> m_left;
  std::vector<std::int32_t> m_right;
  std::vector<std::vector<std::int32_t>> m_reached;  ///< by edits, then by diagonal
};

/// What waits before a pair finds none any more.
class GreedyWalk {
 public:
  GreedyWalk(const std::vector<std::string>& leftTexts, const std::vector<std::string>& rightTexts)
      : m_left(leftTexts), m_right(rightTexts), m_partners(leftTexts.size(), dumps::kNone) {}

  [[nodiscard]] std::vector<std::size_t> run() && {
    while (m_nextLeft < m_left.size() || m_nextRight < m_right.size()) {
      const bool isNewRight = m_nextRight < m_right.size();
      const bool isNewLeft = m_nextLeft < m_left.size();
      if (isNewRight) {
        m_waitingRight[m_right[m_nextRight]].push_back(m_nextRight);
        ++m_nextRight;
      }
      if (isNewLeft) {
        m_waitingLeft[m_left[m_nextLeft]].push_back(m_nextLeft);
        ++m_nextLeft;
      }
      if (isNewRight && meet(m_right[m_nextRight - 1])) {
        continue;
      }
      if (isNewLeft) {
        meet(m_left[m_nextLeft - 1]);
      }
    }
    return std::move(m_partners);
  }

 private:
  using Waiting = std::unordered_map<std::string_view, std::deque<std::size_t>>;

  /// What waits behind the last pair; older ones are dropped.
  static std::deque<std::size_t>* liveOf(Waiting& waiting, std::string_view key, std::size_t from) {
    const auto found = waiting.find(key);
    if (found == waiting.end()) {
      return nullptr;
    }
    while (!found->second.empty() && found->second.front() < from) {
      found->second.pop_front();
    }
    return found->second.empty() ? nullptr : &found->second;
  }

  bool meet(std::string_view key) {
    auto* const left = liveOf(m_waitingLeft, key, m_fromLeft);
    auto* const right = liveOf(m_waitingRight, key, m_fromRight);
    if (left == nullptr || right == nullptr) {
      return false;
    }
    m_partners[left->front()] = right->front();
    m_fromLeft = left->front() + 1;
    m_fromRight = right->front() + 1;
    return true;
  }

  const std::vector<std::string>& m_left;
  const std::vector<std::string>& m_right;
  std::vector<std::size_t> m_partners;
  Waiting m_waitingLeft;
  Waiting m_waitingRight;
  std::size_t m_nextLeft = 0;
  std::size_t m_nextRight = 0;
  std::size_t m_fromLeft = 0;
  std::size_t m_fromRight = 0;
};

}  // namespace

std::vector<std::size_t> alignSequences(const std::vector<std::string>& left,
                                        const std::vector<std::string>& right) {
  std::unordered_map<std::string_view, std::int32_t> numbers;
  auto first = numbered(left, numbers);
  auto second = numbered(right, numbers);
  if (auto partners = ShortestEdit(std::move(first), std::move(second)).partners()) {
    return std::move(*partners);
  }
  return GreedyWalk(left, right).run();
}

}  // namespace ulp::analysis
