#include "core/tensors/formats/numpy/npy_writer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/files/in_pieces.h"
#include "core/numerics/tensor_view.h"
#include "core/tensors/elements/stored_type.h"

namespace ulp::tensors {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 13;

std::string_view descrOf(DType dtype) {
  return storedTypeOf(isWidenedForNpy(dtype) ? DType::Float32 : dtype).numpy;
}

/// "(2, 3)", "(2,)", "()"
std::string tupleOf(std::span<const std::int64_t> shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : " ") + std::to_string(shape[i]) + ",";
  }
  if (shape.size() > 1) {
    text.pop_back();
  }
  return text + ")";
}

std::string headerOf(const numerics::TensorView& tensor) {
  constexpr std::size_t kAlignment = 64;
  constexpr std::size_t kFixed = 10;
  std::string text = "{'descr': '" + std::string(descrOf(tensor.dtype)) +
                     "', 'fortran_order': False, 'shape': " + tupleOf(tensor.shape) + ", }";
  const std::size_t size = (kFixed + text.size() + kAlignment) / kAlignment * kAlignment - kFixed;
  text.resize(size - 1, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(size & 0xFF);
  header += static_cast<char>(size >> 8);
  return header + text;
}

Result<> writeWidened(FileWriter& file, const numerics::TensorView& elements) {
  std::array<double, kBlock> read{};
  std::array<float, kBlock> block{};
  const std::size_t count = elements.count();
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t size = std::min(kBlock, count - first);
    numerics::readElements(
        elements, static_cast<std::int64_t>(first), 1, std::span(read).first(size));
    std::transform(read.begin(), read.begin() + size, block.begin(), [](double value) {
      return static_cast<float>(value);
    });
    ULP_TRY(file.write(std::as_bytes(std::span(block).first(size))));
  }
  return {};
}

Result<> writeElements(FileWriter& file,
                       const numerics::TensorView& tensor,
                       const MappedFile* from) {
  if (!isWidenedForNpy(tensor.dtype)) {
    return file.stream(tensor.bytes(), from);
  }
  return inPieces(tensor.bytes(), from, [&](std::span<const std::byte> piece) {
    const auto count = static_cast<std::int64_t>(piece.size() / itemSize(tensor.dtype));
    return writeWidened(file, {piece.data(), tensor.dtype, {count}});
  });
}

}  // namespace

bool isWidenedForNpy(DType dtype) {
  return storedTypeOf(dtype).numpy.empty();
}

Result<> writeNpy(const std::filesystem::path& path,
                  const numerics::TensorView& tensor,
                  Durability durability,
                  const MappedFile* from) {
  auto file = ULP_TRY(FileWriter::create(path));
  const std::string header = headerOf(tensor);
  ULP_TRY(file.write(std::as_bytes(std::span(header))));
  ULP_TRY(writeElements(file, tensor, from));
  return file.commit(durability);
}

}  // namespace ulp::tensors
