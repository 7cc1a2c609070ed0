#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/dtype.h"

namespace ulp::tensors {

/// How elements of a type reach a TensorView.
enum class Showing : std::uint8_t {
  AsTheyAre,
  Widened,  ///< by widened(), which knows them by name
  Never     ///< no DType of ours holds their values
};

/// An element type by the name that torch gives it.
struct StoredType {
  std::string_view name;  ///< "float32", "uint16", "complex64"
  std::size_t itemSize;
  DType dtype;  ///< of what is shown; meaningless for Never
  Showing showing;
};

/// Finds an element type by its name in torch; null where none is called so.
[[nodiscard]] const StoredType* findStoredType(std::string_view name);

/// Why elements of the type are not read: "elements of type complex64 are not read; …".
[[nodiscard]] std::string notRead(std::string_view type);

}  // namespace ulp::tensors
