#include "views/plugins/overview/overview_view.h"

#include <gtest/gtest.h>

#include <QtGui/QGuiApplication>
#include <QtGui/QPalette>
#include <QtGui/QTextDocument>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QTableView>

#include "tests/core/analysis/findings/rule_report.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/window/model_checks.h"
#include "tests/views/context_fixture.h"
#include "views/framework/view/view_host.h"
#include "views/framework/workspace/report_rules.h"

namespace ulp::views {
namespace {

using test::rowOf;
using test::setError;

class OverviewViewTest : public testing::Test {
 protected:
  /// a is worse than b; b differs from a in the residual stream alone.
  static report::Report report() {
    report::Report report = test::quietReport({"b", "a"});
    report.effectiveJson =
        R"({"a":{"precision.residual_dtype":{"value":"bfloat16","origin":"variant"}},
                               "b":{"precision.residual_dtype":{"value":"float32","origin":"variant"}}})";
    setError(rowOf(report, "a", "decoder.1"), 0.05);
    setError(rowOf(report, "a", "decoder.3", Pass::Backward), 0.3);
    setError(rowOf(report, "a", "logits"), 0.008);
    return report;
  }

  void show() {
    const ViewRegistry registry = builtinViews();
    m_host =
        std::make_unique<ViewHost>(*registry.find(QStringLiteral("overview")), m_fixture.context());
    m_host->resize(1200, 600);
    m_host->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_host.get()));
    m_fixture.settle();
  }
  void open(const report::Report& report) {
    m_fixture.openReport(report);
    show();
  }
  /// The table with the answers; its rows are variants.
  [[nodiscard]] QTableView& verdicts() const {
    return *m_host->findChild<QTableView*>(QStringLiteral("verdicts"));
  }
  [[nodiscard]] int columnOf(const char* title) const {
    const QAbstractItemModel& model = *verdicts().model();
    for (int i = 0; i < model.columnCount(); ++i) {
      if (model.headerData(i, Qt::Horizontal).toString() == QLatin1String(title)) {
        return i;
      }
    }
    return -1;
  }
  [[nodiscard]] QString text(int row, const char* title) const {
    return verdicts().model()->index(row, columnOf(title)).data().toString();
  }
  void click(int row, const char* title) {
    const QModelIndex index = verdicts().model()->index(row, columnOf(title));
    verdicts().scrollTo(index);
    QTest::mouseClick(
        verdicts().viewport(), Qt::LeftButton, {}, verdicts().visualRect(index).center());
  }
  /// Of rich text.
  [[nodiscard]] static QString shownText(const QLabel& label) {
    QTextDocument document;
    document.setHtml(label.text());
    return document.toPlainText();
  }
  [[nodiscard]] const Selection& selection() const { return m_fixture.selection.selection(); }

  test::ContextFixture m_fixture;
  std::unique_ptr<ViewHost> m_host;
};

TEST_F(OverviewViewTest, BeginsWithALineForEachVariantTheWorstFirst) {
  open(report());
  const test::ModelChecks checks(verdicts().model());
  ASSERT_TRUE(verdicts().isVisible());
  ASSERT_EQ(verdicts().model()->rowCount(), 2);
  EXPECT_EQ(text(0, "Variant"), QStringLiteral("▲ a"));
  EXPECT_EQ(text(0, "Born at"), QStringLiteral("decoder.1 (0.20 → 5.00 %)"));
  EXPECT_EQ(text(0, "Grows forward"), QStringLiteral("×4.0 at logits"));
  EXPECT_TRUE(text(0, "Worst layer").endsWith(QStringLiteral("decoder.3, backward")));
  EXPECT_EQ(text(0, "Helps most"), QStringLiteral("residual_dtype: float32 (×0.25)"));
  EXPECT_EQ(text(1, "Variant"), QStringLiteral("● b"));
  EXPECT_EQ(text(1, "Born at"), QStringLiteral("no tensor stands out"));
  EXPECT_EQ(columnOf("How sure"), -1) << "of which nothing is known";
  EXPECT_EQ(columnOf("In the first report"), -1);
  EXPECT_LT(verdicts().geometry().bottom(), m_host->height() / 2);
}

