#include "app/gui/start/drop_overlay.h"

#include <gtest/gtest.h>

#include <QtCore/QFile>
#include <QtCore/QMimeData>
#include <QtGui/QAction>
#include <QtGui/QDragEnterEvent>
#include <QtGui/QWindow>
#include <QtWidgets/QApplication>
#include <QtWidgets/QPlainTextEdit>

#include "app/gui/dumps/compare_dumps_dialog.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/data/dump_files.h"
#include "views/charts/depth_chart/depth_chart.h"

namespace ulp::app {
namespace {

QStringList titles(const DroppedFiles& files, bool isReportOpen) {
  QStringList texts;
  for (const DropZone& zone : dropZones(files, isReportOpen)) {
    texts << zone.title;
  }
  return texts;
}

TEST(DropZones, AReportIsOpenedOrComparedWithWhatIsOpen) {
  const DroppedFiles report{.reports = {QStringLiteral("/runs/a")}, .studies = {}};
  EXPECT_EQ(titles(report, false), QStringList{QStringLiteral("Open")});
  EXPECT_EQ(titles(report, true),
            (QStringList{QStringLiteral("Open"), QStringLiteral("Compare with what is open")}));
}

TEST(DropZones, AStudyIsEditedOrQueued) {
  const DroppedFiles study{.reports = {}, .studies = {QStringLiteral("a.yaml")}};
  EXPECT_EQ(titles(study, true),
            (QStringList{QStringLiteral("Edit"), QStringLiteral("Add to the queue")}));
}

TEST(DropZones, AMixtureIsOpenedAndNothingIsNothing) {
  const DroppedFiles both{.reports = {QStringLiteral("a")}, .studies = {QStringLiteral("b.yml")}};
  EXPECT_EQ(titles(both, true), QStringList{QStringLiteral("Open")});
  EXPECT_TRUE(titles({}, true).isEmpty());
}

TEST(DropZones, AddressesOfHostsAreReportsThere) {
  EXPECT_EQ(droppedFiles({QUrl(QStringLiteral("ssh://me@gpubox:22/data/a%20b")),
                          QUrl(QStringLiteral("https://gpubox/x"))})
                .all(),
            QStringList{QStringLiteral("ssh://me@gpubox:22/data/a b")});
  QMimeData text;
  text.setText(QStringLiteral(" ssh://gpubox/~/runs/a\nssh://gpubox/b\n"));
  EXPECT_EQ(
      droppedFiles(text).all(),
      (QStringList{QStringLiteral("ssh://gpubox/~/runs/a"), QStringLiteral("ssh://gpubox/b")}));
  text.setText(QStringLiteral("see ssh://gpubox/b"));
  EXPECT_TRUE(droppedFiles(text).isEmpty()) << "a text about one is none";
}

TEST(DropZones, FilesAreSortedByWhatTheyAre) {
  const DroppedFiles files = droppedFiles({QUrl::fromLocalFile(QStringLiteral("/a/run")),
                                           QUrl::fromLocalFile(QStringLiteral("/a/S.YAML")),
                                           QUrl(QStringLiteral("https://example.org/x.json")),
                                           QUrl::fromLocalFile(QStringLiteral("/a/r.json"))});
  EXPECT_EQ(files.reports, (QStringList{QStringLiteral("/a/run"), QStringLiteral("/a/r.json")}));
  EXPECT_EQ(files.studies, QStringList{QStringLiteral("/a/S.YAML")});
}

TEST(DropZones, LieBesideEachOtherAndDoNotTouch) {
  const std::vector<QRect> rects = dropZoneRects({0, 0, 100, 50}, 2, 10);
  ASSERT_EQ(rects.size(), 2U);
  EXPECT_EQ(rects[0], QRect(10, 10, 35, 30));
  EXPECT_EQ(rects[1], QRect(55, 10, 35, 30));
}

/// Drags go to the native window, from which Qt finds the widget under the mouse, as it does with
/// those of the desktop.
class DropOverlayTest : public test::WindowFixture {
 protected:
  void dragTo(const QPoint& at) {
    if (!m_isInside) {
      m_isInside = true;
      QDragEnterEvent enter(at, Qt::CopyAction, &m_data, Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(m_window->windowHandle(), &enter);
    }
    for (int i = 0; i < 2; ++i) {
      QDragMoveEvent move(at, Qt::CopyAction, &m_data, Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(m_window->windowHandle(), &move);
      m_isAccepted = move.isAccepted();
    }
  }
  void dropAt(const QPoint& at) {
    dragTo(at);
    QDropEvent drop(at, Qt::CopyAction, &m_data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window->windowHandle(), &drop);
    m_isInside = false;
    settle();
  }
  void leave() {
    QDragLeaveEvent event;
    QApplication::sendEvent(m_window->windowHandle(), &event);
    m_isInside = false;
  }
  void carry(const QString& path) { m_data.setUrls({QUrl::fromLocalFile(path)}); }
  void openReport() { open({reportFolder(QStringLiteral("first"))}); }
  [[nodiscard]] DropOverlay& overlay() { return *m_window->findChild<DropOverlay*>(); }
  [[nodiscard]] QPoint middleOf(int zone) { return overlay().zoneRect(zone).center(); }
  [[nodiscard]] QPoint middleOf(const QWidget& widget) {
    return widget.mapTo(m_window.get(), widget.rect().center());
  }

  QMimeData m_data;
  bool m_isInside = false;
  bool m_isAccepted = false;
};

TEST_F(DropOverlayTest, TheFirstReportIsDroppedAnywhere) {
  carry(reportFolder(QStringLiteral("dropped")));
  dragTo({50, 300});
  EXPECT_TRUE(overlay().isVisible());
  EXPECT_EQ(overlay().zones().size(), 1U);
  EXPECT_TRUE(m_isAccepted);
  dropAt({50, 300});
  EXPECT_FALSE(overlay().isVisible());
  ASSERT_NE(workspace().reports.document(), nullptr);
}

TEST_F(DropOverlayTest, TwoDumpsOpenTheDialogThatComparesThem) {
  QList<QUrl> urls;
  for (const char* name : {"golden", "target"}) {
    const QString path = m_folder.filePath(QLatin1String(name));
    test::writeNpy(std::filesystem::path(path.toStdString()) / "a.npy", {2}, {1, 2});
    urls << QUrl::fromLocalFile(path);
  }
  m_data.setUrls(urls);
  dropAt({50, 300});
  auto* dialog = m_window->findChild<CompareDumpsDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->baseline().side().path.filename(), "golden");
  EXPECT_EQ(dialog->candidate().side().path.filename(), "target");
  EXPECT_TRUE(dialog->baseline().isReady() && dialog->candidate().isReady());
  EXPECT_EQ(workspace().reports.document(), nullptr)
      << "nothing is compared before the user says so";
}

TEST_F(DropOverlayTest, ASecondReportIsComparedWithTheFirst) {
  openReport();
  carry(reportFolder(QStringLiteral("second")));
  dragTo(m_window->rect().center());
  dropAt(middleOf(1));
  EXPECT_EQ(workspace().reports.sources().size(), 2U);
}

TEST_F(DropOverlayTest, ARunIsComparedWithWhatIsOpenAlsoWhenADumpComesWithIt) {
  openReport();
  const QString run = reportFolder(QStringLiteral("second"));
  const QString dump = m_folder.filePath(QStringLiteral("golden"));
  test::writeNpy(std::filesystem::path(dump.toStdString()) / "a.npy", {2}, {1, 2});
  m_data.setUrls({QUrl::fromLocalFile(dump), QUrl::fromLocalFile(run)});
  dragTo(m_window->rect().center());
  dropAt(middleOf(1));
  EXPECT_EQ(workspace().reports.sources().size(), 2U);
  auto* dialog = m_window->findChild<CompareDumpsDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->baseline().side().path.filename(), "golden");
}

TEST_F(DropOverlayTest, OrTakesItsPlace) {
  openReport();
  const QString second = reportFolder(QStringLiteral("second"));
  carry(second);
  dragTo(m_window->rect().center());
  dropAt(middleOf(0));
  ASSERT_EQ(workspace().reports.sources().size(), 1U);
  EXPECT_EQ(workspace().reports.document()->loaded().folder.string(), second.toStdString());
}

TEST_F(DropOverlayTest, TheZoneUnderTheMouseIsMarkedAndBetweenThemNothingIsDropped) {
  openReport();
  carry(reportFolder(QStringLiteral("second")));
  dragTo(m_window->rect().center());
  dragTo(middleOf(0));
  EXPECT_EQ(overlay().currentZone(), 0);
  dragTo(middleOf(1));
  EXPECT_EQ(overlay().currentZone(), 1);
  EXPECT_TRUE(m_isAccepted);
  dragTo({2, 2});
  EXPECT_EQ(overlay().currentZone(), -1);
  EXPECT_FALSE(m_isAccepted);
}

TEST_F(DropOverlayTest, ChartsAndEditorsLeaveFilesToTheWindow) {
  openReport();
  show("depth");
  carry(reportFolder(QStringLiteral("second")));
  const auto* chart = host("depth")->findChild<views::charts::DepthChart*>();
  ASSERT_NE(chart, nullptr);
  dragTo(middleOf(*chart));
  EXPECT_TRUE(overlay().isVisible());
  leave();
  EXPECT_FALSE(overlay().isVisible());
  workspace().study.openNew();
  settle();
  auto* editor = host("study")->findChild<QPlainTextEdit*>();
  ASSERT_NE(editor, nullptr);
  const QString text = editor->toPlainText();
  dragTo(middleOf(*editor));
  ASSERT_TRUE(overlay().isVisible());
  dropAt(middleOf(1));
  EXPECT_EQ(editor->toPlainText(), text);
  EXPECT_EQ(workspace().reports.sources().size(), 2U);
}

TEST_F(DropOverlayTest, ADroppedStudyIsEdited) {
  carry(study());
  dragTo({50, 300});
  dropAt(middleOf(0));
  EXPECT_TRUE(workspace().study.isOpen());
  EXPECT_EQ(queue().states().size(), 0U);
}

TEST_F(DropOverlayTest, OrQueuedWithoutBeingOpened) {
  carry(study());
  dragTo({50, 300});
  dropAt(middleOf(1));
  EXPECT_FALSE(workspace().study.isOpen());
  ASSERT_EQ(queue().states().size(), 1U);
  EXPECT_EQ(queue().states().front()->request.studyFile.filename().string(), "study.yaml");
  queue().cancelAll();
}

TEST_F(DropOverlayTest, SeveralStudiesAreQueuedTogether) {
  queue().setPaused(true);
  const QString first = study();
  const QString second = m_folder.filePath(QStringLiteral("second.yaml"));
  ASSERT_TRUE(QFile::copy(first, second));
  m_data.setUrls({QUrl::fromLocalFile(first), QUrl::fromLocalFile(second)});
  dragTo({50, 300});
  dropAt(middleOf(1));
  EXPECT_EQ(queue().waitingCount(), 2);
  EXPECT_FALSE(workspace().study.isOpen());
  queue().cancelAll();
}

TEST_F(DropOverlayTest, ABrokenStudyIsNotQueued) {
  carry(write(QStringLiteral("broken.yaml"), QStringLiteral("nonsense: 1\n")));
  dragTo({50, 300});
  dropAt(middleOf(1));
  EXPECT_EQ(queue().states().size(), 0U);
}

TEST_F(DropOverlayTest, TextAndAddressesAreNotTaken) {
  m_data.setUrls({QUrl(QStringLiteral("https://example.org/report.json"))});
  dragTo({50, 300});
  EXPECT_FALSE(overlay().isVisible());
}

TEST_F(DropOverlayTest, WhatIsDroppedCanBeChosenInTheMenusToo) {
  for (const char* id : {"file.open", "compare.add", "run.add"}) {
    EXPECT_FALSE(m_window->actions()[QLatin1String(id)]->shortcuts().isEmpty()) << id;
  }
}

}  // namespace
}  // namespace ulp::app
