#include "core/comparing/verdict/dump_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A unit of three tokens, of which those from `firstOff` on fail.
UnitOutcome unitWhoseTokensFail(Pass lastPass, std::size_t firstOff) {
  UnitOutcome unit;
  unit.run = test::runOf("step 0",
                         {test::comparisonOf(test::layerSite("logits", -1, Pass::Forward), {}),
                          test::comparisonOf(test::layerSite("logits", -1, lastPass), {})});
  for (std::size_t i = 0; i < 3; ++i) {
    unit.tokens.push_back({.token = static_cast<std::int64_t>(i),
                           .position = i,
                           .site = test::layerSite("logits", -1, Pass::Forward),
                           .kl = i < firstOff ? 0.0 : 1.0,
                           .allowedKl = 0.1});
  }
  TokenOrigin origin{.token = firstOff};
  origin.verdict.culprits.push_back({.name = "mlp", .reason = "adds 5 %"});
  unit.tokenOrigin = std::move(origin);
  return unit;
}

std::vector<std::string> rulesFoundIn(const UnitOutcome& unit) {
  std::vector<std::string> rules;
  for (const report::Finding& finding : findingsOf(unit, "step 0")) {
    rules.push_back(finding.rule);
  }
  return rules;
}

TEST(DumpFindings, TheFirstTokenOfATrainingStepIsNoSuspect) {
  for (const Pass pass : {Pass::Backward, Pass::ParameterGradient}) {
    EXPECT_THAT(rulesFoundIn(unitWhoseTokensFail(pass, 0)), IsEmpty());
    EXPECT_THAT(rulesFoundIn(unitWhoseTokensFail(pass, 1)), ElementsAre("tokens", "token_culprit"))
        << "the tokens before it agree, which says something";
  }
}

TEST(DumpFindings, TheFirstTokenThatIsGeneratedIsOne) {
  EXPECT_THAT(rulesFoundIn(unitWhoseTokensFail(Pass::Forward, 0)),
              ElementsAre("tokens", "token_culprit"));
}

}  // namespace
}  // namespace ulp::analysis
