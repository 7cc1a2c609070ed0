#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "core/tensors/archive/byte_source.h"

namespace ulp::test {

/// The fuzzer's bytes on a heap block of exactly their size, so that reading beyond is seen.
inline tensors::ByteSource fuzzSource(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  return tensors::byteSourceOf("input", {bytes.begin(), bytes.end()});
}

/// Reads each byte of a tensor that a parser gave out.
inline void touch(const tensors::Tensor& tensor) {
  unsigned sum = 0;
  for (const std::byte byte : tensor.view.bytes()) {
    sum += std::to_integer<unsigned>(byte);
  }
  // Keeps the loop: a sum of 32 bits over bytes of a small file does not reach this value.
  if (sum == 0xFFFFFFFFU) {
    std::abort();
  }
}

/// Reads every tensor of an archive; each must be there, be unsupported, or be refused.
inline void touchAll(const tensors::TensorArchive& archive) {
  for (const tensors::TensorInfo& info : archive.tensors()) {
    if (const auto tensor = archive.read(info.name)) {
      touch(*tensor);
    } else if (tensor.error().code() != ErrorCode::Unsupported) {
      std::abort();
    }
  }
}

/// Reads every tensor of an archive whose packed members are unpacked only then; each must be
/// there, be unsupported or turn out to be damaged.
inline void touchPacked(const tensors::TensorArchive& archive) {
  for (const tensors::TensorInfo& info : archive.tensors()) {
    if (const auto tensor = archive.read(info.name)) {
      touch(*tensor);
    } else if (tensor.error().code() != ErrorCode::Unsupported &&
               tensor.error().code() != ErrorCode::CorruptData) {
      std::abort();
    }
  }
}

}  // namespace ulp::test
