#include "views/framework/widgets/message_bar.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QVBoxLayout>

#include "tests/support/window/wait_for.h"

namespace ulp::views {
namespace {

constexpr int kWidth = 1000;
constexpr int kHeight = 600;
constexpr int kFloorHeight = 30;

Message problem(const QString& text, const QString& topic = {}) {
  return {.severity = Severity::Broken, .text = text, .topic = topic};
}

Message goodNews(const QString& text, const QString& topic = {}) {
  return {.severity = Severity::Fine, .text = text, .topic = topic};
}

/// A window filled by one button, above a strip at its lower end.
struct MessageBarTest : testing::Test {
  MessageBarTest() {
    auto* layout = new QVBoxLayout(&window);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    view->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    floor->setFixedHeight(kFloorHeight);
    layout->addWidget(view);
    layout->addWidget(floor);
    QObject::connect(view, &QPushButton::clicked, &window, [this] { ++clicks; });
    window.resize(kWidth, kHeight);
    window.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&window));
  }

  /// Texts on the screen, from the top down.
  [[nodiscard]] QStringList shown() const {
    QList<QLabel*> labels;
    for (QLabel* label : bar->findChildren<QLabel*>()) {
      if (label->isVisible() && label->wordWrap()) {
        labels << label;
      }
    }
    std::ranges::sort(
        labels, {}, [](const QLabel* label) { return label->mapToGlobal(QPoint()).y(); });
    QStringList texts;
    for (const QLabel* label : labels) {
      texts << label->text();
    }
    return texts;
  }
  /// The button of this name in the topmost message.
  [[nodiscard]] QToolButton* button(const QString& name) const {
    QToolButton* found = nullptr;
    for (QToolButton* each : bar->findChildren<QToolButton*>()) {
      const bool isHigher = found == nullptr || each->mapTo(&window, QPoint()).y() <
                                                    found->mapTo(&window, QPoint()).y();
      if (each->isVisible() && each->accessibleName() == name && isHigher) {
        found = each;
      }
    }
    return found;
  }
  [[nodiscard]] QToolButton* closeButton() const {
    return button(QStringLiteral("Dismiss message"));
  }
  [[nodiscard]] QPoint placeOf(const QWidget& widget) const {
    return widget.mapTo(&window, widget.rect().center());
  }
  /// As the mouse does it: whoever lies at the place gets it.
  void clickAt(const QPoint& place) {
    QTest::mouseClick(window.windowHandle(), Qt::LeftButton, Qt::NoModifier, place);
  }
  void moveTo(const QPoint& place) { QTest::mouseMove(window.windowHandle(), place); }

  QWidget window;
  QPushButton* view = new QPushButton(&window);
  QWidget* floor = new QWidget(&window);
  MessageBar* bar = new MessageBar(&window, floor);
  int clicks = 0;
};

TEST_F(MessageBarTest, ShowsTheTwoNewestAndTheOthersWaitForTheirPlace) {
  EXPECT_TRUE(bar->isHidden());
  for (int i = 0; i < 4; ++i) {
    bar->show(problem(QString::number(i)));
  }
  EXPECT_EQ(bar->count(), 4);
  EXPECT_EQ(shown(), (QStringList{QStringLiteral("3"), QStringLiteral("2")}));
  QTest::mouseClick(closeButton(), Qt::LeftButton);
  ASSERT_TRUE(test::waitFor([&] { return shown().size() == 2; }));
  EXPECT_EQ(shown(), (QStringList{QStringLiteral("2"), QStringLiteral("1")}));
  bar->clear();
  EXPECT_EQ(bar->count(), 0);
  EXPECT_TRUE(bar->isHidden());
}

TEST_F(MessageBarTest, LiesOverTheLowerRightCornerAndMovesNothing) {
  const QRect before = view->geometry();
  const QSize smallest = window.minimumSizeHint();
  bar->show(problem(QStringLiteral("word ").repeated(300)));
  bar->show(problem(QStringLiteral("one line")));
  QCoreApplication::processEvents();
  EXPECT_EQ(view->geometry(), before);
  EXPECT_EQ(window.minimumSizeHint(), smallest);
  EXPECT_EQ(window.size(), QSize(kWidth, kHeight));
  EXPECT_EQ(bar->geometry().right(), kWidth - 13);
  EXPECT_EQ(bar->geometry().bottom(), kHeight - kFloorHeight - 13);
  EXPECT_LT(bar->width(), kWidth * 2 / 3);
  window.resize(400, 300);
  QCoreApplication::processEvents();
  EXPECT_TRUE(view->geometry().contains(bar->geometry()));
}

TEST_F(MessageBarTest, StaysInFrontOfWhatComesToTheFront) {
  bar->show(problem(QStringLiteral("problem")));
  QCoreApplication::processEvents();
  const QPoint place = bar->geometry().center();
  view->raise();
  EXPECT_EQ(window.children().last(), view) << "as a dock has to be to show its tab";
  QCoreApplication::processEvents();
  EXPECT_TRUE(bar->isAncestorOf(window.childAt(place)));
  auto* later = new QWidget(&window);
  later->setGeometry(window.rect());
  later->show();
  later->raise();
  QCoreApplication::processEvents();
  EXPECT_TRUE(bar->isAncestorOf(window.childAt(place)));
}

