#pragma once

#include "views/framework/settings/settings_store.h"

namespace ulp::views {

/// Settings that more than one part of the program reads.
inline const Setting<bool> kSingleLetterKeys{QStringLiteral("keyboard/single-letter-keys"), true};
inline const Setting<int> kRecentLimit{QStringLiteral("files/recent-limit"), 10};

}  // namespace ulp::views
