#include "tests/core/engine/emulated/device_threads.h"

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <ucontext.h>
#include <utility>
#include <vector>

namespace {
constexpr std::size_t kWarp = 32;
}

ThreadPlace threadIdx;
ThreadPlace blockIdx;
ThreadPlace gridDim;

namespace ulp::engine::cuda {

/// As much as a block can have.
alignas(128) uint4 memoryOfBlock[(std::size_t{227} << 10) / sizeof(uint4)];

namespace testing {
namespace {

constexpr std::size_t kStack = std::size_t{128} << 10;

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
};

/// Who must arrive before a thread goes on.
enum class Waits { No, ForWarp, ForBlock, Ended };

struct Thread {
  ucontext_t begin{};
  jmp_buf place{};  ///< where it waits; such jumps ask nothing of the system, unlike swapcontext()
  Waits waits = Waits::No;
  bool hasBegun = false;
  std::uint64_t offered = 0;                 ///< to the other threads of the warp
  std::vector<std::vector<Copy>> copies{1};  ///< groups, the last one open
};

/// Stacks that blocks use one after another: to make and to clear them took most of the time.
class Stacks {
 public:
  std::byte* at(std::size_t thread) {
    while (m_stacks.size() <= thread) {
      m_stacks.push_back(std::make_unique_for_overwrite<std::byte[]>(kStack));
    }
    return m_stacks[thread].get();
  }

 private:
  std::vector<std::unique_ptr<std::byte[]>> m_stacks;
};

class Block {
 public:
  Block(unsigned int threads, Turns turns, const std::function<void()>& kernel)
      : m_threads(threads), m_turns(threads), m_kernel(&kernel) {
    std::iota(m_turns.begin(), m_turns.end(), std::size_t{0});
    if (turns == Turns::Descending) {
      std::reverse(m_turns.begin(), m_turns.end());
    }
    m_shuffles = turns == Turns::Shuffled;
  }

  void run() {
    s_running = this;
    static Stacks stacks;
    for (std::size_t i = 0; i < m_threads.size(); ++i) {
      Thread& thread = m_threads[i];
      getcontext(&thread.begin);
      thread.begin.uc_stack.ss_sp = stacks.at(i);
      thread.begin.uc_stack.ss_size = kStack;
      thread.begin.uc_link = nullptr;
      makecontext(&thread.begin, &Block::enter, 0);
    }
    while (takeTurns()) {
    }
    s_running = nullptr;
    const bool haveEnded =
        std::all_of(m_threads.begin(), m_threads.end(), [](const Thread& thread) {
          return thread.waits == Waits::Ended;
        });
    if (!haveEnded) {
      throw std::logic_error("threads of a block wait for each other for ever");
    }
  }

  static Block& running() { return *s_running; }
  Thread& current() { return m_threads[m_current]; }
  Thread& ofWarp(std::size_t lane) { return m_threads[m_current / kWarp * kWarp + lane]; }
  [[nodiscard]] std::size_t lane() const { return m_current % kWarp; }

  void wait(Waits waits) {
    current().waits = waits;
    if (_setjmp(current().place) == 0) {
      _longjmp(m_scheduler, 1);
    }
  }

 private:
  static void enter() {
    Block& block = running();
    (*block.m_kernel)();
    block.wait(Waits::Ended);
  }

  /// Lets threads go on that wait for nothing. Returns false when there are none.
  bool takeTurns() {
    if (m_shuffles) {
      std::shuffle(m_turns.begin(), m_turns.end(), m_random);
      return giveTurns(m_turns.begin(), m_turns.end()) | release();
    }
    // Warp after warp, each as far as it gets without the others.
    bool hadTurn = false;
    for (auto warp = m_turns.begin(); warp != m_turns.end(); warp += kWarp) {
      while (giveTurns(warp, warp + kWarp)) {
        hadTurn = true;
        releaseAll(*std::min_element(warp, warp + kWarp), Waits::ForWarp);
      }
    }
    return hadTurn | release();
  }

  template <class Iterator>
  bool giveTurns(Iterator begin, Iterator end) {
    bool hadTurn = false;
    for (; begin != end; ++begin) {
      if (m_threads[*begin].waits == Waits::No) {
        hadTurn = true;
        giveTurn(*begin);
      }
    }
    return hadTurn;
  }

