#include "views/mapping/mapping_editor.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <latch>
#include <memory>

#include <gtest/gtest.h>

#include <QtCore/QTemporaryDir>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "core/base/files/atomic_file.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/window/model_checks.h"
#include "tests/support/window/stall_listener.h"
#include "tests/support/window/wait_for.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/message_bar.h"
#include "views/mapping/open_names_model.h"

namespace ulp::views {
namespace {

using dumps::Role;
using test::BuiltUnit;
using Texts = std::vector<std::string>;
using UnitPtr = std::shared_ptr<BuiltUnit>;

void add(BuiltUnit& unit, const std::string& module, std::size_t width) {
  unit.module(module);
  unit.recorded(Role::Input, "0", {1, 2});
  unit.recorded(Role::Output, "0", std::vector<double>(width, 1));
}

/// Two layers in the words of Hugging Face.
UnitPtr baselineUnit(int layers = 2) {
  auto unit = std::make_shared<BuiltUnit>();
  add(*unit, "model.embed_tokens", 3);
  for (int layer = 0; layer < layers; ++layer) {
    const std::string path = "model.layers." + std::to_string(layer);
    add(*unit, path + ".mlp.up_proj", 5);
    add(*unit, path + ".mlp.down_proj", 4);
  }
  return unit;
}

/// The same in those of GPT-2, but for the embeddings.
UnitPtr candidateUnit(int layers = 2) {
  auto unit = std::make_shared<BuiltUnit>();
  add(*unit, "model.embed_tokens", 3);
  for (int layer = 0; layer < layers; ++layer) {
    const std::string path = "transformer.h." + std::to_string(layer);
    add(*unit, path + ".mlp.c_fc", 5);
    add(*unit, path + ".mlp.dense_4h_to_h", 4);
  }
  return unit;
}

Result<analysis::UnitSides> sidesOf(const UnitPtr& baseline, const UnitPtr& candidate) {
  return analysis::UnitSides{.baseline = baseline, .candidate = candidate};
}

MappingSource sourceOf(const MappingUnits& units) {
  return {.baseline = QStringLiteral("golden"),
          .candidate = QStringLiteral("run"),
          .open = [units](const std::stop_token&) -> Result<MappingUnits> { return units; }};
}

MappingSource sourceOf(const UnitPtr& baseline, const UnitPtr& candidate) {
  return sourceOf(
      {.titles = {QString()}, .open = [baseline, candidate](std::size_t, const std::stop_token&) {
         return sidesOf(baseline, candidate);
       }});
}

class MappingEditorTest : public testing::Test {
 protected:
  void open(MappingSource source, const analysis::SiteMapping& mapping = {}) {
    m_editor = std::make_unique<MappingEditor>(std::move(source), mapping, m_background, m_themes);
    m_editor->show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_editor.get()));
    settle();
  }
  void open() { open(sourceOf(baselineUnit(), candidateUnit())); }

  void settle() {
    ASSERT_TRUE(test::waitFor([this] { return m_background.isIdle(); }));
    QCoreApplication::processEvents();
  }

  [[nodiscard]] QTableView& table(const char* name) const {
    for (auto* found : m_editor->findChildren<QTableView*>()) {
      if (found->accessibleName() == QLatin1String(name)) {
        return *found;
      }
    }
    throw std::runtime_error(name);
  }
  [[nodiscard]] QPushButton& button(const char* text) const {
    for (auto* found : m_editor->findChildren<QPushButton*>()) {
      if (found->text().remove(QLatin1Char('&')) == QLatin1String(text)) {
        return *found;
      }
    }
    throw std::runtime_error(text);
  }
  [[nodiscard]] QLineEdit& field(const char* name) const {
    for (auto* found : m_editor->findChildren<QLineEdit*>()) {
      if (found->accessibleName() == QLatin1String(name)) {
        return *found;
      }
    }
    throw std::runtime_error(name);
  }
  void press(const char* text) {
    ASSERT_TRUE(button(text).isEnabled()) << text;
    QTest::mouseClick(&button(text), Qt::LeftButton);
    settle();
  }
  void click(const char* name, int row) {
    QTableView& where = table(name);
    QTest::mouseClick(where.viewport(),
                      Qt::LeftButton,
                      {},
                      where.visualRect(where.model()->index(row, 0)).center());
    settle();
  }
  [[nodiscard]] Texts texts(const char* name, int column = 0) const {
    Texts result;
    const QAbstractItemModel& model = *table(name).model();
    for (int row = 0; row < model.rowCount(); ++row) {
      result.push_back(model.index(row, column).data().toString().toStdString());
    }
    return result;
  }
  [[nodiscard]] bool says(const QString& text) const {
    return std::ranges::any_of(m_editor->findChildren<QLabel*>(),
                               [&](const QLabel* label) { return label->text() == text; });
  }

