#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/base/site.h"
#include "core/engine/network/probe.h"

namespace ulp::engine {

/// Where the sequences of a micro-batch lie in what goes through the network.
struct ComparedPart {
  bool isAll = true;  ///< nothing else does; the rest says nothing then
  std::int64_t firstSequence = 0;
  std::int64_t sequences = 0;
  std::int64_t firstPosition = 0;
  std::int64_t positions = 0;
  /// Of them so many stand before a gap, which no piece spans; all where there is none.
  std::int64_t beforeGap = 0;
  std::int64_t gap = 0;
};

/// Positions of a piece, counted from its first.
struct PositionRange {
  std::int64_t begin = 0;
  std::int64_t count = 0;
};

/// Which positions of a piece are those of the sequences; may be none.
[[nodiscard]] PositionRange comparedPositions(const ComparedPart& part, const Piece& piece);

/// Cuts the tensors of a run down to the sequences of the micro-batch, and puts those together that
/// come in pieces.
class ComparedRows {
 public:
  /// Forgets what is incomplete.
  void microBatchBegins(const ComparedPart& part);
  void pieceBegins(const Piece& piece) { m_piece = piece; }
  [[nodiscard]] const Piece& piece() const { return m_piece; }
  /// Gives what is to be seen of a row: of what a piece made, `value`; nothing before the last of
  /// its pieces is there, in whatever order they come.
  [[nodiscard]] std::optional<at::Tensor> take(const Site& site,
                                               Axes axes,
                                               const Piece& piece,
                                               const at::Tensor& value);

 private:
  struct Parts {
    std::vector<at::Tensor> tensors;
    std::size_t missing = 0;
  };

  [[nodiscard]] at::Tensor cut(const at::Tensor& value, Axes axes, const Piece& piece) const;

  ComparedPart m_part;
  Piece m_piece;
  std::unordered_map<std::string, Parts> m_parts;  ///< by site
};

}  // namespace ulp::engine
