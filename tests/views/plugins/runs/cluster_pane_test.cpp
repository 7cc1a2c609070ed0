#include "views/plugins/runs/cluster_pane.h"

#include <gtest/gtest.h>

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include "tests/support/window/wait_for.h"

namespace ulp::views {
namespace {

class ClusterPaneTest : public testing::Test {
 protected:
  /// A worker that notes what it is asked, and answers as a script of the shell says.
  QString worker(const QString& script) {
    const QString path = m_folder.filePath(QStringLiteral("worker"));
    QFile file(path);
    EXPECT_TRUE(file.open(QFile::WriteOnly));
    file.write(QStringLiteral("#!/bin/sh\necho \"$@\" >>%1/words\n%2\n")
                   .arg(m_folder.path(), script)
                   .toUtf8());
    file.close();
    QFile::setPermissions(path, QFile::ReadOwner | QFile::ExeOwner);
    return path;
  }
  bool wasAsked(const char* words) {
    QFile file(m_folder.filePath(QStringLiteral("words")));
    return file.open(QFile::ReadOnly) && file.readAll().contains(words);
  }
  static QString stateOf(const ClusterPane& pane) {
    const auto labels = pane.findChildren<QLabel*>(QStringLiteral("state"));
    return labels.isEmpty() ? QString() : labels.last()->text();
  }
  static QPushButton* button(const ClusterPane& pane, const char* text) {
    QPushButton* found = nullptr;
    for (auto* each : pane.findChildren<QPushButton*>()) {
      found = each->text() == QLatin1String(text) ? each : found;
    }
    return found;
  }

  QTemporaryDir m_folder;
};

TEST(ClusterText, SaysWhyTasksWait) {
  queue::ClusterState state;
  ASSERT_TRUE(queue::readClusterState(
      R"({"counts":{"running":2,"pending":3,"done":1},"tasks":[{"state":"pending","reason":"Resources"},)"
      R"({"state":"pending","reason":"Resources"},{"state":"failed","reason":"TIMEOUT"},)"
      R"({"state":"pending","reason":"Strange"}]})",
      state));
  EXPECT_EQ(clusterText(state),
            QStringLiteral("2 running · 3 pending (nodes are busy, Strange) · 1 done"));
  EXPECT_EQ(clusterText({}), QStringLiteral("Asking the cluster…"));
}

TEST_F(ClusterPaneTest, SaysHowTasksStandAndActs) {
  queue::ClusterWatch watch(worker(QStringLiteral(
      "case $1 in merge) printf '\\nReport: /r/a/precision_report.json\\n';; *) echo '"
      R"({"summary":"1 failed, 2 done","counts":{"failed":1,"done":2}})"
      "';; esac")));
  ClusterPane pane(watch);
  EXPECT_TRUE(pane.isHidden());
  watch.watch(QStringLiteral("/r/a"));
  EXPECT_FALSE(pane.isHidden());
  EXPECT_TRUE(test::waitFor([&] { return stateOf(pane) == QStringLiteral("1 failed · 2 done"); }))
      << stateOf(pane).toStdString();
  EXPECT_FALSE(button(pane, "Cancel")->isEnabled());
  button(pane, "Again")->click();
  EXPECT_TRUE(test::waitFor([&] { return wasAsked("submit /r/a --again\n"); }));
  const QSignalSpy merged(&watch, &queue::ClusterWatch::merged);
  button(pane, "Show results")->click();
  EXPECT_TRUE(test::waitFor([&] { return merged.count() == 1; }));
  EXPECT_EQ(merged.first().first().toString(), QStringLiteral("/r/a"));
  button(pane, "Remove")->click();
  EXPECT_TRUE(pane.isHidden());
}

TEST_F(ClusterPaneTest, SaysWhyACancelFailed) {
  queue::ClusterWatch watch(worker(
      QStringLiteral("case $3 in --cancel) echo 'ulpscope-cli: scancel: no' >&2; exit 2;; *) echo '"
                     R"({"summary":"3 running","counts":{"running":3}})"
                     "';; esac")));
  ClusterPane pane(watch);
  watch.watch(QStringLiteral("/r/a"));
  EXPECT_TRUE(test::waitFor([&] { return stateOf(pane) == QStringLiteral("3 running"); }));
  EXPECT_FALSE(button(pane, "Again")->isEnabled());
  button(pane, "Cancel")->click();
  EXPECT_TRUE(test::waitFor([&] { return stateOf(pane).endsWith(QStringLiteral("scancel: no")); }))
      << stateOf(pane).toStdString();
}

}  // namespace
}  // namespace ulp::views
