#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensors/hdf5/session.h"

namespace ulp::tensors {

/// Attributes of a group or dataset. Texts are UTF-8 of fixed length, integers 64 bits. False:
/// HDF5 refused (its error stack says why).
[[nodiscard]] bool writeText(hid_t object, const char* name, std::string_view text);
[[nodiscard]] bool writeInteger(hid_t object, const char* name, std::int64_t value);
[[nodiscard]] bool writeIntegers(hid_t object,
                                 const char* name,
                                 std::span<const std::int64_t> values);

/// A dataset of texts: UTF-8 of fixed length, padded with zeros. False: HDF5 refused.
[[nodiscard]] bool writeTexts(hid_t group, const char* name, const std::vector<std::string>& texts);

}  // namespace ulp::tensors
