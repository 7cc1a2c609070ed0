#include "views/plugins/table/table_filter.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "tests/views/realistic_report.h"
#include "views/plugins/table/table_order.h"

namespace ulp::views {
namespace {

DocumentPtr filteredDocument() {
  static const DocumentPtr kDocument = [] {
    report::Report report = test::realisticReport(
        {.layers = 6, .variants = {"bf16", "fp16", "fp16_wide"}, .nonFiniteShare = 0.2});
    for (report::Comparison& row : report.runs[2].comparisons) {
      row.variantDType = "float16";
    }
    for (report::Run& run : report.runs) {
      run.kernels.names = {"ampere_bf16_s16816gemm_bf16_128x64_tn", "void ns::pad<int>(int)"};
    }
    report.runs[1].kernels.of(Pass::Forward) = {
        {"decoder.1", {1, 0}}, {"decoder.2", {0}}, {"decoder.3", {1}}};
    report.runs[1].kernels.of(Pass::Backward) = {{"decoder.4", {0}}};
    return test::documentOf(std::move(report));
  }();
  return kDocument;
}

std::vector<TensorRow> rowsOf(const QString& filter, int variant = 0) {
  const TableRows rows = queryTable(*filteredDocument(), {.variant = variant, .filter = filter});
  EXPECT_FALSE(rows.problem) << rows.problem->message();
  return rows.rows;
}

/// Some rows are there, not all of them, and they are exactly those of which `isWanted` is true.
void expectRows(const QString& filter,
                const std::function<bool(const report::Comparison&, const TensorRow&)>& isWanted) {
  const ReportDocument& document = *filteredDocument();
  std::size_t wanted = 0;
  for (int site = 0; site < static_cast<int>(document.sites().size()); ++site) {
    const report::Comparison* row = document.comparison(0, site);
    wanted += row != nullptr && isWanted(*row, {0, site}) ? 1U : 0U;
  }
  const std::vector<TensorRow> rows = rowsOf(filter);
  EXPECT_EQ(rows.size(), wanted) << filter.toStdString();
  EXPECT_GT(wanted, 0U) << filter.toStdString();
  EXPECT_LT(wanted, document.sites().size()) << filter.toStdString();
  for (const TensorRow& row : rows) {
    EXPECT_TRUE(isWanted(*document.comparison(row.variant, row.site), row));
  }
}

double errorOf(const TensorRow& row) {
  return filteredDocument()->value(
      row.variant, row.site, filteredDocument()->findMetric(QStringLiteral("rms_rel")));
}

TEST(TableFilter, WhatHasBlanksStandsInQuotes) {
  const std::size_t found = rowsOf(QStringLiteral("decoder.2")).size();
  ASSERT_GT(found, 0U);
  EXPECT_EQ(rowsOf(QStringLiteral("\"decoder.2\"")).size(), found);
  EXPECT_EQ(rowsOf(QStringLiteral("dec\"oder.\"2")).size(), found);
  EXPECT_EQ(rowsOf(QStringLiteral("\"decoder 2\"")).size(), 0U) << "no two words";
  EXPECT_EQ(rowsOf(QStringLiteral("\"decoder.2")).size(), 0U) << "one quote is a letter";
  EXPECT_EQ(rowsOf(QStringLiteral("variant:\"BF16\" decoder.2")).size(), found);
  EXPECT_TRUE(rowsOf(QStringLiteral("variant:\"bf16 x\"")).empty());
}

TEST(TableFilter, ComparesValuesInTheUnitOfTheirColumn) {
  for (const char* text : {"rms_rel > 5",
                           "RMS_Rel>5",
                           "rms_rel >5%",
                           "rms_rel > 5 %",
                           "\"RMS rel\" > 5",
                           "\"rms REL\">5"}) {
    expectRows(QLatin1String(text),
               [](const auto&, const TensorRow& row) { return errorOf(row) * 100 > 5; });
  }
  expectRows(QStringLiteral("rms_rel <= 2.5"),
             [](const auto&, const TensorRow& row) { return errorOf(row) * 100 <= 2.5; });
  expectRows(QStringLiteral("rms_rel ≥ 2.5"),
             [](const auto&, const TensorRow& row) { return errorOf(row) * 100 >= 2.5; });
}

TEST(TableFilter, AMissingValueFulfilsNothing) {
  expectRows(QStringLiteral("rms_rel != 5"),
             [](const auto&, const TensorRow& row) { return !std::isnan(errorOf(row)); });
}

TEST(TableFilter, CountsElementsAndLayers) {
  expectRows(QStringLiteral("nan>0"), [](const report::Comparison& row, const TensorRow&) {
    return row.variantNonFinite.nan > 0;
  });
  expectRows(QStringLiteral("inf > 0"), [](const report::Comparison& row, const TensorRow&) {
    return row.variantNonFinite.total() > row.variantNonFinite.nan;
  });
  expectRows(QStringLiteral("layer = 2"),
             [](const report::Comparison& row, const TensorRow&) { return row.site.layer == 2; });
  expectRows(QStringLiteral("elements<2"),
             [](const report::Comparison& row, const TensorRow&) { return row.count < 2; });
}

TEST(TableFilter, AllOfItHasToHold) {
  expectRows(QStringLiteral("down rms_rel > 1 layer>2 pass:back"),
             [](const report::Comparison& row, const TensorRow& at) {
               return row.site.name.find("down") != std::string::npos && errorOf(at) * 100 > 1 &&
                      row.site.layer > 2 && row.site.pass == Pass::Backward;
             });
}

TEST(TableFilter, NamesVariantsWhateverTheTableIsOf) {
  const TableRows rows = queryTable(*filteredDocument(),
                                    {.variant = 0, .filter = QStringLiteral("variant:FP16 nan>0")});
  EXPECT_TRUE(rows.ofNamedVariants);
  ASSERT_FALSE(rows.rows.empty());
  bool hasSecond = false;
  bool hasThird = false;
  for (const TensorRow& row : rows.rows) {
    EXPECT_NE(row.variant, 0);
    EXPECT_GT(filteredDocument()->comparison(row.variant, row.site)->variantNonFinite.nan, 0U);
    hasSecond = hasSecond || row.variant == 1;
    hasThird = hasThird || row.variant == 2;
  }
  EXPECT_TRUE(hasSecond && hasThird);
  EXPECT_TRUE(rowsOf(QStringLiteral("variant:none")).empty());
}

TEST(TableFilter, NamesFormats) {
  EXPECT_TRUE(rowsOf(QStringLiteral("format:float16"), 0).empty());
  EXPECT_EQ(rowsOf(QStringLiteral("format:float16"), 1).size(), rowsOf({}, 1).size());
}

TEST(TableFilter, NamesKernelsInAFewWordsOrInFull) {
  const auto names = [](const QString& filter) {
    std::vector<std::string> found;
    for (const TensorRow& row : rowsOf(filter)) {
      found.push_back(filteredDocument()->sites()[static_cast<std::size_t>(row.site)].name);
    }
    return found;
  };
  EXPECT_EQ(names(QStringLiteral("kernel:Gemm pass:forward")),
            (std::vector<std::string>{"decoder.1", "decoder.2"}));
  EXPECT_EQ(names(QStringLiteral("kernel:cublas kernel:ns::pad")),
            std::vector<std::string>{"decoder.1"});
  EXPECT_EQ(names(QStringLiteral("kernel:gemm pass:backward")),
            std::vector<std::string>{"decoder.4"});
  EXPECT_TRUE(rowsOf(QStringLiteral("kernel:gemm"), 1).empty()) << "none are recorded";
}

TEST(TableFilter, SaysWhatItDoesNotUnderstand) {
  const auto problem = [](const char* text) {
    const auto made = TableFilter::make(*filteredDocument(), QLatin1String(text), false);
    return made ? std::string() : made.error().message();
  };
  EXPECT_NE(problem("rms_real > 5").find("“rms_real”"), std::string::npos);
  EXPECT_NE(problem("rms_real > 5").find("rms_rel, "), std::string::npos) << "what there is";
  EXPECT_NE(problem("rms_rel > much").find("“much” is no number"), std::string::npos);
  EXPECT_EQ(problem("lambda<locals>"), "") << "part of a name";
  EXPECT_EQ(problem("rms_rel >"), "") << "while it is typed";
}

TEST(TableFilter, KnowsWhatLooksLikeAnExpression) {
  EXPECT_TRUE(looksLikeExpression(QStringLiteral("decoder\\.[01]$")));
  EXPECT_TRUE(looksLikeExpression(QStringLiteral("q_proj|k_proj")));
  EXPECT_FALSE(looksLikeExpression(QStringLiteral("([")));
  EXPECT_FALSE(looksLikeExpression(QStringLiteral("layers.2 down")));
}

}  // namespace
}  // namespace ulp::views
