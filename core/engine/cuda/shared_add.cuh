#pragma once

#include <cstdint>

namespace ulp::engine::cuda {

/// Adds to a counter in shared memory, at its address there, whatever other threads add to it.
__device__ inline void addInSharedMemory(std::uint32_t address, std::uint32_t count) {
  asm volatile("red.shared.add.u32 [%0], %1;" : : "r"(address), "r"(count) : "memory");
}

}  // namespace ulp::engine::cuda
