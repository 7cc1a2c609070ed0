#include "core/analysis/hosts/numbers_answer.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

#include "core/analysis/rules/closeness.h"
#include "core/analysis/tensors/measured_pair.h"
#include "core/analysis/tensors/tensor_statistics.h"
#include "core/analysis/tokens/token_distance.h"
#include "core/analysis/tokens/token_errors.h"

namespace ulp::analysis {
namespace {

using Answer = Result<remote::Numbers> (*)(const json::Value&,
                                           std::span<const tensors::Tensor>,
                                           const std::stop_token&);

constexpr std::array kAnswers{
    std::pair<std::string_view, Answer>{"closeness", answerCloseness},
    std::pair<std::string_view, Answer>{"measure", answerMeasure},
    std::pair<std::string_view, Answer>{"part_errors", answerPartErrors},
    std::pair<std::string_view, Answer>{"statistics", answerStatistics},
    std::pair<std::string_view, Answer>{"token_distances", answerTokenDistances}};

}  // namespace

Result<remote::Numbers> answerNumbers(const json::Value& question,
                                      std::span<const tensors::Tensor> tensors,
                                      const std::stop_token& stop) {
  const std::string& what = question.at("what").text();
  const auto* const found =
      std::ranges::find(kAnswers, what, &std::pair<std::string_view, Answer>::first);
  return found == kAnswers.end()
             ? fail(ErrorCode::Unsupported, fmt::format("'{}': not known to this version", what))
             : found->second(question, tensors, stop);
}

}  // namespace ulp::analysis
