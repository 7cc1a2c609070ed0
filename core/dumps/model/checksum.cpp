#include "core/dumps/model/checksum.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <span>
#include <zlib.h>

namespace ulp::dumps {
namespace {

/// Bytes that are read before their pages are given back; a multiple of the words below.
constexpr std::size_t kPieceBytes = std::size_t{1} << 24;

template <class Use>
void eachPiece(const tensors::Tensor& tensor, const Use& use) {
  const std::span<const std::byte> bytes = tensor.view.bytes();
  for (std::size_t first = 0; first < bytes.size(); first += kPieceBytes) {
    const auto piece = bytes.subspan(first, std::min(kPieceBytes, bytes.size() - first));
    use(piece);
    if (tensor.file) {
      tensor.file->release(piece);
    }
  }
}

std::string crc32Of(const tensors::Tensor& tensor) {
  uLong sum = ::crc32_z(0, nullptr, 0);
  eachPiece(tensor, [&](std::span<const std::byte> piece) {
    sum = ::crc32_z(sum, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
  });
  return fmt::format("{:08x}", sum);
}

std::string xorOf(const tensors::Tensor& tensor) {
  std::uint64_t sum = 0;
  eachPiece(tensor, [&](std::span<const std::byte> piece) {
    std::uint64_t word = 0;
    std::size_t first = 0;
    for (; first + sizeof word <= piece.size(); first += sizeof word) {
      std::memcpy(&word, piece.data() + first, sizeof word);  // a size that is known: one load
      sum ^= word;
    }
    word = 0;
    std::memcpy(&word, piece.data() + first, piece.size() - first);
    sum ^= word;
  });
  return fmt::format("0x{:016x}", sum);
}

}  // namespace

Result<std::optional<std::string>> checksumOf(std::string_view kind,
                                              const tensors::Tensor& tensor) {
  std::optional<std::string> sum;
  if (kind == kCrc32OfBytes) {
    sum = crc32Of(tensor);
  } else if (kind == kXorOfBytes && !tensor.view.shape.empty() && tensor.view.count() > 0) {
    sum = xorOf(tensor);
  }
  ULP_TRY(tensors::checkIntact(tensor));
  return sum;
}

}  // namespace ulp::dumps
