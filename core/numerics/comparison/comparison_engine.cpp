#include "core/numerics/comparison/comparison_engine.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <cstring>
#include <thread>

#include "core/numerics/instruction_sets.h"
#include "core/numerics/scalar_formats.h"

namespace ulp::numerics::detail {
namespace {

constexpr std::size_t kChunk = Comparer::kChunkElements;

/// Rounds to nearest and keeps subnormal numbers, whatever the rest of the process has set.
class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment() {
    std::fegetenv(&m_previous);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatEnvironment() { std::fesetenv(&m_previous); }
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

 private:
  std::fenv_t m_previous{};
};

std::size_t chunksOf(std::size_t pairs) {
  return (pairs + kChunk - 1) / kChunk;
}

void addSums(Moments& total, const SumLanes& chunk) {
  total.sumSquaredReference += sumOf(chunk.squaredReference);
  total.sumSquaredCandidate += sumOf(chunk.squaredCandidate);
  total.sumProduct += sumOf(chunk.product);
  total.sumSquaredDifference += sumOf(chunk.squaredDifference);
  total.sumAbsoluteDifference += sumOf(chunk.absoluteDifference);
  total.sumUlp += sumOf(chunk.ulp);
}

static_assert(kChunk % kRun == 0 && kBlock % kRun == 0 && kRun % kStep == 0);

/// Elements of a type that kernels do not load, widened to one that they do.
using Buffer = std::array<double, kBlock>;

/// Writes the numbers as Target, float or double, whatever the alignment of `from`.
template <class Source, class Target, auto kConvert>
void widen(const std::byte* from, std::size_t count, Buffer& buffer) {
  auto* const out = reinterpret_cast<std::byte*>(buffer.data());
  for (std::size_t i = 0; i < count; ++i) {
    Source element{};
    std::memcpy(&element, from + i * sizeof(Source), sizeof(Source));
    const Target value = kConvert(element);
    std::memcpy(out + i * sizeof(Target), &value, sizeof(Target));
  }
}

template <class Target>
constexpr auto kCast = [](auto element) { return static_cast<Target>(element); };

template <auto kDecode>
constexpr std::array<float, 256> decodeTable() {
  std::array<float, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = kDecode(static_cast<std::uint8_t>(i));
  }
  return table;
}

template <auto kDecode>
float lookUp(std::uint8_t bits) {
  static constexpr std::array<float, 256> kTable = decodeTable<kDecode>();
  return kTable[bits];
}

struct Reading {
  Native native;
  void (*widen)(const std::byte* from, std::size_t count, Buffer& buffer);  ///< null: in place
};

Reading readingOf(DType dtype) {
  switch (dtype) {
    case DType::Float64:
      return {Native::Float64, nullptr};
    case DType::Float32:
      return {Native::Float32, nullptr};
    case DType::Float16:
      return {Native::Float16, nullptr};
    case DType::BFloat16:
      return {Native::BFloat16, nullptr};
    case DType::Float8E4M3FN:
      return {Native::Float32, widen<std::uint8_t, float, lookUp<decodeFloat8E4M3FN>>};
    case DType::Float8E5M2:
      return {Native::Float32, widen<std::uint8_t, float, lookUp<decodeFloat8E5M2>>};
    case DType::Int64:
      return {Native::Float64, widen<std::int64_t, double, kCast<double>>};
    case DType::Int32:
      return {Native::Float64, widen<std::int32_t, double, kCast<double>>};
    case DType::Int16:
      return {Native::Float32, widen<std::int16_t, float, kCast<float>>};
    case DType::Int8:
      return {Native::Float32, widen<std::int8_t, float, kCast<float>>};
    case DType::UInt8:
      return {Native::Float32, widen<std::uint8_t, float, kCast<float>>};
    case DType::Bool:
      return {
          Native::Float32,
          widen<std::uint8_t, float, [](std::uint8_t byte) { return byte != 0 ? 1.0F : 0.0F; }>};
  }
  return {Native::Float64, nullptr};
}

/// Gives a tensor to the kernels in a type that they load: in place, or widened block by block.
class BlockReader {
 public:
  /// Keeps no copy of `tensor`, only of its pointer and type.
  explicit BlockReader(const TensorView& tensor)
      : m_data(static_cast<const std::byte*>(tensor.data)),
        m_itemSize(itemSize(tensor.dtype)),
        m_reading(readingOf(tensor.dtype)) {}

  [[nodiscard]] Native native() const { return m_reading.native; }
  [[nodiscard]] bool inPlace() const { return m_reading.widen == nullptr; }
  /// Elements from `first` on: all of them where inPlace(), else the next `count` <= kBlock in
  /// `buffer`.
  [[nodiscard]] const std::byte* read(std::size_t first, std::size_t count, Buffer& buffer) const {
    const std::byte* from = m_data + first * m_itemSize;
    if (inPlace()) {
      return from;
    }
    m_reading.widen(from, count, buffer);
    return reinterpret_cast<const std::byte*>(buffer.data());
  }

