#include <gtest/gtest.h>

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QPushButton>

#include "tests/app/gui/dumps/compare_dumps_fixture.h"
#include "tests/support/window/wait_for.h"

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

/// Of three dumps that are compared, with "golden" as the baseline.
class OtherBaselineTest : public test::CompareDumpsFixture {
 protected:
  void compareThree(const std::string& mapping = {}) {
    report::DumpOrigin first = origin();
    first.mapping = mapping;
    workspace().requests.compareAll({first, otherOrigin()});
    ASSERT_TRUE(test::waitFor([this] { return variants() == "target, other"; }));
  }
  [[nodiscard]] std::string variants() {
    const views::DocumentPtr& document = workspace().reports.document();
    QStringList names;
    for (int variant = 0; document && variant < document->variantCount(); ++variant) {
      names << document->variantName(variant);
    }
    return m_session->comparer().isRunning() ? "" : names.join(QStringLiteral(", ")).toStdString();
  }
  void choose(const char* boxName, const QString& text) {
    auto* box = m_window->findChild<QComboBox*>(QLatin1String(boxName));
    ASSERT_GE(box->findText(text), 0) << text.toStdString();
    box->setFocus();
    box->setCurrentText(text);
    Q_EMIT box->activated(box->currentIndex());
  }
};

TEST_F(OtherBaselineTest, EveryDumpIsComparedWithTheOneThatIsChosen) {
  compareThree();
  choose("baseline", QStringLiteral("other"));
  ASSERT_TRUE(test::waitFor([this] { return variants() == "golden, target"; }))
      << m_messages.join(QLatin1Char('|')).toStdString();
  settle();
  const views::DocumentPtr& document = workspace().reports.document();
  EXPECT_EQ(document->report().reference, "other");
  EXPECT_EQ(document->basis().baseline, QString()) << "it is the reference of what is open now";
  const int largest = document->findMetric(QStringLiteral("max_diff"));
  ASSERT_GE(largest, 0);
  EXPECT_EQ(document->value(0, 0, largest), 2) << "4 in golden, 6 in other";
  EXPECT_EQ(document->value(1, 0, largest), 1) << "5 in target";
  EXPECT_EQ(workspace().reports.sources().size(), 2U);
  choose("baseline", QStringLiteral("golden"));
  ASSERT_TRUE(test::waitFor([this] { return variants() == "other, target"; }));
}

TEST_F(OtherBaselineTest, ItsErrorsAloneNeedNothingComparedAnew) {
  compareThree();
  const std::size_t said = static_cast<std::size_t>(m_messages.size());
  m_session->selection().selectBaseline(QStringLiteral("other"), views::Relation::Ratio);
  settle();
  const views::DocumentPtr& document = workspace().reports.document();
  EXPECT_EQ(document->basis().baseline, QStringLiteral("other"));
  EXPECT_EQ(workspace().reports.sources()[0].loaded.report->reference, "golden");
  EXPECT_EQ(static_cast<std::size_t>(m_messages.size()), said);
}

TEST_F(OtherBaselineTest, AMappingOfTheOldBaselineIsLeftOutWithAWord) {
  compareThree("rules: [{match: '^zzz$', replace: yyy}]");
  choose("baseline", QStringLiteral("target"));
  ASSERT_TRUE(test::waitFor([this] { return variants() == "golden, other"; }));
  EXPECT_EQ(m_messages.filter(QStringLiteral("names are those of golden")).size(), 1);
  EXPECT_EQ(workspace().reports.sources()[0].loaded.report->dumps->mapping, "");
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
