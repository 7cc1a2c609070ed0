#include "views/plugins/log_probabilities/log_probabilities_view.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QDoubleSpinBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTableView>

#include "core/report/tables/data_table.h"
#include "tests/support/data/special_numbers.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/window/model_checks.h"
#include "tests/views/captured_report.h"
#include "tests/views/context_fixture.h"
#include "tests/views/kept_log_probabilities.h"
#include "views/charts/histogram/histogram_view.h"
#include "views/framework/exports/figure.h"
#include "views/framework/view/view_host.h"
#include "views/framework/view/view_registry.h"
#include "views/plugins/log_probabilities/gap_exhibits.h"

namespace ulp::views {
namespace {

using test::kNan;

class LogProbabilitiesViewTest : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path folder() const {
    return m_fixture.folder.path().toStdString();
  }
  void show() {
    m_host = std::make_unique<ViewHost>(*builtinViews().find(QStringLiteral("log_probabilities")),
                                        m_fixture.context());
    m_host->resize(1100, 640);
    m_host->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_host.get()));
    settle();
    m_view = qobject_cast<LogProbabilitiesView*>(m_host->view());
    m_gaps = m_host->findChild<QTableView*>(gapsId());
    m_tokens = m_host->findChild<QTableView*>(tokensId());
    m_histogram = m_host->findChild<charts::HistogramView*>();
  }
  /// What arrives asks for more.
  void settle() {
    m_fixture.settle();
    m_fixture.settle();
    m_fixture.settle();
  }
  /// Four tokens of three labels, the third token without one.
  void openFourTokens() {
    report::Report report = test::realisticReport({.layers = 2, .variants = {"bf16", "fp16"}});
    test::addSteps(report);
    m_fixture.openReport(report);
    test::keepLogProbabilities(folder(),
                               {{"reference", {-1, -2, -3, -4}},
                                {"bf16", {-1.5, -2.25, 9, -4}},
                                {"fp16", {-1, -2.125, 9, kNan}}},
                               {1, 1, 0, 1});
    const report::TokenTexts tokens{.sequences = 1,
                                    .length = 4,
                                    .ids = {3, 7, 8, 9, 5},
                                    .tokenizer = "words",
                                    .texts = {{3, "so"}, {7, " far"}, {8, ",\n"}, {5, " good"}}};
    ASSERT_TRUE(report::writeTokenTexts(tokens, folder()));
    show();
  }
  [[nodiscard]] static QString cell(const QTableView* table, int row, const QString& title) {
    const QAbstractItemModel& model = *table->model();
    for (int column = 0; column < model.columnCount(); ++column) {
      if (model.headerData(column, Qt::Horizontal).toString() == title) {
        // Without the room of digits that others of the column have.
        return model.index(row, column).data().toString().trimmed();
      }
    }
    return QStringLiteral("no such column");
  }
  void clickHeader(QTableView* table, const QString& title) {
    QHeaderView& header = *table->horizontalHeader();
    for (int column = 0; column < header.count(); ++column) {
      if (table->model()->headerData(column, Qt::Horizontal).toString() == title) {
        table->scrollTo(table->model()->index(0, column));
        const int x = header.sectionViewportPosition(column) + header.sectionSize(column) / 2;
        QTest::mouseClick(
            header.viewport(), Qt::LeftButton, {}, QPoint(x, header.viewport()->height() - 6));
      }
    }
    settle();
  }
  [[nodiscard]] bool says(const QString& text) const {
    const auto labels = m_host->findChildren<QLabel*>();
    return std::ranges::any_of(labels, [&](const QLabel* label) {
      return label->isVisible() && label->text().contains(text);
    });
  }

  test::ContextFixture m_fixture;
  std::unique_ptr<ViewHost> m_host;
  LogProbabilitiesView* m_view = nullptr;
  QTableView* m_gaps = nullptr;
  QTableView* m_tokens = nullptr;
  charts::HistogramView* m_histogram = nullptr;
};

