#pragma once

#include <vector>

#include <QtCore/QString>

#include "core/report/dump_origin.h"

namespace ulp::views {

class SettingsStore;

/// Pairs of dumps that were compared, newest first; those that are gone are still listed.
[[nodiscard]] std::vector<report::DumpOrigin> recentComparisons(const SettingsStore& settings);
void rememberComparison(SettingsStore& settings, const report::DumpOrigin& origin);

/// "target against golden", with the chosen units where that is needed to tell them apart.
[[nodiscard]] QString comparisonTitle(const report::DumpOrigin& origin);
/// Both sides as the command line takes them: "/dumps/golden#step 0".
[[nodiscard]] QString sideText(const report::DumpSide& side);

}  // namespace ulp::views
