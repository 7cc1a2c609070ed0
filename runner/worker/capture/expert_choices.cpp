#include "runner/worker/capture/expert_choices.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <span>

#include "core/numerics/comparison/row_errors.h"

namespace ulp::worker {
namespace {

using engine::Capture;
using engine::ExpertChoice;
using report::RouterChoice;

std::vector<double> elementsOf(const numerics::TensorView& view) {
  std::vector<double> elements(view.count());
  numerics::readElements(view, 0, 1, elements);
  return elements;
}

/// The smallest score of a chosen expert less the largest of one that could have been chosen.
double marginOf(std::span<const double> scores, std::span<const std::int64_t> chosen) {
  double last = std::numeric_limits<double>::infinity();
  double next = -std::numeric_limits<double>::infinity();
  for (std::size_t expert = 0; expert < scores.size(); ++expert) {
    const bool isChosen = std::ranges::binary_search(chosen, static_cast<std::int64_t>(expert));
    if (isChosen) {
      last = std::min(last, scores[expert]);
    } else if (!std::isnan(scores[expert])) {
      next = std::max(next, scores[expert]);
    }
  }
  const double margin = last - next;
  return std::isfinite(margin) ? margin : kUndefined;
}

std::uint64_t differing(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      a, [b](std::int64_t expert) { return !std::ranges::binary_search(b, expert); }));
}

std::span<const std::int64_t> ofToken(const ChosenExperts& choice, std::size_t token) {
  return std::span(choice.sorted).subspan(token * choice.ofToken, choice.ofToken);
}

/// Sums over the tokens of one kind.
struct ErrorSums {
  std::uint64_t tokens = 0;
  std::uint64_t elements = 0;
  double difference = 0;
  double reference = 0;

  void add(const numerics::RowError& token) {
    difference += token.squaredDifference;
    reference += token.squaredReference;
    elements += token.compared;
    tokens += token.compared > 0 ? 1 : 0;
  }
  [[nodiscard]] report::TokenError error() const {
    const auto count = static_cast<double>(elements);
    return tokens == 0 ? report::TokenError{}
                       : report::TokenError{.tokens = tokens,
                                            .rmsDiff = std::sqrt(difference / count),
                                            .refScale = std::sqrt(reference / count)};
  }
};

}  // namespace

Result<ChosenExperts> chosenExperts(const ExpertChoice& choice) {
  const auto& chosen = choice.chosen.view;
  const auto& scores = choice.scores.view;
  const bool fits = chosen.shape.size() == 2 && scores.shape.size() == 2 &&
                    chosen.shape[0] == scores.shape[0] && chosen.shape[1] <= scores.shape[1];
  if (!fits) {
    return fail(ErrorCode::Internal,
                fmt::format("{}: the chosen experts do not fit their scores", choice.router.name));
  }
  ChosenExperts made{
      .ofToken = static_cast<std::size_t>(chosen.shape[1]), .sorted = {}, .margins = {}};
  made.experts = static_cast<std::uint64_t>(scores.shape[1]);
  const std::vector<double> numbers = elementsOf(chosen);
  made.sorted.assign(numbers.begin(), numbers.end());
  const std::vector<double> values = elementsOf(scores);
  const auto tokens = static_cast<std::size_t>(chosen.shape[0]);
  for (std::size_t token = 0; token < tokens; ++token) {
    const auto mine = std::span(made.sorted).subspan(token * made.ofToken, made.ofToken);
    std::ranges::sort(mine);
    made.margins.push_back(
        marginOf(std::span(values).subspan(token * made.experts, made.experts), mine));
  }
  return made;
}

Result<> ReferenceChoices::put(const ExpertChoice& choice, std::size_t microBatch) {
  const auto [place, isNew] = m_choices.try_emplace({choice.router.name, microBatch});
  if (isNew) {
    place->second = ULP_TRY(chosenExperts(choice));
  }
  return {};
}

const ChosenExperts* ReferenceChoices::find(const std::string& router,
                                            std::size_t microBatch) const {
  const auto found = m_choices.find({router, microBatch});
  return found == m_choices.end() ? nullptr : &found->second;
}

Result<> ChoiceComparison::add(const ExpertChoice& choice, std::size_t microBatch) {
  const ChosenExperts* reference = m_reference.find(choice.router.name, microBatch);
  const bool isNew = m_seen.try_emplace({choice.router.name, microBatch}, true).second;
  if (reference == nullptr || !isNew) {
    return {};
  }
  const ChosenExperts mine = ULP_TRY(chosenExperts(choice));
  if (mine.tokens() != reference->tokens() || mine.ofToken != reference->ofToken) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: it chooses {} experts for each of {} tokens, the reference {} for "
                            "each of {}",
                            choice.router.name,
                            mine.ofToken,
                            mine.tokens(),
                            reference->ofToken,
                            reference->tokens()));
  }
  RouterChoice part{.router = choice.router.name,
                    .block = choice.block,
                    .layer = choice.router.layer,
                    .experts = mine.experts,
                    .chosen = mine.ofToken,
                    .tokens = mine.tokens()};
  for (std::size_t token = 0; token < mine.tokens(); ++token) {
    const std::uint64_t changed = differing(ofToken(*reference, token), ofToken(mine, token));
    part.changed += changed;
    part.flipped += changed > 0 ? 1 : 0;
    part.flips.push_back(changed > 0 ? 1 : 0);
    report::addMargin(part.margins, reference->margins[token], changed > 0);
  }
  auto known = std::ranges::find(m_routers, part.router, &RouterChoice::router);
  if (known == m_routers.end()) {
    known = m_routers.insert(known,
                             RouterChoice{.router = part.router,
                                          .block = part.block,
                                          .layer = part.layer,
                                          .experts = part.experts,
                                          .chosen = part.chosen});
  }
  report::addChoice(*known, part);
  m_open[part.block] = {static_cast<std::size_t>(known - m_routers.begin()), std::move(part.flips)};
  return {};
}

Result<> ChoiceComparison::addOutput(const std::string& row,
                                     const Capture& reference,
                                     const Capture& variant) {
  const auto open = m_open.extract(row);
  if (open.empty()) {
    return {};
  }
  const auto& [router, flips] = open.mapped();
  const std::size_t elements = reference.view.count();
  if (flips.empty() || elements % flips.size() != 0 || reference.view.shape != variant.view.shape) {
    return {};
  }
  Capture left = ULP_TRY(reference.onHost());
  Capture right = ULP_TRY(variant.onHost());
  left.view.shape = {static_cast<std::int64_t>(flips.size()),
                     static_cast<std::int64_t>(elements / flips.size())};
  right.view.shape = left.view.shape;
  const auto errors = ULP_TRY(numerics::rowErrors(left.view, right.view));
  ErrorSums same;
  ErrorSums other;
  for (std::size_t token = 0; token < flips.size(); ++token) {
    (flips[token] != 0 ? other : same).add(errors[token]);
  }
  report::addTokens(m_routers[router].same, same.error());
  report::addTokens(m_routers[router].other, other.error());
  return {};
}

void ChoiceComparison::restart() {
  m_routers.clear();
  m_open.clear();
  m_seen.clear();
}

std::vector<RouterChoice> ChoiceComparison::take() {
  return std::exchange(m_routers, {});
}

}  // namespace ulp::worker
