#include "views/framework/settings/settings_store.h"

#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include <QtCore/QFile>
#include <QtCore/QSize>
#include <QtCore/QTemporaryDir>
#include <QtTest/QSignalSpy>

namespace ulp::views {
namespace {

const Setting<int> kNumber{QStringLiteral("a/number"), 7};
const Setting<QStringList> kList{QStringLiteral("a/list"), {}};
const Setting<QSize> kSize{QStringLiteral("a/size"), QSize(1, 2)};

/// The name of a settings file with this content.
QString writtenIn(const QTemporaryDir& folder, const QByteArray& content) {
  QFile file(folder.filePath(QStringLiteral("s.ini")));
  EXPECT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(content);
  return file.fileName();
}

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
  const QString name =
      writtenIn(folder, "[a]\nsize=@Size(broken\n\0\0\xff\xfe[[[\nnumber=@Invalid()\n");
  const SettingsStore store(name);
  EXPECT_EQ(store.get(kNumber), 7);
  EXPECT_EQ(store.get(kSize), QSize(1, 2));
}

TEST(SettingsStore, ASectionWhoseNameGoesOnInTheNextLineHidesNoKeys) {
  const QTemporaryDir folder;
  const QString name = writtenIn(folder, "[a\\\n]\n[a]\nlist=x, y\n");
  const SettingsStore store(name);
  EXPECT_EQ(store.get(kList), (QStringList{QStringLiteral("x"), QStringLiteral("y")}));
}

/// Reads them, and keeps what is set from then on.
void checkDamaged(const QByteArray& content) {
  const QTemporaryDir folder;
  const QString name = writtenIn(folder, content);
  SettingsStore store(name);
  static_cast<void>(store.get(kNumber));
  static_cast<void>(store.get(kList));
  static_cast<void>(store.get(kSize));
  store.set(kNumber, 9);
  store.sync();
  EXPECT_EQ(SettingsStore(name).get(kNumber), 9) << content.toStdString();
}

TEST(SettingsStore, DamagedFilesAreReadOrSetAside) {
  const QByteArray whole(
      "[a]\nlist=\"x, y\", \xc3\xbc\nnumber=8\nsize=@Size(3 4)\n"
      "variant=@Variant(\\0\\0\\0\\t\\xff\\xff\\xff\\xf0)\n");
  for (qsizetype at = 0; at < whole.size(); at += 2) {
    checkDamaged(whole.first(at));
    for (const char byte : {'\0', '\n', '\\', '9'}) {
      QByteArray damaged = whole;
      damaged[at] = byte;
      checkDamaged(damaged);
    }
  }
}

TEST(SettingsStore, ObjectsOfAnyTypeAreNotRead) {
  for (const QByteArray value : {R"ini(@Variant(\0\0\0\t\xff\xff\xff\xf0))ini",
                                 R"ini(a, @Variant(\0\0\0\t\0\0\0\0))ini",
                                 R"ini("@DateTime(\0\0\0\x10)")ini",
                                 R"ini(\x40Variant(\0))ini",
                                 R"ini(@\126ariant(\0))ini"}) {
    const QTemporaryDir folder;
    const QString name = writtenIn(folder, "[a]\nnumber=8\nlist=" + value + "\n");
    const SettingsStore store(name);
    EXPECT_TRUE(store.problem()) << value.toStdString();
    EXPECT_EQ(store.get(kNumber), 7) << value.toStdString();
  }
}

TEST(SettingsStore, TextThatLooksLikeAnObjectOrAnEscapeStaysText) {
  const QTemporaryDir folder;
  const QString name = folder.filePath(QStringLiteral("s.ini"));
  const QStringList texts{QStringLiteral("@Variant(1)"),
                          QStringLiteral("x@Variant(1)"),
                          QStringLiteral("C:\\x41\\126"),
                          QStringLiteral("\u0001A\x7f\n7")};
  {
    SettingsStore store(name);
    store.set(kList, texts);
    store.set(kSize, QSize(3, 4));
  }
  const SettingsStore store(name);
  EXPECT_FALSE(store.problem());
  EXPECT_EQ(store.get(kList), texts);
  EXPECT_EQ(store.get(kSize), QSize(3, 4));
}

QStringList with(QStringList list, const char* added) {
  return list << QString::fromLatin1(added);
}

TEST(SettingsStore, AListToWhichSeveralWindowsAddKeepsAllOfIt) {
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("s.ini"));
  SettingsStore mine(file);
  mine.update(kList, [](const QStringList& list) { return with(list, "first"); });
  mine.sync();
  const pid_t another = ::fork();
  ASSERT_GE(another, 0);
  if (another == 0) {
    SettingsStore theirs(file);
    theirs.update(kList, [](const QStringList& list) { return with(list, "theirs"); });
    theirs.set(kNumber, 9);
    theirs.sync();
    ::_exit(0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(another, &status, 0), another);
  ASSERT_EQ(status, 0);
  mine.update(kList, [](const QStringList& list) { return with(list, "mine"); });
  EXPECT_TRUE(mine.get(kList).contains(QStringLiteral("mine"))) << "before it is written";
  const QSignalSpy changed(&mine, &SettingsStore::changed);
  mine.sync();
  EXPECT_EQ(changed.count(), 2) << "the list and the number of the other";
  const QStringList all{QStringLiteral("first"), QStringLiteral("theirs"), QStringLiteral("mine")};
  EXPECT_EQ(mine.get(kList), all);
  EXPECT_EQ(mine.get(kNumber), 9);
  EXPECT_EQ(QSettings(file, QSettings::IniFormat).value(kList.key).toStringList(), all);
}

TEST(SettingsStore, FilesAreWrittenInAnotherThread) {
  const QTemporaryDir folder;
  SettingsStore store(folder.filePath(QStringLiteral("s.ini")));
  std::vector<std::thread::id> threads;
  store.update(kNumber, [&threads](int number) {
    threads.push_back(std::this_thread::get_id());
    return number + 1;
  });
  store.sync();
  EXPECT_EQ(store.get(kNumber), 8) << "once";
  ASSERT_EQ(threads.size(), 2U);
  EXPECT_EQ(threads[0], std::this_thread::get_id());
  EXPECT_NE(threads[1], std::this_thread::get_id());
}

TEST(SettingsStore, WhatCannotBeWrittenHoldsAndIsSaidOnce) {
  const QTemporaryDir folder;
  writtenIn(folder, "no folder");
  SettingsStore store(folder.filePath(QStringLiteral("s.ini/s.ini")));
  const QSignalSpy unwritable(&store, &SettingsStore::unwritable);
  store.set(kNumber, 9);
  store.sync();
  store.set(kSize, QSize(3, 4));
  store.sync();
  EXPECT_EQ(store.get(kNumber), 9);
  EXPECT_EQ(store.get(kSize), QSize(3, 4));
  ASSERT_EQ(unwritable.count(), 1);
  EXPECT_TRUE(unwritable[0][0].value<Message>().text.startsWith(store.fileName() +
                                                                QStringLiteral(" cannot")));
}

TEST(SettingsStore, SaysWhatChangesAndOnlyThat) {
  const QTemporaryDir folder;
  SettingsStore store(folder.filePath(QStringLiteral("s.ini")));
  const QSignalSpy changed(&store, &SettingsStore::changed);
  store.set(kNumber, 9);
  store.set(kNumber, 9);
  ASSERT_EQ(changed.count(), 1);
  EXPECT_EQ(changed[0][0].toString(), kNumber.key);
  store.remove(kNumber.key);
  store.remove(kNumber.key);
  EXPECT_EQ(changed.count(), 2);
  EXPECT_EQ(store.get(kNumber), 7);
  store.set(kNumber, 8);
  store.clear();
  EXPECT_EQ(changed.count(), 4);
}

TEST(SettingsStore, ADamagedFileIsSetAsideAndReported) {
  const QTemporaryDir folder;
  const QString name = writtenIn(folder, "[a\nnumber");
  SettingsStore store(name);
  ASSERT_TRUE(store.problem().has_value());
  EXPECT_TRUE(store.problem()->text.contains(QStringLiteral("s.ini.damaged")));
  EXPECT_TRUE(QFile::exists(name + QStringLiteral(".damaged")));
  store.set(kNumber, 9);
  store.sync();
  const SettingsStore again(name);
  EXPECT_FALSE(again.problem().has_value());
  EXPECT_EQ(again.get(kNumber), 9);
}

}  // namespace
}  // namespace ulp::views
