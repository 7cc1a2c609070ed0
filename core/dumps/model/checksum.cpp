#include "core/dumps/model/checksum.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <span>
#include <zlib.h>

#include "core/base/files/in_pieces.h"

namespace ulp::dumps {
namespace {

Result<std::string> crc32Of(const tensors::Tensor& tensor) {
  uLong sum = ::crc32_z(0, nullptr, 0);
  ULP_TRY(inPieces(tensor.view.bytes(), tensor.file.get(), [&](std::span<const std::byte> piece) {
    sum = ::crc32_z(sum, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
  }));
  return fmt::format("{:08x}", sum);
}

Result<std::string> xorOf(const tensors::Tensor& tensor) {
  std::uint64_t sum = 0;
  // A piece is a multiple of the words, but for the last.
  ULP_TRY(inPieces(tensor.view.bytes(), tensor.file.get(), [&](std::span<const std::byte> piece) {
    std::uint64_t word = 0;
    std::size_t first = 0;
    for (; first + sizeof word <= piece.size(); first += sizeof word) {
      std::memcpy(&word, piece.data() + first, sizeof word);  // a size that is known: one load
      sum ^= word;
    }
    word = 0;
    std::memcpy(&word, piece.data() + first, piece.size() - first);
    sum ^= word;
  }));
  return fmt::format("0x{:016x}", sum);
}

}  // namespace

Result<std::optional<std::string>> checksumOf(std::string_view kind,
                                              const tensors::Tensor& tensor) {
  std::optional<std::string> sum;
  if (kind == kCrc32OfBytes) {
    sum = ULP_TRY(crc32Of(tensor));
  } else if (kind == kXorOfBytes && !tensor.view.shape.empty() && tensor.view.count() > 0) {
    sum = ULP_TRY(xorOf(tensor));
  }
  ULP_TRY(tensors::checkIntact(tensor));
  return sum;
}

}  // namespace ulp::dumps
