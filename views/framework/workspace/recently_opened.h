#pragma once

#include <filesystem>
#include <vector>

#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/report/model/dump_origin.h"
#include "core/report/model/report.h"
#include "views/framework/settings/settings_store.h"

namespace ulp::views {

/// Where the functions below keep what they remember.
inline const Setting<QStringList> kRecentFiles{QStringLiteral("files/recent"), {}};
/// What is known of them, in any order: kind, model and date, each behind the path.
inline const Setting<QStringList> kRecentAbout{QStringLiteral("files/recent-about"), {}};
inline const Setting<int> kRecentLimit{QStringLiteral("files/recent-limit"), 10};  ///< of files
inline const Setting<QStringList> kRecentComparisons{QStringLiteral("files/recent-comparisons"),
                                                     {}};

/// Files and folders that were opened or saved, newest first; those that are gone are still listed.
[[nodiscard]] QStringList recentFiles(const SettingsStore& settings);
/// What a file was when it was opened last.
struct RecentAbout {
  QString kind{};   ///< "report", "study", for the program; empty: not known
  QString model{};  ///< empty: not known
  QString date{};   ///< when a report was made, else when the file was opened: "2026-01-31"
};

/// Puts a file in front of the others; takes no note of files inside the program (":/…").
void rememberFile(SettingsStore& settings, const QString& path, const RecentAbout& about = {});
void rememberReport(SettingsStore& settings, const QString& path, const report::Report& report);
void rememberStudy(SettingsStore& settings, const QString& path);
/// Adds the model to what is known of a file that is remembered, and changes nothing else.
void noteRecentModel(SettingsStore& settings, const QString& path, const QString& model);

struct RecentFile {
  QString path;
  QString about{};  ///< "Report · SmolLM2-135M · 2026-01-31", for people; empty: nothing is known
};
/// recentFiles() with what is known of each.
[[nodiscard]] std::vector<RecentFile> recentFilesWithText(const SettingsStore& settings);

/// Where the reports among the recent files should lie, newest first; they need not exist.
[[nodiscard]] std::vector<std::filesystem::path> recentReports(const SettingsStore& settings);

/// Pairs of dumps that were compared, newest first; those that are gone are still listed.
[[nodiscard]] std::vector<report::DumpOrigin> recentComparisons(const SettingsStore& settings);
/// Puts a pair in front of the others, in place of the same one with another mapping. Paths are
/// made absolute: another session may start elsewhere. A mapping that is too large for the settings
/// leaves them as they are.
void rememberComparison(SettingsStore& settings, const report::DumpOrigin& origin);

/// Tells whether baseline and candidate are the same, whatever the mapping.
[[nodiscard]] bool isOfSameDumps(const report::DumpOrigin& left, const report::DumpOrigin& right);
/// "target – golden", with the chosen units where that is needed to tell them apart.
[[nodiscard]] QString comparisonTitle(const report::DumpOrigin& origin);
/// The paths of both sides, a line each, or that of one dump alone.
[[nodiscard]] QString comparisonPaths(const report::DumpOrigin& origin);
/// "/dumps/golden (step 0)".
[[nodiscard]] QString sideText(const report::DumpSide& side);

}  // namespace ulp::views
