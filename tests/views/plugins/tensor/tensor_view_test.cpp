#include "views/plugins/tensor/tensor_view.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtGui/QPainter>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSpinBox>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTableView>

#include "tests/support/data/compared_report.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/window/golden.h"
#include "tests/support/window/model_checks.h"
#include "tests/support/window/stall_listener.h"
#include "tests/support/window/wait_for.h"
#include "tests/views/captured_report.h"
#include "tests/views/context_fixture.h"
#include "views/charts/raster/range_control.h"
#include "views/charts/raster/raster_widget.h"
#include "views/plugins/tensor/inspector/reading_bar.h"
#include "views/plugins/tensor/inspector/tensor_inspector.h"
#include "views/plugins/tensor/pictures/slice_bar.h"
#include "views/plugins/tensor/pictures/tensor_panes.h"

namespace ulp::views {
namespace {

using analysis::Quantity;
using Shape = std::vector<std::int64_t>;

class TensorViewTest : public testing::Test {
 protected:
  void openTensors(std::vector<test::KeptTensor> kept, std::uint64_t sampleLimit = 0) {
    test::saveCapturedReport(m_fixture.folder.path().toStdString(), std::move(kept), sampleLimit);
    openView();
  }
  void openView() {
    m_fixture.workspace.open({m_fixture.folder.path()});
    m_fixture.settle();
    m_view = std::make_unique<TensorView>(m_fixture.context());
    m_view->resize(1100, 700);
    m_view->setReport(m_fixture.workspace.reports.document());
    QObject::connect(&m_fixture.selection,
                     &SelectionContext::selectionChanged,
                     m_view.get(),
                     [this](const Selection& selection) { m_view->setSelection(selection); });
    select("decoder.0");
    m_view->show();
    settle();
  }
  void select(const char* site, Pass pass = Pass::Forward) {
    Selection selection = m_fixture.selection.selection();
    selection.runs = {QStringLiteral("bf16")};
    selection.site = QString::fromLatin1(site);
    selection.pass = pass;
    selection.slice.clear();
    selection.element.clear();
    m_fixture.selection.reset(selection);
    m_view->setSelection(selection);
    settle();
  }
  void settle() {
    ASSERT_TRUE(
        test::waitFor([this] { return m_fixture.background.isIdle() && !m_view->isReading(); }));
    QCoreApplication::processEvents();
    m_fixture.settle();
  }
  [[nodiscard]] TensorPanes& panes() { return *m_view->findChild<TensorPanes*>(); }
  [[nodiscard]] charts::RasterWidget& raster(int pane = 0) { return panes().raster(pane); }
  [[nodiscard]] SliceBar& sliceBar() { return *m_view->findChild<SliceBar*>(); }
  [[nodiscard]] TensorInspector& inspector() { return *m_view->findChild<TensorInspector*>(); }
  [[nodiscard]] analysis::PairStatisticsPtr statistics() {
    return m_view->findChild<ReadingBar*>()->statistics();
  }
  [[nodiscard]] QLineEdit& elementField() {
    const QList<QLineEdit*> fields = m_view->findChildren<QLineEdit*>();
    return **std::ranges::find(fields, QStringLiteral("Element"), &QLineEdit::accessibleName);
  }
  /// What is said of the element that is "selected" or "under the cursor"; empty: nothing.
  [[nodiscard]] std::vector<report::DataCell> readout(const std::string& which) {
    for (const std::vector<report::DataCell>& row : inspector().readout().table().rows) {
      if (row.front() == report::DataCell(which)) {
        return row;
      }
    }
    return {};
  }
  [[nodiscard]] QPoint middleOf(int row, int column) {
    return raster().cellRect({row, column}).center().toPoint();
  }
  [[nodiscard]] double shownValue(int row, int column, int pane = 0) {
    const charts::RasterContent& content = raster(pane).content();
    const auto at = content.gridAt(row, column);
    return at ? content.grid->values[*at] : std::numeric_limits<double>::quiet_NaN();
  }
  static test::KeptTensor layer(Shape shape, const char* name = "decoder.0") {
    std::size_t count = 1;
    for (const std::int64_t size : shape) {
      count *= static_cast<std::size_t>(size);
    }
    return {name, std::move(shape), test::wave(count)};
  }

