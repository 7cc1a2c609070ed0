#include "views/framework/settings_store.h"

#include <gtest/gtest.h>

#include <QtCore/QFile>
#include <QtCore/QSize>
#include <QtCore/QTemporaryDir>

namespace ulp::views {
namespace {

const Setting<int> kNumber{QStringLiteral("a/number"), 7};
const Setting<QStringList> kList{QStringLiteral("a/list"), {}};
const Setting<QSize> kSize{QStringLiteral("a/size"), QSize(1, 2)};

TEST(SettingsStore, KeepsValuesBetweenSessions) {
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("s.ini"));
  {
    SettingsStore store(file);
    EXPECT_EQ(store.get(kNumber), 7);
    store.set(kNumber, 9);
    store.set(kList, QStringList{QStringLiteral("x, y"), QStringLiteral("ü")});
    store.sync();
  }
  SettingsStore store(file);
  EXPECT_EQ(store.get(kNumber), 9);
  EXPECT_EQ(store.get(kList), (QStringList{QStringLiteral("x, y"), QStringLiteral("ü")}));
  store.clear();
  EXPECT_EQ(store.get(kNumber), 7);
}

TEST(SettingsStore, ADamagedFileReadsAsDefaults) {
  const QTemporaryDir folder;
  const QString name = folder.filePath(QStringLiteral("s.ini"));
  QFile file(name);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("[a]\nsize=@Size(broken\n\0\0\xff\xfe[[[\nnumber=@Invalid()\n");
  file.close();
  const SettingsStore store(name);
  EXPECT_EQ(store.get(kNumber), 7);
  EXPECT_EQ(store.get(kSize), QSize(1, 2));
}

}  // namespace
}  // namespace ulp::views
