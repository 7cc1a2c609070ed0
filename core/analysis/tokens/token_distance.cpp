#include "core/analysis/tokens/token_distance.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <string_view>
#include <utility>

#include "core/base/threads.h"
#include "core/numerics/tensor_view.h"
#include "core/remote/captures/host_numbers.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {
namespace {

using numerics::TensorView;

/// Logits of one side that all threads together read before their pages are given back.
constexpr std::size_t kHeldElements = std::size_t{1} << 20;
/// Below this, starting a thread costs more than it saves.
constexpr std::size_t kElementsWorthAThread = std::size_t{1} << 17;

double cosineOf(const TokenDistribution& a, const TokenDistribution& b) {
  double product = 0;
  double squaresA = 0;
  double squaresB = 0;
  for (std::size_t i = 0; i < a.logits().size(); ++i) {
    const double x = a.logits()[i];
    const double y = b.logits()[i];
    if (std::isfinite(x) && std::isfinite(y)) {
      product += x * y;
      squaresA += x * x;
      squaresB += y * y;
    }
  }
  if (squaresA == 0 || squaresB == 0) {
    return squaresA == squaresB ? 1 : 0;
  }
  return product / std::sqrt(squaresA * squaresB);
}

TokenDistance distanceOf(const TokenDistribution& a, const TokenDistribution& b) {
  return {.isFinite = true,
          .kl = klDivergence(a, b),
          .cosine = cosineOf(a, b),
          .margin = a.logProbability(a.choice()) - a.logProbability(b.choice()),
          .spread = a.spread(),
          .choiceA = a.choice(),
          .choiceB = b.choice()};
}

class TokenTeam {
 public:
  TokenTeam(const tensors::Tensor& a,
            const tensors::Tensor& b,
            const TokenPairs& pairs,
            int threads,
            const std::stop_token& stop)
      : m_a(a),
        m_b(b),
        m_pairs(pairs),
        m_stop(stop),
        m_threads(threadsFor(pairs.tokens * pairs.vocabulary / kElementsWorthAThread,
                             static_cast<std::size_t>(std::max(threads, 0)))),
        m_blockTokens(std::max<std::size_t>(kHeldElements / m_threads / pairs.vocabulary, 1)),
        m_distances(pairs.tokens) {}

  [[nodiscard]] Result<std::vector<TokenDistance>> run() && {
    ULP_TRY(runOnThreads(
        m_threads, [this](std::size_t /*thread*/) { work(); }, &m_isFailed));
    if (m_stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "stopped while comparing logits");
    }
    return std::move(m_distances);
  }

 private:
  void work() {
    TokenDistribution ofA;
    TokenDistribution ofB;
    while (!m_isFailed) {
      const std::size_t begin = m_next.fetch_add(m_blockTokens);
      const std::size_t end = std::min(begin + m_blockTokens, m_pairs.tokens);
      if (begin >= m_pairs.tokens) {
        return;
      }
      hint(tensors::readAhead, begin + m_threads * m_blockTokens, m_blockTokens);
      for (std::size_t token = begin; token < end; ++token) {
        if (m_stop.stop_requested()) {
          return;
        }
        const std::size_t first = token * m_pairs.vocabulary;
        const bool hasA =
            ofA.read(m_a.view, m_pairs.firstOfA + first, m_pairs.vocabulary, m_pairs.scaleOfA);
        const bool hasB =
            ofB.read(m_b.view, m_pairs.firstOfB + first, m_pairs.vocabulary, m_pairs.scaleOfB);
        if (hasA && hasB) {
          m_distances[token] = distanceOf(ofA, ofB);
        }
      }
      hint(tensors::giveBack, begin, end - begin);
    }
  }

  /// Of tokens on both sides.
  template <class Hint>
  void hint(const Hint& give, std::size_t first, std::size_t count) const {
    const std::size_t elements = first * m_pairs.vocabulary;
    give(m_a, m_pairs.firstOfA + elements, count * m_pairs.vocabulary);
    give(m_b, m_pairs.firstOfB + elements, count * m_pairs.vocabulary);
  }

