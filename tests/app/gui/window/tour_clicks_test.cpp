#include <algorithm>

#include <gtest/gtest.h>

#include <QtCore/QElapsedTimer>
#include <QtWidgets/QCommandLinkButton>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTabBar>
#include <QtWidgets/QTableView>

#include "app/gui/start/start_page.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/window/stall_listener.h"
#include "views/framework/view/place_mark.h"

/// How many clicks the tour of the example takes (docs/decisions/window.md has the table).
namespace ulp::app {
namespace {

class TourClicks : public test::WindowFixture {
 protected:
  void SetUp() override {
    WindowFixture::SetUp();
    test::allowStalls(2000, "what is drawn is asked after each step, which lays out at once");
    QElapsedTimer time;
    time.start();
    click(*exampleButton());
    ASSERT_TRUE(test::waitFor([this] {
      return workspace().reports.document() && verdicts() != nullptr &&
             verdicts()->model()->rowCount() > 0;
    }));
    RecordProperty("milliseconds_to_the_answer", std::to_string(time.elapsed()));
  }

  void click(QWidget& widget, const QPoint& place = {}) {
    ASSERT_TRUE(widget.isVisible());
    const QPoint at = place.isNull() ? widget.rect().center() : place;
    ASSERT_TRUE(widget.visibleRegion().contains(at)) << "a user sees what is clicked";
    QTest::mouseClick(&widget, Qt::LeftButton, {}, at);
    ++m_clicks;
    arrive();
  }
  void clickTab(const QString& title) {
    for (auto* bar : m_window->findChildren<QTabBar*>()) {
      for (int tab = 0; bar->isVisible() && tab < bar->count(); ++tab) {
        if (bar->tabText(tab).remove(QLatin1Char('&')) == title) {
          click(*bar, bar->tabRect(tab).center());
          return;
        }
      }
    }
    FAIL() << "no tab " << title.toStdString();
  }
  void arrive() {
    for (int i = 0; i < 4; ++i) {
      settle();
    }
  }

  [[nodiscard]] QCommandLinkButton* exampleButton() const {
    const auto buttons = m_window->findChild<StartPage*>()->findChildren<QCommandLinkButton*>();
    return *std::ranges::find_if(buttons, [](const QCommandLinkButton* button) {
      return button->text().startsWith(QStringLiteral("Example"));
    });
  }
  [[nodiscard]] QTableView* verdicts() const {
    const views::View* overview = host("overview")->view();
    return overview == nullptr ? nullptr
                               : overview->findChild<QTableView*>(QStringLiteral("verdicts"));
  }
  /// The verdict on bf16 under a heading.
  [[nodiscard]] QModelIndex verdictUnder(const QString& heading) const {
    const QAbstractItemModel& model = *verdicts()->model();
    for (int row = 0; row < model.rowCount(); ++row) {
      for (int column = 0; column < model.columnCount(); ++column) {
        const bool isBf16 = model.index(row, 0).data().toString().endsWith(QStringLiteral("bf16"));
        if (isBf16 && model.headerData(column, Qt::Horizontal).toString() == heading) {
          return model.index(row, column);
        }
      }
    }
    return {};
  }
  void clickVerdict(const QString& heading) {
    const QModelIndex index = verdictUnder(heading);
    ASSERT_TRUE(index.isValid()) << heading.toStdString();
    click(*verdicts()->viewport(), verdicts()->visualRect(index).center());
  }
  /// The view is in front, and the tensor marked in it lies open on the screen.
  void expectMarked(const char* id, const QString& site) const {
    const views::View& view = *host(id)->view();
    const auto mark = view.placeMark();
    ASSERT_TRUE(mark) << id;
    EXPECT_EQ(mark->site, site);
    const QWidget* top = m_window->childAt(view.mapTo(m_window.get(), mark->area.center()));
    ASSERT_NE(top, nullptr);
    EXPECT_TRUE(top == &view || view.isAncestorOf(top)) << id;
  }

