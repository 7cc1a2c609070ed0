#include "core/base/handed_over.h"

#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(HandedOver, IsCalledWithWhatItHolds) {
  std::vector<int> called;
  HandedOver function([&called, value = std::make_unique<int>(7)] { called.push_back(*value); });
  HandedOver moved = std::move(function);
  moved();
  moved();
  EXPECT_EQ(called, (std::vector<int>{7, 7}));
}

TEST(HandedOver, DropsWhatItHoldsOnce) {
  const auto held = std::make_shared<int>(1);
  {
    const HandedOver function([held] {});
    const HandedOver copy = function;
    EXPECT_EQ(held.use_count(), 3);
  }
  EXPECT_EQ(held.use_count(), 1);
}

#if defined(__SANITIZE_THREAD__)

/// A library that was not compiled for ThreadSanitizer: what it does between threads is not seen.
class UnseenLibrary {
 public:
  [[gnu::no_sanitize("thread"), gnu::noinline]] void post(void* function) {
    __atomic_store_n(&m_function, function, __ATOMIC_RELEASE);
  }
  [[gnu::no_sanitize("thread"), gnu::noinline]] void* wait() {
    void* function = nullptr;
    while ((function = __atomic_load_n(&m_function, __ATOMIC_ACQUIRE)) == nullptr) {
    }
    return function;
  }

 private:
  void* m_function = nullptr;
};

/// Writes on this thread, and reads what was written in what `Wrapper` brings to another.
template <template <class> class Wrapper>
void writeAndHandOver() {
  UnseenLibrary library;
  int written = 0;
  const auto read = [&written] { std::printf("%d\n", written); };
  using Function = Wrapper<decltype(read)>;
  std::thread other([&library] {
    const std::unique_ptr<Function> function(static_cast<Function*>(library.wait()));
    (*function)();
  });
  written = 1;
  library.post(std::make_unique<Function>(read).release());
  other.join();
}

template <class Function>
struct Plain {
  explicit Plain(Function function) : m_function(std::move(function)) {}
  void operator()() { m_function(); }
  Function m_function;
};

/// What the sanitizer says would fail the test by itself.
TEST(HandedOver, TellsTheSanitizerWhatHappensBefore) {
  writeAndHandOver<HandedOver>();
}

TEST(HandedOverDeathTest, WithoutItTheSanitizerSeesARace) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto handOver = [] {
    writeAndHandOver<Plain>();
    std::exit(0);
  };
  EXPECT_EXIT(handOver(), testing::ExitedWithCode(66), "data race");
}

#endif

}  // namespace
}  // namespace ulp