TEST_F(OverviewViewTest, APartThatIsClickedShowsItsPlace) {
  open(report());
  QSignalSpy proof(&m_fixture.selection, &SelectionContext::placeWanted);
  click(0, "Born at");
  EXPECT_EQ(selection().run(), QStringLiteral("a"));
  EXPECT_EQ(selection().site, QStringLiteral("decoder.1"));
  EXPECT_EQ(selection().pass, Pass::Forward);
  ASSERT_EQ(proof.count(), 1);
  EXPECT_EQ(builtinViews().findProof(proof[0][0].value<std::optional<QString>>().value())->id,
            QStringLiteral("depth"));
  click(0, "Worst layer");
  EXPECT_EQ(selection().site, QStringLiteral("decoder.3"));
  EXPECT_EQ(selection().pass, Pass::Backward);
  click(0, "Helps most");
  EXPECT_EQ(selection().runs, (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
  EXPECT_EQ(builtinViews().findProof(proof[2][0].value<std::optional<QString>>().value())->id,
            QStringLiteral("levers"));
}

TEST_F(OverviewViewTest, TheVerdictOnTheSelectedVariantIsMarkedAndNoOther) {
  open(report());
  click(1, "Variant");
  ASSERT_EQ(selection().run(), QStringLiteral("b"));
  EXPECT_EQ(verdicts().currentIndex().row(), 1);
  m_fixture.selection.selectRun(QStringLiteral("a"));
  EXPECT_EQ(verdicts().selectionModel()->selectedIndexes(),
            QModelIndexList{verdicts().model()->index(0, 0)});
  click(0, "Born at");
  m_fixture.settle();
  EXPECT_EQ(verdicts().currentIndex(), verdicts().model()->index(0, columnOf("Born at")));
}

TEST_F(OverviewViewTest, WhereItIsBornKeepsItsNumbersBesideALongerHelp) {
  report::Report narrow = report();
  narrow.effectiveJson =
      R"({"a":{"model.attention_kernel_implementation_chosen":{"value":"a_long_name_of_a_value","origin":"variant"}},
          "b":{"model.attention_kernel_implementation_chosen":{"value":"float32","origin":"variant"}}})";
  open(narrow);
  const auto widthOf = [&](const char* title) { return verdicts().columnWidth(columnOf(title)); };
  m_host->resize(2400, 600);
  QCoreApplication::processEvents();
  const int born = widthOf("Born at");
  const int helps = widthOf("Helps most");
  m_host->resize(900, 600);
  QCoreApplication::processEvents();
  ASSERT_LT(widthOf("Helps most"), helps);
  EXPECT_EQ(widthOf("Born at"), born);
}

TEST_F(OverviewViewTest, ALineOfVerdictsIsShortenedWhereItGrowsAndNotCut) {
  open(report());
  const int whole = verdicts().columnWidth(columnOf("Worst layer"));
  for (const int width : {1200, 800, 700}) {
    m_host->resize(width, 600);
    QCoreApplication::processEvents();
    EXPECT_LE(verdicts().horizontalHeader()->length(), verdicts().viewport()->width()) << width;
    EXPECT_EQ(verdicts().columnWidth(columnOf("Worst layer")), whole);
  }
}

TEST_F(OverviewViewTest, NoVerdictIsCutToAStubWhileAWiderOneIsWhole) {
  open(report());
  m_host->resize(2400, 600);
  QCoreApplication::processEvents();
  const QHeaderView& header = *verdicts().horizontalHeader();
  std::vector<int> whole;
  for (int column = 0; column < header.count(); ++column) {
    whole.push_back(header.sectionSize(column));
  }
  const int legible = 20 * verdicts().fontMetrics().averageCharWidth();
  int shortened = 0;
  for (const int width : {900, 760, 640}) {
    m_host->resize(width, 600);
    QCoreApplication::processEvents();
    int widest = 0;
    for (int column = 0; column < header.count(); ++column) {
      widest = std::max(widest, header.sectionSize(column));
    }
    for (int column = 0; column < header.count(); ++column) {
      const int size = header.sectionSize(column);
      EXPECT_GE(size, std::min(whole[column], header.sectionSizeHint(column))) << width;
      if (size < whole[column]) {
        ++shortened;
        EXPECT_GE(size, std::min(widest, legible) - 1) << width << ", column " << column;
      }
    }
  }
  EXPECT_GT(shortened, 0);
}

TEST_F(OverviewViewTest, ALongNameOfAVariantLeavesTheVerdictInView) {
  report::Report named = report();
  named.runs[1].name = std::string(80, 'a');
  open(named);
  m_host->resize(950, 600);
  QCoreApplication::processEvents();
  const auto& summary = *m_host->findChild<QTableView*>(QStringLiteral("summary"));
  EXPECT_LE(verdicts().columnWidth(0), summary.columnWidth(0));
  EXPECT_LE(verdicts().horizontalHeader()->length(), verdicts().viewport()->width());
}

