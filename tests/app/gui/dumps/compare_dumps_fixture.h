#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QPushButton>

#include "app/gui/dumps/compare_dumps_dialog.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/data/dump_files.h"
#include "views/framework/widgets/message_bar.h"

namespace ulp::test {

/// A window beside two dumps of tensors, "golden" and "target", and what it says.
class CompareDumpsFixture : public WindowFixture {
 protected:
  void SetUp() override {
    WindowFixture::SetUp();
    makeDump("golden", 4);
    makeDump("target", 5);
    QObject::connect(
        &workspace().messages, &views::Messages::raise, [this](const views::Message& message) {
          m_messages << message.text;
          m_severities << static_cast<int>(message.severity);
          m_actions = message.actions;
        });
  }

  /// Two tensors; `last` is the last element of both.
  void makeDump(const char* name, float last) {
    const std::filesystem::path folder = m_folder.filePath(QLatin1String(name)).toStdString();
    writeNpy(folder / "a.npy", {2, 2}, {1, 2, 3, last});
    writeNpy(folder / "b.npy", {2}, {7, last});
  }
  /// Statistics of `steps` steps; the second layer of the candidate is off.
  QString makeSteps(const QString& name, int steps, double second) {
    const QString path = m_folder.filePath(name);
    for (int step = 0; step < steps; ++step) {
      writeStatisticsDump(
          std::filesystem::path(path.toStdString()) / ("step" + std::to_string(step)) / "rank0",
          {{"model.layers.0", 1}, {"model.layers.1", second}});
    }
    return path;
  }
  [[nodiscard]] QString path(const char* name) { return m_folder.filePath(QLatin1String(name)); }
  app::CompareDumpsDialog* openDialog() {
    trigger("file.compare-dumps");
    return m_window->findChild<app::CompareDumpsDialog*>();
  }
  static void type(app::DumpSidePane& side, const QString& text) {
    side.path().lineEdit()->setFocus();
    side.path().lineEdit()->selectAll();
    QTest::keyClicks(side.path().lineEdit(), text);
  }
  static QPushButton* button(const QWidget& parent, const QString& text) {
    for (auto* found : parent.findChildren<QPushButton*>()) {
      if (found->text() == text) {
        return found;
      }
    }
    return nullptr;
  }
  [[nodiscard]] report::DumpOrigin origin() {
    return {.baseline = {.path = path("golden").toStdString()},
            .candidate = {.path = path("target").toStdString()}};
  }

  /// Two steps, of which the second takes long enough that something can be done meanwhile.
  [[nodiscard]] report::DumpOrigin longOne() {
    constexpr int kModules = 30000;
    const QString one = makeSteps(QStringLiteral("one"), 1, 1);
    const QString two = makeSteps(QStringLiteral("two"), 1, 3);
    std::vector<RecordedModule> modules;
    for (int module = 0; module < kModules; ++module) {
      modules.push_back({"model.layers." + std::to_string(module), 1});
    }
    for (const QString& dump : {one, two}) {
      writeStatisticsDump(std::filesystem::path(dump.toStdString()) / "step1" / "rank0", modules);
    }
    return {.baseline = {.path = one.toStdString()}, .candidate = {.path = two.toStdString()}};
  }
  /// As soon as a state of the comparison is there to be shown.
  void atFirstState(const std::function<void()>& act) {
    views::DumpComparer& comparer = m_session->comparer();
    const auto isDone = std::make_shared<bool>(false);
    QObject::connect(&comparer, &views::DumpComparer::progressed, &comparer, [this, act, isDone] {
      const auto reports = workspace().reports.sources();
      const bool isThere = std::ranges::any_of(
          reports, [](const auto& source) { return views::isUnsaved(source.loaded); });
      if (isThere && !std::exchange(*isDone, true)) {
        act();
      }
    });
  }
  /// Nothing begins in the background before the latch is counted down.
  [[nodiscard]] std::shared_ptr<std::latch> occupyBackground() {
    auto gate = std::make_shared<std::latch>(1);
    constexpr int kThreads = 3;
    for (int i = 0; i < kThreads; ++i) {
      m_session->background().run<bool>(
          QStringLiteral("occupied/%1").arg(i),
          m_window.get(),
          [gate](const std::stop_token& /*stop*/) {
            gate->wait();
            return true;
          },
          [](bool) {});
    }
    return gate;
  }
  /// What the last message offers, by its text; null: it does not.
  [[nodiscard]] std::function<void()> offered(const QString& text) const {
    for (const views::MessageAction& action : m_actions) {
      if (action.text == text) {
        return action.run;
      }
    }
    return nullptr;
  }
  /// `other` is shown meanwhile; the message's action shows the comparison again.
  void expectAMessageLeadsBackFrom(const QString& other) {
    ASSERT_NE(workspace().reports.document(), nullptr);
    EXPECT_EQ(workspace().reports.document()->loaded().folder.string(), other.toStdString());
    const auto show = offered(QStringLiteral("Show the comparison"));
    ASSERT_TRUE(show) << m_messages.join(QLatin1Char('|')).toStdString();
    show();
    settle();
    EXPECT_TRUE(isComparisonShown());
  }
  /// The open comparison.
  void saveAs(const QString& folder) {
    views::DumpComparer& comparer = m_session->comparer();
    comparer.saveAs(comparer.savable().front(), folder);
  }
  /// A third dump, and its comparison with the golden one.
  [[nodiscard]] report::DumpOrigin otherOrigin() {
    makeDump("other", 6);
    return {.baseline = {.path = path("golden").toStdString()},
            .candidate = {.path = path("other").toStdString()}};
  }
  /// On the screen; those of messages that are gone live on for a moment.
  [[nodiscard]] QPushButton* messageButton(const QString& text) {
    QCoreApplication::processEvents();
    for (auto* found : m_window->messages().findChildren<QPushButton*>()) {
      if (found->text() == text && found->isVisible()) {
        return found;
      }
    }
    return nullptr;
  }
  [[nodiscard]] std::string shownModel() {
    const views::DocumentPtr& document = workspace().reports.document();
    return document ? document->report().model.name : std::string();
  }
  /// What File > Open recent offers; triggers the one of this text.
  QStringList recentTexts(const QString& triggered = {}) {
    auto* menu = m_window->findChild<QMenu*>(QStringLiteral("recent"));
    Q_EMIT menu->aboutToShow();
    QStringList texts;
    QAction* wanted = nullptr;
    for (QAction* action : menu->actions()) {
      texts << action->text();
      wanted = action->text() == triggered ? action : wanted;
    }
    if (wanted != nullptr) {
      wanted->trigger();
    }
    return texts;
  }
  [[nodiscard]] bool isComparisonShown() {
    const auto reports = workspace().reports.sources();
    return workspace().reports.document() != nullptr && reports.size() == 1 &&
           views::isUnsaved(reports.front().loaded);
  }

  QStringList m_messages;
  QList<int> m_severities;
  std::vector<views::MessageAction> m_actions;  ///< of the last one
};

}  // namespace ulp::test
