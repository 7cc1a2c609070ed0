#include "views/framework/words/term_text.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/analysis/findings/finding_rule.h"
#include "core/analysis/studies/counterfactual.h"
#include "core/base/site.h"
#include "core/report/summary/summary.h"
#include "tests/core/analysis/studies/settings_report.h"
#include "tests/support/data/report_builder.h"
#include "tests/views/bracket_language.h"

namespace ulp::views {
namespace {

TEST(SentenceText, TranslatesThePassBehindANameAndNoName) {
  const test::BracketLanguage language;
  for (const Pass pass : kPasses) {
    const std::string place = analysis::placeText(test::layerSite("decoder.1", 1, pass));
    EXPECT_EQ(sentenceText(place).toStdString(),
              "decoder.1, [" + place.substr(std::string("decoder.1, ").size()) + "]");
  }
  EXPECT_EQ(sentenceText("decoder.1"), QStringLiteral("decoder.1"));
  EXPECT_EQ(sentenceText("forward"), QStringLiteral("forward")) << "a variant may be called so";
  EXPECT_EQ(sentenceText("precision.compute_dtype: bfloat16"),
            QStringLiteral("precision.compute_dtype: bfloat16"));
}

/// Of runs that differ in how they are cast and in a format.
std::vector<analysis::Counterfactual> plannedCounterfactuals() {
  const report::Report report = test::settingsReport(
      "model.path: m\nvariants:\n"
      "  a: {precision.compute_dtype: bfloat16, precision.cast: module}\n");
  const auto plan =
      analysis::planCounterfactuals({report, "reference"}, {report, "a"}, "model.norm", "out");
  EXPECT_TRUE(plan.has_value()) << plan.error().message();
  return plan ? plan->counterfactuals : std::vector<analysis::Counterfactual>();
}

TEST(SentenceText, TranslatesCausesAndChangesThatAreNoSettings) {
  const auto planned = plannedCounterfactuals();
  const test::BracketLanguage language;
  int words = 0;
  for (const analysis::Counterfactual& one : planned) {
    for (const Sentence& sentence : {one.cause, one.change}) {
      const bool isSetting = sentence.text().starts_with("precision.");
      words += isSetting ? 0 : 1;
      EXPECT_EQ(sentenceText(sentence).contains(QLatin1Char('[')), !isSetting) << sentence.text();
    }
  }
  EXPECT_EQ(words, 4) << "of the rotary tables, and of the formats at a module";
}

TEST(SentenceText, TranslatesWhatStandsInItsPlaces) {
  const test::BracketLanguage language;
  const Sentence sentence{"%1 first at %2", {"forward", "decoder.1, backward"}};
  EXPECT_EQ(sentenceText(sentence), QStringLiteral("[forward first at decoder.1, [backward]]"));
  EXPECT_EQ(sentenceText({"%1: %2", {"norm", {"its %1 is %2", {"%1", {"high", {}}}}}}),
            QStringLiteral("[norm: [its %1 is [high]]]"))
      << "names, even those that are words, stay";
}

TEST(SummaryTitle, IsAskedForOfEveryColumn) {
  const test::BracketLanguage language;
  for (const report::SummaryColumn& column : report::summaryColumns()) {
    EXPECT_EQ(summaryTitle(column).toStdString(), "[" + column.title + "]");
  }
}

}  // namespace
}  // namespace ulp::views