TEST_F(LogProbabilitiesViewTest, ComparesEveryRunWithTheBaseline) {
  openFourTokens();
  ASSERT_EQ(m_gaps->model()->rowCount(), 2);
  EXPECT_EQ(cell(m_gaps, 0, QStringLiteral("Run")), QStringLiteral("bf16"));
  EXPECT_EQ(cell(m_gaps, 0, QStringLiteral("Tokens")), QStringLiteral("3"));
  EXPECT_EQ(cell(m_gaps, 0, QStringLiteral("Mean")), QStringLiteral("-0.250"));
  EXPECT_EQ(cell(m_gaps, 0, QStringLiteral("At token")), QStringLiteral("0"));
  EXPECT_EQ(cell(m_gaps, 1, QStringLiteral("Not finite")), QStringLiteral("1"));
  EXPECT_TRUE(says(QStringLiteral("bf16 is farthest from reference")));
  EXPECT_EQ(cell(m_gaps, 0, QStringLiteral("KL mean")), QStringLiteral("no such column"))
      << "no logits were kept";
}

/// Beside the four tokens a report of four others, or of as many as `labels`.
class LogProbabilitiesOfTwoReportsTest : public LogProbabilitiesViewTest {
 protected:
  void openBoth(const std::vector<double>& reference, const std::vector<double>& bf16) {
    openFourTokens();
    report::Report other = test::realisticReport({.layers = 2, .variants = {"bf16"}});
    other.provenance.tokenDigest = "sha256:cc";
    test::addSteps(other);
    ASSERT_TRUE(report::saveReport(other, m_other.path()).has_value());
    test::keepLogProbabilities(m_other.path(),
                               {{"reference", reference}, {"bf16", bf16}},
                               std::vector<std::uint8_t>(reference.size(), 1));
    const report::TokenTexts tokens{.sequences = 1,
                                    .length = static_cast<std::int64_t>(reference.size()),
                                    .ids = std::vector<std::int64_t>(reference.size() + 1, 6),
                                    .tokenizer = "words",
                                    .texts = {{6, "other"}}};
    ASSERT_TRUE(report::writeTokenTexts(tokens, m_other.path()));
    m_fixture.workspace.reports.openBeside({QString::fromStdString(m_other.path().string())});
    settle();
  }
  [[nodiscard]] QString named(const char* run) const {
    return QStringLiteral("%1 (%2)").arg(
        QLatin1String(run), QString::fromStdString(m_other.path().filename().string()));
  }
  [[nodiscard]] int rowOf(const QString& run) const {
    for (int row = 0; row < m_gaps->model()->rowCount(); ++row) {
      if (m_gaps->model()->index(row, 0).data().toString() == run) {
        return row;
      }
    }
    return -1;
  }

  test::TempDir m_other;
};

TEST_F(LogProbabilitiesOfTwoReportsTest, EachRunIsComparedWithTheReferenceOfItsOwn) {
  openBoth({-5, -6, -7, -8}, {-5.5, -6.5, -7.5, -8.5});
  ASSERT_EQ(m_gaps->model()->rowCount(), 4);
  EXPECT_EQ(cell(m_gaps, rowOf(QStringLiteral("bf16")), QStringLiteral("Mean")),
            QStringLiteral("-0.250"));
  EXPECT_EQ(cell(m_gaps, rowOf(named("bf16")), QStringLiteral("Mean")), QStringLiteral("-0.500"));
  const int reference = rowOf(named("reference"));
  EXPECT_EQ(cell(m_gaps, reference, QStringLiteral("Mean")), QStringLiteral("–"));
  EXPECT_TRUE(m_gaps->model()
                  ->index(reference, 1)
                  .data(Qt::ToolTipRole)
                  .toString()
                  .contains(QStringLiteral("is of other tokens than reference")));
  m_fixture.selection.selectRun(named("bf16"));
  settle();
  EXPECT_EQ(cell(m_tokens, 0, QStringLiteral("Token")), QStringLiteral("other"));
  EXPECT_EQ(cell(m_tokens, 0, QStringLiteral("log π, A")), QStringLiteral("-5.0000"));
  const auto losses = makeLossRows(*m_fixture.workspace.reports.document(), {named("bf16")});
  ASSERT_GT(losses.size(), 1U) << "terms stay known beside another report";
  EXPECT_TRUE(losses[1].baseline.has_value());
}