  test::ContextFixture m_fixture;
  std::unique_ptr<TensorView> m_view;
};

double rounded(float value) {
  return static_cast<double>(
      numerics::decodeBFloat16(numerics::encodeBFloat16(static_cast<double>(value))));
}

/// Another working directory, until it goes.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::filesystem::path& folder)
      : m_before(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~WorkingFolder() { std::filesystem::current_path(m_before); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  std::filesystem::path m_before;
};

TEST_F(TensorViewTest, AComparisonThatIsNoFileOffersNoStudyOfTheWorkingDirectory) {
  const std::filesystem::path root = m_fixture.folder.path().toStdString();
  for (const char* side : {"golden", "target"}) {
    test::writeStatisticsDump(root / side / "step0" / "rank0",
                              {{"model.layers.0", side[0] == 'g' ? 1.0 : 2.0}});
  }
  std::ofstream(root / "study.yaml") << "model: {path: m}\n";
  const WorkingFolder there(root);
  m_fixture.workspace.reports.openUnsaved(
      {.report = std::make_shared<const report::Report>(test::comparedReport(
           {.baseline = {.path = root / "golden"}, .candidate = {.path = root / "target"}})),
       .file = "comparison:1/target",
       .folder = {}});
  m_fixture.settle();
  ASSERT_NE(m_fixture.workspace.reports.document(), nullptr);
  m_view = std::make_unique<TensorView>(m_fixture.context());
  m_view->setReport(m_fixture.workspace.reports.document());
  Selection selection;
  selection.runs = {m_fixture.workspace.reports.document()->variantName(0)};
  selection.site = QStringLiteral("decoder.0");
  m_view->setSelection(selection);
  m_view->show();
  settle();
  bool isSaid = false;
  for (const auto* label : m_view->findChildren<QLabel*>()) {
    isSaid = isSaid || (label->isVisible() && label->text().contains(QStringLiteral("Details")));
  }
  EXPECT_TRUE(isSaid) << "of statistics the view says where they stand";
  for (const auto* button : m_view->findChildren<QPushButton*>()) {
    EXPECT_FALSE(button->isVisible() && button->text() == QStringLiteral("Open the study"));
  }
}

TEST_F(TensorViewTest, ShowsTheAbsoluteDifferenceOfTheSelectedTensor) {
  openTensors({layer({1, 8, 12})});
  ASSERT_TRUE(m_view->showsTensor());
  EXPECT_EQ(raster().content().rowCount(), 8);
  EXPECT_EQ(raster().content().columnCount(), 12);
  const float value = test::wave(96)[12 * 3 + 5];
  EXPECT_DOUBLE_EQ(shownValue(3, 5), std::abs(static_cast<double>(value) - rounded(value)));
  EXPECT_EQ(sliceBar().dimensionName(1), QStringLiteral("token"));
  EXPECT_EQ(sliceBar().dimensionName(2), QStringLiteral("channel"));
}

TEST_F(TensorViewTest, KeysSwitchTheQuantity) {
  openTensors({layer({1, 8, 12})});
  m_view->activateWindow();
  raster().setFocus();
  const float value = test::wave(96)[12 * 3 + 5];
  const auto a = static_cast<double>(value);
  const double b = rounded(value);
  const std::vector<std::pair<Qt::Key, double>> expected{
      {Qt::Key_1, a},
      {Qt::Key_2, b},
      {Qt::Key_3, b - a},
      {Qt::Key_4, std::abs(a - b)},
      {Qt::Key_5, std::abs(a - b) / std::abs(a)},
      {Qt::Key_6, std::abs(a - b) / numerics::ulpOf(a, DType::BFloat16)}};
  for (const auto& [key, shown] : expected) {
    QTest::keyClick(&raster(), key);
    settle();
    EXPECT_DOUBLE_EQ(shownValue(3, 5), shown) << key;
  }
}

TEST_F(TensorViewTest, ATapOnSpaceTogglesAndHoldingItShows) {
  openTensors({layer({1, 8, 12})});
  panes().setQuantity(Quantity::Reference);
  settle();
  QTest::mouseClick(&raster(), Qt::LeftButton, Qt::ShiftModifier, middleOf(2, 2));
  const charts::ColorScale scale = raster().scale();
  raster().setViewRange({2, 8}, {1, 5});
  const charts::Range seen = raster().viewRange().x();
  QTest::keyClick(&raster(), Qt::Key_Space);
  EXPECT_EQ(panes().quantity(), Quantity::Variant);
  EXPECT_EQ(raster().viewRange().x(), seen) << "the same place";
  EXPECT_EQ(raster().scale(), scale) << "and the same colours";
  EXPECT_DOUBLE_EQ(shownValue(3, 5), rounded(test::wave(96)[12 * 3 + 5])) << "at once";
  QTest::keyPress(&raster(), Qt::Key_Space);
  EXPECT_EQ(panes().quantity(), Quantity::Reference);
  QTest::qWait(400);
  QTest::keyRelease(&raster(), Qt::Key_Space);
  EXPECT_EQ(panes().quantity(), Quantity::Variant);
}

TEST_F(TensorViewTest, FourPicturesZoomTogether) {
  openTensors({layer({1, 8, 12})});
  QTest::keyClick(&raster(), Qt::Key_Q);
  settle();
  for (int pane = 0; pane < 4; ++pane) {
    EXPECT_TRUE(raster(pane).isVisible());
    EXPECT_EQ(raster(pane).content().columnCount(), 12);
  }
  const float value = test::wave(96)[0];
  EXPECT_DOUBLE_EQ(shownValue(0, 0, 0), static_cast<double>(value));
  EXPECT_DOUBLE_EQ(shownValue(0, 0, 1), rounded(value));
  EXPECT_DOUBLE_EQ(shownValue(0, 0, 3), std::abs(static_cast<double>(value) - rounded(value)));
  QTest::keyClick(&raster(2), Qt::Key_Plus);
  EXPECT_TRUE(raster(2).viewRange().isZoomed());
  for (const int other : {0, 1, 3}) {
    EXPECT_EQ(raster(other).viewRange().x(), raster(2).viewRange().x());
    EXPECT_EQ(raster(other).viewRange().y(), raster(2).viewRange().y());
  }
}

TEST_F(TensorViewTest, HoverReadsAndClickSelects) {
  openTensors({layer({1, 8, 12})});
  QTest::mouseMove(&raster(), middleOf(4, 6));
  QCoreApplication::processEvents();
  const std::vector<report::DataCell> hovered = readout("under the cursor");
  ASSERT_EQ(hovered.size(), 9U);
  EXPECT_EQ(std::get<std::string>(hovered[1]), "[0, 4, 6]");
  EXPECT_EQ(std::get<std::string>(hovered[7]).size(), 34U) << "32 bits in three parts";
  EXPECT_EQ(std::get<std::string>(hovered[8]).size(), 18U) << "16 bits";
  EXPECT_TRUE(readout("selected").empty());
  QTest::mouseClick(&raster(), Qt::LeftButton, {}, middleOf(2, 9));
  EXPECT_EQ(m_fixture.selection.selection().element, (Shape{0, 2, 9}));
  EXPECT_FALSE(readout("selected").empty());
  EXPECT_EQ(raster().current(), (charts::RasterCell{2, 9}));
  EXPECT_EQ(elementField().text(), QStringLiteral("0, 2, 9"));
}

TEST_F(TensorViewTest, ArrowKeysWalkElements) {
  openTensors({layer({1, 8, 12})});
  m_fixture.selection.selectElement({0, 2, 9});
  QTest::keyClick(&raster(), Qt::Key_Down);
  QTest::keyClick(&raster(), Qt::Key_Left);
  EXPECT_EQ(m_fixture.selection.selection().element, (Shape{0, 3, 8}));
}

TEST_F(TensorViewTest, GoesToAnElementAlsoOutsideTheSlice) {
  openTensors({layer({3, 8, 12})});
  EXPECT_EQ(sliceBar().position(0)->value(), 0);
  m_view->activateWindow();
  QTest::keyClick(&raster(), Qt::Key_G, Qt::ControlModifier);
  ASSERT_TRUE(elementField().hasFocus());
  QTest::keyClicks(&elementField(), QStringLiteral("2, -1, 3"));
  QTest::keyClick(&elementField(), Qt::Key_Return);
  settle();
  EXPECT_EQ(m_fixture.selection.selection().element, (Shape{2, 7, 3}));
  EXPECT_EQ(m_fixture.selection.selection().slice, QStringLiteral("2, :, :"));
  EXPECT_EQ(sliceBar().position(0)->value(), 2);
  EXPECT_EQ(raster().current(), (charts::RasterCell{7, 3}));
}

TEST_F(TensorViewTest, RefusesAnElementThatIsNotThere) {
  openTensors({layer({1, 8, 12})});
  elementField().setText(QStringLiteral("0, 99, 3"));
  QTest::keyClick(&elementField(), Qt::Key_Return);
  EXPECT_TRUE(m_fixture.selection.selection().element.empty());
}

TEST_F(TensorViewTest, SlicesByTextSpinBoxAndAxes) {
  openTensors({layer({3, 8, 12})});
  SliceBar& bar = sliceBar();
  bar.position(0)->setValue(1);
  settle();
  EXPECT_EQ(m_fixture.selection.selection().slice, QStringLiteral("1, :, :"));
  EXPECT_EQ(raster().content().readout(0, 0).lines.size(), 3U);
  EXPECT_EQ(raster().content().readout(2, 4).title, QStringLiteral("[1, 2, 4]"));
  QTest::mouseClick(&bar.text(), Qt::LeftButton);
  bar.text().clear();
  QTest::keyClicks(&bar.text(), QStringLiteral("2, ::2, 3:6"));
  QTest::keyClick(&bar.text(), Qt::Key_Return);
  settle();
  EXPECT_EQ(raster().content().rowCount(), 4);
  EXPECT_EQ(raster().content().columnCount(), 3);
  EXPECT_EQ(raster().content().rows.labelOf(1), QStringLiteral("2"));
  EXPECT_EQ(raster().content().columns.labelOf(1), QStringLiteral("4"));
  EXPECT_EQ(raster().content().readout(1, 1).title, QStringLiteral("[2, 2, 4]"));
  Q_EMIT bar.axesEdited({2, 1});
  settle();
  EXPECT_EQ(raster().content().rowCount(), 3);
  EXPECT_EQ(raster().content().readout(1, 1).title, QStringLiteral("[2, 2, 4]"));
}

TEST_F(TensorViewTest, KeepsThePictureWhileASliceIsWrong) {
  openTensors({layer({1, 8, 12})});
  m_fixture.selection.selectSlice(QStringLiteral("0, 99"));
  settle();
  EXPECT_TRUE(m_view->showsTensor());
  EXPECT_EQ(raster().content().rowCount(), 8);
}

TEST_F(TensorViewTest, ZoomsUntilValuesAreWritten) {
  openTensors({layer({1, 64, 256})});
  EXPECT_FALSE(raster().frame().hasTexts);
  raster().setViewRange({0, 5}, {0, 5});
  EXPECT_TRUE(raster().frame().hasTexts);
  EXPECT_FALSE(raster().content().cellText(2, 3).isEmpty());
}

TEST_F(TensorViewTest, ListsTheWorstElementsAndJumpsToThem) {
  std::vector<float> values = test::wave(96);
  values[50] = 1.00390625F;  // half an ULP of bfloat16 away from its neighbours
  values[77] = 1000.9F;
  openTensors({{"decoder.0", {1, 8, 12}, values}});
  ASSERT_NE(statistics(), nullptr);
  QTableView& table = inspector().worstTable();
  const test::ModelChecks checks(table.model());
  ASSERT_GT(table.model()->rowCount(), 10);
  EXPECT_EQ(table.model()->index(0, 0).data().toString(), QStringLiteral("[0, 6, 5]"));
  const QRect first = table.visualRect(table.model()->index(0, 0));
  QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, first.center());
  settle();
  EXPECT_EQ(m_fixture.selection.selection().element, (Shape{0, 6, 5}));
  EXPECT_EQ(raster().current(), (charts::RasterCell{6, 5}));
}

TEST_F(TensorViewTest, ComputesTheExactStatisticsAndDrawsThem) {
  std::vector<float> values = test::wave(96);
  values[5] = std::numeric_limits<float>::quiet_NaN();
  openTensors({{"decoder.0", {1, 8, 12}, values}});
  ASSERT_NE(statistics(), nullptr);
  EXPECT_EQ(statistics()->moments.compared, 95U);
  EXPECT_EQ(statistics()->reference.nonFinite.nan, 1U);
  for (int tab = 0; tab < inspector().tabs().count(); ++tab) {
    inspector().tabs().setCurrentIndex(tab);
    QCoreApplication::processEvents();
    EXPECT_FALSE(test::isBlank(inspector().grab().toImage())) << tab;
  }
}

bool hasPixel(const QImage& image, QRgb color) {
  const QImage opaque = image.convertToFormat(QImage::Format_RGB32);
  for (int y = 0; y < opaque.height(); ++y) {
    for (int x = 0; x < opaque.width(); ++x) {
      if (opaque.pixel(x, y) == color) {
        return true;
      }
    }
  }
  return false;
}

TEST_F(TensorViewTest, MarksANanAtEveryZoom) {
  std::vector<float> values = test::wave(std::size_t{1200} * 900);
  values[700'000] = std::numeric_limits<float>::infinity();
  openTensors({{"decoder.0", {1200, 900}, values}});
  const QRgb mark = m_fixture.themes.theme().nonFinite.rgb();
  const auto isMarked = [&] { return hasPixel(raster().grab().toImage(), mark); };
  EXPECT_TRUE(isMarked()) << "everything";
  EXPECT_EQ(panes().range().counts().nonFinite, 1U);
  const int row = 700'000 / 900;
  const int column = 700'000 % 900;
  for (const double half : {300.0, 60.0, 4.0}) {
    raster().setViewRange({column - half, column + half}, {row - half, row + half});
    Q_EMIT raster().viewRangeChanged();
    settle();
    EXPECT_TRUE(isMarked()) << half;
  }
}

TEST_F(TensorViewTest, ReadsWhatIsFinerThanItsTilesWhereItIsLookedAt) {
  openTensors({layer({1200, 900})});
  EXPECT_GT(raster().content().placement->columnsPerCell, 1);
  raster().setViewRange({100, 120}, {200, 215});
  Q_EMIT raster().viewRangeChanged();
  settle();
  ASSERT_TRUE(raster().content().placement->isExact());
  panes().setQuantity(Quantity::Reference);
  settle();
  EXPECT_DOUBLE_EQ(shownValue(205, 110),
                   static_cast<double>(test::wave(std::size_t{1200} * 900)[205 * 900 + 110]));
}

TEST_F(TensorViewTest, ShowsASampleAsOne) {
  openTensors({layer({1, 64, 12})}, 100);
  ASSERT_TRUE(m_view->showsTensor());
  EXPECT_EQ(sliceBar().dimensionName(0), QStringLiteral("sample"));
  const QList<QLabel*> labels = m_view->findChildren<QLabel*>();
  const auto says = [&labels](const QString& text) {
    return std::any_of(labels.begin(), labels.end(), [&text](const QLabel* label) {
      return label->text().contains(text);
    });
  };
  EXPECT_TRUE(says(QStringLiteral("1 of ")));
  EXPECT_TRUE(says(QStringLiteral("at least")));
  QTest::mouseClick(&raster(), Qt::LeftButton, {}, middleOf(0, 1));
  EXPECT_EQ(m_fixture.selection.selection().element.size(), 3U) << "a place in the whole tensor";
}

TEST_F(TensorViewTest, ShowsAScalar) {
  openTensors({{"loss", {}, {2.3F}}});
  select("loss");
  ASSERT_TRUE(m_view->showsTensor());
  EXPECT_EQ(raster().content().rowCount(), 1);
  EXPECT_FALSE(readout("selected").empty());
}

TEST_F(TensorViewTest, SaysWhyThereIsNothing) {
  openTensors({layer({1, 8, 12})});
  select("norm");
  EXPECT_FALSE(m_view->showsTensor());
  EXPECT_TRUE(m_view->exhibits().empty());
  select("decoder.0");
  EXPECT_TRUE(m_view->showsTensor());
}

TEST_F(TensorViewTest, OffersItsPicturesAndTables) {
  openTensors({layer({1, 8, 12})});
  m_fixture.selection.selectElement({0, 2, 9});
  settle();
  std::set<QString> ids;
  for (const Exhibit& exhibit : m_view->exhibits()) {
    EXPECT_TRUE(ids.insert(exhibit.id).second);
    EXPECT_FALSE(exhibit.title.isEmpty());
    const report::DataTable table = exhibit.table();
    EXPECT_FALSE(table.rows.empty()) << exhibit.id.toStdString();
    for (const auto& row : table.rows) {
      EXPECT_EQ(row.size(), table.columns.size()) << exhibit.id.toStdString();
    }
    if (exhibit.paint) {
      QImage image(exhibit.size.toSize(), QImage::Format_RGB32);
      image.fill(Qt::red);
      QPainter painter(&image);
      exhibit.paint(painter, QRectF(QPointF(), exhibit.size), lightTheme());
      painter.end();
      EXPECT_FALSE(test::isBlank(image)) << exhibit.id.toStdString();
    }
  }
  for (const char* id : {"tensor-3",
                         "tensor-element",
                         "tensor-worst",
                         "tensor-values",
                         "tensor-exponents",
                         "tensor-formats",
                         "tensor-density",
                         "tensor-row",
                         "tensor-column"}) {
    EXPECT_EQ(ids.count(QString::fromLatin1(id)), 1U) << id;
  }
}

/// The picture, the read-out with its bits, and a chart, of a tensor with a NaN and an infinity.
TEST_F(TensorViewTest, LooksAsItDid) {
  test::allowStalls(100, "the whole view is drawn at once for its picture");
  std::vector<float> values = test::wave(std::size_t{32} * 48);
  values[100] = std::numeric_limits<float>::quiet_NaN();
  values[101] = std::numeric_limits<float>::infinity();
  openTensors({{"decoder.0", {1, 32, 48}, values}});
  m_fixture.selection.selectElement({0, 2, 9});
  settle();
  for (const Theme& theme : {lightTheme(), darkTheme()}) {
    for (const Exhibit& exhibit : m_view->exhibits()) {
      const bool isWanted = exhibit.id == QLatin1String("tensor-3") ||
                            exhibit.id == QLatin1String("tensor-element") ||
                            exhibit.id == QLatin1String("tensor-exponents") ||
                            exhibit.id == QLatin1String("tensor-density");
      if (!isWanted) {
        continue;
      }
      QImage image(480, 320, QImage::Format_RGB32);
      image.fill(Qt::red);
      QPainter painter(&image);
      exhibit.paint(painter, QRectF(0, 0, 480, 320), theme);
      painter.end();
      test::expectGolden(
          image,
          QStringLiteral(ULP_SOURCE_DIR "/tests/views/plugins/golden/%1_%2.png")
              .arg(exhibit.id, theme.dark ? QStringLiteral("dark") : QStringLiteral("light")),
          0.06);
    }
  }
}

TEST_F(TensorViewTest, ARangeThatTheUserSetStays) {
  openTensors({layer({1, 8, 12})});
  const charts::Range range{1e-4, 1e-2};
  Q_EMIT panes().range().rangeChanged(range);
  EXPECT_EQ(raster().scale().range, range);
  QTest::keyClick(&raster(), Qt::Key_1);
  settle();
  QTest::keyClick(&raster(), Qt::Key_4);
  settle();
  EXPECT_EQ(raster().scale().range, range);
}

TEST_F(TensorViewTest, LinkedTabsColourTheSameValueAlike) {
  openTensors({layer({1, 8, 12})});
  const charts::Range own = raster().scale().range;
  const Viewpoint shown = m_view->viewpoint();
  ASSERT_EQ(shown.extents.size(), 1U);
  const QString id = shown.extents.front().id;
  EXPECT_EQ(shown.extents.front().high, own.high);
  m_view->shareExtents({{.id = id, .low = own.low, .high = own.high * 8}});
  EXPECT_EQ(raster().scale().range.high, own.high * 8) << "over the values of both";

  Viewpoint other = shown;
  for (NumberSpan& span : other.numbers) {
    if (span.id == id) {
      EXPECT_TRUE(span.isWhole);
      span = {.id = id, .low = 1e-4, .high = 1e-2, .isWhole = false};
    }
  }
  m_view->follow(other);
  EXPECT_EQ(raster().scale().range, (charts::Range{1e-4, 1e-2})) << "as chosen there";
  m_view->follow(shown);
  EXPECT_EQ(raster().scale().range.high, own.high * 8) << "fitted there: to both again";
  m_view->shareExtents({});
  EXPECT_EQ(raster().scale().range, own) << "alone again";
}

TEST_F(TensorViewTest, KeepsHowItLooks) {
  openTensors({layer({1, 8, 12})});
  panes().setQuantity(Quantity::Ulp);
  QTest::keyClick(&raster(), Qt::Key_Q);
  QTest::keyClick(&raster(), Qt::Key_M);
  const QJsonObject state = m_view->saveState();
  TensorView other(m_fixture.context());
  other.restoreState(state);
  EXPECT_EQ(other.saveState(), state);
  const TensorPanes& restored = *other.findChild<TensorPanes*>();
  EXPECT_FALSE(restored.raster(3).isHidden()) << "four pictures";
  EXPECT_EQ(restored.quantity(), Quantity::Ulp);
  EXPECT_TRUE(other.viewActions()[2]->isChecked()) << "means of cells";
}

TEST_F(TensorViewTest, ADifferenceIsTheVariantLessTheReferenceAndSaysSo) {
  openTensors({layer({4, 6})});
  panes().setQuantity(Quantity::Difference);
  settle();
  EXPECT_TRUE(raster().content().title.startsWith(QStringLiteral("B − A, bf16 minus reference")))
      << raster().content().title.toStdString();
  const float kept = test::wave(24)[7];
  EXPECT_DOUBLE_EQ(shownValue(1, 1), rounded(kept) - static_cast<double>(kept));
  ASSERT_NE(shownValue(1, 1), 0);
  panes().setQuantity(Quantity::Ulp);
  settle();
  EXPECT_TRUE(
      raster().content().title.startsWith(QStringLiteral("|B − A| in ULP of bfloat16, bf16")))
      << raster().content().title.toStdString();
}

}  // namespace
}  // namespace ulp::views
