#include <gtest/gtest.h>

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QPushButton>

#include "tests/app/gui/dumps/compare_dumps_fixture.h"

namespace ulp::app {
namespace {

class SeveralCandidatesTest : public test::CompareDumpsFixture {
 protected:
  void SetUp() override {
    CompareDumpsFixture::SetUp();
    makeDump("other", 6);
    m_dialog = openDialog();
    m_dialog->setOrigin(origin());
    settle();
  }
  [[nodiscard]] QListWidget& list() const {
    return *m_dialog->findChild<QListWidget*>(QStringLiteral("candidates"));
  }
  void addCandidate(const QString& path) {
    QTest::mouseClick(button(*m_dialog, QStringLiteral("&Add another")), Qt::LeftButton);
    type(m_dialog->candidate(), path);
    ASSERT_TRUE(test::waitFor([this] { return m_dialog->candidate().isReady(); }));
  }
  [[nodiscard]] QPushButton& compareButton() const {
    return *button(*m_dialog, QStringLiteral("&Compare"));
  }

  CompareDumpsDialog* m_dialog = nullptr;
};

TEST_F(SeveralCandidatesTest, EachIsComparedWithTheBaseline) {
  EXPECT_FALSE(list().isVisible()) << "there is one";
  addCandidate(path("other"));
  EXPECT_TRUE(list().isVisible());
  ASSERT_EQ(list().count(), 2);
  EXPECT_EQ(list().item(0)->text(), path("target"));
  EXPECT_EQ(list().item(1)->text(), path("other"));
  EXPECT_FALSE(button(*m_dialog, QStringLiteral("S&wap"))->isEnabled());
  ASSERT_TRUE(compareButton().isEnabled());
  QTest::mouseClick(&compareButton(), Qt::LeftButton);
  ASSERT_TRUE(test::waitFor([this] { return !m_session->comparer().isRunning(); }));
  settle();
  const views::DocumentPtr& document = workspace().reports.document();
  ASSERT_NE(document, nullptr);
  ASSERT_EQ(document->variantCount(), 2);
  EXPECT_EQ(document->variantName(0), QStringLiteral("target"));
  EXPECT_EQ(document->variantName(1), QStringLiteral("other"));
}

TEST_F(SeveralCandidatesTest, TheSelectedOneIsEditedAndRemoved) {
  addCandidate(path("other"));
  list().setFocus();
  QTest::keyClick(&list(), Qt::Key_Up);
  EXPECT_EQ(m_dialog->candidate().side().path, path("target").toStdString());
  settle();
  QTest::mouseClick(button(*m_dialog, QStringLiteral("&Remove")), Qt::LeftButton);
  settle();
  EXPECT_FALSE(list().isVisible());
  ASSERT_EQ(m_dialog->origins().size(), 1U);
  EXPECT_EQ(m_dialog->origins().front().candidate.path, path("other").toStdString());
  EXPECT_EQ(m_dialog->candidate().side().path, path("other").toStdString());
}

TEST_F(SeveralCandidatesTest, OneWithoutAPathHoldsThemUp) {
  QTest::mouseClick(button(*m_dialog, QStringLiteral("&Add another")), Qt::LeftButton);
  EXPECT_FALSE(compareButton().isEnabled());
  EXPECT_FALSE(button(*m_dialog, QStringLiteral("&Add another"))->isEnabled());
  list().setFocus();
  QTest::keyClick(&list(), Qt::Key_Up);
  settle();
  EXPECT_FALSE(compareButton().isEnabled()) << "the second has none";
}

TEST_F(SeveralCandidatesTest, PairingCallsInOrderGoesIntoTheMapping) {
  auto* fuzzy = m_dialog->findChild<QCheckBox*>(QStringLiteral("fuzzy"));
  QTest::keyClick(fuzzy, Qt::Key_Space);
  ASSERT_TRUE(test::waitFor([this] { return compareButton().isEnabled(); }));
  const std::string mapping = m_dialog->origins().front().mapping;
  EXPECT_NE(mapping.find("fuzzy"), std::string::npos) << mapping;
  QTest::keyClick(fuzzy, Qt::Key_Space);
  EXPECT_EQ(m_dialog->origins().front().mapping, "");
  EXPECT_TRUE(compareButton().isEnabled());
}

}  // namespace
}  // namespace ulp::app