TEST_F(LogProbabilitiesOfTwoReportsTest, RunsOfOtherTokensThanTheBaselineHaveNoNumbers) {
  openBoth({-5, -6, -7, -8, -9}, {-5.5, -6.5, -7.5, -8.5, -9.5});
  const QSignalSpy messages(&m_fixture.workspace.messages, &Messages::raise);
  m_fixture.selection.selectBaseline(named("bf16"), Relation::Ratio);
  settle();
  for (const char* run : {"bf16", "fp16"}) {
    const int row = rowOf(QLatin1String(run));
    EXPECT_EQ(cell(m_gaps, row, QStringLiteral("Mean")), QStringLiteral("–"));
    EXPECT_TRUE(m_gaps->model()
                    ->index(row, 0)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("is of other tokens than ") + named("bf16")));
  }
  EXPECT_EQ(cell(m_gaps, rowOf(named("reference")), QStringLiteral("Mean")),
            QStringLiteral("0.500"));
  EXPECT_TRUE(says(QStringLiteral("other tokens than ") + named("bf16")));
  for (const auto& message : messages) {
    EXPECT_FALSE(message.first().value<Message>().text.contains(QStringLiteral("shapes")));
  }
}

TEST_F(LogProbabilitiesViewTest, CountsTokensAboveTheEpsilonThatIsGiven) {
  openFourTokens();
  EXPECT_EQ(cell(m_gaps, 0, QStringLiteral("Above 0.01, %")), QStringLiteral("66.7"));
  m_host->findChild<QDoubleSpinBox*>()->setValue(0.3);
  settle();
  EXPECT_EQ(cell(m_gaps, 0, QStringLiteral("Above 0.3, %")), QStringLiteral("33.3"));
}

TEST_F(LogProbabilitiesViewTest, ShowsTokensWithTheirTextsAndTheWorstFirstOnDemand) {
  openFourTokens();
  ASSERT_EQ(m_tokens->model()->rowCount(), 3) << "the token without a label is left out";
  EXPECT_EQ(cell(m_tokens, 0, QStringLiteral("Token")), QStringLiteral("␣far"));
  EXPECT_EQ(cell(m_tokens, 1, QStringLiteral("Token")), QStringLiteral(",↵"));
  EXPECT_EQ(cell(m_tokens, 1, QStringLiteral("δ")), QStringLiteral("-0.250"));
  EXPECT_EQ(m_tokens->model()->index(1, 1).data(Qt::ToolTipRole).toString(),
            QStringLiteral("so␣far → ,↵"));
  m_fixture.selection.selectRun(QStringLiteral("fp16"));
  settle();
  m_view->viewActions()[0]->trigger();
  EXPECT_EQ(cell(m_tokens, 0, QStringLiteral("log π, B")), QStringLiteral("NaN"))
      << "what is not finite is worst";
  EXPECT_EQ(cell(m_tokens, 0, QStringLiteral("Token")), QStringLiteral("␣good"));
  EXPECT_EQ(cell(m_tokens, 1, QStringLiteral("δ")), QStringLiteral("-0.125"));
}

TEST_F(LogProbabilitiesViewTest, HeadersSortRunsByTheirNumbersWithNaNLast) {
  openFourTokens();
  clickHeader(m_gaps, QStringLiteral("Not finite"));
  EXPECT_EQ(cell(m_gaps, 0, QStringLiteral("Run")), QStringLiteral("bf16"));
  clickHeader(m_gaps, QStringLiteral("Not finite"));
  EXPECT_EQ(cell(m_gaps, 0, QStringLiteral("Run")), QStringLiteral("fp16"));
  m_gaps->setCurrentIndex(m_gaps->model()->index(0, 0));
  settle();
  EXPECT_EQ(m_fixture.selection.selection().run(), QStringLiteral("fp16"))
      << "the row that is seen";
  const std::vector<Exhibit> shown = m_view->exhibits();
  EXPECT_EQ(std::get<std::string>(shown.front().table().rows.front().front()), "fp16");
  clickHeader(m_gaps, QStringLiteral("Not finite"));
  EXPECT_EQ(cell(m_gaps, 0, QStringLiteral("Run")), QStringLiteral("bf16")) << "as in the study";
}