  const tensors::Tensor& m_a;
  const tensors::Tensor& m_b;
  const TokenPairs& m_pairs;
  const std::stop_token& m_stop;
  std::size_t m_threads;
  std::size_t m_blockTokens;  ///< that a thread takes at once
  std::vector<TokenDistance> m_distances;
  std::atomic<std::size_t> m_next = 0;
  std::atomic<bool> m_isFailed = false;  ///< of one thread: nothing will come of the rest
};

/// What answerTokenDistances() says.
Result<std::vector<TokenDistance>> distancesIn(remote::Numbers numbers, std::size_t tokens) {
  std::vector<TokenDistance> distances;
  while (distances.size() < tokens && !numbers.isShort()) {
    TokenDistance& each = distances.emplace_back();
    each.isFinite = numbers.whole() != 0;
    for (double* value : {&each.kl, &each.cosine, &each.margin, &each.spread}) {
      *value = numbers.real();
    }
    each.choiceA = static_cast<std::size_t>(numbers.whole());
    each.choiceB = static_cast<std::size_t>(numbers.whole());
  }
  ULP_TRY(numbers.checkWhole());
  return distances;
}

/// Whether all tokens lie in a tensor.
bool isWithin(const TokenPairs& pairs, std::size_t first, const tensors::Tensor& tensor) {
  const std::size_t count = tensor.view.count();
  return first <= count && pairs.vocabulary > 0 &&
         pairs.tokens <= (count - first) / pairs.vocabulary;
}

Result<> checkShapes(const TensorView& a, const TensorView& b) {
  if (a.shape != b.shape || a.shape.size() < 2 || a.shape.back() < 1) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("logits of shapes [{}] and [{}]; both must be [tokens, vocabulary]",
                            fmt::join(a.shape, ", "),
                            fmt::join(b.shape, ", ")));
  }
  return {};
}

}  // namespace

bool TokenDistribution::read(const numerics::TensorView& logits,
                             std::size_t first,
                             std::size_t vocabulary,
                             double scale) {
  m_logits.resize(vocabulary);
  numerics::readElements(logits, static_cast<std::int64_t>(first), 1, m_logits);
  if (scale != 1) {
    std::ranges::transform(m_logits, m_logits.begin(), [scale](double x) { return x * scale; });
  }
  const auto isNan = [](double value) { return std::isnan(value); };
  if (std::ranges::any_of(m_logits, isNan)) {
    return false;
  }
  const auto most = std::ranges::max_element(m_logits);
  if (most == m_logits.end() || !std::isfinite(*most)) {
    return false;
  }
  m_choice = static_cast<std::size_t>(most - m_logits.begin());
  double partition = 0;
  for (const double value : m_logits) {
    partition += std::exp(value - *most);
  }
  m_normaliser = *most + std::log(partition);
  return true;
}

double TokenDistribution::spread() const {
  double sum = 0;
  double count = 0;
  for (const double value : m_logits) {
    sum += std::isfinite(value) ? value : 0;
    count += std::isfinite(value) ? 1 : 0;
  }
  const double mean = sum / count;
  double squares = 0;
  for (const double value : m_logits) {
    squares += std::isfinite(value) ? (value - mean) * (value - mean) : 0;
  }
  return std::sqrt(squares / count);
}

double klDivergence(const TokenDistribution& a, const TokenDistribution& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.logits().size(); ++i) {
    // What is never drawn does not count, whatever B says of it.
    const double logProbability = a.logProbability(i);
    if (const double probability = std::exp(logProbability); probability > 0) {
      sum += probability * (logProbability - b.logProbability(i));
    }
  }
  // A sum of rounded terms may end a little below zero.
  return std::max(sum, 0.0);
}

