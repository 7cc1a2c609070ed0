#include "tests/fuzz/limited_work.h"

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <pthread.h>
#include <sys/time.h>

namespace ulp::test {
namespace {

/// The work that is being done.
struct Work {
  WorkLimits limits{};  ///< at which the next allocation throws
  std::size_t allocations = 0;
  std::size_t bytes = 0;
  pthread_t thread{};
  std::uintptr_t stack = 0;                  ///< where it began
  volatile std::sig_atomic_t isRunning = 0;  ///< else nothing is limited
  volatile std::sig_atomic_t isLate = 0;     ///< 1: the next allocation throws; 2: did
  volatile std::sig_atomic_t isOver = 0;     ///< one has thrown
  volatile std::sig_atomic_t isInHeap = 0;   ///< to be left alone
  sigjmp_buf start{};
};

/// What work that is over may take more, to end by what was thrown: destructors allocate, too (that
/// of a JSON array), where nothing may throw.
constexpr WorkLimits kToEnd{.allocations = 5000,
                            .bytes = std::size_t{256} << 10U,
                            .stackBytes = std::size_t{256} << 10U,
                            .milliseconds = 1000};

Work g_work;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void setTimer(int milliseconds) {
  const timeval time{.tv_sec = milliseconds / 1000, .tv_usec = (milliseconds % 1000) * 1000L};
  const itimerval timer{.it_interval = {}, .it_value = time};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

[[noreturn]] void leave() {
  siglongjmp(g_work.start, 1);
}

void whenTimeIsOver(int /*signal*/) {
  if (g_work.isRunning == 0) {
    return;
  }
  if (::pthread_equal(g_work.thread, ::pthread_self()) == 0) {
    ::pthread_kill(g_work.thread, SIGPROF);
  } else if (g_work.isLate == 0) {
    g_work.isLate = 1;
    setTimer(kToEnd.milliseconds);
  } else if (g_work.isInHeap != 0) {
    setTimer(1);
  } else {
    leave();
  }
}

/// An allocation threw below what may throw nothing.
[[noreturn]] void whenTerminated() {
  if (g_work.isRunning != 0 && g_work.isOver != 0) {
    leave();
  }
  std::abort();
}

bool isTooMuch(std::size_t size) {
  if (g_work.isRunning == 0) {
    return false;
  }
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (g_work.isLate == 1 || g_work.allocations >= g_work.limits.allocations ||
      size > g_work.limits.bytes - g_work.bytes || g_work.stack - here > g_work.limits.stackBytes) {
    // Streams swallow what is thrown: a recursion may go on, but not for ever.
    g_work.limits.stackBytes += g_work.isOver == 0 ? kToEnd.stackBytes : 0;
    g_work.limits.allocations += kToEnd.allocations;
    g_work.limits.bytes += kToEnd.bytes;
    g_work.isOver = 1;
    g_work.isLate = g_work.isLate == 0 ? 0 : 2;
    return true;
  }
  ++g_work.allocations;
  g_work.bytes += size;
  return false;
}

}  // namespace

void runLimited(const WorkLimits& limits, const std::function<void()>& work) {
  static const bool isReady = [] {
    std::set_terminate(whenTerminated);
    struct sigaction action {};
    action.sa_handler = whenTimeIsOver;
    return ::sigaction(SIGPROF, &action, nullptr) == 0;
  }();
  if (!isReady) {
    std::abort();
  }
  g_work.limits = limits;
  g_work.thread = ::pthread_self();
  g_work.allocations = 0;
  g_work.bytes = 0;
  g_work.stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  g_work.isLate = 0;
  g_work.isOver = 0;
  g_work.isInHeap = 0;
  if (sigsetjmp(g_work.start, 1) == 0) {
    g_work.isRunning = 1;
    setTimer(limits.milliseconds);
    try {
      work();
    } catch (const std::bad_alloc&) {
      if (g_work.isOver == 0) {
        std::abort();
      }
    }
  }
  g_work.isRunning = 0;
  setTimer(0);
}

}  // namespace ulp::test

/// What a jump left behind is no leak of the reader's.
extern "C" int __lsan_is_turned_off() {  // NOLINT(bugprone-reserved-identifier)
  return 1;
}

// NOLINTBEGIN(cppcoreguidelines-no-malloc, cppcoreguidelines-owning-memory)
void* operator new(std::size_t size) {
  void* memory = ulp::test::isTooMuch(size) ? nullptr : operator new(size, std::nothrow);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

/// For std::stable_sort and its like, which take less where they get nothing.
void* operator new(std::size_t size, const std::nothrow_t& /*nothrow*/) noexcept {
  ulp::test::g_work.isInHeap = 1;
  void* memory = std::malloc(size == 0 ? 1 : size);
  ulp::test::g_work.isInHeap = 0;
  return memory;
}

void operator delete(void* memory) noexcept {
  ulp::test::g_work.isInHeap = 1;
  std::free(memory);
  ulp::test::g_work.isInHeap = 0;
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
  operator delete(memory);
}
// NOLINTEND(cppcoreguidelines-no-malloc, cppcoreguidelines-owning-memory)
