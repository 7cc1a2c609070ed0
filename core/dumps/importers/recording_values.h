#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/dumps/model/placement.h"
#include "core/json/value.h"

/// What stands in the lines of a recording (docs/recording.md).
namespace ulp::dumps {

[[nodiscard]] const std::string& textOf(const json::Value& object, const char* key);
[[nodiscard]] std::optional<std::int64_t> integerOf(const json::Value& value);
[[nodiscard]] std::optional<std::int64_t> integerOf(const json::Value& object, const char* key);
[[nodiscard]] bool isSet(const json::Value& object, const char* key);
/// JSON has no word for what is not finite: those stand as texts.
[[nodiscard]] std::optional<double> numberOf(const json::Value& object, const char* key);
/// -1 stands for what is no dimension.
[[nodiscard]] std::vector<std::int64_t> dimensionsOf(const json::Value& shape);
/// Where a row's tensor lies in that of all ranks; null: it does not say so in full.
[[nodiscard]] std::shared_ptr<const Placement> placementOf(const json::Value& row);

}  // namespace ulp::dumps