  [[nodiscard]] QString effect() const {
    for (const auto* label : m_editor->findChildren<QLabel*>()) {
      if (label->accessibleName() == QLatin1String("Effect of the rule")) {
        return label->text();
      }
    }
    return {};
  }

  [[nodiscard]] std::string path(const char* name) const {
    return m_folder.filePath(QLatin1String(name)).toStdString();
  }

  static constexpr const char* kBaseline = "Only in golden";
  static constexpr const char* kCandidate = "Only in run";
  static constexpr const char* kRules = "Rules and pairs of names";

  QTemporaryDir m_folder;
  Background m_background;
  ThemeManager m_themes;
  std::unique_ptr<MappingEditor> m_editor;
};

TEST_F(MappingEditorTest, ListsWhatHasNoPartnerWithItsSuggestion) {
  open();
  const test::ModelChecks baseline(table(kBaseline).model());
  const test::ModelChecks candidate(table(kCandidate).model());
  EXPECT_EQ(texts(kBaseline),
            (Texts{"model.layers.0.mlp.up_proj",
                   "model.layers.0.mlp.down_proj",
                   "model.layers.1.mlp.up_proj",
                   "model.layers.1.mlp.down_proj"}));
  EXPECT_EQ(texts(kBaseline, OpenNamesModel::Partner),
            (Texts{"transformer.h.0.mlp.c_fc",
                   "transformer.h.0.mlp.dense_4h_to_h",
                   "transformer.h.1.mlp.c_fc",
                   "transformer.h.1.mlp.dense_4h_to_h"}));
  EXPECT_EQ(texts(kBaseline, OpenNamesModel::Tensor).front(), "5, torch.float32")
      << "its output, not its input";
  EXPECT_EQ(texts(kCandidate, OpenNamesModel::Partner).back(), "model.layers.1.mlp.down_proj");
  EXPECT_TRUE(says(QStringLiteral("Matched calls: 1. The names below have no partner.")));
  EXPECT_TRUE(says(QStringLiteral("Only in golden: 4")));
  EXPECT_FALSE(button("Compare again").isEnabled()) << "nothing was changed";
  const QString tip = table(kBaseline).model()->index(0, 0).data(Qt::ToolTipRole).toString();
  EXPECT_TRUE(tip.contains(QStringLiteral("input.0: 2, torch.float32"))) << tip.toStdString();
}

TEST_F(MappingEditorTest, ReturnMatchesTheSuggestionAndGoesOn) {
  open();
  click(kBaseline, 0);
  EXPECT_EQ(table(kCandidate).currentIndex().row(), 0) << "the suggestion is chosen";
  for (int i = 0; i < 4; ++i) {
    QTest::keyClick(&table(kBaseline), Qt::Key_Return);
    settle();
  }
  EXPECT_EQ(table(kBaseline).model()->rowCount(), 0);
  EXPECT_EQ(table(kCandidate).model()->rowCount(), 0);
  EXPECT_TRUE(says(QStringLiteral("All calls are matched: 5.")));
  EXPECT_EQ(m_editor->mapping().pairs().size(), 4U);
  EXPECT_EQ(*m_editor->mapping().map("transformer.h.1.mlp.c_fc"), "model.layers.1.mlp.up_proj");
}

TEST_F(MappingEditorTest, MatchesTheTwoThatWereClicked) {
  open();
  click(kBaseline, 1);
  click(kCandidate, 2);
  press("Match the two chosen");
  EXPECT_EQ(m_editor->mapping().pairs(),
            (std::map<std::string, std::string>{
                {"transformer.h.1.mlp.c_fc", "model.layers.0.mlp.down_proj"}}));
  EXPECT_EQ(texts(kRules, 1), (Texts{"transformer.h.1.mlp.c_fc"}));
}

