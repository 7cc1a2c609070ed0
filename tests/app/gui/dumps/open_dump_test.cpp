#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <QtCore/QMimeData>
#include <QtGui/QDropEvent>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "app/gui/start/drop_overlay.h"
#include "core/report/model/one_dump.h"
#include "tests/app/gui/dumps/compare_dumps_fixture.h"
#include "tests/support/data/fixture_case.h"
#include "views/framework/workspace/recently_opened.h"

namespace ulp::app {
namespace {

/// One dump that is opened and compared with none.
class OpenDumpTest : public test::CompareDumpsFixture {
 protected:
  [[nodiscard]] const views::ReportDocument& document() { return *workspace().reports.document(); }
  void drop(const QString& path, int zone) {
    auto* overlay = m_window->findChild<DropOverlay*>();
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(overlay, &enter);
    ASSERT_LT(zone, static_cast<int>(overlay->zones().size()));
    QDropEvent dropped(
        overlay->zoneRect(zone).center(), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(overlay, &dropped);
    settle();
  }
  [[nodiscard]] QTableView* tensors() {
    return m_window->findChild<QTableView*>(QStringLiteral("dumpTensors"));
  }
};

TEST_F(OpenDumpTest, APathOfTheCommandLineIsListedCallByCall) {
  open({path("golden")});
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_TRUE(report::isOfOneDump(document().report()));
  EXPECT_EQ(document().report().model.name, "golden");
  EXPECT_EQ(m_window->findChild<CompareDumpsDialog*>(), nullptr) << "nothing is asked";
  settle();
  ASSERT_NE(tensors(), nullptr);
  EXPECT_TRUE(tensors()->isVisible()) << "the view of the dump is in front";
  EXPECT_EQ(tensors()->model()->rowCount(), 2);
  ASSERT_FALSE(m_messages.isEmpty());
  EXPECT_TRUE(m_messages.back().contains(QStringLiteral("Read 2 tensor")))
      << m_messages.back().toStdString();
  EXPECT_EQ(m_severities.back(), static_cast<int>(views::Severity::Fine));
}

TEST_F(OpenDumpTest, ADroppedDumpIsOpened) {
  drop(path("golden"), 0);
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_TRUE(report::isOfOneDump(document().report()));
}

TEST_F(OpenDumpTest, ADumpDroppedOnAnotherToCompareFillsInBothSides) {
  open({path("golden")});
  drop(path("target"), 1);
  auto* dialog = m_window->findChild<CompareDumpsDialog*>();
  ASSERT_NE(dialog, nullptr);
  settle();
  EXPECT_EQ(dialog->baseline().side().path, path("golden").toStdString());
  EXPECT_EQ(dialog->candidate().side().path, path("target").toStdString());
}

TEST_F(OpenDumpTest, TheDialogStillComparesTwo) {
  open({path("golden")});
  CompareDumpsDialog* dialog = openDialog();
  ASSERT_NE(dialog, nullptr);
  EXPECT_FALSE(dialog->baseline().isReady());
}

TEST_F(OpenDumpTest, NothingIsMatchedWhereThereIsOneSide) {
  open({path("golden")});
  EXPECT_FALSE(m_window->actions()[QStringLiteral("compare.mapping")]->isEnabled());
  compare(origin());
  EXPECT_TRUE(m_window->actions()[QStringLiteral("compare.mapping")]->isEnabled());
}

TEST_F(OpenDumpTest, TheMessageSaysWhereNanStartsAndOneClickShowsIt) {
  open({QString::fromStdString(test::msprobeCase("v26_stat_nan/target").string())});
  ASSERT_FALSE(m_messages.isEmpty());
  EXPECT_TRUE(m_messages.back().contains(QStringLiteral("numbers stop being finite")))
      << m_messages.back().toStdString();
  QPushButton* show = messageButton(QStringLiteral("Show me"));
  ASSERT_NE(show, nullptr);
  QTest::mouseClick(show, Qt::LeftButton);
  settle();
  EXPECT_TRUE(tensors()->isVisible());
  EXPECT_GE(tensors()->currentIndex().row(), 0);
  const views::Selection& selection = m_session->selection().selection();
  const int site = document().findSite(selection.site.toStdString(), selection.pass);
  const int variant = document().findVariant(selection.run());
  ASSERT_TRUE(site >= 0 && variant >= 0);
  EXPECT_GT(document().comparison(variant, site)->variantNonFinite.total(), 0U);
}

TEST_F(OpenDumpTest, AUnitThatCannotBeReadIsToldAndTheRestIsShown) {
  const QString dump = makeSteps(QStringLiteral("steps"), 3, 1);
  std::ofstream(dump.toStdString() + "/step1/rank0/dump.json") << "{ no json";
  open({dump});
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_EQ(document().variantCount(), 2);
  ASSERT_FALSE(m_messages.isEmpty());
  EXPECT_TRUE(m_messages.back().contains(QStringLiteral("step1/rank0/dump.json")))
      << m_messages.back().toStdString();
  EXPECT_EQ(m_severities.back(), static_cast<int>(views::Severity::Look));
}

TEST_F(OpenDumpTest, ADumpThatCannotBeReadAtAllIsAnError) {
  const QString dump = makeSteps(QStringLiteral("steps"), 1, 1);
  std::ofstream(dump.toStdString() + "/step0/rank0/dump.json") << "{ no json";
  open({dump});
  EXPECT_EQ(workspace().reports.document(), nullptr);
  ASSERT_FALSE(m_messages.isEmpty());
  EXPECT_EQ(m_severities.back(), static_cast<int>(views::Severity::Broken));
}

TEST_F(OpenDumpTest, ItIsRememberedAndOpenedAgain) {
  open({path("golden")});
  workspace().closeAll();
  settle();
  EXPECT_TRUE(offered(QStringLiteral("Show the comparison")) == nullptr)
      << "nothing was lost: the dump is where it was";
  const auto recent = views::recentComparisons(m_session->settings());
  ASSERT_EQ(recent.size(), 1U);
  EXPECT_TRUE(report::isOneDump(recent[0]));
  EXPECT_TRUE(recentTexts(QStringLiteral("golden")).contains(QStringLiteral("golden")));
  settle();
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_TRUE(report::isOfOneDump(document().report()));
}

TEST_F(OpenDumpTest, ReloadReadsItAgain) {
  open({path("golden")});
  test::writeNpy(std::filesystem::path(path("golden").toStdString()) / "c.npy", {1}, {1});
  workspace().reports.reload();
  settle();
  EXPECT_EQ(document().sites().size(), 3U);
}

TEST_F(OpenDumpTest, ItsElementsAreShownByADoubleClick) {
  open({path("golden")});
  settle();
  const QRect first = tensors()->visualRect(tensors()->model()->index(0, 0));
  QTest::mouseClick(tensors()->viewport(), Qt::LeftButton, {}, first.center());
  QTest::mouseDClick(tensors()->viewport(), Qt::LeftButton, {}, first.center());
  settle();
  EXPECT_TRUE(m_window->docks().host(QStringLiteral("tensor"))->isVisible());
  const auto exhibits = m_window->docks().host(QStringLiteral("tensor"))->view()->exhibits();
  EXPECT_FALSE(exhibits.empty()) << "the tensor is drawn";
}

TEST_F(OpenDumpTest, EveryViewShowsADumpOrSaysWhyNot) {
  open({QString::fromStdString(test::msprobeCase("v26_stat_nan/target").string())});
  showEveryView();
  open({makeSteps(QStringLiteral("steps"), 4, 1)});
  showEveryView();
  EXPECT_EQ(document().variantCount(), 4);
}

}  // namespace
}  // namespace ulp::app
