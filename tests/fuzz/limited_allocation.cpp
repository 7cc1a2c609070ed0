#include <cstddef>
#include <cstdlib>
#include <new>

// Fuzzers without AddressSanitizer: libFuzzer is told of no allocation then, and sees only memory
// that is written to.

namespace {

/// That of -malloc_limit_mb.
constexpr std::size_t kMostBytes = std::size_t{256} << 20U;

}  // namespace

// NOLINTBEGIN(cppcoreguidelines-no-malloc, cppcoreguidelines-owning-memory)
void* operator new(std::size_t size) {
  if (size > kMostBytes) {
    std::abort();
  }
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
// NOLINTEND(cppcoreguidelines-no-malloc, cppcoreguidelines-owning-memory)
