#include "views/plugins/bit_by_bit/bit_by_bit_view.h"

#include <array>

#include <gtest/gtest.h>

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "core/tensors/hdf5/capture_writer.h"
#include "tests/support/data/report_builder.h"
#include "tests/support/window/model_checks.h"
#include "tests/support/window/wait_for.h"
#include "tests/views/context_fixture.h"
#include "tests/views/window_language.h"
#include "views/framework/view/view_host.h"
#include "views/plugins/bit_by_bit/difference_rows.h"
#include "views/studies/cause_pane.h"

namespace ulp::views {
namespace {

class BitByBitViewTest : public testing::Test {
 protected:
  /// Two variants of two layers; tensors of "a" differ from the second layer on.
  static report::Report report() {
    report::Report report = test::sampleReport(2, {"a", "b"});
    report.metrics = {
        {"equal_fraction"}, {"rms_rel"}, {"max_rel"}, {"mean_abs_diff"}, {"max_diff"}};
    for (std::size_t run = 1; run < report.runs.size(); ++run) {
      auto& rows = report.runs[run].comparisons;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool isEqual = run == 2 || i < 2;
        rows[i].metrics = isEqual ? std::vector<double>{1, 0, 0, 0, 0}
                                  : std::vector<double>{0.25, 0.01, 0.02, 0.5, 1.5};
      }
    }
    return report;
  }

  void keepTensors() {
    auto writer = *tensors::CaptureWriter::create(m_fixture.folder.path().toStdString());
    for (const auto& [run, last] : {std::pair("a", 4.0F), std::pair("b", 5.0F)}) {
      const std::array<float, 4> elements{1, 2, 3, last};
      ASSERT_TRUE(writer->beginRun(run).has_value());
      ASSERT_TRUE(writer
                      ->put(test::layerSite("decoder.0", 0, Pass::Forward),
                            {elements.data(), DType::Float32, {1, 4}},
                            0)
                      .has_value());
      ASSERT_TRUE(writer->finishRun().has_value());
    }
  }

  void open(const report::Report& report) {
    m_fixture.openReport(report);
    m_host = std::make_unique<ViewHost>(*m_registry.find(QStringLiteral("bit_by_bit")),
                                        m_fixture.context());
    m_host->resize(1000, 400);
    m_host->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_host.get()));
    m_fixture.settle();
  }

  template <class Part>
  [[nodiscard]] Part& part(const char* name) const {
    return *m_host->findChild<Part*>(QLatin1String(name));
  }
  [[nodiscard]] QString heading() const { return part<QLabel>("bitsHeading").text(); }
  [[nodiscard]] bool showsText(const QString& text) const {
    for (const auto* label : m_host->findChildren<QLabel*>()) {
      if (label->isVisible() && label->text().contains(text)) {
        return true;
      }
    }
    return false;
  }
  void choose(const char* chooser, const char* run) {
    auto& box = part<QComboBox>(chooser);
    box.setFocus();
    const int wanted = box.findData(QLatin1String(run));
    QTest::keyClick(&box, Qt::Key_Home);
    for (int i = 0; i < wanted; ++i) {
      QTest::keyClick(&box, Qt::Key_Down);
    }
    m_fixture.settle();
  }

  ViewRegistry m_registry = builtinViews();
  test::ContextFixture m_fixture;
  std::unique_ptr<ViewHost> m_host;
};

TEST_F(BitByBitViewTest, TellsThatTheRunsAreOfOtherTokens) {
  keepTensors();
  open(report());
  EXPECT_FALSE(showsText(QStringLiteral("what differs is not precision alone")));
  const QString path = m_fixture.folder.path() + QStringLiteral("/other");
  report::Report other = report();
  other.provenance.tokenDigest = "sha256:cc";
  std::filesystem::create_directories(path.toStdString());
  ASSERT_TRUE(report::saveReport(other, path.toStdString()).has_value());
  auto writer = *tensors::CaptureWriter::create(path.toStdString());
  const std::array<float, 4> elements{1, 2, 3, 4};
  ASSERT_TRUE(writer->beginRun("a").has_value());
  const Site site = test::layerSite("decoder.0", 0, Pass::Forward);
  ASSERT_TRUE(writer->put(site, {elements.data(), DType::Float32, {1, 4}}, 0).has_value());
  ASSERT_TRUE(writer->finishRun().has_value());
  m_fixture.workspace.reports.openBeside({path});
  m_fixture.settle();
  choose("bitsFirst", "a");
  choose("bitsSecond", "a (other)");
  EXPECT_TRUE(showsText(
      QStringLiteral("a (other) has other tokens than a; what differs is not precision alone.")));
}

