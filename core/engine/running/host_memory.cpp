#include "core/engine/running/host_memory.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

namespace ulp::engine {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t physicalMemory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long size = ::sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(size)
                               : 0;
}

/// The heap is grown once, in addresses only, and marked for large pages: pages that it gets later
/// cannot be marked, since the C library says nothing when it grows.
void growHeapInLargePages() {
  struct Free {
    // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): this deleter is what owns the memory.
    void operator()(void* memory) const { std::free(memory); }
  };
  // A system that counts promised memory refuses so much; less is then as good as it gets.
  for (std::size_t pages = physicalMemory() / kHugePage; pages >= 16; pages /= 2) {
    const std::size_t size = pages * kHugePage;
    const std::unique_ptr<void, Free> block(std::aligned_alloc(kHugePage, size));
    if (block != nullptr) {
      // Refused by kernels without large pages: everything works as well with small ones.
      static_cast<void>(::madvise(block.get(), size, MADV_HUGEPAGE));
      return;
    }
  }
}

}  // namespace

void keepFreedMemory() {
  // One heap for all threads, since only the main heap can grow without bound; from the heap also
  // what would be mapped on its own; never trimmed (-1 turns trimming off).
  // NOLINTBEGIN(concurrency-mt-unsafe): glibc sets each, one word, under the lock of the main heap.
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  // NOLINTEND(concurrency-mt-unsafe)
  growHeapInLargePages();
}

}  // namespace ulp::engine
