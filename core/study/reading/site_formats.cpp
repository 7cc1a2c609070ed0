#include "core/study/reading/site_formats.h"

#include <fmt/format.h>

#include "core/base/text/regular_expression.h"

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

Result<numerics::OperationFormats> formatsAt(const Settings& settings,
                                             std::string_view module,
                                             RulePass pass) {
  numerics::FormatOverrides set;
  for (const std::string_view key : numerics::operationKeys()) {
    const Setting& setting = settings.find(fmt::format("precision.{}", key))->second;
    if (!setting.follows) {
      set[*numerics::parseOperationKey(key)] = numerics::parseNumberFormat(setting.value);
    }
  }
  for (const PrecisionRule& rule : ULP_TRY(parseRules(valueOf(settings, "precision.rules")))) {
    const auto match = ULP_TRY(RegularExpression::compile(rule.match));
    const bool isOfPass = rule.pass == RulePass::Both || rule.pass == pass;
    if (isOfPass && ULP_TRY(match.isFoundIn(module))) {
      set = numerics::overlaid(set, rule.formats);
    }
  }
  return numerics::resolveFormats(set, kernelDefaults(settings));
}

}  // namespace ulp::study