TEST_F(BitByBitViewTest, TellsTheFirstDifferenceOfEachPassWithLinks) {
  open(report());
  EXPECT_EQ(heading(),
            QStringLiteral("a differs from reference: 2 of 10 compared tensor(s) are equal"));
  QString account = part<QLabel>("bitsAccount").text();
  account.remove(QRegularExpression(QStringLiteral("<[^>]*>")));
  EXPECT_TRUE(account.contains(QStringLiteral("First difference, forward: decoder.1")));
  EXPECT_TRUE(account.contains(QStringLiteral("Inputs that agreedecoder.0")))
      << account.toStdString();
  EXPECT_TRUE(account.contains(QStringLiteral("Equal before itembeddings, decoder.0")));
  EXPECT_TRUE(account.contains(QStringLiteral("First difference, backward: logits")));
  QSignalSpy wanted(&m_fixture.selection, &SelectionContext::placeWanted);
  Q_EMIT part<QLabel>("bitsAccount").linkActivated(QStringLiteral("1"));
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("decoder.0"));
  EXPECT_EQ(m_fixture.selection.selection().run(), QStringLiteral("a"));
  EXPECT_EQ(wanted.size(), 1);
}

TEST_F(BitByBitViewTest, NamesTheOperationsThatOneOfTheRunsAloneMade) {
  report::Report replaced = report();
  replaced.runs[0].graph.of(Pass::Forward)["decoder.1"].forward = {"silu"};
  replaced.runs[0].graph.of(Pass::Forward)["silu"].forward = {"decoder.0"};
  replaced.runs[1].graph.of(Pass::Forward)["decoder.1"].forward = {"gelu"};
  replaced.runs[1].graph.of(Pass::Forward)["gelu"].forward = {"decoder.0"};
  open(replaced);
  QString account = part<QLabel>("bitsAccount").text();
  account.remove(QRegularExpression(QStringLiteral("<[^>]*>")));
  EXPECT_TRUE(
      account.contains(QStringLiteral("Made by another operationsilu in reference, gelu in a")))
      << account.toStdString();
  EXPECT_FALSE(account.contains(QStringLiteral("Inputs that agreedecoder.0")))
      << "gelu alone read it";
  EXPECT_TRUE(showsText(QStringLiteral("2 tensor(s) were kept by one of the runs alone.")));
}

TEST(DifferenceRows, NamesOfMetricsAreTheSameInAllLanguages) {
  for (const char* language : {"de", "zh_CN"}) {
    const test::WindowLanguage translated{QLatin1String(language)};
    QStringList titles;
    for (const auto& column : differenceColumns()) {
      titles << column.title;
    }
    EXPECT_EQ(titles.mid(2),
              (QStringList{QStringLiteral("Equal, %"),
                           QStringLiteral("RMS rel, %"),
                           QStringLiteral("Mean |d|"),
                           QStringLiteral("Max |d|")}))
        << language;
  }
}

TEST_F(BitByBitViewTest, ListsWhatFollowsAndSelectsIt) {
  open(report());
  auto& table = part<QTableView>("bit-by-bit");
  const QAbstractItemModel& model = *table.model();
  ASSERT_EQ(model.rowCount(), 8);
  EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("decoder.1"));
  EXPECT_EQ(model.index(0, 2).data().toString(), QStringLiteral("25.0"));
  EXPECT_EQ(model.index(0, 5).data().toString(), QStringLiteral("1.50"));
  QTest::mouseClick(
      table.viewport(), Qt::LeftButton, {}, table.visualRect(model.index(1, 0)).center());
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("norm"));
  m_fixture.selection.selectSite(QStringLiteral("logits"), Pass::Backward);
  EXPECT_EQ(table.currentIndex().row(), 4);
  const auto exhibits = m_host->view()->exhibits();
  ASSERT_EQ(exhibits.size(), 1U);
  EXPECT_EQ(exhibits[0].table().rows.size(), 8U);
}

TEST_F(BitByBitViewTest, FollowsTheSelectedVariantUntilARunIsChosen) {
  open(report());
  m_fixture.selection.selectRun(QStringLiteral("b"));
  m_fixture.settle();
  EXPECT_EQ(heading(),
            QStringLiteral("b and reference are equal: every compared element of 10 tensor(s)"));
  EXPECT_FALSE(part<QTableView>("bit-by-bit").isVisible());
  EXPECT_FALSE(part<QPushButton>("proveCause").isVisible()) << "there is nothing to prove";
  choose("bitsSecond", "a");
  m_fixture.selection.selectRun(QStringLiteral("b"));
  m_fixture.settle();
  EXPECT_TRUE(heading().startsWith(QStringLiteral("a differs from reference")));
}

TEST_F(BitByBitViewTest, RunsWithEqualTensorsDifferByAGradientThatOneLacks) {
  report::Report lacking = report();
  lacking.runs[2].missingGradients = {"norm.weight", "lm_head.weight"};
  open(lacking);
  m_fixture.selection.selectRun(QStringLiteral("b"));
  m_fixture.settle();
  EXPECT_EQ(heading(),
            QStringLiteral("b differs from reference: 10 of 10 compared tensor(s) are equal"));
  EXPECT_TRUE(showsText(
      QStringLiteral("Only one of the runs has a gradient of lm_head.weight, norm.weight.")));
  EXPECT_FALSE(part<QTableView>("bit-by-bit").isVisible());
  EXPECT_FALSE(part<QPushButton>("proveCause").isVisible()) << "no number differs";
}

