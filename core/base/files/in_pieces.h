#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include "core/base/files/mapped_file.h"
#include "core/base/result.h"
#include "core/base/stop_pace.h"

namespace ulp {

/// Bytes between two looks at a stop: some milliseconds. A multiple of every element's size.
inline constexpr std::size_t kPieceBytes = std::size_t{4} << 20;

/// Calls `use(piece)` for one piece of `bytes` after the other, of kPieceBytes but for the last.
/// Between two pieces a stop of the caller's work ends it (StopScope), so that one of a tensor of
/// gigabytes need not wait for it. Where the bytes are mapped from the file `from`, the pages of a
/// piece leave memory behind it. Errors: Cancelled; those of `use`, where it returns a Result.
template <class Use>
[[nodiscard]] Result<> inPieces(std::span<const std::byte> bytes,
                                const MappedFile* from,
                                const Use& use) {
  StopPace pace(kPieceBytes);
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), kPieceBytes));
    if (pace.isStopped(piece.size())) {
      return stopped();
    }
    if constexpr (std::is_void_v<std::invoke_result_t<const Use&, std::span<const std::byte>>>) {
      use(piece);
    } else {
      ULP_TRY(use(piece));
    }
    if (from != nullptr) {
      from->release(piece);
    }
    bytes = bytes.subspan(piece.size());
  }
  return {};
}

/// Copies bytes behind one another, as inPieces() goes through them.
class ByteCopier {
 public:
  /// `to` has room for all that will come.
  explicit ByteCopier(std::byte* to) : m_to(to) {}

  /// Errors: Cancelled.
  [[nodiscard]] Result<> add(std::span<const std::byte> bytes, const MappedFile* from = nullptr) {
    if (m_pace.isStopped(std::min(bytes.size(), kPieceBytes))) {
      return stopped();
    }
    return inPieces(bytes, from, [this](std::span<const std::byte> piece) {
      m_to = std::ranges::copy(piece, m_to).out;
    });
  }

 private:
  std::byte* m_to;
  StopPace m_pace{kPieceBytes};
};

}  // namespace ulp