  void giveTurn(std::size_t index) {
    m_current = index;
    threadIdx.x = static_cast<unsigned int>(index);
    if (_setjmp(m_scheduler) == 0) {
      Thread& thread = m_threads[index];
      if (!std::exchange(thread.hasBegun, true)) {
        setcontext(&thread.begin);
      }
      _longjmp(thread.place, 1);
    }
  }

  /// Lets those go on whose warp or block has arrived.
  bool release() {
    bool released = false;
    for (std::size_t warp = 0; warp < m_threads.size(); warp += kWarp) {
      released |= releaseAll(warp, Waits::ForWarp);
    }
    return releaseAll(0, Waits::ForBlock) || released;
  }
  bool releaseAll(std::size_t begin, Waits waits) {
    const std::size_t end = waits == Waits::ForWarp ? begin + kWarp : m_threads.size();
    for (std::size_t i = begin; i < end; ++i) {
      if (m_threads[i].waits != waits) {
        return false;
      }
    }
    for (std::size_t i = begin; i < end; ++i) {
      m_threads[i].waits = Waits::No;
    }
    return true;
  }

  inline static Block* s_running = nullptr;
  std::vector<Thread> m_threads;
  std::vector<std::size_t> m_turns;
  const std::function<void()>* m_kernel;
  std::size_t m_current = 0;
  bool m_shuffles = false;
  std::mt19937 m_random;
  jmp_buf m_scheduler{};
};

/// What the thread `lane` of the warp offers, when all of them have.
std::uint64_t exchange(std::uint64_t own, std::size_t lane) {
  Block& block = Block::running();
  block.current().offered = own;
  block.wait(Waits::ForWarp);
  const std::uint64_t theirs = block.ofWarp(lane).offered;
  block.wait(Waits::ForWarp);
  return theirs;
}

}  // namespace

void runBlocks(unsigned int blocks,
               unsigned int threads,
               Turns turns,
               const std::function<void()>& kernel) {
  for (unsigned int block = 0; block < blocks; ++block) {
    runBlock(block, blocks, threads, turns, kernel);
  }
}

void runBlock(unsigned int block,
              unsigned int blocks,
              unsigned int threads,
              Turns turns,
              const std::function<void()>& kernel) {
  gridDim.x = blocks;
  blockIdx.x = block;
  std::memset(memoryOfBlock, 0xA5, sizeof memoryOfBlock);
  Block(threads, turns, kernel).run();
}

}  // namespace testing
}  // namespace ulp::engine::cuda

using ulp::engine::cuda::testing::Block;
using ulp::engine::cuda::testing::Copy;
using ulp::engine::cuda::testing::exchange;
using ulp::engine::cuda::testing::Waits;

void __syncthreads() {
  Block::running().wait(Waits::ForBlock);
}
void __syncwarp() {
  Block::running().wait(Waits::ForWarp);
}

double __shfl_down_sync(std::uint32_t /*mask*/, double value, unsigned int by, int width) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const std::size_t lane = Block::running().lane();
  const auto segment = static_cast<std::size_t>(width);
  bits = exchange(bits, lane % segment + by < segment ? lane + by : lane);
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}
std::uint32_t __reduce_max_sync(std::uint32_t /*mask*/, std::uint32_t value) {
  Block& block = Block::running();
  block.current().offered = value;
  block.wait(Waits::ForWarp);
  for (std::size_t lane = 0; lane < kWarp; ++lane) {
    value = std::max(value, static_cast<std::uint32_t>(block.ofWarp(lane).offered));
  }
  block.wait(Waits::ForWarp);
  return value;
}
float __uint_as_float(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes) {
  Block::running().current().copies.back().push_back({to, from, bytes});
}
void __pipeline_commit() {
  Block::running().current().copies.emplace_back();
}
void __pipeline_wait_prior(int groups) {
  auto& copies = Block::running().current().copies;
  while (copies.size() > static_cast<std::size_t>(groups) + 1) {
    for (const Copy& copy : copies.front()) {
      std::memcpy(copy.to, copy.from, copy.bytes);
    }
    copies.erase(copies.begin());
  }
}
