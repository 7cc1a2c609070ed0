#include <array>
#include <atomic>
#include <ctime>
#include <dlfcn.h>
#include <sys/time.h>

// Preloaded (LD_PRELOAD) into programs and tests: whoever asks for the time of day is told another
// day or year each time, back or forth. What measures how long something takes must not notice;
// clocks that only tell that are left alone.
namespace {

constexpr std::time_t kDay = 24 * 60 * 60;
constexpr std::array<std::time_t, 5> kJumps{0, kDay, -kDay, 366 * kDay, -366 * kDay};

std::time_t jump() {
  static std::atomic<unsigned> calls{0};
  return kJumps.at(calls.fetch_add(1, std::memory_order_relaxed) % kJumps.size());
}

template <class Function>
Function original(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));  // NOLINT(*-reinterpret-cast)
}

}  // namespace

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): those of the C library
extern "C" {

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static const auto kOriginal = original<int (*)(clockid_t, timespec*)>("clock_gettime");
  const int failed = kOriginal(clock, time);
  if (failed == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    time->tv_sec += jump();
  }
  return failed;
}

__attribute__((visibility("default"))) int gettimeofday(timeval* time, void* zone) noexcept {
  static const auto kOriginal = original<int (*)(timeval*, void*)>("gettimeofday");
  const int failed = kOriginal(time, zone);
  time->tv_sec += failed == 0 ? jump() : 0;
  return failed;
}

__attribute__((visibility("default"))) std::time_t time(std::time_t* to) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (to != nullptr) {
    *to = now.tv_sec;
  }
  return now.tv_sec;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