TEST_F(LogProbabilitiesViewTest, HeadersSortTokens) {
  openFourTokens();
  m_fixture.selection.selectRun(QStringLiteral("fp16"));
  settle();
  const auto positions = [this] {
    QStringList all;
    for (int row = 0; row < m_tokens->model()->rowCount(); ++row) {
      all << cell(m_tokens, row, QStringLiteral("Position"));
    }
    return all.join(QLatin1Char(' '));
  };
  EXPECT_EQ(positions(), QStringLiteral("0 1 3"));
  clickHeader(m_tokens, QStringLiteral("δ"));
  EXPECT_EQ(positions(), QStringLiteral("1 0 3")) << "NaN is last";
  clickHeader(m_tokens, QStringLiteral("δ"));
  EXPECT_EQ(positions(), QStringLiteral("0 1 3")) << "in both directions";
  clickHeader(m_tokens, QStringLiteral("log π, A"));
  EXPECT_EQ(positions(), QStringLiteral("3 1 0"));
  m_fixture.selection.selectRun(QStringLiteral("bf16"));
  settle();
  EXPECT_EQ(positions(), QStringLiteral("3 1 0")) << "the order stays with the table";
  m_view->viewActions()[0]->trigger();
  settle();
  EXPECT_EQ(positions(), QStringLiteral("0 1 3")) << "the worst first";
  EXPECT_EQ(m_tokens->horizontalHeader()->sortIndicatorSection(), -1);
}

TEST_F(LogProbabilitiesViewTest, TokenSelectsItsLogitAndFollowsIt) {
  openFourTokens();
  m_tokens->setCurrentIndex(m_tokens->model()->index(1, 0));
  const Selection selection = m_fixture.selection.selection();
  EXPECT_EQ(selection.site, QStringLiteral("logits"));
  EXPECT_EQ(selection.pass, Pass::Forward);
  EXPECT_EQ(selection.element, (std::vector<std::int64_t>{0, 1, 8}));
  m_fixture.selection.selectElement({0, 3, 5});
  settle();
  EXPECT_EQ(m_tokens->currentIndex().row(), 2);
  m_fixture.selection.goBack();
  settle();
  EXPECT_EQ(m_tokens->currentIndex().row(), 1);
}

TEST_F(LogProbabilitiesViewTest, LogitsAsAWholeLeadToTheWorstToken) {
  openFourTokens();
  m_fixture.selection.selectSite(QStringLiteral("logits"), Pass::Forward);
  settle();
  EXPECT_EQ(m_tokens->currentIndex().row(), 0);
  m_fixture.selection.selectElement({0, 3, 5});
  m_fixture.selection.selectSite(QStringLiteral("norm"), Pass::Forward);
  m_fixture.selection.selectSite(QStringLiteral("logits"), Pass::Forward);
  settle();
  EXPECT_EQ(m_tokens->currentIndex().row(), 0);
}

TEST_F(LogProbabilitiesViewTest, HistogramDrawsAllRunsOrTheSelectedOne) {
  openFourTokens();
  EXPECT_EQ(m_histogram->data().sets.size(), 2U);
  EXPECT_TRUE(m_histogram->data().sets[0].isCurrent);
  m_view->viewActions()[2]->trigger();
  ASSERT_EQ(m_histogram->data().sets.size(), 1U);
  EXPECT_EQ(m_histogram->data().sets[0].name, QStringLiteral("bf16"));
  EXPECT_TRUE(m_histogram->data().isLogarithmic);
  m_view->viewActions()[1]->trigger();
  EXPECT_FALSE(m_histogram->data().isLogarithmic);
}

