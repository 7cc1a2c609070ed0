#include <gtest/gtest.h>

#include <QtCore/QDate>
#include <QtCore/QTemporaryDir>

#include "views/framework/settings/settings_store.h"
#include "views/framework/workspace/recently_opened.h"

namespace ulp::views {
namespace {

class RecentFilesTest : public testing::Test {
 protected:
  static report::Report reportOf(const std::string& model, const std::string& startedAt) {
    report::Report report;
    report.model.name = model;
    report.provenance.startedAt = startedAt;
    return report;
  }

  [[nodiscard]] QString textOf(const QString& path) const {
    for (const RecentFile& file : recentFilesWithText(m_settings)) {
      if (file.path == path) {
        return file.about;
      }
    }
    return {};
  }

  QTemporaryDir m_folder;
  SettingsStore m_settings{m_folder.filePath(QStringLiteral("settings.ini"))};
};

TEST_F(RecentFilesTest, TellKindModelAndDate) {
  rememberReport(m_settings,
                 QStringLiteral("/runs/a/precision_report.json"),
                 reportOf("SmolLM2-135M", "2026-01-31T12:00:00.123Z"));
  rememberStudy(m_settings, QStringLiteral("/studies/b.yaml"));
  rememberFile(m_settings, QStringLiteral("/dumps/c"));
  const QString today = QDate::currentDate().toString(Qt::ISODate);
  const std::vector<RecentFile> files = recentFilesWithText(m_settings);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].path, QStringLiteral("/dumps/c"));
  EXPECT_EQ(files[0].about, QString());
  EXPECT_EQ(files[1].about, QStringLiteral("Study · ") + today);
  EXPECT_EQ(files[2].about, QStringLiteral("Report · SmolLM2-135M · 2026-01-31"));

  noteRecentModel(m_settings, QStringLiteral("/studies/b.yaml"), QStringLiteral("tiny"));
  EXPECT_EQ(textOf(QStringLiteral("/studies/b.yaml")), QStringLiteral("Study · tiny · ") + today);
  rememberStudy(m_settings, QStringLiteral("/studies/b.yaml"));
  EXPECT_EQ(textOf(QStringLiteral("/studies/b.yaml")), QStringLiteral("Study · tiny · ") + today)
      << "what was known of it stays";
  noteRecentModel(m_settings, QStringLiteral("/studies/other.yaml"), QStringLiteral("tiny"));
  EXPECT_EQ(m_settings.get(kRecentAbout).size(), 3);
}

TEST_F(RecentFilesTest, NamesWithLineBreaksStayOneEntry) {
  rememberReport(
      m_settings, QStringLiteral("/runs/a\nb\nc\nd/r.json"), reportOf("x\ny", "2026-01-31T"));
  EXPECT_EQ(textOf(QStringLiteral("/runs/a\nb\nc\nd/r.json")),
            QStringLiteral("Report · x y · 2026-01-31"));
}

TEST_F(RecentFilesTest, ForgetWhatTheyNoLongerList) {
  m_settings.set(kRecentLimit, 2);
  for (const char* name : {"/a.yaml", "/b.yaml", "/c.yaml"}) {
    rememberStudy(m_settings, QLatin1String(name));
  }
  EXPECT_EQ(m_settings.get(kRecentAbout).size(), 2);
  EXPECT_EQ(textOf(QStringLiteral("/a.yaml")), QString());
}

TEST_F(RecentFilesTest, ReportsAreFoundByFileAndByFolder) {
  rememberStudy(m_settings, QStringLiteral("/s.yaml"));
  rememberReport(m_settings, QStringLiteral("/runs/a"), reportOf("m", "2026"));
  rememberReport(m_settings, QStringLiteral("/runs/b/precision_report.json"), reportOf("m", ""));
  EXPECT_EQ(recentReports(m_settings),
            (std::vector<std::filesystem::path>{"/runs/b/precision_report.json",
                                                "/runs/a/precision_report.json"}));
}

}  // namespace
}  // namespace ulp::views