TEST_F(OverviewViewTest, ReturnOnAPartDoesTheSame) {
  open(report());
  verdicts().setCurrentIndex(verdicts().model()->index(0, columnOf("Worst layer")));
  QTest::keyClick(&verdicts(), Qt::Key_Return);
  EXPECT_EQ(selection().site, QStringLiteral("decoder.3"));
  EXPECT_EQ(selection().pass, Pass::Backward);
}

TEST_F(OverviewViewTest, APartWithoutAPlaceLeadsNowhereAndDoesNotLookLikeALink) {
  open(report());
  QSignalSpy proof(&m_fixture.selection, &SelectionContext::placeWanted);
  const Selection before = selection();
  click(1, "Born at");
  EXPECT_EQ(proof.count(), 0);
  EXPECT_EQ(selection(), before);
  const auto isLink = [&](int row) {
    const QModelIndex index = verdicts().model()->index(row, columnOf("Born at"));
    return index.data(Qt::FontRole).isValid() && !index.data(DimRole).toBool();
  };
  EXPECT_TRUE(isLink(0));
  EXPECT_FALSE(isLink(1));
}

TEST_F(OverviewViewTest, FollowsTheMetricAndTheThresholds) {
  open(report());
  m_fixture.selection.selectMetric(QStringLiteral("rms_diff"));
  m_fixture.settle();
  EXPECT_TRUE(text(0, "Worst layer").startsWith(QStringLiteral("0.30")))
      << text(0, "Worst layer").toStdString();
  m_fixture.findings.setThreshold("first_divergence.excess", 100);
  m_fixture.settle();
  EXPECT_EQ(text(0, "Born at"), QStringLiteral("no tensor stands out"));
}

TEST_F(OverviewViewTest, ThePlaceThatIsShownComesIntoSightWithAnotherMetricToo) {
  open(report());
  m_host->resize(500, 600);
  m_fixture.settle();
  auto* table = m_host->findChild<QTableView*>(QStringLiteral("summary"));
  QScrollBar& sideways = *table->horizontalScrollBar();
  ASSERT_GT(sideways.maximum(), 0);
  for (int column = table->model()->columnCount(); selection().pass != Pass::Backward; --column) {
    ASSERT_GT(column, 0) << "no cell of the backward pass";
    table->setCurrentIndex(table->model()->index(1, column - 1));
  }
  const Selection last = selection();
  Selection next = last;
  next.site = QStringLiteral("embeddings");
  next.pass = Pass::Forward;
  m_fixture.selection.select(next);
  sideways.setValue(0);
  next = last;
  next.metric = QStringLiteral("rms_diff");
  m_fixture.selection.select(next);
  m_fixture.settle();
  EXPECT_TRUE(
      table->viewport()->rect().contains(table->visualRect(table->currentIndex()).center()));
  const int shown = sideways.value();
  EXPECT_GT(shown, 0);
  next.metric = QStringLiteral("rms_rel");
  m_fixture.selection.select(next);
  m_fixture.settle();
  EXPECT_EQ(sideways.value(), shown) << "other numbers of the same place move nothing";
}

TEST_F(OverviewViewTest, OfDumpsTheCulpritAnswers) {
  report::Report compared = test::quietReport({"rank 0", "rank 1"});
  compared.dumps.emplace();
  report::setFindings(compared,
                      {{.rule = "culprit",
                        .severity = report::FindingSeverity::Look,
                        .title = {"Module.model.layers.1.mlp: adds 5 %", {}},
                        .explanation = {"Sureness high: what went in agrees", {}},
                        .sites = {test::layerSite("decoder.1", 1, Pass::Forward)},
                        .runs = {"rank 1"}}});
  open(compared);
  EXPECT_EQ(text(0, "Unit"), QStringLiteral("▲ rank 1"));
  EXPECT_EQ(text(0, "Starts at"), QStringLiteral("Module.model.layers.1.mlp: adds 5 %"));
  EXPECT_EQ(text(0, "How sure"), QStringLiteral("Sureness high: what went in agrees"));
  QSignalSpy proof(&m_fixture.selection, &SelectionContext::placeWanted);
  click(0, "Starts at");
  EXPECT_EQ(selection().run(), QStringLiteral("rank 1"));
  EXPECT_EQ(selection().site, QStringLiteral("decoder.1"));
  EXPECT_EQ(builtinViews().findProof(proof[0][0].value<std::optional<QString>>().value())->id,
            QStringLiteral("details"));
}