TEST_F(LogProbabilitiesViewTest, BinOfTheHistogramSelectsItsWorstToken) {
  openFourTokens();
  const auto bin = static_cast<int>(m_histogram->data().bins.binOf(-0.25));
  QTest::mouseClick(
      m_histogram, Qt::LeftButton, Qt::NoModifier, m_histogram->binRect(bin).center().toPoint());
  EXPECT_EQ(m_fixture.selection.selection().element, (std::vector<std::int64_t>{0, 1, 8}));
  EXPECT_EQ(m_histogram->currentPoint(), bin);
}

TEST_F(LogProbabilitiesViewTest, TakesTheFileOfAnotherEngineAsAnotherRun) {
  openFourTokens();
  const std::vector<float> sampler{-1, -2, std::numeric_limits<float>::quiet_NaN(), -4.5F};
  const auto file = folder() / "vllm.safetensors";
  ASSERT_TRUE(
      tensors::writeSafetensors(file, {{{"logprobs", {sampler.data(), DType::Float32, {1, 4}}}}}));
  m_view->addFile(QString::fromStdString(file.string()));
  settle();
  ASSERT_EQ(m_gaps->model()->rowCount(), 3);
  EXPECT_EQ(cell(m_gaps, 2, QStringLiteral("Run")), QStringLiteral("vllm"));
  m_gaps->setCurrentIndex(m_gaps->model()->index(2, 0));
  settle();
  EXPECT_EQ(cell(m_tokens, 2, QStringLiteral("δ")), QStringLiteral("-0.500"));
  EXPECT_EQ(m_fixture.selection.selection().run(), QStringLiteral("bf16"));
  m_view->viewActions()[4]->trigger();
  settle();
  EXPECT_EQ(m_gaps->model()->rowCount(), 2);
}

TEST_F(LogProbabilitiesViewTest, FileThatCannotBeComparedSaysWhy) {
  openFourTokens();
  const std::vector<float> other{-1, -2};
  const auto file = folder() / "other.safetensors";
  ASSERT_TRUE(
      tensors::writeSafetensors(file, {{{"logprobs", {other.data(), DType::Float32, {1, 2}}}}}));
  m_view->addFile(QString::fromStdString(file.string()));
  settle();
  ASSERT_EQ(m_gaps->model()->rowCount(), 3);
  EXPECT_TRUE(m_gaps->model()
                  ->index(2, 0)
                  .data(Qt::ToolTipRole)
                  .toString()
                  .contains(QStringLiteral("not of the same input")));
  QSignalSpy raised(&m_fixture.workspace.messages, &Messages::raise);
  m_view->addFile(QStringLiteral("/nonexistent/x.npy"));
  settle();
  ASSERT_EQ(raised.count(), 1);
  EXPECT_EQ(m_gaps->model()->rowCount(), 3);
}

TEST_F(LogProbabilitiesViewTest, ComparesLogitsWhereTheyWereKept) {
  report::Report report = test::saveCapturedReport(
      folder(), {{"logits", {1, 8, 4}, test::wave(32)}, {"decoder.0", {1, 8, 4}, test::wave(32)}});
  std::vector<std::uint8_t> labels(8, 1);
  test::keepLogProbabilities(
      folder(), {{"reference", test::policy(8, 0, 2)}, {"bf16", test::policy(8, 0.01, 2)}}, labels);
  m_fixture.workspace.open({m_fixture.folder.path()});
  m_fixture.settle();
  show();
  ASSERT_EQ(m_gaps->model()->rowCount(), 1);
  EXPECT_EQ(cell(m_gaps, 0, QStringLiteral("Same top, %")), QStringLiteral("100"));
  EXPECT_GT(cell(m_gaps, 0, QStringLiteral("KL mean")).toDouble(), 0);
}

