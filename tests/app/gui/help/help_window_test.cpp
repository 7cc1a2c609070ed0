#include "app/gui/help/help_window.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtGui/QCursor>
#include <QtGui/QDesktopServices>
#include <QtGui/QTextBlock>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QStatusBar>
#include <QtWidgets/QTableView>
#include <QtWidgets/QTextBrowser>
#include <QtWidgets/QTreeWidget>

#include "app/gui/bars/selection_bar.h"
#include "tests/app/gui/window_fixture.h"
#include "views/framework/tables/table_roles.h"
#include "views/framework/widgets/search_line.h"
#include "views/framework/workspace/bundled_example.h"

namespace ulp::app {
namespace {

class HelpWindowTest : public test::WindowFixture {
 protected:
  void openHelp(const char* command) {
    trigger(command);
    settle();
    ASSERT_NE(help(), nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(help()));
    QCoreApplication::processEvents();
  }
  [[nodiscard]] HelpWindow* help() const { return m_window->findChild<HelpWindow*>(); }
  [[nodiscard]] QTextBrowser& browser() const { return *help()->findChild<QTextBrowser*>(); }
  [[nodiscard]] QTreeWidget& contents() const { return *help()->findChild<QTreeWidget*>(); }
  [[nodiscard]] QLineEdit& search() const { return *help()->findChild<QLineEdit*>(); }
  [[nodiscard]] QString text() const { return browser().toPlainText(); }
  [[nodiscard]] QString said() const { return help()->findChild<QLabel*>()->text(); }
  /// What stands at the place that was asked for.
  [[nodiscard]] QString placed() const { return browser().textCursor().block().text(); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const {
    QTest::keyClick(help(), key, modifiers);
  }
  /// Null: in what has the focus of the main window.
  void pressF1(QWidget* focus = nullptr) {
    if (help() != nullptr) {
      help()->close();
    }
    m_window->activateWindow();
    ASSERT_TRUE(test::waitFor([this] { return QApplication::activeWindow() == m_window.get(); }));
    if (focus != nullptr) {
      focus->setFocus();
    }
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
    settle();
    ASSERT_NE(help(), nullptr);
    QCoreApplication::processEvents();
  }
  /// Clicks the first link that is called so.
  void click(const QString& name) {
    QTextDocument& page = *browser().document();
    QTextCursor link = page.find(name);
    while (!link.isNull() && !link.charFormat().isAnchor()) {
      link = page.find(name, link);
    }
    ASSERT_FALSE(link.isNull()) << name.toStdString();
    browser().setTextCursor(link);
    browser().ensureCursorVisible();
    QTextCursor inside(&page);
    inside.setPosition(link.selectionStart() + 1);
    const QPoint place = browser().cursorRect(inside).center();
    QTest::mouseClick(browser().viewport(), Qt::LeftButton, {}, place);
  }
  void moveMouse(const QWidget& widget, const QPoint& place) {
    QCursor::setPos(widget.mapToGlobal(place));
    QCoreApplication::processEvents();
  }
  void openReport() {
    open({reportFolder(QStringLiteral("smollm2"))});
    moveMouse(*m_window->statusBar(), QPoint(2, 2));
  }
};

TEST_F(HelpWindowTest, TheMenuOpensGuideAndMetrics) {
  openHelp("help.guide");
  EXPECT_TRUE(text().startsWith(QStringLiteral("The views")));
  trigger("help.metrics");
  EXPECT_TRUE(text().startsWith(QStringLiteral("Metrics")));
  EXPECT_TRUE(help()->isVisible());
}

TEST_F(HelpWindowTest, F1InTheToolbarDefinesTheChosenMetric) {
  openReport();
  m_session->selection().selectMetric(QStringLiteral("cosine"));
  pressF1(m_window->findChild<MetricBox*>());
  EXPECT_TRUE(text().startsWith(QStringLiteral("Metrics")));
  EXPECT_EQ(placed(), QStringLiteral("cosine"));
  const QRect row = browser().cursorRect();
  EXPECT_TRUE(browser().viewport()->rect().contains(row.center()));
}

TEST_F(HelpWindowTest, F1OverAHeadingDefinesItsMetric) {
  openReport();
  show("table");
  auto* table = host("table")->findChild<QTableView*>();
  QHeaderView* header = table->horizontalHeader();
  int column = 0;
  while (!header->model()
              ->headerData(column, Qt::Horizontal)
              .toString()
              .startsWith(QStringLiteral("RMS diff"))) {
    ++column;
    ASSERT_LT(column, header->count());
  }
  moveMouse(*header->viewport(), QPoint(header->sectionViewportPosition(column) + 5, 8));
  pressF1(m_window->findChild<QComboBox*>());
  EXPECT_EQ(placed(), QStringLiteral("rms_diff"));
}

TEST_F(HelpWindowTest, F1OnACellDefinesTheMetricOfItsColumnOrRow) {
  openReport();
  show("table");
  auto* table = host("table")->findChild<QTableView*>();
  int column = 0;
  while (!table->model()
              ->headerData(column, Qt::Horizontal)
              .toString()
              .startsWith(QStringLiteral("SQNR"))) {
    ++column;
    ASSERT_LT(column, table->model()->columnCount());
  }
  table->setCurrentIndex(table->model()->index(0, column));
  pressF1(table);
  EXPECT_EQ(placed(), QStringLiteral("sqnr_db"));
  show("details");
  for (auto* details : host("details")->findChildren<QTableView*>()) {
    const QAbstractItemModel* model = details->model();
    if (model->rowCount() > 1 &&
        model->index(1, 0).data().toString().startsWith(QStringLiteral("RMS diff"))) {
      details->setCurrentIndex(model->index(1, 1));
      pressF1(details);
    }
  }
  EXPECT_EQ(placed(), QStringLiteral("rms_diff"));
}

TEST_F(HelpWindowTest, F1InAViewExplainsTheView) {
  openReport();
  show("depth");
  pressF1();
  EXPECT_EQ(placed(), QStringLiteral("Depth"));
  show("findings");
  pressF1(host("findings")->findChild<QTableView*>());
  EXPECT_EQ(placed(), QStringLiteral("Findings"));
}

TEST_F(HelpWindowTest, F1ExplainsTheViewUnderTheMouseWhereNoneHasTheKeyboard) {
  openReport();
  show("levers");
  views::ViewHost* levers = host("levers");
  moveMouse(*levers, levers->rect().center());
  pressF1(m_window->findChild<PassBox*>());
  EXPECT_EQ(placed(), QStringLiteral("Levers"));
}

TEST_F(HelpWindowTest, F1WithoutAReportOpensTheGuide) {
  moveMouse(*m_window->statusBar(), QPoint(2, 2));
  pressF1(m_window.get());
  EXPECT_TRUE(text().startsWith(QStringLiteral("The views")));
}

TEST_F(HelpWindowTest, LinksLeadToOtherDocumentsAndBackLeadsBack) {
  openHelp("help.guide");
  click(QStringLiteral("verdict"));
  EXPECT_EQ(placed(), QStringLiteral("The verdict"));
  press(Qt::Key_Left, Qt::AltModifier);
  EXPECT_TRUE(text().startsWith(QStringLiteral("The views")));
  press(Qt::Key_Right, Qt::AltModifier);
  EXPECT_TRUE(text().startsWith(QStringLiteral("The verdict")));
  click(QStringLiteral("Next:"));
  EXPECT_TRUE(text().startsWith(QStringLiteral("Severity and rules")));
}

TEST_F(HelpWindowTest, BackComesToWhereOneWasReading) {
  openHelp("help.metrics");
  browser().verticalScrollBar()->setValue(120);
  click(QStringLiteral("Next:"));
  const int left = browser().verticalScrollBar()->value();
  EXPECT_EQ(left, 0);
  press(Qt::Key_Left, Qt::AltModifier);
  EXPECT_GT(browser().verticalScrollBar()->value(), 0);
}

TEST_F(HelpWindowTest, APlaceThatIsNotThereIsSaid) {
  openHelp("help.guide");
  help()->open({QStringLiteral("unheard.md")});
  EXPECT_TRUE(said().contains(QStringLiteral("unheard.md"))) << said().toStdString();
  EXPECT_TRUE(text().startsWith(QStringLiteral("The views")));
  Q_EMIT browser().anchorClicked(QUrl(QStringLiteral("../../core/base/error.h")));
  EXPECT_TRUE(said().contains(QStringLiteral("core/base/error.h"))) << said().toStdString();
  trigger("help.metrics");
  EXPECT_TRUE(said().isEmpty());
}

TEST_F(HelpWindowTest, ALinkOutOfTheHelpIsShownBeforeTheBrowserOpensIt) {
  // In the place of the browser.
  QTextBrowser opened;
  QDesktopServices::setUrlHandler(QStringLiteral("https"), &opened, "setSource");
  openHelp("help.guide");
  const QUrl url(QStringLiteral("https://example.org/page"));
  Q_EMIT browser().anchorClicked(url);
  EXPECT_TRUE(opened.source().isEmpty());
  EXPECT_TRUE(said().contains(url.toString())) << said().toStdString();
  auto* button = help()->findChild<QPushButton*>();
  ASSERT_TRUE(button->isVisible());
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_EQ(opened.source(), url);
  EXPECT_FALSE(button->isVisible());
  QDesktopServices::unsetUrlHandler(QStringLiteral("https"));
}

TEST_F(HelpWindowTest, SearchListsPagesAndMarksTheWords) {
  openHelp("help.guide");
  press(Qt::Key_F, Qt::ControlModifier);
  EXPECT_TRUE(search().hasFocus());
  QTest::keyClicks(&search(), QStringLiteral("noise band"));
  ASSERT_GT(contents().topLevelItemCount(), 0);
  EXPECT_TRUE(views::containsWords(contents().topLevelItem(0)->text(0), QStringLiteral("noise")));
  QTest::keyClick(&search(), Qt::Key_Return);
  EXPECT_TRUE(views::containsWords(text(), QStringLiteral("noise band")));
  EXPECT_FALSE(browser().extraSelections().isEmpty());
  search().clear();
  QTest::keyClicks(&search(), QStringLiteral("unheard-of"));
  EXPECT_EQ(contents().topLevelItemCount(), 0);
  EXPECT_EQ(said(), QStringLiteral("No page has all of these words."));
  search().clear();
  EXPECT_EQ(contents().topLevelItemCount(), 3);
  EXPECT_TRUE(browser().extraSelections().isEmpty());
}

TEST_F(HelpWindowTest, AClickInTheContentsShowsThePage) {
  openHelp("help.metrics");
  const QList<QTreeWidgetItem*> found =
      contents().findItems(QStringLiteral("Quantiles"), Qt::MatchExactly | Qt::MatchRecursive);
  ASSERT_EQ(found.size(), 1);
  contents().scrollToItem(found.front());
  QTest::mouseClick(
      contents().viewport(), Qt::LeftButton, {}, contents().visualItemRect(found.front()).center());
  EXPECT_TRUE(text().startsWith(QStringLiteral("Quantiles")));
}

TEST_F(HelpWindowTest, TheTourOpensTheExampleOnce) {
  openHelp("help.tour");
  settle();
  EXPECT_TRUE(text().startsWith(QStringLiteral("Five-minute tour")));
  ASSERT_EQ(workspace().reports.sources().size(), 1U);
  EXPECT_TRUE(views::isExample(workspace().reports.sources()[0].loaded.file));
  const views::DocumentPtr document = workspace().reports.document();
  trigger("help.tour");
  settle();
  EXPECT_EQ(workspace().reports.document(), document);
}

/// All texts that a view shows in cells.
QString cellsOf(const views::ViewHost& host) {
  QStringList texts;
  for (const QTableView* table : host.findChildren<QTableView*>()) {
    const QAbstractItemModel& model = *table->model();
    for (int row = 0; row < model.rowCount(); ++row) {
      for (int column = 0; column < model.columnCount(); ++column) {
        texts << model.index(row, column).data().toString().trimmed();
      }
    }
  }
  return texts.join(u'\n');
}

TEST_F(HelpWindowTest, TheExampleShowsWhatTheTourSays) {
  openHelp("help.tour");
  settle();
  show("overview");
  const QString overview = cellsOf(*host("overview"));
  for (const char* said : {"model.layers.3.self_attn (0.49 → 1.74 %)",
                           "×8.7 from decoder.11 to decoder.29",
                           "10.7 % at decoder.10, backward",
                           "residual_dtype: float32 (×0.45)"}) {
    EXPECT_TRUE(overview.contains(QString::fromUtf8(said))) << said;
  }
  const QAbstractItemModel& summary =
      *host("overview")->findChild<QTableView*>(QStringLiteral("summary"))->model();
  QStringList largest;
  for (int column = 0; column < summary.columnCount(); ++column) {
    const bool isBackward = summary.headerData(column, Qt::Horizontal, views::GroupRole)
                                .toString()
                                .startsWith(QStringLiteral("Backward"));
    if (isBackward &&
        summary.headerData(column, Qt::Horizontal).toString() == QStringLiteral("mid max")) {
      for (int row = 0; row < summary.rowCount(); ++row) {
        largest << summary.index(row, 0).data().toString() + u' ' +
                       summary.index(row, column).data().toString().trimmed();
      }
    }
  }
  EXPECT_TRUE(largest.contains(QStringLiteral("bf16 10.7"))) << largest.join(u'|').toStdString();
  show("levers");
  const QString levers = cellsOf(*host("levers"));
  EXPECT_TRUE(levers.contains(QStringLiteral("0.155"))) << levers.toStdString();
  show("findings");
  const QString findings = cellsOf(*host("findings"));
  for (const char* said : {"grows from 6.23 to 138",
                           "grows from 0.0468–0.169 to 0.0708–0.695",
                           "from 1.09 % to 3.28 %"}) {
    EXPECT_TRUE(findings.contains(QString::fromUtf8(said))) << findings.toStdString();
  }
}

TEST_F(HelpWindowTest, ALinkOfTheVerdictLeadsWhereTheTourSays) {
  openHelp("help.tour");
  settle();
  show("overview");
  for (QTableView* table : host("overview")->findChildren<QTableView*>()) {
    const QAbstractItemModel& model = *table->model();
    for (int column = 0; column < model.columnCount(); ++column) {
      const QModelIndex cell = model.index(0, column);
      if (table->isVisible() &&
          cell.data().toString().startsWith(QStringLiteral("model.layers.3"))) {
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(cell).center());
        settle();
      }
    }
  }
  EXPECT_EQ(m_session->selection().selection().site, QStringLiteral("model.layers.3.self_attn"));
  EXPECT_TRUE(host("depth")->isInFront());
  EXPECT_TRUE(cellsOf(*host("details")).contains(QStringLiteral("1.74")));
  const auto boxes = m_window->findChildren<QComboBox*>();
  const auto rows = std::ranges::find_if(boxes, [](const QComboBox* box) {
    return box->isVisible() && box->findText(QStringLiteral("Layers")) >= 0;
  });
  ASSERT_NE(rows, boxes.end());
  EXPECT_EQ((*rows)->currentText(), QStringLiteral("self_attn"));
}

TEST_F(HelpWindowTest, FollowsThemeAndTextSizeWhereOneIsReading) {
  const auto isLight = [this] {
    return browser().palette().color(QPalette::Base).lightness() > 128;
  };
  openHelp("help.metrics");
  m_session->settings().set(kTheme, QStringLiteral("light"));
  ASSERT_TRUE(test::waitFor(isLight));
  browser().verticalScrollBar()->setValue(60);
  m_session->settings().set(kTheme, QStringLiteral("dark"));
  ASSERT_TRUE(test::waitFor([&] { return !isLight(); }));
  QCoreApplication::processEvents();
  EXPECT_EQ(browser().verticalScrollBar()->value(), 60);
  const qreal before = browser().document()->defaultFont().pointSizeF();
  m_session->settings().set(kTextSize, 150);
  QCoreApplication::processEvents();
  EXPECT_GT(browser().document()->defaultFont().pointSizeF(), before);
  m_session->settings().set(kTextSize, 100);
  m_session->settings().set(kTheme, QStringLiteral("light"));
}

/// As events of the window: StallListener fails where one takes long.
TEST_F(HelpWindowTest, NoPageHoldsTheWindowUp) {
  const HelpLibrary library;
  openHelp("help.guide");
  const auto asEvent = [this](const std::function<void()>& work) {
    QMetaObject::invokeMethod(help(), work, Qt::QueuedConnection);
    QCoreApplication::processEvents();
  };
  int pages = 0;
  for (const HelpDocument& document : library.documents()) {
    asEvent([&] { help()->open({document.path}); });
    for (std::size_t page = 1; page < document.pages.size(); ++page) {
      asEvent([this] { Q_EMIT browser().anchorClicked(QUrl(QStringLiteral("help-next:"))); });
    }
    EXPECT_EQ(help()->position().page + 1, document.pages.size());
    pages += static_cast<int>(document.pages.size());
  }
  EXPECT_GT(pages, 100);
}

}  // namespace
}  // namespace ulp::app
