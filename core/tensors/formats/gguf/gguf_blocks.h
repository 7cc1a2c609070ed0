#pragma once

#include <cstddef>

namespace ulp::tensors {

/// Decoders of the block formats of GGUF: `count` blocks from `blocks` to float32. Each multiplies
/// and adds single-precision numbers in the order of `gguf.quants` 0.19, so that results agree bit
/// for bit; the translation unit is compiled without contraction to fused multiply-add.
void decodeQ40(const std::byte* blocks, float* elements, std::size_t count);
void decodeQ41(const std::byte* blocks, float* elements, std::size_t count);
void decodeQ50(const std::byte* blocks, float* elements, std::size_t count);
void decodeQ51(const std::byte* blocks, float* elements, std::size_t count);
void decodeQ80(const std::byte* blocks, float* elements, std::size_t count);
void decodeQ2K(const std::byte* blocks, float* elements, std::size_t count);
void decodeQ3K(const std::byte* blocks, float* elements, std::size_t count);
void decodeQ4K(const std::byte* blocks, float* elements, std::size_t count);
void decodeQ5K(const std::byte* blocks, float* elements, std::size_t count);
void decodeQ6K(const std::byte* blocks, float* elements, std::size_t count);

}  // namespace ulp::tensors