TEST_F(LogProbabilitiesViewTest, ComparesLogitsAsTheLossSeesThem) {
  report::Report report =
      test::saveCapturedReport(folder(), {{"logits", {1, 8, 4}, test::wave(32)}});
  report.effectiveJson = R"({"reference":{"loss.logits_scale":{"value":1e-6}},
                             "bf16":{"loss.logits_scale":{"value":1e-6}}})";
  ASSERT_TRUE(report::saveReport(report, folder()));
  std::vector<std::uint8_t> labels(8, 1);
  test::keepLogProbabilities(
      folder(), {{"reference", test::policy(8, 0, 2)}, {"bf16", test::policy(8, 0.01, 2)}}, labels);
  m_fixture.workspace.open({m_fixture.folder.path()});
  m_fixture.settle();
  show();
  ASSERT_EQ(m_gaps->model()->rowCount(), 1);
  EXPECT_LT(cell(m_gaps, 0, QStringLiteral("KL mean")).toDouble(), 1e-12);
}

TEST_F(LogProbabilitiesViewTest, ListsLossesAndClipDecisions) {
  openFourTokens();
  auto* table = m_host->findChild<QTableView*>(lossesId());
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->model()->rowCount(), 2 * 9);
  EXPECT_EQ(cell(table, 0, QStringLiteral("Quantity")), QStringLiteral("loss"));
  EXPECT_EQ(cell(table, 5, QStringLiteral("Quantity")),
            QStringLiteral("documents above the clip range"));
  EXPECT_EQ(cell(table, 5, QStringLiteral("Value − baseline")), QStringLiteral("1"));
  EXPECT_EQ(cell(table, 5, QStringLiteral("Share, %")), QStringLiteral("25.0"));
  EXPECT_EQ(cell(table, 7, QStringLiteral("Quantity")),
            QStringLiteral("documents whose clip decision flips"));
  EXPECT_EQ(cell(table, 7, QStringLiteral("Baseline")), QStringLiteral("–"));
}

TEST_F(LogProbabilitiesViewTest, SaysThatTheSelectedRunHasNone) {
  report::Report report = test::realisticReport({.layers = 2, .variants = {"bf16", "late"}});
  m_fixture.openReport(report);
  test::keepLogProbabilities(folder(), {{"reference", {-1, -2}}, {"bf16", {-1, -3}}}, {1, 1});
  m_fixture.selection.selectRun(QStringLiteral("late"));
  show();
  EXPECT_EQ(m_gaps->model()->rowCount(), 1);
  EXPECT_TRUE(says(QStringLiteral("late has no log-probabilities")));
  EXPECT_EQ(m_tokens->model()->rowCount(), 2);
}

TEST_F(LogProbabilitiesViewTest, RunWithoutAFiniteTokenIsNamedAndNoOtherShown) {
  m_fixture.openReport(test::realisticReport({.layers = 2, .variants = {"bf16", "fp16"}}));
  test::keepLogProbabilities(
      folder(), {{"reference", {-1, -2}}, {"bf16", {-1, -3}}, {"fp16", {kNan, kNan}}}, {1, 1});
  show();
  EXPECT_TRUE(says(QStringLiteral("Tokens of bf16")));
  EXPECT_EQ(cell(m_gaps, 1, QStringLiteral("Tokens")), QStringLiteral("0"));
  EXPECT_EQ(cell(m_gaps, 1, QStringLiteral("Not finite")), QStringLiteral("2"));
  EXPECT_EQ(cell(m_gaps, 1, QStringLiteral("RMS")), QStringLiteral("NaN"));
  EXPECT_EQ(cell(m_gaps, 1, QStringLiteral("At token")), QStringLiteral("–"));
  EXPECT_TRUE(
      says(QStringLiteral("No token is finite both in fp16 and in reference. Of the others "
                          "bf16 is farthest from reference")));
  m_fixture.selection.selectRun(QStringLiteral("fp16"));
  settle();
  EXPECT_TRUE(says(QStringLiteral("fp16: no token has a finite log-probability")));
  EXPECT_FALSE(m_tokens->isVisible());
  EXPECT_EQ(m_tokens->model()->rowCount(), 0);
  EXPECT_EQ(m_gaps->currentIndex().row(), 1) << "the row of what is selected";
  ASSERT_EQ(m_histogram->data().sets.size(), 1U) << "all that can be drawn";
  EXPECT_FALSE(m_histogram->data().sets[0].isCurrent);
  m_gaps->setCurrentIndex(m_gaps->model()->index(0, 0));
  settle();
  EXPECT_TRUE(m_tokens->isVisible());
  EXPECT_EQ(m_tokens->model()->rowCount(), 2);
}