TEST_F(OverviewViewTest, OfTwoReportsSaysWhetherTheyAreEqualAndWhichRunsDiffer) {
  open(report());
  report::Report other = report();
  setError(rowOf(other, "b", "decoder.2"), 0.003);
  const test::TempDir folder;
  ASSERT_TRUE(report::saveReport(other, folder.path()).has_value());
  m_fixture.workspace.reports.openBeside({QString::fromStdString(folder.path().string())});
  m_fixture.settle();
  ASSERT_EQ(verdicts().model()->rowCount(), 4);
  const int column = columnOf("In the first report");
  ASSERT_GE(column, 0);
  QStringList said;
  for (int row = 0; row < 4; ++row) {
    said << verdicts().model()->index(row, column).data().toString();
  }
  said.sort();
  EXPECT_EQ(said[0], QStringLiteral("differs from decoder.2, forward on, in 1 of 14 tensors"));
  EXPECT_EQ(said[1], QStringLiteral("equal bit for bit"));
  EXPECT_EQ(said[2], QStringLiteral("–"));
  QStringList labels;
  for (const auto* label : m_host->findChildren<QLabel*>()) {
    labels << label->text();
  }
  EXPECT_FALSE(labels.filter(QStringLiteral("The reports differ in b")).isEmpty())
      << labels.join(QLatin1Char('|')).toStdString();
}

TEST_F(OverviewViewTest, NothingOfAReportThatIsClosedStays) {
  open(report());
  ASSERT_TRUE(verdicts().isVisible());
  m_fixture.workspace.closeAll();
  m_fixture.settle();
  EXPECT_FALSE(verdicts().isVisible());
  EXPECT_EQ(verdicts().model()->rowCount(), 0);
}

TEST_F(OverviewViewTest, SaysInALineWhatTheRulesSayAndLeadsToThem) {
  open(report());
  auto& line = *m_host->findChild<QLabel*>(QStringLiteral("rulesLine"));
  EXPECT_FALSE(line.isVisible()) << "no rules are asked";
  ReportRules& rules =
      ReportRules::of(m_fixture.workspace.reports, m_fixture.settings, m_fixture.background);
  rules.apply(
      {.origin = QStringLiteral("/there/tight & few.yaml"),
       .text = QStringLiteral("rules:\n  - {metric: rms_rel, comparison: '<=', value: 0.04}")});
  EXPECT_TRUE(line.isVisible());
  EXPECT_EQ(shownText(line), QStringLiteral("Rules tight & few.yaml: being asked…"));
  m_fixture.settle();
  std::size_t rows = 0;
  for (const report::Run& run : m_fixture.workspace.reports.document()->report().runs) {
    rows += run.comparisons.size();
  }
  EXPECT_EQ(shownText(line),
            QStringLiteral("Rules tight & few.yaml: ■ fail: 2 of %1 tensor(s)").arg(rows));
  m_fixture.themes.setChoice(ThemeChoice::Dark);
  EXPECT_TRUE(line.text().contains(QGuiApplication::palette().color(QPalette::Link).name()))
      << "as links are in the theme that came meanwhile";
  m_fixture.themes.setChoice(ThemeChoice::System);
  QSignalSpy asked(&m_fixture.workspace.requests, &WindowRequests::showRules);
  const QPoint link(line.fontMetrics().averageCharWidth() * 3, line.height() / 2);
  QTest::mouseClick(&line, Qt::LeftButton, {}, link);
  EXPECT_EQ(asked.count(), 1);
  rules.apply(
      {.text = QStringLiteral("rules:\n  - {metric: rms_rel, comparison: '<=', value: 1}")});
  m_fixture.settle();
  EXPECT_EQ(shownText(line), QStringLiteral("Rules: ● pass: %1 of %1 tensor(s)").arg(rows));
  rules.apply({.text = QStringLiteral("rules: 3")});
  m_fixture.settle();
  EXPECT_EQ(shownText(line), QStringLiteral("Rules: cannot be asked"));
  EXPECT_FALSE(line.toolTip().isEmpty());
  rules.apply({});
  EXPECT_FALSE(line.isVisible());
}

}  // namespace
}  // namespace ulp::views
