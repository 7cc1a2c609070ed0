#include "core/study/editing/variant_grid.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "core/base/text/split.h"
#include "core/study/schema/schema.h"

namespace ulp::study {
namespace {

Result<std::string> nameOf(std::string_view pattern, const OverrideTexts& overrides) {
  std::string name;
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] != '{') {
      name += pattern[at++];
      continue;
    }
    const std::size_t close = pattern.find('}', at);
    const std::string_view word = pattern.substr(
        at + 1, close == std::string_view::npos ? std::string_view::npos : close - at - 1);
    const auto axis = std::find_if(overrides.begin(), overrides.end(), [&](const auto& entry) {
      return entry.first == word || lastPart(entry.first, '.') == word;
    });
    if (close == std::string_view::npos || axis == overrides.end()) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("'{{{}}}' in the pattern is no key of the grid", word));
    }
    name += shortValue(axis->second);
    at = close + 1;
  }
  return name;
}

Result<> checkAxes(const std::vector<GridAxis>& axes) {
  if (axes.empty()) {
    return fail(ErrorCode::InvalidArgument, "a grid needs at least one key with values");
  }
  std::set<std::string_view> seen;
  std::size_t count = 1;
  for (const GridAxis& axis : axes) {
    const Key* key = findKey(axis.key);
    if (key == nullptr || key->scope != KeyScope::Run) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("'{}' is no key that a variant can set", axis.key));
    }
    if (!seen.insert(axis.key).second) {
      return fail(ErrorCode::InvalidArgument, fmt::format("'{}' is there twice", axis.key));
    }
    if (axis.values.empty()) {
      return fail(ErrorCode::InvalidArgument, fmt::format("'{}' has no values", axis.key));
    }
    count = std::min(count * axis.values.size(), kLargestGrid + 1);
  }
  if (count > kLargestGrid) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("the grid has more than {} variants", kLargestGrid));
  }
  return {};
}

}  // namespace

std::string shortValue(std::string_view value) {
  using Pair = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Pair, 4> kShort{Pair{"bfloat16", "bf16"},
                                       Pair{"float16", "fp16"},
                                       Pair{"float32", "fp32"},
                                       Pair{"float64", "fp64"}};
  for (const auto& [longName, shortName] : kShort) {
    if (value == longName) {
      return std::string(shortName);
    }
  }
  return std::string(value);
}

std::string defaultGridPattern(const std::vector<GridAxis>& axes) {
  std::string pattern;
  for (const GridAxis& axis : axes) {
    pattern += fmt::format("{}{{{}}}", pattern.empty() ? "" : "_", lastPart(axis.key, '.'));
  }
  return pattern;
}

Result<std::vector<GridVariant>> makeGrid(const std::vector<GridAxis>& axes,
                                          std::string_view pattern) {
  ULP_TRY(checkAxes(axes));
  std::vector<OverrideTexts> combinations{{}};
  for (const GridAxis& axis : axes) {
    std::vector<OverrideTexts> longer;
    for (const OverrideTexts& combination : combinations) {
      for (const std::string& value : axis.values) {
        longer.push_back(combination);
        longer.back().emplace_back(axis.key, value);
      }
    }
    combinations = std::move(longer);
  }
  std::vector<GridVariant> variants;
  std::set<std::string> names;
  for (OverrideTexts& overrides : combinations) {
    auto name = ULP_TRY(nameOf(pattern, overrides));
    if (!names.insert(name).second) {
      return fail(
          ErrorCode::InvalidArgument,
          fmt::format("two variants would be called '{}'; name more keys in the pattern", name));
    }
    variants.push_back({std::move(name), std::move(overrides)});
  }
  return variants;
}

}  // namespace ulp::study