 private:
  const std::byte* m_data;
  std::size_t m_itemSize;
  Reading m_reading;
};

/// A pair of tensors and the kernel for it.
class Pair {
 public:
  Pair(const KernelSet& kernels, const TensorView& reference, const TensorView& candidate)
      : m_reference(reference),
        m_candidate(candidate),
        m_kernel(kernels.kernels[static_cast<std::size_t>(m_reference.native())]
                                [static_cast<std::size_t>(m_candidate.native())]) {}

  /// Elements [first, first + count); element 0 of the pair is element `position` of the whole.
  void compare(std::size_t first,
               std::size_t count,
               std::uint64_t position,
               Tally& tally,
               SumLanes& sums) const {
    Buffer reference;
    Buffer candidate;
    const bool direct = m_reference.inPlace() && m_candidate.inPlace();
    const std::size_t step = direct ? count : kBlock;
    for (std::size_t done = 0; done < count; done += step) {
      const std::size_t part = std::min(step, count - done);
      m_kernel({m_reference.read(first + done, part, reference),
                m_candidate.read(first + done, part, candidate),
                part,
                position + first + done},
               tally.state(),
               sums);
    }
    tally.endChunk();
  }

 private:
  BlockReader m_reference;
  BlockReader m_candidate;
  Kernel m_kernel;
};

}  // namespace

std::vector<const KernelSet*> availableKernels() {
  std::vector<const KernelSet*> sets;
#ifdef ULP_X86_KERNELS
  if (hasAvx512()) {
    sets.push_back(&avx512Kernels());
  }
  if (hasAvx2()) {
    sets.push_back(&avx2Kernels());
  }
#endif
  sets.push_back(&portableKernels());
  return sets;
}

ComparisonEngine::ComparisonEngine(const KernelSet& kernels, const CompareOptions& options)
    : m_kernels(kernels),
      m_worstCount(options.worstCount),
      m_threads(options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                    : std::max(1U, std::thread::hardware_concurrency())),
      m_team(options.team) {}

std::size_t ComparisonEngine::membersFor(std::size_t pairs) const {
  const std::size_t worthwhile =
      m_team == nullptr ? ThreadTeam::kWorthwhilePairs : m_team->worthwhilePairs();
  return pairs < worthwhile ? 1 : std::min(m_threads, chunksOf(pairs));
}

void ComparisonEngine::prepare(std::size_t members, const Moments& total, DType format) {
  while (m_tallies.size() < members) {
    m_tallies.push_back(std::make_unique<Tally>());
  }
  for (std::size_t i = 0; i < members; ++i) {
    m_tallies[i]->begin(total, format, m_worstCount);
  }
  if (members > 1 && m_team == nullptr) {
    m_ownTeam = std::make_unique<ThreadTeam>(m_threads - 1);
    m_team = m_ownTeam.get();
  }
}

void ComparisonEngine::accumulate(Moments& total,
                                  const TensorView& reference,
                                  const TensorView& candidate) {
  const DefaultFloatEnvironment environment;
  const std::size_t count = reference.count();
  const std::size_t chunks = chunksOf(count);
  const std::size_t members = membersFor(count);
  prepare(members, total, ulpFormat(reference.dtype, candidate.dtype));
  m_chunkSums.assign(chunks, SumLanes{});

  const Pair pair(m_kernels, reference, candidate);
  std::atomic<std::size_t> nextMember = 0;
  std::atomic<std::size_t> nextChunk = 0;
  const auto work = [&] {
    const std::size_t member = nextMember++;
    if (member >= members) {
      return;
    }
    const DefaultFloatEnvironment helperEnvironment;
    for (std::size_t chunk = nextChunk++; chunk < chunks; chunk = nextChunk++) {
      const std::size_t first = chunk * kChunk;
      pair.compare(first,
                   std::min(kChunk, count - first),
                   total.count,
                   *m_tallies[member],
                   m_chunkSums[chunk]);
    }
  };
  if (members > 1) {
    m_team->run(work);
  } else {
    work();
  }

  for (const SumLanes& sums : m_chunkSums) {
    addSums(total, sums);
  }
  total.count += count;
  total.compared += count;
  total.differenceHistogram.resize(kHistogramBins);
  for (std::size_t i = 0; i < members; ++i) {
    m_tallies[i]->mergeInto(total);
  }
  total.worst.resize(std::min(total.worst.size(), m_worstCount));
}

}  // namespace ulp::numerics::detail