TEST_F(BitByBitViewTest, ComparesTwoVariantsByWhatTheyKept) {
  keepTensors();
  open(report());
  choose("bitsFirst", "b");
  EXPECT_EQ(heading(), QStringLiteral("a differs from b: 0 of 1 compared tensor(s) are equal"));
}

TEST_F(BitByBitViewTest, SaysWhatIsMissingWhereTensorsWereNotKept) {
  open(report());
  choose("bitsFirst", "b");
  EXPECT_TRUE(showsText(QStringLiteral("These runs cannot be compared")));
  EXPECT_TRUE(showsText(QStringLiteral("capture.tensors: full")));
  choose("bitsFirst", "a");
  EXPECT_TRUE(showsText(QStringLiteral("'a' cannot be compared with itself")));
}

TEST_F(BitByBitViewTest, SaysWhyTheReportCannotTell) {
  report::Report old = report();
  old.metrics[0].id = "cosine";
  open(old);
  EXPECT_TRUE(showsText(QStringLiteral("equal_fraction")));
}

TEST_F(BitByBitViewTest, OffersNoProofWhereSettingsAreNotKnown) {
  report::Report old = report();
  old.effectiveJson.clear();
  open(old);
  auto& prove = part<QPushButton>("proveCause");
  EXPECT_TRUE(prove.isVisible());
  EXPECT_FALSE(prove.isEnabled());
  EXPECT_TRUE(prove.toolTip().contains(QStringLiteral("does not say with which settings")));
}

TEST_F(BitByBitViewTest, SaysInTheWordsOfTheCommandLineWhatCannotBePlanned) {
  open(report());
  QTest::mouseClick(&part<QPushButton>("proveCause"), Qt::LeftButton);
  m_fixture.settle();
  EXPECT_TRUE(showsText(QStringLiteral("does not say with which settings 'a' ran")));
}

TEST_F(BitByBitViewTest, ItsModelsKeepTheContractOfModels) {
  const auto loaded = std::make_shared<const report::Report>(report());
  const ComparedPair compared{.pair = {.baselineLabel = "reference",
                                       .candidateLabel = "a",
                                       .report = loaded,
                                       .rows = &loaded->runs[1]},
                              .difference = *analysis::runDifference(*loaded, loaded->runs[1])};
  DifferenceModel model;
  const test::ModelChecks checks(&model);
  model.setContent(differenceColumns(),
                   std::make_shared<const std::vector<DifferenceRow>>(differenceRows(compared)));
  EXPECT_EQ(model.rowCount(), 8);
  EXPECT_EQ(model.index(0, 1).data().toString(), QStringLiteral("forward"));
  model.setContent(differenceColumns(), nullptr);
  EXPECT_EQ(model.rowCount(), 0);

  VerdictModel verdicts;
  const test::ModelChecks verdictChecks(&verdicts);
  verdicts.setContent(
      verdictColumns(QStringLiteral("decoder.0")),
      std::make_shared<const std::vector<analysis::CounterfactualVerdict>>(
          1,
          analysis::CounterfactualVerdict{.name = "precision.cast=load",
                                          .change = "precision.cast: load",
                                          .isWhole = true,
                                          .siteShare = 1,
                                          .logitsShare = std::numeric_limits<double>::quiet_NaN(),
                                          .equal = 3,
                                          .tensors = 4}));
  EXPECT_EQ(verdicts.index(0, 0).data().toString(),
            QStringLiteral("precision.cast: load (leaves no difference of settings)"));
  EXPECT_EQ(verdicts.index(0, 1).data().toString(), QStringLiteral("100"));
  EXPECT_EQ(verdicts.index(0, 2).data().toString(), QStringLiteral("–"));
  EXPECT_EQ(verdicts.index(0, 3).data().toString(), QStringLiteral("3 of 4"));
}

TEST_F(BitByBitViewTest, OfDumpsSaysWhereElseItIsToldAndOfOneThatThereIsNothingToTell) {
  report::Report dumps = report();
  dumps.dumps = report::DumpOrigin{.baseline = {.path = "/a"}, .candidate = {.path = "/b"}};
  open(dumps);
  EXPECT_TRUE(showsText(QStringLiteral("Where two dumps part")));
  dumps.dumps->candidate = {};
  open(dumps);
  EXPECT_FALSE(showsText(QStringLiteral("Where two dumps part")));
  EXPECT_TRUE(showsText(QStringLiteral("What is open is compared with nothing.")));
}

}  // namespace
}  // namespace ulp::views
