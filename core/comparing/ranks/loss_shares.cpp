#include "core/comparing/ranks/loss_shares.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/comparing/match/row_identity.h"

namespace ulp::analysis {

using dumps::DumpRow;
using dumps::Role;
using dumps::Statistics;

bool isGradientOfCall(const DumpRow& row) {
  return row.role == Role::OutputGradient || row.role == Role::InputGradient;
}

bool isNumber(const DumpRow& row) {
  const auto type = elementTypeOf(row);
  return row.shape.empty() && type && isFloatingPoint(*type) && !isOfModel(row);
}

Statistics dividedBy(const Statistics& all, double divisor) {
  const auto part = [&](const std::optional<double>& value) {
    return value ? std::optional(*value / divisor) : std::nullopt;
  };
  return {part(all.max), part(all.min), part(all.mean), part(all.norm)};
}

Statistics withoutRounding(const Statistics& all, const DumpRow& row, std::uint64_t count) {
  const auto type = elementTypeOf(row);
  Statistics exact = all;
  if (type && !isFloatingPoint(*type) && count > 0) {
    const auto elements = static_cast<double>(count);
    if (exact.mean) {
      exact.mean = std::round(*exact.mean * elements) / elements;
    }
    if (exact.norm) {
      exact.norm = std::sqrt(std::round(*exact.norm * *exact.norm));
    }
  }
  return exact;
}

Statistics meanOfNumbers(const std::vector<Statistics>& numbers) {
  const auto mean = dumps::together(numbers, std::vector<std::uint64_t>(numbers.size(), 1)).mean;
  return mean ? Statistics{mean, mean, mean, std::abs(*mean)} : Statistics{};
}

bool areGradientsSummed(const std::vector<dumps::DumpUnitPtr>& ranks) {
  // Of each gradient what the first rank has, and how many others have the same.
  std::unordered_map<std::string_view, std::pair<const DumpRow*, std::size_t>> gradients;
  for (const dumps::DumpUnitPtr& rank : ranks) {
    for (const DumpRow& row : rank->rows) {
      // A gradient of zeros is the same before and behind a sum.
      if (row.role != Role::ParameterGradient || row.statistics.norm.value_or(0) == 0) {
        continue;
      }
      if (rank == ranks.front()) {
        gradients.emplace(row.name, std::pair(&row, std::size_t{1}));
        continue;
      }
      const auto first = gradients.find(row.name);
      const bool isSameRow = first != gradients.end() && first->second.first->shape == row.shape &&
                             dumps::isSame(first->second.first->statistics, row.statistics) &&
                             first->second.first->checksum == row.checksum;
      if (isSameRow && ++first->second.second == ranks.size()) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace ulp::analysis