TEST_F(MessageBarTest, IsAsTallAsItsLines) {
  bar->show(problem(QStringLiteral("one line of a few words")));
  const int line = bar->fontMetrics().height();
  ASSERT_TRUE(test::waitFor([&] { return bar->height() <= 3 * line; })) << bar->height();
  bar->clear();
  bar->show(problem(QStringLiteral("word ").repeated(100)));
  EXPECT_TRUE(test::waitFor([&] { return bar->height() >= 6 * line; })) << bar->height();
}

TEST_F(MessageBarTest, BreaksPathsThatAreLongerThanALine) {
  const QString path = QStringLiteral("/folder").repeated(40);
  bar->show(problem(path));
  QCoreApplication::processEvents();
  EXPECT_GE(bar->height(), 3 * bar->fontMetrics().height());
  QTest::mouseClick(button(QStringLiteral("Copy message")), Qt::LeftButton);
  EXPECT_EQ(QGuiApplication::clipboard()->text(), path) << "as it is";
}

TEST_F(MessageBarTest, ReplacesMessagesOfTheSameTopic) {
  bar->show(problem(QStringLiteral("a"), QStringLiteral("open")));
  bar->show(problem(QStringLiteral("b"), QStringLiteral("open")));
  bar->show(problem(QStringLiteral("c"), QStringLiteral("run")));
  EXPECT_EQ(shown(), (QStringList{QStringLiteral("c"), QStringLiteral("b")}));
  bar->dismiss(QStringLiteral("open"));
  EXPECT_EQ(shown(), QStringList{QStringLiteral("c")});
}

TEST_F(MessageBarTest, RunsTheChosenActionOnceAndCopiesTheText) {
  int ran = 0;
  Message question = problem(QStringLiteral("what; where; remedy"));
  question.actions = {{QStringLiteral("Resume"), [&ran] { ++ran; }}};
  bar->show(question);
  QTest::mouseClick(button(QStringLiteral("Copy message")), Qt::LeftButton);
  EXPECT_EQ(QGuiApplication::clipboard()->text(), question.text);
  auto* resume = bar->findChild<QPushButton*>();
  const QPoint place = placeOf(*resume);
  clickAt(place);
  clickAt(place);
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(clicks, 0);
  EXPECT_EQ(bar->count(), 0);
  EXPECT_FALSE(bar->last().has_value()) << "what was answered is not asked again";
}

TEST_F(MessageBarTest, ASecondClickOnTheCloseButtonReachesNeitherTheViewNorTheNextMessage) {
  bar->show(problem(QStringLiteral("older")));
  bar->show(problem(QStringLiteral("newer")));
  QCoreApplication::processEvents();
  const QPoint place = placeOf(*closeButton());
  moveTo(place);
  clickAt(place);
  QCoreApplication::processEvents();
  clickAt(place);
  EXPECT_EQ(bar->count(), 1);
  EXPECT_EQ(shown(), QStringList{QStringLiteral("older")});
  EXPECT_EQ(clicks, 0);
  moveTo(QPoint(5, 5));
  QCoreApplication::processEvents();
  clickAt(place);
  EXPECT_EQ(clicks, 1) << "once the pointer has left the place, it is the view's";
}

TEST_F(MessageBarTest, GoodNewsFadesAndProblemsStay) {
  bar->show(problem(QStringLiteral("problem")));
  Message going = goodNews(QStringLiteral("going on"));
  going.stays = true;
  bar->show(going);
  bar->show(goodNews(QStringLiteral("done")));
  QTest::qWait(4000);
  EXPECT_EQ(bar->count(), 3) << "there is time to read it";
  EXPECT_TRUE(test::waitFor([&] { return bar->count() == 2; }));
  EXPECT_EQ(shown(), (QStringList{QStringLiteral("going on"), QStringLiteral("problem")}));
}

TEST_F(MessageBarTest, GoodNewsStaysUnderThePointer) {
  bar->show(goodNews(QStringLiteral("done")));
  QCoreApplication::processEvents();
  moveTo(bar->geometry().center());
  QTest::qWait(5500);
  EXPECT_EQ(bar->count(), 1);
  moveTo(QPoint(5, 5));
  EXPECT_TRUE(test::waitFor([&] { return bar->count() == 0; }));
}

TEST_F(MessageBarTest, KeepsTheLastOneUntilItIsTakenBack) {
  bar->show(problem(QStringLiteral("a"), QStringLiteral("open")));
  QTest::mouseClick(closeButton(), Qt::LeftButton);
  ASSERT_TRUE(bar->last().has_value());
  EXPECT_EQ(bar->last()->text, QStringLiteral("a"));
  bar->showLast();
  EXPECT_EQ(shown(), QStringList{QStringLiteral("a")});
  bar->showLast();
  EXPECT_EQ(bar->count(), 1) << "it can be seen";
  bar->dismiss(QStringLiteral("open"));
  EXPECT_FALSE(bar->last().has_value());
  bar->showLast();
  EXPECT_EQ(bar->count(), 0);
}

}  // namespace
}  // namespace ulp::views