Result<std::vector<TokenDistance>> tokenDistances(const tensors::Tensor& a,
                                                  const tensors::Tensor& b,
                                                  const TokenPairs& pairs,
                                                  int threads,
                                                  const std::stop_token& stop) {
  const std::array both{&a, &b};
  const json::Object question{{"what", "token_distances"},
                              {"tokens", pairs.tokens},
                              {"vocabulary", pairs.vocabulary},
                              {"first_of_a", pairs.firstOfA},
                              {"first_of_b", pairs.firstOfB},
                              {"scale_of_a", pairs.scaleOfA},
                              {"scale_of_b", pairs.scaleOfB}};
  auto there = ULP_TRY(remote::numbersThere(both, question, stop));
  return there ? distancesIn(std::move(*there), pairs.tokens)
               : TokenTeam(a, b, pairs, threads, stop).run();
}

Result<remote::Numbers> answerTokenDistances(const json::Value& question,
                                             std::span<const tensors::Tensor> tensors,
                                             const std::stop_token& stop) {
  const auto number = [&](std::string_view name) {
    return static_cast<std::size_t>(question.at(name).integer());
  };
  const TokenPairs pairs{.tokens = number("tokens"),
                         .vocabulary = number("vocabulary"),
                         .firstOfA = number("first_of_a"),
                         .firstOfB = number("first_of_b"),
                         .scaleOfA = question.at("scale_of_a").number(),
                         .scaleOfB = question.at("scale_of_b").number()};
  if (tensors.size() != 2 || !isWithin(pairs, pairs.firstOfA, tensors[0]) ||
      !isWithin(pairs, pairs.firstOfB, tensors[1])) {
    return fail(ErrorCode::InvalidArgument, "there are no such tokens");
  }
  const auto distances = ULP_TRY(tokenDistances(tensors[0], tensors[1], pairs, 0, stop));
  remote::Numbers numbers;
  for (const TokenDistance& each : distances) {
    numbers.add(std::uint64_t{each.isFinite ? 1U : 0U});
    for (const double value : {each.kl, each.cosine, each.margin, each.spread}) {
      numbers.add(value);
    }
    numbers.add(std::uint64_t{each.choiceA});
    numbers.add(std::uint64_t{each.choiceB});
  }
  return numbers;
}

DistributionGap distributionGap(std::span<const TokenDistance> tokens) {
  DistributionGap gap;
  std::uint64_t agreeing = 0;
  for (const TokenDistance& token : tokens) {
    if (!token.isFinite) {
      ++gap.nonFinite;
      gap.kl.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    ++gap.tokens;
    gap.meanKl += token.kl;
    if (gap.tokens == 1 || token.kl > gap.largestKl) {
      gap.largestKl = token.kl;
      gap.largestPlace = gap.kl.size();
    }
    gap.kl.push_back(token.kl);
    agreeing += token.choiceA == token.choiceB ? 1 : 0;
  }
  if (gap.tokens == 0) {
    gap.largestKl = std::numeric_limits<double>::quiet_NaN();
  }
  gap.meanKl /= static_cast<double>(gap.tokens);
  gap.topAgreement = static_cast<double>(agreeing) / static_cast<double>(gap.tokens);
  return gap;
}

Result<DistributionGap> distributionGap(const tensors::Tensor& a,
                                        const tensors::Tensor& b,
                                        const LogitsScales& scales,
                                        const std::stop_token& stop) {
  ULP_TRY(checkShapes(a.view, b.view));
  const auto vocabulary = static_cast<std::size_t>(a.view.shape.back());
  const TokenPairs pairs{.tokens = a.view.count() / vocabulary,
                         .vocabulary = vocabulary,
                         .scaleOfA = scales.a,
                         .scaleOfB = scales.b};
  const auto distances = ULP_TRY(tokenDistances(a, b, pairs, 0, stop));
  return distributionGap(distances);
}

}  // namespace ulp::analysis
