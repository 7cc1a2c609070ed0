#include "tests/bench/numerics/bench_data.h"

#include <cstring>
#include <random>
#include <thread>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/numerics/scalar_formats.h"

namespace ulp::numerics::bench {
namespace {

constexpr std::size_t kPeriod = std::size_t{1} << 20;

template <class T>
void put(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

void encodeTo(std::byte* to, DType dtype, double value) {
  switch (dtype) {
    case DType::Float64:
      return put(to, value);
    case DType::Float16:
      return put(to, encodeFloat16(value));
    case DType::BFloat16:
      return put(to, encodeBFloat16(value));
    default:
      return put(to, static_cast<float>(value));
  }
}

void streamPart(std::byte* to, const std::byte* from, std::size_t bytes) {
#ifdef __SSE2__
  constexpr std::size_t kLine = 64;
  const std::size_t whole = bytes / kLine * kLine;
  for (std::size_t i = 0; i < whole; i += sizeof(__m128i)) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
  }
  _mm_sfence();
  std::memcpy(to + whole, from + whole, bytes - whole);
#else
  std::memcpy(to, from, bytes);
#endif
}

}  // namespace

BenchTensor::BenchTensor(DType dtype, std::size_t count, double noise)
    : m_dtype(dtype),
      m_count(count),
      m_data(std::make_unique_for_overwrite<std::byte[]>(count * itemSize(dtype))) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  const std::size_t item = itemSize(dtype);
  for (std::size_t i = 0; i < count && i < kPeriod; ++i) {
    const double value = normal(random);
    encodeTo(data() + i * item, dtype, value * (1 + noise * normal(random)));
  }
  for (std::size_t done = kPeriod; done < count; done += kPeriod) {
    std::memcpy(data() + done * item, data(), std::min(kPeriod, count - done) * item);
  }
}

TensorView BenchTensor::view() const {
  return {m_data.get(), m_dtype, {static_cast<std::int64_t>(m_count)}};
}

void forParts(int threads,
              std::size_t count,
              const std::function<void(std::size_t, std::size_t)>& body) {
  const auto parts = static_cast<std::size_t>(threads);
  std::vector<std::jthread> team;
  for (std::size_t part = 0; part < parts; ++part) {
    team.emplace_back([&, part] { body(count * part / parts, count * (part + 1) / parts); });
  }
}

void copyParallel(
    CopyWith with, int threads, std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t kPage = 4096;
  forParts(threads, bytes / kPage, [&](std::size_t first, std::size_t last) {
    const std::size_t size = (last - first) * kPage;
    if (with == CopyWith::StreamingStores) {
      streamPart(to + first * kPage, from + first * kPage, size);
    } else {
      std::memcpy(to + first * kPage, from + first * kPage, size);
    }
  });
}

}  // namespace ulp::numerics::bench
