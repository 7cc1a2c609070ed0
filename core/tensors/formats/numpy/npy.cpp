#include "core/tensors/formats/numpy/npy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/elements/widen.h"
#include "core/tensors/formats/numpy/npy_header.h"

namespace ulp::tensors {
namespace {

struct NpyType {
  std::string_view descr;
  std::size_t itemSize;
  DType dtype;
  bool widened;
};

constexpr std::array<NpyType, 12> kNpyTypes{{
    {"<f8", 8, DType::Float64, false},
    {"<f4", 4, DType::Float32, false},
    {"<f2", 2, DType::Float16, false},
    {"<i8", 8, DType::Int64, false},
    {"<i4", 4, DType::Int32, false},
    {"<i2", 2, DType::Int16, false},
    {"|i1", 1, DType::Int8, false},
    {"|u1", 1, DType::UInt8, false},
    {"|b1", 1, DType::Bool, false},
    {"<u2", 2, DType::Int32, true},
    {"<u4", 4, DType::Int64, true},
    {"<u8", 8, DType::Int64, true},
}};

/// The text of the header; the reader then stands at the data.
std::string_view headerText(ByteReader& reader) {
  constexpr std::string_view kMagic = "\x93NUMPY";
  const auto magic = reader.take(kMagic.size(), "magic text");
  if (reader.ok() && std::memcmp(magic.data(), kMagic.data(), kMagic.size()) != 0) {
    reader.refuse("does not start with \\x93NUMPY; is this an .npy file?");
  }
  const auto major = reader.scalar<std::uint8_t>("version");
  static_cast<void>(reader.scalar<std::uint8_t>("version"));
  if (major < 1 || major > 3) {
    reader.refuse("version " + std::to_string(major) + " is not one of 1, 2 and 3");
  }
  const std::uint64_t length = major == 1 ? reader.scalar<std::uint16_t>("header length")
                                          : reader.scalar<std::uint32_t>("header length");
  const auto text = reader.take(length, "header");
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

/// Elements in row-major order of an array whose first index runs fastest in `stored`.
Result<Tensor> transposed(std::span<const std::byte> stored, const TensorInfo& info) {
  Tensor tensor;
  tensor.view = {nullptr, info.dtype, info.shape};
  const std::size_t item = itemSize(info.dtype);
  const std::size_t count = tensor.view.count();
  auto memory = ULP_TRY(allocateBytes(count * item));
  std::vector<std::size_t> strides(info.shape.size(), 1);
  for (std::size_t i = 1; i < strides.size(); ++i) {
    strides[i] = strides[i - 1] * static_cast<std::size_t>(info.shape[i - 1]);
  }
  std::vector<std::size_t> index(info.shape.size(), 0);
  for (std::size_t flat = 0; flat < count; ++flat) {
    const std::size_t from =
        std::inner_product(index.begin(), index.end(), strides.begin(), std::size_t{0});
    std::memcpy(memory.get() + flat * item, stored.data() + from * item, item);
    for (std::size_t i = index.size(); i-- > 0;) {
      if (++index[i] < static_cast<std::size_t>(info.shape[i])) {
        break;
      }
      index[i] = 0;
    }
  }
  tensor.view.data = memory.get();
  tensor.owner = std::move(memory);
  return tensor;
}

const NpyType* findType(const std::string& descr) {
  const auto* const found =
      std::find_if(kNpyTypes.begin(), kNpyTypes.end(), [&descr](const auto& type) {
        return type.descr == descr;
      });
  return found == kNpyTypes.end() ? nullptr : found;
}

Result<const NpyType*> requireType(const ByteSource& source, const std::string& descr) {
  const NpyType* const found = findType(descr);
  if (found == nullptr) {
    return fail(ErrorCode::Unsupported,
                source.path.string() + ": header: elements of type " + quotedName(descr) +
                    " are not read; save little-endian numbers or truth values");
  }
  return found;
}

/// Widening comes first, so that the transposition sees elements of a type of ours.
Result<Tensor> decode(const ByteSource& source,
                      std::size_t offset,
                      const NpyType& type,
                      NpyHeader header) {
  const TensorInfo info{{}, std::move(header.shape), type.dtype, header.descr};
  if (!type.widened && !header.fortranOrder) {
    return tensorAt(source, offset, info.dtype, info.shape);
  }
  const auto stored = source.bytes.subspan(offset);
  if (!type.widened) {
    return transposed(stored, info);
  }
  auto wide = widened(stored, info);
  return wide && header.fortranOrder ? transposed(wide->view.bytes(), info) : std::move(wide);
}

/// The reader then stands at the data.
Result<NpyHeader> readHeader(const ByteSource& source, ByteReader& reader) {
  const std::string_view text = headerText(reader);
  if (!reader.ok()) {
    return reader.error();
  }
  std::string problem;
  auto header = parseNpyHeader(text, problem);
  if (!header) {
    return source.corrupt("header: " + problem);
  }
  return *std::move(header);
}

}  // namespace

Result<TensorInfo> parseNpyInfo(const ByteSource& source) {
  ByteReader reader(source);
  auto header = ULP_TRY(readHeader(source, reader));
  if (!checkedCount(header.shape)) {
    return source.corrupt("header: its shape is impossible");
  }
  TensorInfo info{{}, std::move(header.shape), DType::Float32, header.descr};
  if (const NpyType* const type = findType(header.descr)) {
    info.dtype = type->dtype;
    info.storedAs = type->widened ? "uint" + std::to_string(8 * type->itemSize)
                                  : std::string(toString(type->dtype));
  }
  return info;
}

Result<Tensor> parseNpy(const ByteSource& source) {
  ByteReader reader(source);
  auto header = ULP_TRY(readHeader(source, reader));
  const auto type = ULP_TRY(requireType(source, header.descr));
  const auto count = checkedCount(header.shape);
  const std::size_t available = reader.remaining();
  if (!count || *count > available / type->itemSize || *count * type->itemSize != available) {
    return source.corrupt("data: the " + std::to_string(available) +
                          " bytes after the header are not what its shape and type need");
  }
  auto tensor = decode(source, reader.offset(), *type, std::move(header));
  return tensor ? ifIntact(source, std::move(tensor))
                : failWhile(source.path.string(), std::move(tensor));
}

Result<Tensor> readNpy(const std::filesystem::path& path) {
  const auto source = ULP_TRY(openByteSource(path));
  return parseNpy(source);
}

}  // namespace ulp::tensors
