#include "core/tensors/elements/shown_tensor.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <span>

#include "core/tensors/archive/byte_reader.h"

namespace ulp::tensors {
namespace {

template <class Stored, class Shown, class Convert>
Result<Tensor> convert(std::span<const std::byte> stored,
                       const TensorInfo& info,
                       const Convert& one) {
  return decodedTensor<Shown>(info, [&](std::size_t i) -> Shown {
    return one(numberAt<Stored>(stored, i * sizeof(Stored)));
  });
}

/// OCP E8M0: 2^(code - 127), 255 is NaN.
float powerOfTwo(std::uint8_t code) {
  constexpr std::uint32_t kQuietNan = 0x7FC00000;
  constexpr std::uint32_t kTwoToMinus127 = 0x00400000;
  if (code == 0xFF) {
    return std::bit_cast<float>(kQuietNan);
  }
  return std::bit_cast<float>(code == 0 ? kTwoToMinus127 : std::uint32_t{code} << 23U);
}

/// `stored` holds at least the elements of `info.shape`.
Result<Tensor> widened(std::span<const std::byte> stored,
                       const StoredType& type,
                       const TensorInfo& info) {
  if (type.name == "float8_e8m0fnu") {
    return convert<std::uint8_t, float>(stored, info, powerOfTwo);
  }
  if (type.name == "uint16") {
    return convert<std::uint16_t, std::int32_t>(stored, info, [](std::uint16_t v) { return v; });
  }
  if (type.name == "uint32") {
    return convert<std::uint32_t, std::int64_t>(stored, info, [](std::uint32_t v) { return v; });
  }
  bool tooLarge = false;
  auto tensor =
      convert<std::uint64_t, std::int64_t>(stored, info, [&tooLarge](std::uint64_t value) {
        tooLarge |= value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        return static_cast<std::int64_t>(value);
      });
  if (tooLarge) {
    return fail(ErrorCode::Unsupported,
                "an unsigned 64-bit element exceeds the range of a signed one");
  }
  return tensor;
}

}  // namespace

Result<Tensor> shownTensor(const ByteSource& source,
                           std::size_t offset,
                           const StoredType& type,
                           const TensorInfo& info) {
  if (type.showing == Showing::AsTheyAre) {
    return tensorAt(source, offset, info.dtype, info.shape);
  }
  const std::uint64_t size = checkedCount(info.shape).value_or(0) * type.itemSize;
  const auto stored = source.bytes.subspan(offset, size);
  auto tensor = widened(stored, type, info);
  source.release(stored);
  return tensor;
}

Result<Tensor> ifIntactAt(const std::string& place,
                          const ByteSource& source,
                          Result<Tensor> tensor) {
  return ifIntact(source, whileDoing(place, std::move(tensor)));
}

}  // namespace ulp::tensors
