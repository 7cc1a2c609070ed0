#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include <c10/util/StringUtil.h>

#include "core/base/text/regular_expression.h"
#include "core/engine/precision/numerics.h"

namespace ulp::engine {
namespace {

using numerics::Operation;

constexpr std::size_t kNearModules = 3;

/// Parameters are stored once, their gradients summed once and their optimizer takes one step; the
/// tables of rotary embeddings have no gradient.
constexpr std::array<Operation, 4> kWithoutPass{
    Operation::Weights, Operation::Gradient, Operation::RotaryTable, Operation::Optimizer};

std::string nameOf(const PrecisionPlan& plan, std::size_t rule) {
  return "precision.rules[" + std::to_string(rule) + "]: '" + plan.rules[rule].match + "'";
}

/// Length of the longest common subsequence.
std::size_t likeness(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (const char c : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = c == b[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return row.back();
}

std::string literalPart(std::string_view pattern) {
  constexpr std::string_view kSpecial = "\\^$.|?*+()[]{}";
  std::string text;
  for (const char c : pattern) {
    if (kSpecial.find(c) == std::string_view::npos) {
      text += c;
    }
  }
  return text;
}

std::string nearModules(const std::string& pattern, std::vector<std::string> modules) {
  const std::string wanted = literalPart(pattern);
  const auto rank = [&](const std::string& module) {
    // The shorter of two that share as much is nearer.
    return 3 * static_cast<std::ptrdiff_t>(likeness(wanted, module)) -
           static_cast<std::ptrdiff_t>(module.size());
  };
  std::ranges::stable_sort(modules, std::greater(), rank);
  modules.resize(std::min(kNearModules, modules.size()));
  return c10::Join(", ", modules);
}

Result<> checkPasses(const PrecisionPlan& plan, std::size_t index) {
  const PrecisionRule& rule = plan.rules[index];
  if (rule.passes == PrecisionRule::Passes::Both) {
    return {};
  }
  for (const Operation operation : kWithoutPass) {
    if (rule.formats[operation]) {
      return fail(ErrorCode::InvalidArgument,
                  nameOf(plan, index) + ": " + std::string(numerics::keyOf(operation)) +
                      " holds for both passes; leave `pass` out or put it into a rule of its own");
    }
  }
  return {};
}

/// `named`: how an error calls it.
Result<std::vector<std::string>> modulesWith(const std::string& pattern,
                                             const std::string& named,
                                             const std::vector<std::string>& modules) {
  const auto compiled = ULP_TRY(
      whileDoing(named + " is not a regular expression", RegularExpression::compile(pattern)));
  std::vector<std::string> found;
  for (const std::string& module : modules) {
    const bool isFound = ULP_TRY(compiled.isFoundIn(module));
    if (isFound) {
      found.push_back(module);
    }
  }
  if (found.empty()) {
    return fail(
        ErrorCode::InvalidArgument,
        named + " matches no module of the model; near ones are " + nearModules(pattern, modules));
  }
  return found;
}

void apply(const PrecisionRule& rule, MatchedFormats& matched) {
  if (rule.passes != PrecisionRule::Passes::Backward) {
    matched.forward = numerics::overlaid(matched.forward, rule.formats);
  }
  if (rule.passes != PrecisionRule::Passes::Forward) {
    matched.backward = numerics::overlaid(matched.backward, rule.formats);
  }
}

MatchedFormats& entryOf(std::vector<MatchedFormats>& all, const std::string& module) {
  const auto found = std::ranges::find(all, module, &MatchedFormats::module);
  return found == all.end() ? all.emplace_back(MatchedFormats{module, {}, {}}) : *found;
}

}  // namespace

Result<std::vector<MatchedFormats>> matchRules(const PrecisionPlan& plan,
                                               const std::vector<std::string>& modules) {
  std::vector<MatchedFormats> all;
  for (std::size_t index = 0; index < plan.rules.size(); ++index) {
    ULP_TRY(checkPasses(plan, index));
    const auto matched =
        ULP_TRY(modulesWith(plan.rules[index].match, nameOf(plan, index), modules));
    for (const std::string& module : matched) {
      apply(plan.rules[index], entryOf(all, module));
    }
  }
  return all;
}

Result<std::vector<std::string>> matchFloat8(const PrecisionPlan& plan,
                                             const std::vector<std::string>& modules) {
  if (plan.float8.scaling == Float8Scaling::None) {
    return std::vector<std::string>();
  }
  const std::string& pattern = plan.float8.modules;
  auto matched =
      pattern.empty()
          ? modules
          : ULP_TRY(modulesWith(pattern, "matmul.float8_modules: '" + pattern + "'", modules));
  std::ranges::sort(matched);
  return matched;
}

}  // namespace ulp::engine
