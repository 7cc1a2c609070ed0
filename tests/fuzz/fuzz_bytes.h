#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "core/tensors/archive/byte_source.h"

namespace ulp::tensors {

/// The fuzzer's bytes on a heap block of exactly their size, so that reading beyond is seen.
inline ByteSource fuzzSource(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  return byteSourceOf("input", {bytes.begin(), bytes.end()});
}

/// Reads each byte of a tensor that a parser gave out.
inline void touch(const Tensor& tensor) {
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
inline void touchAll(const TensorArchive& archive) {
  for (const TensorInfo& info : archive.tensors()) {
    if (const auto tensor = archive.read(info.name)) {
      touch(*tensor);
    } else if (tensor.error().code() != ErrorCode::Unsupported) {
      std::abort();
    }
  }
}

}  // namespace ulp::tensors
