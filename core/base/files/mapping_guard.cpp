#include "core/base/files/mapping_guard.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace ulp {
namespace {

constexpr std::size_t kPlaces = 1024;
constexpr std::uintptr_t kTaken = 1;  ///< no mapping begins there

struct Place {
  std::atomic<std::uintptr_t> begin{0};  ///< 0: free
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> wasHit{false};
};

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

// A signal handler has no object to ask; what it may touch is atomic and never moves.
std::array<Place, kPlaces>& places() {
  static std::array<Place, kPlaces> instance;
  return instance;
}

Place* findPlace(std::uintptr_t address) {
  for (Place& place : places()) {
    const std::uintptr_t begin = place.begin.load(std::memory_order_acquire);
    const std::uintptr_t end = place.end.load(std::memory_order_acquire);
    // Another thread may have given the place to another mapping between the two.
    const bool isOneMapping = begin == place.begin.load(std::memory_order_acquire);
    if (begin > kTaken && address >= begin && address < end && isOneMapping) {
      return &place;
    }
  }
  return nullptr;
}

/// Puts a page of 0xFF where the file has none, in one step for every thread that reads there.
/// Calls nothing but system calls.
bool fillPage(std::uintptr_t address) {
  const auto size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  void* const ones =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (ones == MAP_FAILED) {
    return false;
  }
  std::memset(ones, 0xFF, size);
  ::mprotect(ones, size, PROT_READ);
  // NOLINTNEXTLINE(*-reinterpret-cast,performance-no-int-to-ptr): addresses are what a fault gives
  auto* const page = reinterpret_cast<void*>(address / size * size);
  return ::mremap(ones, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, page) != MAP_FAILED;
}

void onBusError(int signal, siginfo_t* info, void* /*context*/) {
  // NOLINTNEXTLINE(*-reinterpret-cast): compared with addresses of mappings
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (Place* const place = findPlace(address); place != nullptr && fillPage(address)) {
    place->wasHit.store(true, std::memory_order_release);
    return;
  }
  // Not ours: the instruction runs again and ends the process as it would have.
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  ::sigaction(signal, &usual, nullptr);
}

void installHandler() {
  places();
  struct sigaction action {};
  action.sa_sigaction = &onBusError;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace

MappingGuard::MappingGuard(std::span<const std::byte> mapping) {
  static std::once_flag installed;
  std::call_once(installed, &installHandler);
  for (std::size_t i = 0; i < kPlaces; ++i) {
    Place& place = places()[i];
    std::uintptr_t expected = 0;
    if (place.begin.compare_exchange_strong(expected, kTaken)) {
      // NOLINTNEXTLINE(*-reinterpret-cast): what a fault is compared with
      const auto begin = reinterpret_cast<std::uintptr_t>(mapping.data());
      place.wasHit.store(false, std::memory_order_release);
      place.end.store(begin + mapping.size(), std::memory_order_release);
      place.begin.store(begin, std::memory_order_release);
      m_place = static_cast<int>(i);
      return;
    }
  }
}

MappingGuard::~MappingGuard() {
  if (m_place >= 0) {
    places()[static_cast<std::size_t>(m_place)].begin.store(0, std::memory_order_release);
  }
}

bool MappingGuard::wasHit() const {
  return m_place >= 0 &&
         places()[static_cast<std::size_t>(m_place)].wasHit.load(std::memory_order_acquire);
}

}  // namespace ulp
