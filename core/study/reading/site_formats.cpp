#include "core/study/reading/site_formats.h"

#include <fmt/format.h>
#include <string>
#include <utility>

namespace ulp::study {
namespace {

const std::string& valueOf(const Settings& settings, std::string_view key) {
  return settings.find(key)->second.value;
}

}  // namespace

numerics::KernelDefaults kernelDefaults(const Settings& settings) {
  return {.fusedRotary = valueOf(settings, "rotary.implementation") == "fused",
          .fusedMlp = valueOf(settings, "mlp.implementation") == "fused",
          .wideGradients = valueOf(settings, "semantics") == "fast_llm"};
}

Result<FormatRules> FormatRules::compile(const numerics::FormatOverrides& set,
                                         const numerics::KernelDefaults& kernels,
                                         const std::vector<PrecisionRule>& rules) {
  FormatRules all;
  all.m_set = set;
  all.m_kernels = kernels;
  for (const PrecisionRule& rule : rules) {
    auto match = ULP_TRY(RegularExpression::compile(rule.match));
    all.m_rules.push_back({std::move(match), rule.pass, rule.formats});
  }
  return all;
}

Result<FormatRules> FormatRules::of(const Settings& settings) {
  numerics::FormatOverrides set;
  for (const std::string_view key : numerics::operationKeys()) {
    const Setting& setting = settings.find(fmt::format("precision.{}", key))->second;
    if (!setting.follows) {
      set[*numerics::parseOperationKey(key)] = numerics::parseNumberFormat(setting.value);
    }
  }
  const auto rules = ULP_TRY(parseRules(valueOf(settings, "precision.rules")));
  return compile(set, kernelDefaults(settings), rules);
}

Result<numerics::OperationFormats> FormatRules::at(std::string_view module, RulePass pass) const {
  numerics::FormatOverrides set = m_set;
  for (const Rule& rule : m_rules) {
    const bool isOfPass = rule.pass == RulePass::Both || rule.pass == pass;
    if (isOfPass && ULP_TRY(rule.match.isFoundIn(module))) {
      set = numerics::overlaid(set, rule.formats);
    }
  }
  return numerics::resolveFormats(set, m_kernels);
}

}  // namespace ulp::study
