#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensors/hdf5/unique_hid.h"

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

}  // namespace ulp::tensors
