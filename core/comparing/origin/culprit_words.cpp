#include "core/comparing/origin/culprit_words.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "core/analysis/findings/finding_rule.h"
#include "core/base/text/format_number.h"
#include "core/comparing/origin/culprit.h"

namespace ulp::analysis {

std::string nameInCall(const std::string& call, const std::string& row) {
  const bool isInside =
      row.size() > call.size() + 1 && row.starts_with(call) && row[call.size()] == '.';
  return isInside ? row.substr(call.size() + 1) : row;
}

std::string lacksText(const std::vector<std::string>& lacking,
                      const std::vector<std::string>& extra) {
  std::string text;
  if (!lacking.empty()) {
    text = "the candidate lacks " + namesText(lacking);
  }
  if (!extra.empty()) {
    text += (text.empty() ? "the candidate has " : ", and has ") + namesText(extra);
  }
  return text;
}

std::string shapeOf(const dumps::DumpRow& row) {
  return fmt::format("[{}]", fmt::join(row.shape, ", "));
}

Sentence amountOf(double error) {
  return std::isfinite(error) ? Sentence(formatPercent(error) + " %")
                              : Sentence{ULP_TR_NOOP("an unknown amount"), {}};
}

Sentence differenceText(Sentence subject, const RowDifference& difference) {
  switch (difference.nonFinite) {
    case NonFiniteChange::Lost:
      return {ULP_TR_NOOP("%1 holds NaN or infinity where the baseline has numbers"),
              {std::move(subject)}};
    case NonFiniteChange::Regained:
      return {ULP_TR_NOOP("%1 holds numbers where the baseline has NaN or infinity"),
              {std::move(subject)}};
    case NonFiniteChange::OtherKind:
      return {ULP_TR_NOOP("%1 holds another NaN or infinity than the baseline"),
              {std::move(subject)}};
    case NonFiniteChange::None:
      break;
  }
  if (std::isinf(difference.error)) {
    return {ULP_TR_NOOP("%1 holds numbers where the baseline has zeros alone"),
            {std::move(subject)}};
  }
  return {ULP_TR_NOOP("%1 differs by %2"), {std::move(subject), amountOf(difference.error)}};
}

Sentence gapText(Sentence different, double carried) {
  if (carried == 0) {
    return {ULP_TR_NOOP("%1, while what was recorded before agrees: made between the calls that "
                        "were recorded"),
            {std::move(different)}};
  }
  return {ULP_TR_NOOP("%1, while what was recorded before differs by at most %2: made between the "
                      "calls that were recorded"),
          {std::move(different), amountOf(carried)}};
}

std::string_view toString(CulpritKind kind) {
  constexpr std::array<std::string_view, 6> kNames{
      "source", "operation", "gap", "received", "missing", "unequal"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view toString(Sureness sureness) {
  constexpr std::array<std::string_view, 3> kNames{"low", "medium", "high"};
  return kNames.at(static_cast<std::size_t>(sureness));
}

Sentence wordOf(Sureness sureness) {
  constexpr std::array<const char*, 3> kWords{
      ULP_TR_NOOP("low"), ULP_TR_NOOP("medium"), ULP_TR_NOOP("high")};
  return {kWords.at(static_cast<std::size_t>(sureness)), {}};
}

}  // namespace ulp::analysis