TEST_F(MappingEditorTest, ARuleMatchesTheSameInEveryLayer) {
  open();
  click(kBaseline, 0);
  press("Match all like them");
  ASSERT_EQ(m_editor->mapping().rules().size(), 1U);
  EXPECT_EQ(texts(kBaseline),
            (Texts{"model.layers.0.mlp.down_proj", "model.layers.1.mlp.down_proj"}));
  EXPECT_EQ(texts(kRules, 3), (Texts{"names changed: 2; all of them are in the baseline then"}));
  EXPECT_EQ(table(kBaseline).currentIndex().row(), 0);
  press("Match all like them");
  EXPECT_EQ(table(kBaseline).model()->rowCount(), 0);
}

TEST_F(MappingEditorTest, MatchesAllSureSuggestionsAtOnceAndTakesThemBack) {
  open();
  press("Match 4 sure suggestion(s)");
  EXPECT_EQ(table(kBaseline).model()->rowCount(), 0);
  EXPECT_EQ(m_editor->mapping().pairs().size(), 4U);
  EXPECT_FALSE(button("Match 0 sure suggestion(s)").isEnabled());
  QTest::keyClick(m_editor.get(), Qt::Key_Z, Qt::ControlModifier);
  settle();
  EXPECT_TRUE(m_editor->mapping().isEmpty());
  EXPECT_EQ(table(kBaseline).model()->rowCount(), 4);
  QTest::keyClick(m_editor.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  settle();
  EXPECT_EQ(m_editor->mapping().pairs().size(), 4U);
  EXPECT_FALSE(button("Redo").isEnabled());
}

TEST_F(MappingEditorTest, CountsWhatATypedRuleDoesBeforeItIsAdded) {
  open();
  QTest::keyClicks(&field("Regular expression of names"), QStringLiteral("^transformer.h"));
  settle();
  EXPECT_TRUE(says(QStringLiteral("▲ names changed: 4; none of them is in the baseline then")));
  QTest::keyClicks(&field("What matching names read as"), QStringLiteral("model.layers"));
  QTest::keyClicks(&field("Regular expression of names"), QStringLiteral("("));
  settle();
  EXPECT_TRUE(effect().contains(QStringLiteral("is not a regular expression")))
      << effect().toStdString();
  QTest::keyClick(&field("Regular expression of names"), Qt::Key_Return);
  settle();
  EXPECT_TRUE(m_editor->mapping().isEmpty());
  EXPECT_EQ(m_editor->findChild<MessageBar*>()->count(), 1);
  QTest::keyClick(&field("Regular expression of names"), Qt::Key_Backspace);
  QTest::keyClick(&field("Regular expression of names"), Qt::Key_Return);
  settle();
  ASSERT_EQ(m_editor->mapping().rules().size(), 1U);
  EXPECT_EQ(m_editor->mapping().rules()[0],
            (analysis::RenameRule{"^transformer.h", "model.layers"}));
  EXPECT_EQ(m_editor->findChild<MessageBar*>()->count(), 0);
  EXPECT_TRUE(field("Regular expression of names").text().isEmpty());
}

TEST_F(MappingEditorTest, ARuleIsChangedInItsPlaceAndRemoved) {
  const auto mapping = analysis::SiteMapping::make({{"^transformer", "x"}, {"c_fc", "up_proj"}},
                                                   {{"other", "name"}});
  open(sourceOf(baselineUnit(), candidateUnit()), *mapping);
  const test::ModelChecks checks(table(kRules).model());
  EXPECT_EQ(texts(kRules), (Texts{"Rule", "Rule", "Pair"}));
  click(kRules, 0);
  EXPECT_EQ(field("Regular expression of names").text(), QStringLiteral("^transformer"));
  QLineEdit& to = field("What matching names read as");
  to.clear();
  QTest::keyClicks(&to, QStringLiteral("model.layers"));
  QLineEdit& from = field("Regular expression of names");
  QTest::keyClicks(&from, QStringLiteral("\\.h"));
  settle();
  EXPECT_TRUE(says(QStringLiteral("names changed: 4; in the baseline then: 2")));
  QTest::keyClick(&to, Qt::Key_Return);
  settle();
  EXPECT_EQ(m_editor->mapping().rules()[0],
            (analysis::RenameRule{"^transformer\\.h", "model.layers"}));
  EXPECT_EQ(texts(kBaseline),
            (Texts{"model.layers.0.mlp.down_proj", "model.layers.1.mlp.down_proj"}));
  click(kRules, 2);
  QTest::keyClick(&table(kRules), Qt::Key_Delete);
  settle();
  EXPECT_TRUE(m_editor->mapping().pairs().empty());
  EXPECT_EQ(texts(kRules), (Texts{"Rule", "Rule"}));
  table(kRules).selectAll();
  press("Remove");
  EXPECT_TRUE(m_editor->mapping().isEmpty());
}

TEST_F(MappingEditorTest, FiltersNames) {
  open();
  QTest::keyClicks(&field("Filter of what is only in golden"), QStringLiteral("1 up"));
  settle();
  EXPECT_EQ(texts(kBaseline), (Texts{"model.layers.1.mlp.up_proj"}));
  EXPECT_EQ(table(kCandidate).model()->rowCount(), 4);
  click(kBaseline, 0);
  EXPECT_EQ(table(kCandidate).currentIndex().row(), 2);
  QTest::keyClick(&table(kBaseline), Qt::Key_Return);
  settle();
  EXPECT_EQ(table(kBaseline).model()->rowCount(), 0) << "the filter stays";
  field("Filter of what is only in golden").clear();
  settle();
  EXPECT_EQ(table(kBaseline).model()->rowCount(), 3);
}

TEST_F(MappingEditorTest, WhatIsSavedIsWrittenWhateverIsLoadedOrSavedNext) {
  open();
  press("Match 4 sure suggestion(s)");
  std::ofstream(path("other.yaml")) << "pairs: {a: b}\n";
  // All threads are busy: what is asked for has to wait.
  auto gate = std::make_shared<std::latch>(1);
  constexpr int kThreads = 3;
  for (int i = 0; i < kThreads; ++i) {
    m_background.run<bool>(
        QStringLiteral("occupied/%1").arg(i),
        m_editor.get(),
        [gate](const std::stop_token& /*stop*/) {
          gate->wait();
          return true;
        },
        [](bool) {});
  }
  m_editor->save(QString::fromStdString(path("first.yaml")));
  m_editor->save(QString::fromStdString(path("second.yaml")));
  m_editor->load(QString::fromStdString(path("other.yaml")));
  gate->count_down();
  settle();
  for (const char* name : {"first.yaml", "second.yaml"}) {
    const auto text = readTextFile(path(name));
    ASSERT_TRUE(text) << text.error().message();
    const auto saved = analysis::SiteMapping::parse(*text, name);
    ASSERT_TRUE(saved) << saved.error().message();
    EXPECT_EQ(saved->pairs().size(), 4U) << name;
  }
  EXPECT_EQ(m_editor->mapping().pairs().size(), 1U) << "and the other file was read";
}

TEST_F(MappingEditorTest, SavesTheFileOfTheCommandLineAndLoadsIt) {
  open();
  press("Match 4 sure suggestion(s)");
  const std::string file = path("mapping.yaml");
  m_editor->save(QString::fromStdString(file));
  settle();
  const auto text = readTextFile(file);
  ASSERT_TRUE(text) << text.error().message();
  const auto saved = analysis::SiteMapping::parse(*text, file);
  ASSERT_TRUE(saved) << saved.error().message();
  EXPECT_EQ(saved->pairs(), m_editor->mapping().pairs());

  open();
  m_editor->load(QString::fromStdString(file));
  settle();
  EXPECT_EQ(m_editor->mapping().pairs().size(), 4U);
  EXPECT_EQ(table(kBaseline).model()->rowCount(), 0);

  std::ofstream(path("bad.yaml")) << "pairs: [a]\n";
  m_editor->load(QString::fromStdString(path("bad.yaml")));
  settle();
  EXPECT_EQ(m_editor->mapping().pairs().size(), 4U) << "it stays";
  EXPECT_TRUE(std::ranges::any_of(m_editor->findChildren<QLabel*>(), [](const QLabel* label) {
    return label->text().contains(QStringLiteral("bad.yaml:1:8"));
  }));
}

TEST_F(MappingEditorTest, ComparesAgainOnlyWhatWasChanged) {
  open();
  const QSignalSpy applied(m_editor.get(), &MappingEditor::applied);
  click(kBaseline, 0);
  press("Match the two chosen");
  press("Compare again");
  EXPECT_EQ(applied.count(), 1);
  EXPECT_FALSE(button("Compare again").isEnabled());
  EXPECT_TRUE(m_editor->isVisible());
  press("Close");
  EXPECT_FALSE(m_editor->isVisible());
}

TEST_F(MappingEditorTest, AsksBeforeChangesAreLost) {
  open();
  press("Match 4 sure suggestion(s)");
  press("Close");
  EXPECT_TRUE(m_editor->isVisible());
  auto* question = m_editor->findChild<QMessageBox*>();
  ASSERT_NE(question, nullptr);
  QTest::keyClick(question, Qt::Key_Escape);
  EXPECT_TRUE(m_editor->isVisible());
  ASSERT_TRUE(test::waitFor([this] { return m_editor->findChild<QMessageBox*>() == nullptr; }));
  m_editor->save(QString::fromStdString(path("m.yaml")));
  settle();
  press("Close");
  EXPECT_FALSE(m_editor->isVisible()) << "it is in a file";
}

TEST_F(MappingEditorTest, SaysWhyADumpCannotBeOpened) {
  MappingSource source = sourceOf(baselineUnit(), candidateUnit());
  source.open = [](const std::stop_token&) -> Result<MappingUnits> {
    return fail(ErrorCode::NotFound, "/dumps/run: no such folder; was it moved?");
  };
  open(source);
  EXPECT_TRUE(says(QStringLiteral("The dumps cannot be opened.")));
  EXPECT_TRUE(says(QStringLiteral("/dumps/run: no such folder; was it moved?")));
  EXPECT_EQ(table(kBaseline).model()->rowCount(), 0);
  QTest::keyClicks(&field("Regular expression of names"), QStringLiteral("a"));
  EXPECT_TRUE(button("Add rule").isEnabled()) << "rules need no dump";
}

TEST_F(MappingEditorTest, ShowsTheUnitThatIsChosenAndSaysWhichCannotBeRead) {
  open(sourceOf(
      {.titles = {QStringLiteral("rank 0"), QStringLiteral("rank 1"), QStringLiteral("rank 2")},
       .open = [](std::size_t pair, const std::stop_token&) {
         const int layers = static_cast<int>(pair) + 2;
         return pair < 2 ? sidesOf(baselineUnit(layers), candidateUnit(layers))
                         : fail(ErrorCode::CorruptData, "rank2/dump.json:1: bad");
       }}));
  EXPECT_EQ(table(kBaseline).model()->rowCount(), 4);
  auto* units = m_editor->findChild<QComboBox*>();
  ASSERT_TRUE(units->isVisibleTo(m_editor.get()));
  QTest::keyClick(units, Qt::Key_Down);
  settle();
  EXPECT_EQ(table(kBaseline).model()->rowCount(), 6);
  QTest::keyClick(units, Qt::Key_Down);
  settle();
  EXPECT_EQ(table(kBaseline).model()->rowCount(), 0);
  EXPECT_TRUE(says(QStringLiteral("rank2/dump.json:1: bad")));
  QTest::keyClick(units, Qt::Key_Up);
  settle();
  EXPECT_EQ(table(kBaseline).model()->rowCount(), 6);
  EXPECT_EQ(m_editor->findChild<MessageBar*>()->count(), 0);
}

TEST_F(MappingEditorTest, WhatCannotBePairedIsSaid) {
  auto baseline = std::make_shared<BuiltUnit>();
  baseline->module("a");
  baseline->recorded(Role::Output, "0", {1});
  auto candidate = std::make_shared<BuiltUnit>();
  candidate->api("Tensor.add", 0);
  candidate->recorded(Role::Input, "0", {1});
  open(sourceOf(baseline, candidate));
  click(kBaseline, 0);
  click(kCandidate, 0);
  press("Match the two chosen");
  EXPECT_TRUE(m_editor->mapping().isEmpty());
  EXPECT_TRUE(
      says(QStringLiteral("These two have no tensor of the same role and pass, by which "
                          "they could be matched.")));
}

/// Two dumps of which nothing matches.
TEST_F(MappingEditorTest, AnswersAtOnceWithTwoHundredThousandRows) {
  constexpr int kLayers = 50'000;  // two modules of two tensors each
  open(sourceOf(baselineUnit(kLayers), candidateUnit(kLayers)));
  EXPECT_EQ(table(kBaseline).model()->rowCount(), 2 * kLayers);
  EXPECT_EQ(texts(kBaseline, OpenNamesModel::Partner).back(),
            "transformer.h.49999.mlp.dense_4h_to_h");
  table(kBaseline).scrollToBottom();
  QTest::keyClicks(&field("Filter of what is only in golden"), QStringLiteral("49999"));
  settle();
  EXPECT_EQ(table(kBaseline).model()->rowCount(), 2);
  click(kBaseline, 0);
  press("Match all like them");
  field("Filter of what is only in golden").clear();
  settle();
  EXPECT_EQ(table(kBaseline).model()->rowCount(), kLayers);
}

}  // namespace
}  // namespace ulp::views
