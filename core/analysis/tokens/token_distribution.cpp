#include "core/analysis/tokens/token_distribution.h"

#include <algorithm>
#include <cmath>

#include "core/numerics/tensor_view.h"

namespace ulp::analysis {

bool TokenDistribution::read(const numerics::TensorView& logits,
                             std::size_t first,
                             std::size_t vocabulary) {
  m_logits.resize(vocabulary);
  numerics::readElements(logits, static_cast<std::int64_t>(first), 1, m_logits);
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

}  // namespace ulp::analysis