TEST_F(LogProbabilitiesViewTest, SaysWhereTheLogProbabilitiesWouldComeFrom) {
  m_fixture.openReport(test::realisticReport({.layers = 2, .variants = {"bf16"}}));
  show();
  EXPECT_TRUE(says(QStringLiteral("This report kept no log-probabilities")));
  EXPECT_EQ(m_view->exhibits().size(), 1U) << "the losses are there all the same";
}

TEST_F(LogProbabilitiesViewTest, OfDumpsNoStudyIsAdvisedToRunAgain) {
  report::Report dumps = test::realisticReport({.layers = 2, .variants = {"bf16"}});
  dumps.dumps = report::DumpOrigin{.baseline = {.path = "/a"}, .candidate = {.path = "/b"}};
  m_fixture.openReport(dumps);
  show();
  EXPECT_TRUE(says(QStringLiteral("Dumps have none.")));
  EXPECT_FALSE(says(QStringLiteral("Run the study again")));
}

TEST_F(LogProbabilitiesViewTest, DamagedFileIsNamed) {
  m_fixture.openReport(test::realisticReport({.layers = 2, .variants = {"bf16"}}));
  QFile file(m_fixture.folder.filePath(QStringLiteral("log_probabilities.safetensors")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("nonsense");
  file.close();
  show();
  EXPECT_TRUE(says(QStringLiteral("The log-probabilities cannot be read")));
  EXPECT_TRUE(says(QStringLiteral("log_probabilities.safetensors")));
}

TEST_F(LogProbabilitiesViewTest, ExhibitsLeaveItAsPicturesAndRows) {
  openFourTokens();
  const std::vector<Exhibit> exhibits = m_view->exhibits();
  ASSERT_EQ(exhibits.size(), 4U);
  for (const Exhibit& exhibit : exhibits) {
    const report::DataTable table = exhibit.table();
    ASSERT_FALSE(table.rows.empty()) << exhibit.id.toStdString();
    for (const auto& row : table.rows) {
      EXPECT_EQ(row.size(), table.columns.size()) << exhibit.id.toStdString();
    }
  }
  const auto svg = Figure::make(exhibits[1], {}).toSvg();
  ASSERT_TRUE(svg);
  EXPECT_TRUE(svg->contains("<path"));
  EXPECT_TRUE(svg->contains(">bf16</text>")) << "text is text, not pixels";
  EXPECT_FALSE(svg->contains("<image"));
}

TEST_F(LogProbabilitiesViewTest, DrawsWithoutAWindow) {
  openFourTokens();
  const ViewRegistry views = builtinViews();
  const ViewDescriptor& view = *views.find(QStringLiteral("log_probabilities"));
  const DocumentPtr document = m_fixture.workspace.reports.document();
  for (const QString& subject : view.subjects) {
    const auto drawn = view.draw({.what = subject,
                                  .metric = QStringLiteral("rms_rel"),
                                  .document = document,
                                  .chosen = document->loaded().report});
    ASSERT_TRUE(drawn) << drawn.error().message();
    EXPECT_EQ(drawn->id, subject);
  }
  report::Report without = document->report();
  without.runs.resize(1);
  const auto none =
      view.draw({.what = differencesId(),
                 .metric = QStringLiteral("rms_rel"),
                 .document = document,
                 .chosen = std::make_shared<const report::Report>(std::move(without))});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::NotFound);
}

}  // namespace
}  // namespace ulp::views
