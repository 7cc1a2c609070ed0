#include "views/plugins/details/details_model.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"
#include "tests/support/data/special_numbers.h"
#include "tests/support/window/model_checks.h"
#include "tests/views/realistic_report.h"
#include "views/framework/words/site_text.h"

namespace ulp::views {
namespace {

TEST(DetailsModel, HasAllMetricsOfAllVariantsAndTheCounts) {
  const DocumentPtr document = test::documentOf(test::sampleReport(3, {"a", "b"}));
  const int site = document->findSite("decoder.1", Pass::Forward);
  DetailsModel model;
  const test::ModelChecks checks(&model);
  model.setContent(detailsColumns(*document), detailsOf(*document, site));
  EXPECT_EQ(model.columnCount(), 3);
  EXPECT_EQ(model.rowCount(), 5 + 3);
  EXPECT_EQ(model.index(1, 0).data().toString(), QStringLiteral("RMS rel, %"));
  EXPECT_EQ(model.index(1, 1).data().toString(), QStringLiteral("0.30"));
  EXPECT_EQ(model.index(1, 2).data(RawRole).toString(), QStringLiteral("0.6"));
  EXPECT_EQ(model.index(5, 0).data().toString(), QStringLiteral("NaN"));
  EXPECT_EQ(model.index(5, 1).data().toString(), QStringLiteral("0"));
}

TEST(DetailsModel, ShowsMissingTensorsAsMissing) {
  report::Report report = test::sampleReport(3, {"a", "b"});
  report.runs[2].comparisons.erase(report.runs[2].comparisons.begin() + 2);
  const DocumentPtr document = test::documentOf(std::move(report));
  const int site = document->findSite("decoder.1", Pass::Forward);
  const auto rows = detailsOf(*document, site);
  EXPECT_EQ((*rows)[1].cells[1].text, QStringLiteral("–"));
  EXPECT_EQ((*rows)[5].cells[1].text, QStringLiteral("–"));
  EXPECT_TRUE(worstOf(*document, 1, site)->empty());
  EXPECT_EQ(factsOf(*document, 1, site).size(), 1U) << "the module's path alone";
}

TEST(DetailsModel, CountsNonFiniteElementsOfBothSides) {
  report::Report report = test::sampleReport(3, {"a"});
  test::fillWithNan(report.runs[1].comparisons[2]);
  report.runs[1].comparisons[2].referenceNonFinite = {4, 0, 0};
  const DocumentPtr document = test::documentOf(std::move(report));
  const int site = document->findSite("decoder.1", Pass::Forward);
  const auto rows = detailsOf(*document, site);
  EXPECT_EQ((*rows)[5].cells[0].text, QStringLiteral("30 (4)"));
  EXPECT_TRUE((*rows)[5].cells[0].isNonFinite);
  EXPECT_EQ((*rows)[6].cells[0].text, QStringLiteral("1"));
  const std::vector<Fact> facts = factsOf(*document, 0, site);
  EXPECT_EQ(facts.back().value, QStringLiteral("32, 0 compared"));
}

TEST(DetailsModel, OfADumpCountsOnceWhatIsNotFiniteAndTellsARecordedNanFromNothing) {
  report::Report report = test::sampleReport(3, {"a", "b"});
  report.metrics = {{"recorded.max"}, {"recorded.nan"}, {"recorded.inf"}};
  for (report::Run& run : report.runs) {
    for (report::Comparison& row : run.comparisons) {
      row.metrics = {2.5, 0, 0};
    }
  }
  report::Comparison& broken = report.runs[1].comparisons[2];
  broken.metrics = {test::kNan, test::kNan, 3};
  broken.variantNonFinite = {1, 2, 1};
  broken.compared = 0;
  report.runs[2].comparisons[2].metrics = {test::kNan, test::kNan, test::kNan};
  const DocumentPtr document = test::documentOf(std::move(report));
  const auto rows = detailsOf(*document, document->findSite("decoder.1", Pass::Forward));
  ASSERT_EQ(rows->size(), 3U) << "no second count";
  const auto text = [&](std::size_t row, std::size_t variant) {
    return (*rows)[row].cells[variant].text.trimmed();
  };
  EXPECT_EQ(text(0, 0), QStringLiteral("NaN"));
  EXPECT_TRUE((*rows)[0].cells[0].isNonFinite);
  EXPECT_EQ(text(0, 1), QStringLiteral("–")) << "nothing was recorded";
  EXPECT_EQ(text(1, 0), QStringLiteral("≥ 1")) << "nobody counted";
  EXPECT_EQ(text(2, 0), QStringLiteral("3"));
  EXPECT_EQ((*rows)[2].cells[0].more, QStringLiteral("+Inf: 2, −Inf: 1"));
  EXPECT_EQ(text(1, 1), QStringLiteral("–"));
}

TEST(DetailsModel, ListsTheWorstElements) {
  const DocumentPtr document = test::documentOf(test::sampleReport(3, {"a"}));
  WorstModel model;
  const test::ModelChecks checks(&model);
  model.setContent(worstColumns(QStringLiteral("reference"), QStringLiteral("a")),
                   worstOf(*document, 0, document->findSite("decoder.1", Pass::Forward)));
  ASSERT_EQ(model.rowCount(), 1);
  EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("0, 5, 2"));
  EXPECT_EQ(model.index(0, 3).data(RawRole).toString(), QStringLiteral("-0.25"));
  const auto heading = [&model](int column) {
    return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
  };
  EXPECT_EQ(heading(1), QStringLiteral("reference"));
  EXPECT_EQ(heading(2), QStringLiteral("a"));
  EXPECT_EQ(heading(3), QStringLiteral("a − reference")) << "what is subtracted from what";
}

TEST(DetailsModel, NamesTheFormatsOfUlpWhereTheyDiffer) {
  report::Report report = test::sampleReport(3, {"a", "b"});
  for (report::Comparison& row : report.runs[2].comparisons) {
    row.variantDType = "float16";
  }
  const DocumentPtr document = test::documentOf(report);
  const auto rows = detailsOf(*document, document->findSite("norm", Pass::Forward));
  const DetailsRow& ulp = (*rows)[3];
  EXPECT_EQ(ulp.title, QStringLiteral("Mean ULP of several formats"));
  EXPECT_TRUE(ulp.cells[0].text.endsWith(QStringLiteral(" bfloat16")));
  EXPECT_TRUE(ulp.cells[1].text.endsWith(QStringLiteral(" float16")));
  EXPECT_TRUE(ulp.cells[1].more.contains(QStringLiteral("in ULP of float16")));
  EXPECT_FALSE((*rows)[1].cells[0].text.contains(QStringLiteral("float")));
}

TEST(DetailsModel, NamesShapeFormatAndModule) {
  const DocumentPtr document = test::documentOf(test::sampleReport(3, {"a"}));
  const auto facts = factsOf(*document, 0, document->findSite("decoder.1", Pass::Forward));
  ASSERT_EQ(facts.size(), 4U);
  EXPECT_EQ(facts[0].value, QStringLiteral("model.layers.1"));
  EXPECT_EQ(facts[1].value, QStringLiteral("1 × 8 × 4"));
  EXPECT_EQ(facts[2].value, QStringLiteral("float32 → bfloat16"));
  EXPECT_EQ(facts[3].value, QStringLiteral("32, all compared"));
}

/// What the facts of a tensor say under a title; empty: nothing.
QString factOf(const std::vector<Fact>& facts, const QString& title) {
  const auto found = std::ranges::find(facts, title, &Fact::title);
  return found == facts.end() ? QString() : found->value;
}

TEST(DetailsModel, NamesKernelsOfBothRunsWhereTheyDiffer) {
  report::Report report = test::sampleReport(3, {"a"});
  report.runs[0].kernels = {.names = {"ampere_sgemm_128x64_tn"}};
  report.runs[1].kernels = {.names = {"ampere_sgemm_128x64_tn", "void ns::pad<int>(int)"}};
  report.runs[0].kernels.of(Pass::Forward) = {{"decoder.0", {0}}, {"decoder.1", {0}}};
  report.runs[1].kernels.of(Pass::Forward) = {{"decoder.0", {0}}, {"decoder.1", {1, 0}}};
  const DocumentPtr document = test::documentOf(std::move(report));
  const auto factsAt = [&](const char* row) {
    return factsOf(*document, 0, document->findSite(row, Pass::Forward));
  };
  const QString product = QStringLiteral("gemm f32 128x64 (cublas)");
  EXPECT_EQ(factOf(factsAt("decoder.0"), QStringLiteral("Kernels")), product);
  EXPECT_EQ(factOf(factsAt("decoder.1"), QStringLiteral("Kernels of reference")), product);
  EXPECT_EQ(factOf(factsAt("decoder.1"), QStringLiteral("Kernels of a")),
            QStringLiteral("pad\n") + product);
  EXPECT_TRUE(factsAt("decoder.1").back().toolTip.contains(QStringLiteral("ns::pad&lt;int&gt;")));
  EXPECT_EQ(factsAt("decoder.2").size(), 4U) << "none are recorded";
}

TEST(DetailsModel, SaysWhereATensorIsMadeAndWhatFrom) {
  report::Report report = test::sampleReport(3, {"a"});
  OperationGraph& graph = report.runs[1].graph;
  graph.of(Pass::Forward)["decoder.1"] = {.forward = {"decoder.0", "x"}, .line = "llama.py:312"};
  graph.of(Pass::Backward)["decoder.1"] = {.forward = {"x"}, .backward = {"decoder.2"}};
  const DocumentPtr document = test::documentOf(std::move(report));
  const auto factsAt = [&](Pass pass) {
    return factsOf(*document, 0, document->findSite("decoder.1", pass));
  };
  EXPECT_EQ(factOf(factsAt(Pass::Forward), QStringLiteral("Line")), QStringLiteral("llama.py:312"));
  EXPECT_EQ(factOf(factsAt(Pass::Forward), QStringLiteral("Made from")),
            QStringLiteral("decoder.0\nx"));
  EXPECT_EQ(factOf(factsAt(Pass::Backward), QStringLiteral("Made from")),
            QStringLiteral("x, %1\ndecoder.2").arg(passText(Pass::Forward)));
  EXPECT_EQ(factOf(factsAt(Pass::Backward), QStringLiteral("Line")), QString());
}

}  // namespace
}  // namespace ulp::views
