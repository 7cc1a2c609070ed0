#include "views/commands/shortcut_scheme.h"

#include <gtest/gtest.h>

#include <QtCore/QTemporaryDir>

#include "views/framework/settings/settings_store.h"

namespace ulp::views {
namespace {

struct Scheme : testing::Test {
  Scheme() {
    open.setShortcut(Qt::CTRL | Qt::Key_O);
    open.setStatusTip(QStringLiteral("Open a report"));
    save.setShortcut(Qt::CTRL | Qt::Key_S);
    log.setShortcut(Qt::Key_L);
    fit.setShortcut(Qt::Key_F);
    scheme.adopt(entries());
  }
  std::vector<CatalogEntry> entries() {
    return {entry("file.open", {}, open),
            entry("file.save", {}, save),
            entry("depth.log", "depth", log),
            entry("heatmap.fit", "heatmap", fit)};
  }
  static CatalogEntry entry(const char* id, const char* scope, QAction& action) {
    return {.id = QLatin1String(id),
            .group = QStringLiteral("Group"),
            .text = QLatin1String(id),
            .scope = QLatin1String(scope),
            .action = &action};
  }
  [[nodiscard]] QStringList meeting(const char* id, const QKeySequence& key) const {
    QStringList ids;
    for (const ShortcutScheme::Row* row : scheme.conflicts(QLatin1String(id), {key})) {
      ids << row->id;
    }
    return ids;
  }

  QTemporaryDir folder;
  QAction open;
  QAction save;
  QAction log;
  QAction fit;
  SettingsStore settings{folder.filePath(QStringLiteral("s.ini"))};
  ShortcutScheme scheme{settings};
};

TEST_F(Scheme, AssignsAtOnceAndRemembers) {
  scheme.assign(QStringLiteral("file.open"), {QKeySequence(Qt::CTRL | Qt::Key_J)});
  EXPECT_EQ(open.shortcut(), QKeySequence(Qt::CTRL | Qt::Key_J));
  EXPECT_TRUE(open.toolTip().contains(QStringLiteral("Ctrl+J")));
  QAction again;
  again.setShortcut(Qt::CTRL | Qt::Key_O);
  ShortcutScheme next(settings);
  next.adopt({entry("file.open", {}, again)});
  EXPECT_EQ(again.shortcut(), QKeySequence(Qt::CTRL | Qt::Key_J));
  EXPECT_EQ(next.rows()[0].defaults, QList<QKeySequence>{QKeySequence(Qt::CTRL | Qt::Key_O)});
  next.reset(QStringLiteral("file.open"));
  EXPECT_EQ(again.shortcut(), QKeySequence(Qt::CTRL | Qt::Key_O));
}

TEST_F(Scheme, ACommandCanBeWithoutKeys) {
  scheme.assign(QStringLiteral("depth.log"), {});
  EXPECT_TRUE(log.shortcut().isEmpty());
  ShortcutScheme next(settings);
  QAction again;
  again.setShortcut(Qt::Key_L);
  next.adopt({entry("depth.log", "depth", again)});
  EXPECT_TRUE(again.shortcut().isEmpty());
}

TEST_F(Scheme, TellsWhichCommandsWouldShareKeys) {
  EXPECT_EQ(meeting("file.open", Qt::CTRL | Qt::Key_S), QStringList{QStringLiteral("file.save")});
  EXPECT_EQ(meeting("file.open", Qt::CTRL | Qt::Key_O), QStringList{}) << "its own";
  EXPECT_EQ(meeting("depth.log", Qt::CTRL | Qt::Key_S), QStringList{QStringLiteral("file.save")});
  EXPECT_EQ(meeting("depth.log", Qt::Key_F), QStringList{}) << "of another view";
  EXPECT_EQ(meeting("file.save", QKeySequence(Qt::CTRL | Qt::Key_O, Qt::CTRL | Qt::Key_S)),
            QStringList{QStringLiteral("file.open")})
      << "could never be reached";
}

TEST_F(Scheme, TravelsAsAFile) {
  scheme.assign(QStringLiteral("file.open"), {QKeySequence(Qt::CTRL | Qt::Key_J)});
  const QByteArray file = scheme.exported();
  scheme.resetAll();
  EXPECT_EQ(open.shortcut(), QKeySequence(Qt::CTRL | Qt::Key_O));
  EXPECT_TRUE(scheme.import(file).has_value());
  EXPECT_EQ(open.shortcut(), QKeySequence(Qt::CTRL | Qt::Key_J));
}

TEST_F(Scheme, RefusesAFileThatItCannotFollowAndKeepsItsOwn) {
  scheme.assign(QStringLiteral("file.open"), {QKeySequence(Qt::CTRL | Qt::Key_J)});
  const auto codeOf = [this](const char* json) {
    const Result<> done = scheme.import(json);
    return done ? std::string("none") : std::string(toString(done.error().code()));
  };
  const std::string corrupt(toString(ErrorCode::CorruptData));
  EXPECT_EQ(codeOf("{"), corrupt);
  EXPECT_EQ(codeOf(R"({"format":"other","shortcuts":{}})"), corrupt);
  EXPECT_EQ(codeOf(R"({"format":"ulpscope.shortcuts/1","shortcuts":{"file.open":["Foo+Bar"]}})"),
            corrupt);
  EXPECT_EQ(codeOf(R"({"format":"ulpscope.shortcuts/1","shortcuts":{"file.open":["Ctrl+S"]}})"),
            std::string(toString(ErrorCode::InvalidArgument)));
  EXPECT_EQ(open.shortcut(), QKeySequence(Qt::CTRL | Qt::Key_J));
}

TEST_F(Scheme, AViewThatExistsTwiceHasTheSameKeysTwice) {
  QAction second;
  second.setShortcut(Qt::Key_L);
  scheme.adopt({entry("depth.log", "depth", second)});
  scheme.assign(QStringLiteral("depth.log"), {QKeySequence(Qt::Key_K)});
  EXPECT_EQ(log.shortcut(), QKeySequence(Qt::Key_K));
  EXPECT_EQ(second.shortcut(), QKeySequence(Qt::Key_K));
  EXPECT_EQ(scheme.rows().size(), 4U);
}

}  // namespace
}  // namespace ulp::views
