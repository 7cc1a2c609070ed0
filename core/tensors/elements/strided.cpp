#include "core/tensors/elements/strided.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

#include "core/base/files/in_pieces.h"
#include "core/tensors/archive/byte_source.h"

namespace ulp::tensors {
namespace {

/// Views that repeat elements (masks, rotary tables) are small beside their batch.
constexpr std::uint64_t kMostRepetition = 256;
constexpr std::uint64_t kSmall = std::uint64_t{64} << 20U;

/// Writes the view's elements one after the other, `run` bytes at a time.
class Gatherer {
 public:
  Gatherer(std::span<const std::byte> storage, std::size_t itemSize, const Strides& strides)
      : m_storage(storage),
        m_itemSize(itemSize),
        m_strides(strides),
        m_outer(strides.shape.size()) {
    // Dimensions at the end that lie one after the other are copied at once.
    while (m_outer > 0 && static_cast<std::size_t>(strides.steps[m_outer - 1]) == m_run) {
      m_run *= static_cast<std::size_t>(strides.shape[--m_outer]);
    }
  }

  Result<> run(std::byte* out, std::uint64_t count) const {
    std::vector<std::int64_t> index(m_outer, 0);
    const std::size_t bytes = m_run * m_itemSize;
    std::uint64_t from = m_strides.offset;
    // Wherever a run lies, a page of the file may have to be read for it.
    constexpr std::size_t kPage = 4096;
    StopPace pace(kPieceBytes);
    for (std::uint64_t done = 0; done < count; done += m_run) {
      for (auto run = m_storage.subspan(from * m_itemSize, bytes); !run.empty();) {
        const auto piece = run.first(std::min(run.size(), kPieceBytes));
        if (pace.isStopped(std::max(piece.size(), kPage))) {
          return stopped();
        }
        out = std::ranges::copy(piece, out).out;
        run = run.subspan(piece.size());
      }
      advance(index, from);
    }
    return {};
  }

 private:
  void advance(std::vector<std::int64_t>& index, std::uint64_t& from) const {
    for (std::size_t i = m_outer; i-- > 0;) {
      const auto step = static_cast<std::uint64_t>(m_strides.steps[i]);
      if (++index[i] < m_strides.shape[i]) {
        from += step;
        return;
      }
      from -= step * static_cast<std::uint64_t>(m_strides.shape[i] - 1);
      index[i] = 0;
    }
  }

  std::span<const std::byte> m_storage;
  std::size_t m_itemSize;
  const Strides& m_strides;
  std::size_t m_outer;    ///< dimensions that are walked through
  std::size_t m_run = 1;  ///< elements that lie one after the other
};

}  // namespace

std::optional<std::uint64_t> reachOf(const Strides& strides) {
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto count = checkedCount(strides.shape);
  if (!count || strides.steps.size() != strides.shape.size() || strides.offset > kLargest / 2) {
    return std::nullopt;
  }
  std::uint64_t last = strides.offset;
  for (std::size_t i = 0; i < strides.shape.size(); ++i) {
    if (strides.steps[i] < 0) {
      return std::nullopt;
    }
    const auto step = static_cast<std::uint64_t>(strides.steps[i]);
    const auto steps = static_cast<std::uint64_t>(strides.shape[i] > 0 ? strides.shape[i] - 1 : 0);
    if (steps != 0 && step > (kLargest - last) / steps) {
      return std::nullopt;
    }
    last += step * steps;
  }
  return *count == 0 ? 0 : last + 1;
}

bool isContiguous(const Strides& strides) {
  std::int64_t expected = 1;
  for (std::size_t i = strides.shape.size(); i-- > 0;) {
    if (strides.shape[i] == 0) {
      return true;
    }
    if (strides.shape[i] != 1 && strides.steps[i] != expected) {
      return false;
    }
    expected *= strides.shape[i];
  }
  return true;
}

Result<std::shared_ptr<std::byte[]>> gather(std::span<const std::byte> storage,
                                            std::size_t itemSize,
                                            const Strides& strides) {
  const std::uint64_t count = checkedCount(strides.shape).value_or(0);
  const std::uint64_t most = std::max(kSmall, storage.size() * kMostRepetition);
  if (count > most / itemSize) {
    return fail(ErrorCode::Unsupported,
                "a view of " + std::to_string(count) + " elements on a storage of " +
                    std::to_string(storage.size()) +
                    " bytes repeats them too often; save its contiguous() copy");
  }
  auto memory = allocateBytes(count * itemSize);
  if (memory && count > 0) {
    ULP_TRY(Gatherer(storage, itemSize, strides).run(memory->get(), count));
  }
  return memory;
}

}  // namespace ulp::tensors
