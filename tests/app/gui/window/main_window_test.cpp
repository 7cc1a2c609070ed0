#include "app/gui/window/main_window.h"

#include <set>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>

#include "app/gui/bars/selection_bar.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/window/wait_for.h"
#include "views/charts/depth_chart/depth_chart.h"
#include "views/framework/view/viewport_link.h"
#include "views/framework/widgets/message_bar.h"
#include "views/framework/workspace/bundled_example.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/recently_opened.h"
#include "views/framework/workspace/report_rules.h"

namespace ulp::app {
namespace {

using MainWindowTest = test::WindowFixture;

QTableView* tableOf(views::ViewHost* host, const char* name = "summary") {
  return host->findChild<QTableView*>(QLatin1String(name));
}

void clickCell(QTableView& table, int row, int column) {
  const QRect rect = table.visualRect(table.model()->index(row, column));
  QTest::mouseClick(table.viewport(), Qt::LeftButton, Qt::NoModifier, rect.center());
}

bool hasText(const QWidget& widget, const QString& text) {
  for (const QLabel* label : widget.findChildren<QLabel*>()) {
    if (label->text() == text && label->isVisibleTo(&widget)) {
      return true;
    }
  }
  return false;
}

TEST_F(MainWindowTest, StartsWithTheStartPageAndNoView) {
  EXPECT_TRUE(m_window->docks().isStartPageShown());
  for (const views::ViewDescriptor& view : m_session->registry().all()) {
    EXPECT_EQ(m_window->docks().host(view.id)->view(), nullptr) << view.id.toStdString();
  }
}

TEST_F(MainWindowTest, OnlyWhatIsSelectedCanBeBookmarked) {
  const QAction* add = m_window->actions()[QStringLiteral("bookmark.add")];
  EXPECT_FALSE(add->isEnabled());
  open({reportFolder(QStringLiteral("smollm2"))});
  m_session->selection().selectSite(QStringLiteral("decoder.2"), Pass::Forward);
  EXPECT_TRUE(add->isEnabled());
  QTest::keyClick(m_window.get(), Qt::Key_B, Qt::ControlModifier);
  EXPECT_EQ(m_session->bookmarks().all().size(), 1U);
  workspace().closeAll();
  EXPECT_FALSE(add->isEnabled());
}

TEST_F(MainWindowTest, TheBaselineIsChosenInTheToolbarAndByKey) {
  open({reportFolder(QStringLiteral("smollm2"))});
  auto* baseline = m_window->findChild<QComboBox*>(QStringLiteral("baseline"));
  auto* relation = m_window->findChild<QComboBox*>(QStringLiteral("relation"));
  ASSERT_NE(baseline, nullptr);
  ASSERT_NE(relation, nullptr);
  EXPECT_EQ(baseline->currentData().toString(), QString());
  EXPECT_FALSE(relation->isEnabled());
  views::SelectionContext& selection = m_session->selection();
  const QString first = workspace().reports.document()->variantName(0);
  selection.selectRun(first);
  QTest::keyClick(m_window.get(), Qt::Key_B);
  settle();
  EXPECT_EQ(selection.selection().baseline, first);
  EXPECT_EQ(selection.selection().relation, views::Relation::Ratio);
  EXPECT_EQ(baseline->currentText(), first);
  EXPECT_TRUE(relation->isEnabled());
  EXPECT_EQ(workspace().reports.document()->findVariant(first), -1);
  trigger("compare.reference");
  settle();
  EXPECT_GE(workspace().reports.document()->findVariant(first), 0);
}

TEST_F(MainWindowTest, ALockedTabStaysWithWhatItShows) {
  open({reportFolder(QStringLiteral("smollm2"))});
  m_window->docks().raiseView(QStringLiteral("depth"));
  trigger("view.another");
  settle();
  views::ViewHost* second = host("depth#2");
  ASSERT_NE(second, nullptr);
  auto* chart = second->findChild<views::charts::DepthChart*>();
  ASSERT_NE(chart, nullptr);
  const int slot = chart->options().currentSlot;
  second->setLocked(true);
  m_session->selection().selectSite(QStringLiteral("embeddings"), Pass::Forward);
  settle();
  EXPECT_EQ(chart->options().currentSlot, slot);
  second->setLocked(false);
  EXPECT_NE(chart->options().currentSlot, slot);
  EXPECT_EQ(chart->options().currentSlot, 0);
}

TEST_F(MainWindowTest, AddedTabsComeBackWithTheSession) {
  open({reportFolder(QStringLiteral("smollm2"))});
  m_window->docks().raiseView(QStringLiteral("depth"));
  trigger("view.another");
  m_window->lastSession().save();
  m_window = std::make_unique<MainWindow>(*m_session);
  m_window->lastSession().restore();
  EXPECT_NE(host("depth#2"), nullptr);
  EXPECT_EQ(host("depth#3"), nullptr);
}

TEST_F(MainWindowTest, TabsBesideEachOtherZoomTogether) {
  open({reportFolder(QStringLiteral("smollm2"))});
  m_window->docks().raiseView(QStringLiteral("depth"));
  trigger("view.beside");
  settle();
  views::ViewHost* second = host("depth#2");
  ASSERT_NE(second, nullptr);
  auto* left = host("depth")->findChild<views::charts::DepthChart*>();
  auto* right = second->findChild<views::charts::DepthChart*>();
  ASSERT_NE(right, nullptr);
  EXPECT_FALSE(left->visibleRegion().isEmpty());
  EXPECT_FALSE(right->visibleRegion().isEmpty());
  left->setFocus();
  QTest::keyClick(left, Qt::Key_Plus);
  EXPECT_TRUE(left->viewRange().isZoomed());
  EXPECT_EQ(right->viewRange().x(), left->viewRange().x());
  second->setLocked(true);
  QTest::keyClick(left, Qt::Key_Plus);
  EXPECT_EQ(right->viewRange().x(), left->viewRange().x()) << "locked tabs zoom along too";
}

TEST_F(MainWindowTest, TheZoomIsLinkedByButtonAndByKey) {
  open({reportFolder(QStringLiteral("smollm2"))});
  m_window->docks().raiseView(QStringLiteral("heatmap"));
  views::ViewHost* heatmap = host("heatmap");
  auto* button = heatmap->parentWidget()->findChild<QToolButton*>(QStringLiteral("link"));
  ASSERT_NE(button, nullptr);
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_TRUE(m_window->docks().link().isLinked(*heatmap));
  heatmap->setFocus();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_FALSE(m_window->docks().link().isLinked(*heatmap));
  EXPECT_FALSE(button->isChecked());
}

TEST_F(MainWindowTest, LinkedTabsComeBackWithTheSession) {
  open({reportFolder(QStringLiteral("smollm2"))});
  m_window->docks().raiseView(QStringLiteral("depth"));
  trigger("view.beside");
  m_window->lastSession().save();
  m_window = std::make_unique<MainWindow>(*m_session);
  m_window->lastSession().restore();
  EXPECT_EQ(m_window->docks().link().linkedIds(),
            (QStringList{QStringLiteral("depth"), QStringLiteral("depth#2")}));
}

TEST_F(MainWindowTest, SeveralReportsAreOpenedTogether) {
  const QString first = reportFolder(QStringLiteral("first"));
  open({first, reportFolder(QStringLiteral("second"))});
  EXPECT_EQ(workspace().reports.sources().size(), 2U);
  const views::DocumentPtr document = workspace().reports.document();
  const QString name = document->variantName(0);
  EXPECT_GE(document->findVariant(name + QStringLiteral(" (second)")), 0);
}

TEST_F(MainWindowTest, OpensAReportAndShowsIt) {
  open({reportFolder(QStringLiteral("smollm2"))});
  EXPECT_FALSE(m_window->docks().isStartPageShown());
  views::ViewHost* overview = host("overview");
  ASSERT_NE(overview->view(), nullptr);
  EXPECT_TRUE(overview->isVisible());
  EXPECT_EQ(tableOf(overview)->model()->rowCount(), 5);
  EXPECT_TRUE(m_window->windowTitle().contains(QStringLiteral("smollm2")));
  EXPECT_EQ(host("table")->view(), nullptr) << "behind its tab";
}

TEST_F(MainWindowTest, SelectingInOneViewSelectsInTheOthers) {
  open({reportFolder(QStringLiteral("smollm2"))});
  m_window->docks().raiseView(QStringLiteral("table"));
  m_window->docks().raiseView(QStringLiteral("depth"));
  show("overview");
  QTableView* overview = tableOf(host("overview"));
  clickCell(*overview, 3, 2);
  const views::Selection selection = m_session->selection().selection();
  EXPECT_EQ(selection.run(), QStringLiteral("bf16_fp32_residual"));
  EXPECT_EQ(selection.site, QStringLiteral("embeddings"));
  EXPECT_TRUE(hasText(*host("details"), QStringLiteral("embeddings")));

  show("depth");
  auto* chart = host("depth")->findChild<views::charts::DepthChart*>();
  EXPECT_EQ(chart->options().currentSlot, 0);
  EXPECT_EQ(chart->options().currentCurve, 2);
  QTest::keyClick(chart, Qt::Key_Right);
  EXPECT_EQ(m_session->selection().selection().site, QStringLiteral("decoder.0"));

  show("table");
  QTableView* table = tableOf(host("table"), "tensors");
  EXPECT_EQ(table->currentIndex().siblingAtColumn(0).data().toString(),
            QStringLiteral("decoder.0"));
  QTest::keyClick(table, Qt::Key_Down);
  EXPECT_EQ(m_session->selection().selection().site,
            table->currentIndex().siblingAtColumn(0).data().toString());

  QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
  EXPECT_EQ(m_session->selection().selection().site, QStringLiteral("decoder.0"));
  QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
  EXPECT_EQ(m_session->selection().selection(), selection);
}

TEST_F(MainWindowTest, F8WalksFindingsFromAnyView) {
  open({reportFolder(QStringLiteral("smollm2"), {.layers = 4, .nonFiniteShare = 0.2})});
  m_window->docks().raiseView(QStringLiteral("overview"));
  QTest::keyClick(m_window.get(), Qt::Key_F8);
  settle();
  EXPECT_EQ(m_session->findings().current(), 0);
  QTest::keyClick(m_window.get(), Qt::Key_F8);
  EXPECT_EQ(m_session->findings().current(), 1);
  QTest::keyClick(m_window.get(), Qt::Key_F8, Qt::ShiftModifier);
  EXPECT_EQ(m_session->findings().current(), 0);
}

TEST_F(MainWindowTest, NWalksTensorsThatAreNotFinite) {
  open({reportFolder(QStringLiteral("smollm2"), {.layers = 4, .nonFiniteShare = 0.2})});
  QTableView* overview = tableOf(host("overview"));
  overview->setFocus();
  QTest::keyClick(overview, Qt::Key_N);
  const views::Selection& selection = m_session->selection().selection();
  const views::DocumentPtr document = workspace().reports.document();
  const auto nonFinite = [&] {
    return document
        ->comparison(document->findVariant(selection.run()),
                     document->findSite(selection.site.toStdString(), selection.pass))
        ->variantNonFinite.total();
  };
  EXPECT_GT(nonFinite(), 0U);
  const QString first = selection.site;
  QTest::keyClick(overview, Qt::Key_N);
  EXPECT_GT(nonFinite(), 0U);
  QTest::keyClick(overview, Qt::Key_N, Qt::ShiftModifier);
  EXPECT_EQ(selection.site, first);
}

TEST_F(MainWindowTest, TheLineOfTheRulesInTheOverviewLeadsToThem) {
  open({reportFolder(QStringLiteral("run"))});
  show("overview");
  views::ReportRules::of(workspace().reports, m_session->settings(), m_session->background())
      .apply({.text = QStringLiteral("rules:\n  - {metric: rms_rel, comparison: '<=', value: 0}")});
  settle();
  auto* line = host("overview")->findChild<QLabel*>(QStringLiteral("rulesLine"));
  ASSERT_TRUE(line->isVisible());
  const QPoint link(line->fontMetrics().averageCharWidth() * 2, line->height() / 2);
  QTest::mouseClick(line, Qt::LeftButton, {}, link);
  settle();
  EXPECT_TRUE(host("rule_check")->isInFront());
  EXPECT_TRUE(host("rule_check")->isVisible());
}

TEST_F(MainWindowTest, EnterGoesDeeper) {
  open({reportFolder(QStringLiteral("smollm2"))});
  QTest::keyClick(tableOf(host("overview")), Qt::Key_Return);
  settle();
  EXPECT_TRUE(host("depth")->isVisible());
  auto* chart = host("depth")->findChild<views::charts::DepthChart*>();
  QTest::keyClick(chart, Qt::Key_Return);
  settle();
  EXPECT_TRUE(host("details")->isAncestorOf(QApplication::focusWidget()));
}

TEST_F(MainWindowTest, TheMetricBoxChangesEveryView) {
  open({reportFolder(QStringLiteral("smollm2"))});
  QComboBox* metric = nullptr;
  for (QComboBox* box : m_window->findChildren<QComboBox*>()) {
    metric = box->accessibleName() == QStringLiteral("Metric") ? box : metric;
  }
  ASSERT_NE(metric, nullptr);
  metric->setFocus();
  QTest::keyClick(metric, Qt::Key_Home);
  QTest::keyClick(metric, Qt::Key_Down);
  EXPECT_EQ(m_session->selection().selection().metric,
            workspace().reports.document()->metrics()[1].id);
}

TEST_F(MainWindowTest, AfterAChoiceInTheToolbarTheKeyboardIsBackInTheView) {
  open({reportFolder(QStringLiteral("smollm2"))});
  QTableView* overview = tableOf(host("overview"));
  overview->setFocus();
  auto* metric = m_window->findChild<MetricBox*>();
  const QString before = m_session->selection().selection().metric;
  const auto press = [this](Qt::Key key) { QTest::keyClick(m_window->windowHandle(), key); };
  QTest::mouseClick(metric, Qt::LeftButton);
  metric->setFocus(Qt::MouseFocusReason);
  ASSERT_TRUE(test::waitFor([metric] { return metric->view()->isVisible(); }));
  press(metric->currentIndex() > 0 ? Qt::Key_Up : Qt::Key_Down);
  press(Qt::Key_Return);
  EXPECT_NE(m_session->selection().selection().metric, before);
  EXPECT_TRUE(test::waitFor([&] { return QApplication::focusWidget() == overview; }));

  metric->setFocus(Qt::TabFocusReason);
  press(Qt::Key_Down);
  press(Qt::Key_Up);
  EXPECT_EQ(QApplication::focusWidget(), metric) << "arrow keys walk on";
  press(Qt::Key_Return);
  EXPECT_EQ(QApplication::focusWidget(), overview);
}

TEST_F(MainWindowTest, LettersInTheStudyAreNoCommands) {
  open({study()});
  open({reportFolder(QStringLiteral("smollm2"))});
  const QString first = workspace().reports.document()->variantName(0);
  m_session->selection().selectRun(first);
  show("study");
  const auto* study = host("study")->view();
  for (QTableView* table : study->findChildren<QTableView*>()) {
    table->setFocus();
    QTest::keyClick(m_window->windowHandle(), Qt::Key_B);
    EXPECT_EQ(m_session->selection().selection().baseline, QString());
  }
  show("overview");
  QTest::keyClick(m_window->windowHandle(), Qt::Key_B);
  EXPECT_EQ(m_session->selection().selection().baseline, first);
}

TEST_F(MainWindowTest, TheExampleIsAReportOfSmolLm2) {
  ASSERT_TRUE(QFile::exists(views::kExampleReport));
  workspace().reports.open({views::kExampleReport});
  settle();
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_EQ(workspace().reports.document()->variantCount(), 4);
  EXPECT_EQ(workspace().reports.document()->report().model.layers, 30);
  EXPECT_NEAR(workspace().reports.document()->referenceRun()->loss, 13.9591, 1e-4);
  EXPECT_FALSE(m_window->docks().isStartPageShown());
  EXPECT_EQ(m_window->messages().count(), 0);
}

TEST_F(MainWindowTest, NoViewOfTheExampleIsEmpty) {
  workspace().reports.open({views::kExampleReport});
  settle();
  // What these show are dumps, routers, two reports or places, a queue or a study of the user's.
  const QStringList others{QStringLiteral("dump"),
                           QStringLiteral("experts"),
                           QStringLiteral("compare"),
                           QStringLiteral("bookmarks"),
                           QStringLiteral("runs"),
                           QStringLiteral("study")};
  for (const ViewDocks::Place& place : m_window->docks().places()) {
    m_window->docks().raiseView(place.descriptor.id);
    settle();
    settle();
    if (others.contains(place.descriptor.id)) {
      continue;
    }
    const auto* pages = place.host->view()->findChild<views::PageStack*>();
    EXPECT_TRUE(pages == nullptr || pages->showsPage())
        << place.descriptor.id.toStdString() << " is empty";
  }
  EXPECT_TRUE(QFileInfo::exists(m_folder.filePath(QStringLiteral("ulpscope"))));
  EXPECT_TRUE(views::recentFiles(m_session->settings()).isEmpty());
}

TEST_F(MainWindowTest, TheExampleIsMendedInTheCacheAndKeepsWhatLiesBesideIt) {
  const auto opened = views::unpackExample();
  ASSERT_TRUE(opened.has_value());
  EXPECT_TRUE(views::isExample(*opened));
  EXPECT_EQ(opened->parent_path().filename(), "SmolLM2-135M example") << "the title of the window";
  const std::filesystem::path lost = opened->parent_path() / "tensors" / "bf16.h5";
  const std::filesystem::path note = opened->parent_path() / "note.txt";
  ASSERT_TRUE(std::filesystem::remove(lost));
  std::ofstream(note) << "mine";
  workspace().reports.open({QString::fromStdString(opened->string())});
  settle();
  EXPECT_TRUE(std::filesystem::exists(lost));
  EXPECT_TRUE(std::filesystem::exists(note));
}

TEST_F(MainWindowTest, WithoutRoomForItsTensorsTheExampleOpensAllTheSame) {
  qputenv("XDG_CACHE_HOME", write(QStringLiteral("no-folder"), {}).toLocal8Bit());
  workspace().reports.open({views::kExampleReport});
  settle();
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_EQ(workspace().reports.document()->variantCount(), 4);
  EXPECT_TRUE(workspace().reports.document()->loaded().folder.empty());
  EXPECT_EQ(m_window->messages().count(), 1);
}

TEST_F(MainWindowTest, ErrorsAppearInTheMessageBar) {
  open({write(QStringLiteral("broken.json"), QStringLiteral("{"))});
  EXPECT_EQ(m_window->messages().count(), 1);
  EXPECT_TRUE(m_window->messages().isVisible());
  EXPECT_TRUE(m_window->docks().isStartPageShown());
  EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
  open({reportFolder(QStringLiteral("good"))});
  EXPECT_EQ(m_window->messages().count(), 0);
  EXPECT_FALSE(m_window->messages().isVisible());
}

TEST_F(MainWindowTest, RemembersGeometryLayoutAndViews) {
  open({reportFolder(QStringLiteral("smollm2"))});
  m_window->resize(1111, 666);
  m_window->findChild<QDockWidget*>(QStringLiteral("details"))->close();
  ASSERT_TRUE(m_window->close());
  makeWindow();
  EXPECT_EQ(m_window->size(), QSize(1111, 666));
  open({m_folder.filePath(QStringLiteral("smollm2"))});
  EXPECT_FALSE(m_window->findChild<QDockWidget*>(QStringLiteral("details"))->isVisible());
  trigger("layout.analyse");
  EXPECT_TRUE(m_window->findChild<QDockWidget*>(QStringLiteral("details"))->isVisible());
}

TEST_F(MainWindowTest, SurvivesADamagedSettingsFile) {
  m_window.reset();
  m_session.reset();
  write(
      QStringLiteral("settings.ini"),
      QStringLiteral("[window]\ngeometry=garbage\nlayout=@ByteArray(xxxx)\n[views]\ndepth=[1,2\n"));
  makeWindow();
  open({reportFolder(QStringLiteral("smollm2"))});
  EXPECT_TRUE(host("overview")->isVisible());
}

TEST_F(MainWindowTest, EveryActionIsDescribedAndHasAShortcutOfItsOwn) {
  std::set<QString> shortcuts;
  for (const auto& [id, action] : m_window->actions().all()) {
    EXPECT_FALSE(action->text().isEmpty()) << id.toStdString();
    EXPECT_FALSE(action->toolTip().isEmpty()) << id.toStdString();
    for (const QKeySequence& key : action->shortcuts()) {
      EXPECT_TRUE(shortcuts.insert(key.toString()).second)
          << id.toStdString() << ' ' << key.toString().toStdString();
    }
  }
}

TEST_F(MainWindowTest, AskingToQuitWithUnsavedEditsLosesNothing) {
  open({study()});
  workspace().study.setText(QStringLiteral("edited"));
  EXPECT_TRUE(m_window->isWindowModified());
  EXPECT_FALSE(m_window->close());
  EXPECT_NE(m_window->findChild<QWidget*>(QStringLiteral("closeQuestion")), nullptr);
  EXPECT_EQ(workspace().study.content().text, QStringLiteral("edited"));
}

TEST_F(MainWindowTest, SavesTheEditsAndQuitsWhenAskedTo) {
  const QString path = study();
  open({path});
  workspace().study.setText(QStringLiteral("edited"));
  EXPECT_FALSE(m_window->close());
  auto* question = m_window->findChild<QMessageBox*>(QStringLiteral("closeQuestion"));
  ASSERT_NE(question, nullptr);
  ASSERT_NE(question->defaultButton(), nullptr);
  EXPECT_EQ(question->defaultButton()->text(), QStringLiteral("Save and quit"));
  QTest::mouseClick(question->defaultButton(), Qt::LeftButton);
  ASSERT_TRUE(test::waitFor([this] { return !m_window->isVisible(); }));
  EXPECT_EQ(views::readStudyText(path).value(), QStringLiteral("edited"));
}

TEST_F(MainWindowTest, StaysOpenWhereTheEditsCannotBeSaved) {
  const QString path = study();
  open({path});
  workspace().study.setText(QStringLiteral("edited"));
  write(QStringLiteral("study.yaml"), QStringLiteral("of another program"));
  EXPECT_FALSE(m_window->close());
  auto* question = m_window->findChild<QMessageBox*>(QStringLiteral("closeQuestion"));
  ASSERT_NE(question, nullptr);
  QTest::mouseClick(question->defaultButton(), Qt::LeftButton);
  settle();
  EXPECT_TRUE(m_window->isVisible());
  EXPECT_TRUE(workspace().study.hasUnsavedEdits());
  EXPECT_GT(m_window->messages().count(), 0);
}

TEST_F(MainWindowTest, ANewStudyAsksBeforeItsEditsGoButNotItsTemplate) {
  workspace().study.openNew();
  EXPECT_TRUE(m_window->close());
  m_window->show();
  workspace().study.setText(QStringLiteral("edited"));
  EXPECT_FALSE(m_window->close());
  EXPECT_NE(m_window->findChild<QWidget*>(QStringLiteral("closeQuestion")), nullptr);
}

TEST_F(MainWindowTest, TheEditMenuNamesTheStep) {
  const QAction* undo = m_window->actions()[QStringLiteral("edit.undo")];
  const QAction* redo = m_window->actions()[QStringLiteral("edit.redo")];
  EXPECT_FALSE(undo->isEnabled());
  open({study()});
  const QString before = workspace().study.content().text;
  workspace().study.edit(QStringLiteral("edited"), QStringLiteral("change of variant bf16"));
  EXPECT_EQ(undo->text(), QStringLiteral("&Undo change of variant bf16"));
  show("study");
  QTest::keyClick(m_window->focusWidget(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(workspace().study.content().text, before);
  EXPECT_FALSE(undo->isEnabled());
  EXPECT_EQ(redo->text(), QStringLiteral("&Redo change of variant bf16"));
  QTest::keyClick(m_window->focusWidget(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(workspace().study.content().text, QStringLiteral("edited"));
}

TEST_F(MainWindowTest, OffersTheEditsOfAProgramThatDied) {
  const QString path = study();
  write(QStringLiteral("unsaved-1.json"),
        QStringLiteral(R"({"path": "%1", "text": "recovered\n"})").arg(path));
  makeWindow();
  settle();
  EXPECT_FALSE(workspace().study.isOpen());
  ASSERT_EQ(m_window->messages().count(), 1);
  QPushButton* recover = nullptr;
  for (auto* button : m_window->messages().findChildren<QPushButton*>()) {
    recover = button->text() == QStringLiteral("Recover the edits") ? button : recover;
  }
  ASSERT_NE(recover, nullptr);
  QTest::mouseClick(recover, Qt::LeftButton);
  settle();
  EXPECT_EQ(workspace().study.content().text, QStringLiteral("recovered\n"));
  EXPECT_TRUE(m_window->isWindowModified());
}

}  // namespace
}  // namespace ulp::app
