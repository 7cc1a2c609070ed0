#include "views/plugins/table/table_order.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/machine/process_seconds.h"
#include "tests/support/window/stall_listener.h"
#include "tests/views/realistic_report.h"
#include "views/plugins/table/table_filter.h"
#include "views/plugins/table/tensor_table_model.h"

namespace ulp::views {
namespace {

DocumentPtr document() {
  static const DocumentPtr kDocument = test::documentOf(test::realisticReport(
      {.layers = 6, .variants = {"a", "b"}, .parameterGradients = true, .nonFiniteShare = 0.2}));
  return kDocument;
}

std::vector<double> valuesOf(const TableRows& rows, int metric) {
  std::vector<double> values;
  for (const TensorRow& row : rows.rows) {
    values.push_back(document()->value(row.variant, row.site, metric));
  }
  return values;
}

TEST(TableOrder, ListsTheRowsOfAVariantInExecutionOrder) {
  const TableRows rows = queryTable(*document(), {.variant = 1});
  ASSERT_FALSE(rows.rows.empty());
  EXPECT_EQ(rows.total, rows.rows.size());
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    EXPECT_EQ(rows.rows[i].variant, 1);
    EXPECT_TRUE(i == 0 || rows.rows[i - 1].site < rows.rows[i].site);
  }
  EXPECT_EQ(queryTable(*document(), {}).rows.size(), 2 * rows.rows.size());
}

TEST(TableOrder, SortsNanLastInBothDirections) {
  const int metric = document()->findMetric(QStringLiteral("rms_rel"));
  for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
    const std::vector<double> values = valuesOf(
        queryTable(*document(), {.sortColumn = kFirstMetric + metric, .order = order}), metric);
    bool missing = false;
    std::size_t missingCount = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      missing = missing || std::isnan(values[i]);
      missingCount += missing ? 1 : 0;
      ASSERT_EQ(std::isnan(values[i]), missing) << i;
      if (i > 0 && !missing) {
        ASSERT_TRUE(order == Qt::AscendingOrder ? values[i - 1] <= values[i]
                                                : values[i - 1] >= values[i]);
      }
    }
    EXPECT_GT(missingCount, 0U);
  }
}

TEST(TableOrder, EveryColumnSorts) {
  for (int column = 0; column < kFirstMetric; ++column) {
    const TableRows sorted = queryTable(*document(), {.sortColumn = column});
    EXPECT_EQ(sorted.rows.size(), sorted.total) << column;
  }
  const TableRows byName =
      queryTable(*document(), {.variant = 0, .sortColumn = static_cast<int>(TensorColumn::Tensor)});
  for (std::size_t i = 1; i < byName.rows.size(); ++i) {
    EXPECT_LE(document()->sites()[static_cast<std::size_t>(byName.rows[i - 1].site)].name,
              document()->sites()[static_cast<std::size_t>(byName.rows[i].site)].name);
  }
}

TEST(TableOrder, FiltersByWordsOfNameAndModule) {
  const TableRows rows =
      queryTable(*document(), {.variant = 0, .filter = QStringLiteral("LAYERS.2. down")});
  EXPECT_EQ(rows.rows.size(), 2U) << "forward and backward";
  EXPECT_GT(rows.total, rows.rows.size());
}

TEST(TableOrder, FiltersByRegularExpression) {
  const TableRows rows = queryTable(
      *document(), {.variant = 0, .filter = QStringLiteral("^decoder\\.[0-2]$"), .regex = true});
  EXPECT_EQ(rows.rows.size(), 6U);
  const TableRows invalid =
      queryTable(*document(), {.variant = 0, .filter = QStringLiteral("(["), .regex = true});
  EXPECT_TRUE(invalid.rows.empty());
  EXPECT_GT(invalid.total, 0U);
  EXPECT_FALSE(TableFilter::make(*document(), QStringLiteral("(["), true).has_value());
  EXPECT_TRUE(TableFilter::make(*document(), QStringLiteral("(["), false).has_value());
}

TEST(TableOrder, SaysWhyAnExpressionCouldNotBeAsked) {
  const TableQuery invalid{.variant = 0, .filter = QStringLiteral("(["), .regex = true};
  ASSERT_TRUE(queryTable(*document(), invalid).problem);
  EXPECT_EQ(queryTable(*document(), invalid).problem->code(), ErrorCode::InvalidArgument);
  // Every name has several letters before its end.
  const TableQuery endless{.variant = 0,
                           .filter = QStringLiteral("^(([a-z0-9_.])*)*(([a-z0-9_.])*)*[A-Z]{9}$"),
                           .regex = true};
  const TableRows rows = queryTable(*document(), endless);
  EXPECT_TRUE(rows.rows.empty());
  EXPECT_GT(rows.total, 0U);
  ASSERT_TRUE(rows.problem);
  EXPECT_EQ(rows.problem->code(), ErrorCode::Unsupported);
}

TEST(TableOrder, FollowsThePassFilter) {
  const TableRows rows =
      queryTable(*document(), {.variant = 0, .shown = PassFilter::ParameterGradient});
  EXPECT_EQ(rows.rows.size(), 6 * test::moduleNames().size());
}

TEST(TableOrder, AFilterThatNamesPassesIsAskedOfAllOfThem) {
  const TableRows rows = queryTable(*document(),
                                    {.variant = 0,
                                     .shown = PassFilter::ForwardBackward,
                                     .filter = QStringLiteral("pass:parameter")});
  EXPECT_EQ(rows.rows.size(), 6 * test::moduleNames().size());
  EXPECT_EQ(rows.total, queryTable(*document(), {.variant = 0, .shown = PassFilter::All}).total);
}

TEST(TableOrder, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(queryTable(*document(), {}, stop.get_token()).rows.empty());
}

TEST(TableOrder, OfAnEmptyReportIsEmpty) {
  EXPECT_TRUE(queryTable(*test::documentOf({}), {}).rows.empty());
}

TEST(TableOrder, FiltersAndSortsTwoHundredThousandRowsQuickly) {
  std::vector<std::string> names;
  for (int i = 0; i < 32; ++i) {
    names.push_back("v" + std::to_string(i));
  }
  const DocumentPtr big =
      test::documentOf(test::realisticReport({.layers = 260, .variants = names, .modules = true}));
  const double before = test::processSeconds();
  const TableRows rows = queryTable(*big,
                                    {.filter = QStringLiteral("mlp|attn|norm|decoder"),
                                     .regex = true,
                                     .sortColumn = kFirstMetric,
                                     .order = Qt::DescendingOrder});
  const double seconds = test::processSeconds() - before;
  EXPECT_GT(rows.rows.size(), 190000U);
  // The aim is 200 ms; of all threads together, without what other programs take.
  EXPECT_LT(seconds, 2 * test::slowness());
  RecordProperty("milliseconds", static_cast<int>(seconds * 1000));
}

}  // namespace
}  // namespace ulp::views
