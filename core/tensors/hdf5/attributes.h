#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensors/hdf5/session.h"

namespace ulp::tensors {

/// Attributes of a group or dataset. Texts are UTF-8 of fixed length, integers 64 bits. False or
/// nothing: HDF5 refused (its error stack says why) or the attribute is of another kind.
[[nodiscard]] bool writeText(hid_t object, const char* name, std::string_view text);
[[nodiscard]] bool writeInteger(hid_t object, const char* name, std::int64_t value);
[[nodiscard]] bool writeIntegers(hid_t object,
                                 const char* name,
                                 std::span<const std::int64_t> values);

[[nodiscard]] std::optional<std::string> readText(hid_t object, const char* name);
/// A scalar gives one value.
[[nodiscard]] std::optional<std::vector<std::int64_t>> readIntegers(hid_t object, const char* name);

/// A dataset of texts: UTF-8 of fixed length, padded with zeros. False or nothing: HDF5 refused, or
/// the dataset holds something else.
[[nodiscard]] bool writeTexts(hid_t group, const char* name, const std::vector<std::string>& texts);
[[nodiscard]] std::optional<std::vector<std::string>> readTexts(hid_t group, const char* name);

}  // namespace ulp::tensors
