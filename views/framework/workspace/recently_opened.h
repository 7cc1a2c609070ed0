#pragma once

#include <vector>

#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/report/model/dump_origin.h"
#include "views/framework/settings/settings_store.h"

namespace ulp::views {

/// Where the functions below keep what they remember.
inline const Setting<QStringList> kRecentFiles{QStringLiteral("files/recent"), {}};
inline const Setting<int> kRecentLimit{QStringLiteral("files/recent-limit"), 10};  ///< of files
inline const Setting<QStringList> kRecentComparisons{QStringLiteral("files/recent-comparisons"),
                                                     {}};

/// Files and folders that were opened or saved, newest first; those that are gone are still listed.
[[nodiscard]] QStringList recentFiles(const SettingsStore& settings);
/// Puts a file in front of the others; takes no note of files inside the program (":/…").
void rememberFile(SettingsStore& settings, const QString& path);

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
/// "/dumps/golden (step 0)".
[[nodiscard]] QString sideText(const report::DumpSide& side);

}  // namespace ulp::views
