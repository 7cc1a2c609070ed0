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
  Widened,  ///< decoded exactly by shownTensor()
  Never     ///< no DType of ours holds their values
};

/// An element type and what it is called; a name is empty where a format has no such type.
struct StoredType {
  std::string_view name;  ///< by torch: "float32", "uint16", "complex64"
  std::size_t itemSize;
  DType dtype;  ///< of what is shown; for Never that of the parts of complex numbers
  Showing showing;
  std::string_view safetensors{};   ///< "F32"
  std::string_view numpy{};         ///< "<f4", "|b1"
  std::string_view torchStorage{};  ///< "FloatStorage": torch's class of a storage of such elements
};

/// Finds an element type by one of its names; null where none is called so.
[[nodiscard]] const StoredType* findStoredType(
    std::string_view name, std::string_view StoredType::*naming = &StoredType::name);
/// The type whose elements are shown as they are.
[[nodiscard]] const StoredType& storedTypeOf(DType dtype);

/// The type of the real and imaginary parts of complex numbers, which formats show as a last
/// dimension of 2 more (torch.view_as_real); null: elements are none.
[[nodiscard]] const StoredType* partsOf(const StoredType& type);

/// Why elements of the type are not read: "elements of type complex64 are not read; …".
[[nodiscard]] std::string notRead(std::string_view type);

}  // namespace ulp::tensors
