#include <gtest/gtest.h>

#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "app/gui/tools/engine_dialog.h"
#include "app/gui/tools/tokenize_dialog.h"
#include "tests/app/gui/window_fixture.h"

namespace ulp::app {
namespace {

class ToolsTest : public test::WindowFixture {
 protected:
  TokenizeDialog* tokenize(const QString& model, const QString& text) {
    trigger("run.tokenize");
    auto* dialog = m_window->findChild<TokenizeDialog*>();
    EXPECT_NE(dialog, nullptr);
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("model")), model);
    QTest::keyClicks(dialog->findChild<QPlainTextEdit*>(QStringLiteral("text")), text);
    for (auto* button : dialog->findChildren<QPushButton*>()) {
      if (button->text() == QStringLiteral("T&okenize")) {
        QTest::mouseClick(button, Qt::LeftButton);
      }
    }
    settle();
    return dialog;
  }
};

TEST_F(ToolsTest, ATextIsShownAsItsTokens) {
  const QString model = write(
      QStringLiteral("tokenizer.json"),
      QStringLiteral(
          R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}})"));
  TokenizeDialog* dialog = tokenize(model, QStringLiteral("abba"));
  EXPECT_EQ(dialog->stateText(), QStringLiteral("tokenizer.json, BPE, 3 tokens: 3 tokens"));
  const QAbstractItemModel* tokens = dialog->table().model();
  ASSERT_NE(tokens, nullptr);
  ASSERT_EQ(tokens->rowCount(), 3);
  const auto cell = [tokens](int row, int column) {
    return tokens->index(row, column).data().toString();
  };
  EXPECT_EQ(cell(0, 1), QStringLiteral("2"));
  EXPECT_EQ(cell(0, 4), QStringLiteral("ab"));
  EXPECT_EQ(cell(0, 5), QStringLiteral("'ab'"));
  EXPECT_EQ(cell(2, 2), QStringLiteral("3"));
}

TEST_F(ToolsTest, AModelThatIsNotThereIsSaid) {
  const TokenizeDialog* dialog = tokenize(QStringLiteral("/nowhere/model"), QStringLiteral("a"));
  EXPECT_TRUE(dialog->stateText().contains(QStringLiteral("/nowhere/model")))
      << dialog->stateText().toStdString();
}

TEST_F(ToolsTest, DevicesAndModelsAreThoseOfTheWorker) {
  qputenv("ULP_ENGINE_LIBRARY", ULP_BINARY_DIR "/tests/fake_engine_library.so");
  EngineDialog dialog(QStringLiteral(ULP_CLI));
  dialog.show();
  EXPECT_TRUE(test::waitFor([&] { return dialog.isDone(); }));
  qunsetenv("ULP_ENGINE_LIBRARY");
  EXPECT_TRUE(dialog.text().contains(QStringLiteral("LibTorch"))) << dialog.text().toStdString();
  EXPECT_TRUE(dialog.text().contains(QStringLiteral("architectures (config.json)")))
      << dialog.text().toStdString();
}

TEST_F(ToolsTest, AWorkerThatCannotBeStartedIsSaid) {
  EngineDialog dialog(QStringLiteral("/nowhere/ulpscope-cli"));
  EXPECT_TRUE(test::waitFor([&] { return dialog.isDone(); }));
  EXPECT_TRUE(dialog.text().contains(QStringLiteral("/nowhere/ulpscope-cli cannot be started")))
      << dialog.text().toStdString();
}

}  // namespace
}  // namespace ulp::app
