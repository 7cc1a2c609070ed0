#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"
#include "core/json/value.h"

namespace ulp::dumps {

/// What is known of a unit but its tensors, for the way from one machine to another.
[[nodiscard]] std::string unitText(const DumpUnit& unit);
/// Fills everything of `unit` but its axes. Error: CorruptData.
[[nodiscard]] Result<> readUnitText(std::string_view text, DumpUnit& unit);

/// The same of a dump: its units without what they hold.
[[nodiscard]] json::Value dumpJson(const Dump& dump);
/// UnitInfo::open is left to the caller. Error: CorruptData.
[[nodiscard]] Result<Dump> dumpIn(const json::Value& value);

}  // namespace ulp::dumps
