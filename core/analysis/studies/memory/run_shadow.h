#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/studies/memory/memory_meter.h"
#include "core/analysis/studies/memory/memory_shadow.h"
#include "core/analysis/studies/run_formats.h"
#include "core/base/dtype.h"
#include "core/numerics/rounding/number_format.h"

namespace ulp::analysis {

/// A count of a model or step, which is never negative.
[[nodiscard]] constexpr std::uint64_t unsignedOf(std::int64_t count) {
  return count > 0 ? static_cast<std::uint64_t>(count) : 0;
}

inline constexpr std::uint64_t kFloatBytes = 4;

/// What goes through the network at once: core/engine/batches/wide_batch.h.
struct PieceShape {
  std::size_t index = 0;
  std::size_t count = 1;
  std::uint64_t begin = 0;  ///< [begin, end) of the positions
  std::uint64_t end = 0;
  std::uint64_t compared = 0;  ///< of them

  [[nodiscard]] std::uint64_t length() const { return end - begin; }
};

/// What is shown of a row, and whether it lies so; what does not is copied.
enum class ShownAs : std::uint8_t {
  Rows,        ///< of the positions that are compared
  TurnedRows,  ///< the same, in another order
  Pairs,       ///< of queries and keys
  Whole,       ///< not of positions, or of those that are compared alone
  TurnedWhole  ///< the same, in another order
};

/// What the parts of a shadow share: sizes, the meter, and who captures.
class RunShadow {
 public:
  struct Parts {
    const ModelOutline& model;
    const StepShape& step;
    const RunFormats& formats;
    const RunFormats& reference;
    const IsCaptured& isCaptured;
    std::uint64_t room;  ///< that LibTorch has or could get
    std::uint64_t kept;  ///< bytes of the reference's captures that are there
    bool isReference;
  };

  explicit RunShadow(const Parts& parts);

  [[nodiscard]] const ModelOutline& model() const { return m_parts.model; }
  [[nodiscard]] const StepShape& step() const { return m_parts.step; }
  [[nodiscard]] const RunFormats& formats() const { return m_parts.formats; }
  [[nodiscard]] const RunFormats& reference() const { return m_parts.reference; }
  [[nodiscard]] bool isReference() const { return m_parts.isReference; }
  [[nodiscard]] const ModuleFormats& at(const std::string& module);
  [[nodiscard]] const std::vector<PieceShape>& pieces() const { return m_pieces; }

  void setPiece(const PieceShape& piece) { m_piece = piece; }
  [[nodiscard]] const PieceShape& piece() const { return m_piece; }
  /// Sequences that go through the network.
  [[nodiscard]] std::uint64_t sequences() const { return m_sequences; }
  /// Tokens that do at once.
  [[nodiscard]] std::uint64_t tokens() const { return m_sequences * m_piece.length(); }
  /// Tokens that these attend to.
  [[nodiscard]] std::uint64_t keys() const { return m_sequences * m_piece.end; }
  /// Tokens that are compared, of all pieces.
  [[nodiscard]] std::uint64_t compared() const { return m_compared; }
  /// Tells whether tokens go through the network that are not compared.
  [[nodiscard]] bool isWide() const { return m_isWide; }

  /// Tells whether attention is given a mask.
  [[nodiscard]] bool hasMask() const {
    return formats().isFastLlm || formats().hasMask || (m_piece.begin > 0 && m_piece.length() > 1);
  }

  /// What is made from here on counts as this.
  void setPart(MemoryPart part) { m_part = part; }
  [[nodiscard]] MemoryPart part() const { return m_part; }
  [[nodiscard]] MemoryTensor make(std::uint64_t count, DType type);
  /// Something of so many bytes that is there for a moment.
  void use(std::uint64_t bytes);
  /// Float32 numbers of a simulated format.
  [[nodiscard]] MemoryTensor rounded(numerics::NumberFormat format, std::uint64_t count);
  /// A tensor in a type; itself where it has that.
  [[nodiscard]] MemoryTensor inType(const MemoryTensor& tensor, DType type) {
    return tensor.type() == type ? tensor : make(tensor.count(), type);
  }
  /// A sum of gradients: the first, or a new one.
  [[nodiscard]] MemoryTensor sum(const MemoryTensor& a, const MemoryTensor& b);

  /// A tensor is shown, perhaps of several pieces.
  void show(Pass pass,
            const std::string& name,
            const MemoryTensor& tensor,
            ShownAs how = ShownAs::Rows);
  [[nodiscard]] bool isCaptured(Pass pass, std::string_view name) const {
    return m_parts.isCaptured(pass, name);
  }
  /// A backward pass that is made to find a factor for the loss: the graph stays.
  void trial(bool isTrial) { m_isTrial = isTrial; }
  [[nodiscard]] bool isTrial() const { return m_isTrial; }
  /// What the backward pass computes anew is not shown as the forward pass's.
  void setInBackward(bool isInBackward) { m_isInBackward = isInBackward; }

  [[nodiscard]] const MemoryMeter& meter() const { return m_meter; }
  /// What stays of the captures of the reference.
  [[nodiscard]] std::uint64_t keptBytes() const;

 private:
  /// A tensor, or a part of one, as somebody else than the run holds it.
  struct Shown {
    MemoryMeter::Held storage;
    std::uint64_t count = 0;
    DType type = DType::Float32;
  };

  [[nodiscard]] MemoryTensor held(std::uint64_t count, DType type, MemoryPart part);
  [[nodiscard]] Shown copied(std::uint64_t count, DType type);
  [[nodiscard]] Shown shown(Pass pass, const MemoryTensor& tensor, ShownAs how);
  void hold(MemoryMeter::Held storage);

  Parts m_parts;
  std::uint64_t m_sequences;
  std::uint64_t m_compared;
  std::vector<PieceShape> m_pieces;
  bool m_isWide;
  PieceShape m_piece;
  MemoryMeter m_meter;
  MemoryPart m_part = &MemoryParts::workspace;
  bool m_isTrial = false;
  bool m_isInBackward = false;
  std::map<std::string, ModuleFormats, std::less<>> m_modules;
  std::map<std::pair<Pass, std::string>, std::vector<Shown>> m_incomplete;
  std::vector<MemoryTensor> m_fixed;      ///< there during the whole run
  std::vector<MemoryMeter::Held> m_held;  ///< captures of the reference
  std::uint64_t m_heldBytes = 0;
};

}  // namespace ulp::analysis
