#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// How elements in an ATB file become those of a TensorView.
enum class AtbReading : std::uint8_t {
  Stored,   ///< as the StoredType of the same name
  Pairs,    ///< complex numbers: real and imaginary part, one after the other
  Decoded,  ///< by decodeAtb()
  Refused
};

/// An element type of ATB, by the number that CANN's aclDataType gives it.
struct AtbType {
  int code;
  std::string_view name;  ///< torch's where it has the type, else CANN's
  AtbReading reading;
  DType dtype;           ///< of what is shown; meaningless for Refused
  std::size_t bits;      ///< of one element (of both parts of a complex one); 0 for Refused
  std::string_view why;  ///< of Refused
};

/// Null: CANN has no such type.
[[nodiscard]] const AtbType* findAtbType(int code);
/// "float32", "int4"; "ATB type 38 (float6_e3m2)" for those that are not read.
[[nodiscard]] std::string atbTypeName(int code);
/// Why elements are not read: "elements of type ATB type 13 (string) are not read: …".
[[nodiscard]] std::string whyNotRead(int code);

/// The shape in which a tensor of the type is shown: complex numbers have a last dimension of 2
/// more, as of torch.view_as_real.
[[nodiscard]] std::vector<std::int64_t> shownShape(int code, std::vector<std::int64_t> shape);
/// Bytes of so many elements of a type that is read; those of less than eight bits fill bytes, and
/// the last byte may have room left. Nothing where that exceeds 64 bits.
[[nodiscard]] std::optional<std::uint64_t> storedBytes(const AtbType& type, std::uint64_t count);

/// Unpacks a type with AtbReading::Decoded into `info.dtype`, exactly. `stored` holds at least
/// storedBytes() of the elements of `info.shape`. Within a byte the first element has the lowest
/// bits: so torch_npu packs int4 and float4_e2m1 (npu_convert_weight_to_int4pack) and single bits
/// (npu_sign_bits_unpack); of float4_e1m2 and uint1 it is taken to be the same.
/// - int4: two's complement -> int8; uint1 -> uint8.
/// - float4_e2m1 (OCP MX 1.0, section 5.3.3), float4_e1m2 (0, 0.25 … 1.75, as CANN's largest
///   exponent of it is 0) -> float32.
/// - hifloat8 -> float32: Luo et al., Ascend HiFloat8 Format for Deep Learning (2024).
/// Error: OutOfMemory.
[[nodiscard]] Result<Tensor> decodeAtb(std::span<const std::byte> stored,
                                       const AtbType& type,
                                       const TensorInfo& info);

}  // namespace ulp::tensors