  int m_clicks = 0;
};

const QString kBorn = QStringLiteral("model.layers.3.self_attn");

TEST_F(TourClicks, OneClickAndOneLookTellWhereItIsBornAndWhatHelps) {
  for (const auto& [heading, answer] : {std::pair("Born at", "model.layers.3.self_attn"),
                                        {"Grows forward", "decoder.11 to decoder.29"},
                                        {"Worst layer", "decoder.10"},
                                        {"Helps most", "residual_dtype: float32"}}) {
    const QModelIndex index = verdictUnder(QString::fromUtf8(heading));
    ASSERT_TRUE(index.isValid()) << heading;
    EXPECT_TRUE(index.data().toString().contains(QString::fromUtf8(answer)))
        << index.data().toString().toStdString();
    const QRect cell = verdicts()->visualRect(index);
    EXPECT_TRUE(verdicts()->viewport()->rect().contains(cell)) << heading;
    EXPECT_TRUE(verdicts()->viewport()->visibleRegion().contains(cell.center())) << heading;
  }
  EXPECT_EQ(m_clicks, 1);
}

TEST_F(TourClicks, TheSecondClickShowsTheTensorWhereItIsBorn) {
  clickVerdict(QStringLiteral("Born at"));
  expectMarked("depth", kBorn);
  expectMarked("details", kBorn);
  EXPECT_EQ(m_clicks, 2);
}

TEST_F(TourClicks, TheThirdClickShowsItsElements) {
  clickVerdict(QStringLiteral("Born at"));
  clickTab(QStringLiteral("Tensor"));
  expectMarked("tensor", kBorn);
  EXPECT_EQ(m_clicks, 3);
}

TEST_F(TourClicks, TheSecondClickShowsWhereItGrowsMost) {
  clickVerdict(QStringLiteral("Grows forward"));
  expectMarked("depth", QStringLiteral("decoder.28"));
  EXPECT_EQ(m_clicks, 2);
}

TEST_F(TourClicks, TheSecondClickTellsWhatEachSettingChanges) {
  clickTab(QStringLiteral("Levers"));
  EXPECT_TRUE(host("levers")->isInFront());
  const auto tables = host("levers")->view()->findChildren<QTableView*>();
  const bool hasEffect = std::ranges::any_of(tables, [](const QTableView* table) {
    const auto& model = *table->model();
    return table->isVisible() && !model
                                      .match(model.index(0, 0),
                                             Qt::DisplayRole,
                                             QStringLiteral("residual_dtype"),
                                             1,
                                             Qt::MatchContains)
                                      .isEmpty();
  });
  EXPECT_TRUE(hasEffect);
  EXPECT_EQ(m_clicks, 2);
}

TEST_F(TourClicks, ThreeClicksAndAFewKeysListTheTensorsThatAreOffByATenth) {
  clickTab(QStringLiteral("Table"));
  auto* filter = host("table")->view()->findChild<QLineEdit*>();
  click(*filter);
  QTest::keyClicks(filter, QStringLiteral("rms_rel > 10"));
  auto* table = host("table")->view()->findChild<QTableView*>();
  const int all = static_cast<int>(workspace().reports.document()->sites().size());
  ASSERT_TRUE(test::waitFor(
      [&] { return table->model()->rowCount() > 0 && table->model()->rowCount() < all; }));
  EXPECT_EQ(m_clicks, 3);
}

TEST_F(TourClicks, TheSecondClickExplainsAFinding) {
  views::View& view = *host("findings")->view();
  auto* findings = view.findChild<QTableView*>(QStringLiteral("findings"));
  click(*findings->viewport(), findings->visualRect(findings->model()->index(0, 0)).center());
  EXPECT_EQ(m_clicks, 2);
  const auto labels = view.findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(labels, [](const QLabel* label) {
    return label->isVisible() && label->text().contains(QStringLiteral("First divergence"));
  })) << "its rule";
}

}  // namespace
}  // namespace ulp::app
