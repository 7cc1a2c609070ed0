#include "core/engine/weights/random_stream.h"

#include <algorithm>
#include <atomic>
#include <cstddef>

#include <ATen/Parallel.h>

namespace ulp::engine {
namespace {

/// From so many elements on, LibTorch's normal_() draws uniform numbers for all elements, makes
/// normal ones of sixteen at a time, and draws the last sixteen again where their number is odd.
constexpr std::int64_t kAtOnce = 16;
/// Of a stretch that one thread draws; a multiple of kAtOnce.
constexpr std::int64_t kStretch = std::int64_t{1} << 20;

at::CPUGeneratorImpl& implementation(const at::Generator& generator) {
  return *at::check_generator<at::CPUGeneratorImpl>(generator);
}

/// 32-bit numbers that one element takes.
std::int64_t numbersOfElement(at::ScalarType dtype) {
  return dtype == at::kDouble ? 2 : 1;
}

std::int64_t numbersOfNormals(std::int64_t count, at::ScalarType dtype) {
  return (count + (count % kAtOnce == 0 ? 0 : kAtOnce)) * numbersOfElement(dtype);
}

/// at::mt19937::next_state(), by loops whose steps do not wait for each other.
void makeNextState(at::mt19937_data_pod& state) {
  constexpr std::size_t kSize = at::MERSENNE_STATE_N;
  constexpr std::size_t kShift = at::MERSENNE_STATE_M;
  auto& words = state.state_;
  const auto twisted = [&](std::size_t i, std::size_t next) {
    const std::uint32_t mixed = (words[i] & at::UMASK) | (words[next] & at::LMASK);
    return (mixed >> 1) ^ ((0U - (words[next] & 1U)) & at::MATRIX_A);
  };
  for (std::size_t i = 0; i < kSize - kShift; ++i) {
    words[i] = words[i + kShift] ^ twisted(i, i + 1);
  }
  for (std::size_t i = kSize - kShift; i < kSize - 1; ++i) {
    words[i] = words[i + kShift - kSize] ^ twisted(i, i + 1);
  }
  words[kSize - 1] = words[kShift - 1] ^ twisted(kSize - 1, 0);
  state.left_ = kSize;
  state.next_ = 0;
}

bool areSame(const at::mt19937& left, const at::mt19937& right) {
  const at::mt19937_data_pod a = left.data();
  const at::mt19937_data_pod b = right.data();
  return a.left_ == b.left_ && a.next_ == b.next_ && a.state_ == b.state_;
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed)
    : m_generator(at::detail::createCPUGenerator(seed)) {}

void RandomStream::skip(std::int64_t numbers) {
  at::CPUGeneratorImpl& generator = implementation(m_generator);
  at::mt19937 engine = generator.engine();
  at::mt19937_data_pod state = engine.data();
  while (numbers > 0) {
    if (state.left_ == 1) {
      makeNextState(state);
      // The first number of a state is taken with it.
      ++state.next_;
      --numbers;
    }
    const auto taken = static_cast<int>(std::min<std::int64_t>(numbers, state.left_ - 1));
    state.left_ -= taken;
    state.next_ += static_cast<std::uint32_t>(taken);
    numbers -= taken;
  }
  engine.set_data(state);
  generator.set_engine(engine);
}

void RandomStream::skipUniform(std::int64_t count, at::ScalarType dtype) {
  skip(count * numbersOfElement(dtype));
}

void RandomStream::skipNormal(std::int64_t count, at::ScalarType dtype) {
  if (count < kAtOnce) {
    at::empty({count}, at::TensorOptions().dtype(dtype)).normal_(0, 1, m_generator);
  } else {
    skip(numbersOfNormals(count, dtype));
  }
}

void RandomStream::normal(const at::Tensor& tensor, double deviation) {
  const std::int64_t count = tensor.numel();
  if (count < kAtOnce) {
    tensor.normal_(0, deviation, m_generator);
    return;
  }
  const at::Tensor flat = tensor.view({-1});
  for (std::int64_t begin = 0; begin < count;) {
    // The last sixteen, which may be drawn again, lie in one stretch.
    const bool isLast = count - begin < kStretch + kAtOnce;
    const std::int64_t length = isLast ? count - begin : kStretch;
    const at::mt19937 before = implementation(m_generator).engine();
    skip(numbersOfNormals(length, tensor.scalar_type()));
    m_stretches.push_back({.elements = flat.narrow(0, begin, length),
                           .deviation = deviation,
                           .before = before,
                           .behind = implementation(m_generator).engine()});
    begin += length;
  }
}

bool RandomStream::draw(const Stretch& stretch) {
  const at::Generator generator = at::detail::createCPUGenerator();
  implementation(generator).set_engine(stretch.before);
  stretch.elements.normal_(0, stretch.deviation, generator);
  return areSame(implementation(generator).engine(), stretch.behind);
}

Result<> RandomStream::drawAll(const std::stop_token& stop) {
  std::atomic<bool> areAsExpected = true;
  const auto count = static_cast<std::int64_t>(m_stretches.size());
  at::parallel_for(0, count, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end && !stop.stop_requested(); ++i) {
      if (!draw(m_stretches[static_cast<std::size_t>(i)])) {
        areAsExpected = false;
      }
    }
  });
  m_stretches.clear();
  if (stop.stop_requested()) {
    return fail(ErrorCode::Cancelled, "initialising the weights was cancelled");
  }
  if (!areAsExpected) {
    return fail(ErrorCode::Unsupported,
                "random weights: this LibTorch takes other random numbers than version 2.11 does");
  }
  return {};
}

}  // namespace ulp::engine
