#include "core/engine/batches/compared_rows.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

namespace ulp::engine {
namespace {

std::int64_t positionAxis(Axes axes) {
  return axes == Axes::Heads || axes == Axes::Pairs ? 2 : 1;
}

/// What a piece has of the positions [begin, end).
PositionRange overlap(const Piece& piece, std::int64_t begin, std::int64_t end) {
  const std::int64_t first = std::max(piece.begin, begin);
  const std::int64_t count = std::min(piece.end, end) - first;
  return count > 0 ? PositionRange{first - piece.begin, count} : PositionRange{};
}

}  // namespace

PositionRange comparedPositions(const ComparedPart& part, const Piece& piece) {
  const std::int64_t first = part.firstPosition;
  const std::int64_t gap = first + part.beforeGap;
  const PositionRange before = overlap(piece, first, gap);
  return before.count > 0 ? before
                          : overlap(piece, gap + part.gap, first + part.positions + part.gap);
}

void ComparedRows::microBatchBegins(const ComparedPart& part) {
  m_part = part;
  m_piece = {};
  m_parts.clear();
}

at::Tensor ComparedRows::cut(const at::Tensor& value, Axes axes, const Piece& piece) const {
  if (m_part.isAll || axes == Axes::Whole) {
    return value;
  }
  at::Tensor shown = value;
  if (axes != Axes::Table) {
    shown = shown.narrow(0, m_part.firstSequence, m_part.sequences);
  } else if (shown.size(0) > 1) {
    shown = shown.narrow(0, m_part.firstSequence, 1);
  }
  const PositionRange range = comparedPositions(m_part, piece);
  shown = shown.narrow(positionAxis(axes), range.begin, range.count);
  if (axes == Axes::Pairs) {
    shown = shown.narrow(3, m_part.firstPosition, m_part.positions);
  }
  // Whoever holds it does not hold the others with it.
  return shown.numel() < value.numel() ? shown.clone(at::MemoryFormat::Contiguous) : shown;
}

std::optional<at::Tensor> ComparedRows::take(const Site& site,
                                             Axes axes,
                                             const Piece& piece,
                                             const at::Tensor& value) {
  const c10::NoGradGuard noGrad;
  const at::Tensor own = cut(value, axes, piece);
  if (piece.count == 1) {
    return own;
  }
  if (axes == Axes::Whole) {
    return piece.isLast() ? std::optional(own) : std::nullopt;
  }
  const std::string key = std::to_string(static_cast<int>(site.pass)) + ":" + site.name;
  Parts& parts = m_parts[key];
  if (parts.tensors.empty()) {
    parts = {std::vector<at::Tensor>(piece.count), piece.count};
  }
  parts.tensors[piece.index] = own.detach();
  if (--parts.missing > 0) {
    return std::nullopt;
  }
  const at::Tensor whole = at::cat(parts.tensors, positionAxis(axes));
  m_parts.erase(key);
  return whole;
}

}  // namespace ulp::engine
