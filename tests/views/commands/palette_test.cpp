#include <gtest/gtest.h>

#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListView>
#include <QtWidgets/QPushButton>

#include "tests/support/window/model_checks.h"
#include "tests/support/window/wait_for.h"
#include "tests/views/realistic_report.h"
#include "views/commands/palette_model.h"
#include "views/commands/palette_popup.h"

namespace ulp::views {
namespace {

PaletteItemsPtr fewItems() {
  return std::make_shared<const PaletteItems>(std::vector<PaletteItem>{
      {.id = QStringLiteral("open"),
       .text = QStringLiteral("File: Open…"),
       .detail = QStringLiteral("Ctrl+O")},
      {.id = QStringLiteral("quit"), .text = QStringLiteral("File: Quit"), .detail = {}},
      {.id = QStringLiteral("stop"),
       .text = QStringLiteral("Run: Stop"),
       .detail = {},
       .enabled = false},
      {.id = QStringLiteral("back"), .text = QStringLiteral("Go: Back"), .detail = {}}});
}

/// A window with something that has the focus before the palette takes it.
struct PaletteFixture : testing::Test {
  PaletteFixture() : button(&window), palette(&window) {
    window.resize(800, 600);
    window.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&window));
    button.setFocus();
  }
  void open(const QStringList& recent = {}) {
    palette.open({.title = QStringLiteral("Commands"),
                  .placeholder = QStringLiteral("Type"),
                  .nothing = QStringLiteral("Nothing"),
                  .recent = recent,
                  .chosen = [this](const PaletteItem& item) { chosen << item.id; }},
                 fewItems());
  }
  void press(Qt::Key key) { QTest::keyClick(QApplication::focusWidget(), key); }
  void type(const char* text) {
    QTest::keyClicks(QApplication::focusWidget(), QLatin1String(text));
  }
  QString current() { return palette.findChild<QListView*>()->currentIndex().data().toString(); }

  QWidget window;
  QPushButton button;
  PalettePopup palette;
  QStringList chosen;
};

TEST(PaletteItems, WhatWasUsedLatelyLeadsWithoutAQueryAndDecidesTies) {
  const PaletteItemsPtr items = fewItems();
  const QStringList recent{QStringLiteral("back"), QStringLiteral("quit")};
  const FuzzyResult all = items->search({}, recent, nullptr);
  ASSERT_EQ(all.best.size(), 4U);
  EXPECT_EQ(all.best[0].index, 3);
  EXPECT_EQ(all.best[1].index, 1);
  EXPECT_EQ(all.best[2].index, 0);
  const QString query = QStringLiteral("file");
  EXPECT_EQ(items->search(query, {}, nullptr).best[0].index, 0);
  EXPECT_EQ(items->search(query, {QStringLiteral("quit")}, nullptr).best[0].index, 1);
}

TEST(PaletteModel, PassesTheModelTester) {
  PaletteModel model;
  const test::ModelChecks checks(&model);
  const PaletteItemsPtr items = fewItems();
  model.show(items, items->search(QStringLiteral("o"), {}, nullptr));
  EXPECT_GT(model.rowCount(), 0);
  model.show(nullptr, {});
  EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(PaletteFixture, TypingNarrowsAndReturnChooses) {
  open();
  EXPECT_TRUE(palette.isVisible());
  EXPECT_TRUE(palette.isAncestorOf(QApplication::focusWidget()));
  type("qu");
  EXPECT_EQ(current(), QStringLiteral("File: Quit"));
  press(Qt::Key_Return);
  EXPECT_EQ(chosen, QStringList{QStringLiteral("quit")});
  EXPECT_FALSE(palette.isVisible());
  EXPECT_TRUE(button.hasFocus());
}

TEST_F(PaletteFixture, ArrowsWalkAroundAndEscapeChoosesNothing) {
  open();
  press(Qt::Key_Up);
  EXPECT_EQ(current(), QStringLiteral("Go: Back"));
  press(Qt::Key_Down);
  EXPECT_EQ(current(), QStringLiteral("File: Open…"));
  press(Qt::Key_Tab);
  EXPECT_EQ(current(), QStringLiteral("File: Quit")) << "Tab does not leave it";
  press(Qt::Key_Escape);
  EXPECT_FALSE(palette.isVisible());
  EXPECT_TRUE(chosen.isEmpty());
  EXPECT_TRUE(button.hasFocus());
}

TEST_F(PaletteFixture, WhatCannotBeDoneNowCannotBeChosen) {
  open();
  type("stop");
  press(Qt::Key_Return);
  EXPECT_TRUE(chosen.isEmpty());
  EXPECT_TRUE(palette.isVisible());
}

TEST_F(PaletteFixture, ScreenReadersHearTheCurrentRow) {
  open();
  const auto* edit = palette.findChild<QLineEdit*>();
  EXPECT_EQ(edit->accessibleName(), QStringLiteral("Commands"));
  EXPECT_EQ(edit->accessibleDescription(), QStringLiteral("File: Open…, Ctrl+O"));
  press(Qt::Key_Down);
  EXPECT_EQ(edit->accessibleDescription(), QStringLiteral("File: Quit"));
}

TEST_F(PaletteFixture, AClickElsewhereClosesIt) {
  open();
  button.setFocus(Qt::MouseFocusReason);
  EXPECT_FALSE(palette.isVisible());
  EXPECT_TRUE(button.hasFocus());
}

TEST_F(PaletteFixture, ALongListIsSearchedInTheBackground) {
  palette.open({.title = QStringLiteral("Tensors"),
                .placeholder = {},
                .nothing = QStringLiteral("Nothing"),
                .recent = {},
                .chosen = [this](const PaletteItem& item) { chosen << item.id; }},
               [] {
                 std::vector<PaletteItem> items;
                 for (int i = 0; i < 50000; ++i) {
                   const QString name = QStringLiteral("layers.%1.mlp").arg(i);
                   items.push_back({.id = name, .text = name, .detail = {}});
                 }
                 return std::make_shared<const PaletteItems>(std::move(items));
               });
  type("49999mlp");
  ASSERT_TRUE(test::waitFor([this] { return palette.isSettled(); }));
  EXPECT_EQ(current(), QStringLiteral("layers.49999.mlp"));
  press(Qt::Key_Return);
  EXPECT_EQ(chosen, QStringList{QStringLiteral("layers.49999.mlp")});
}

TEST(ReportPalette, ListsVariantsAndTensorsAndFindsThemAgain) {
  const DocumentPtr document = test::documentOf(test::realisticReport({.layers = 2}));
  const PaletteItemsPtr items = reportItems(*document);
  ASSERT_EQ(items->items().size(),
            document->sites().size() + static_cast<std::size_t>(document->variantCount()));
  for (std::size_t i = 0; i < items->items().size(); ++i) {
    const ReportPlace place = placeOf(*document, items->items()[i].id);
    const auto variants = static_cast<std::size_t>(document->variantCount());
    EXPECT_EQ(place.variant, i < variants ? static_cast<int>(i) : -1);
    EXPECT_EQ(place.site, i < variants ? -1 : static_cast<int>(i - variants));
  }
  EXPECT_EQ(placeOf(*document, QStringLiteral("forward:gone")).site, -1);
}

}  // namespace
}  // namespace ulp::views
