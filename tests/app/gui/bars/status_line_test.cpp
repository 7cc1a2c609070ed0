#include "app/gui/bars/status_line.h"

#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"
#include "tests/views/realistic_report.h"

namespace ulp::app {
namespace {

TEST(StatusLine, PutsAPointIntoWords) {
  const views::DocumentPtr document = test::documentOf(test::sampleReport(3, {"bf16"}));
  const QString metric = QStringLiteral("rms_rel");
  EXPECT_EQ(StatusLine::pointText(*document,
                                  {.run = QStringLiteral("bf16"),
                                   .site = QStringLiteral("decoder.1"),
                                   .pass = Pass::Forward},
                                  metric),
            QStringLiteral("bf16 · decoder.1 · forward: RMS rel 0.30\u202f%"));
  EXPECT_EQ(
      StatusLine::pointText(
          *document, {.run = {}, .site = QStringLiteral("norm"), .pass = Pass::Backward}, metric),
      QStringLiteral("norm · backward"));
  EXPECT_EQ(StatusLine::pointText(*document, {}, metric), QString());
}

TEST(StatusLine, SaysNaNWhereElementsAreNotFinite) {
  report::Report report = test::sampleReport(3, {"bf16"});
  test::fillWithNan(report.runs[1].comparisons[1]);
  EXPECT_EQ(StatusLine::valueText(*test::documentOf(std::move(report)),
                                  {.run = QStringLiteral("bf16"),
                                   .site = QStringLiteral("decoder.0"),
                                   .pass = Pass::Forward},
                                  QStringLiteral("rms_rel")),
            QStringLiteral("RMS rel NaN"));
}

}  // namespace
}  // namespace ulp::app
