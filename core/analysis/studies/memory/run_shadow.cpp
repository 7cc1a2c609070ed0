#include "core/analysis/studies/memory/run_shadow.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "core/analysis/studies/memory/rounding_workspace.h"

namespace ulp::analysis {
namespace {

/// Positions of [begin, end) that are those of the sequences: comparedPositions() of the engine.
std::uint64_t comparedIn(const RunFormats& formats,
                         const StepShape& step,
                         std::uint64_t begin,
                         std::uint64_t end) {
  const auto overlap = [&](std::uint64_t first, std::uint64_t last) {
    const std::uint64_t from = std::max(begin, first);
    const std::uint64_t to = std::min(end, last);
    return to > from ? to - from : 0;
  };
  const std::uint64_t padding = unsignedOf(formats.batch.padding);
  const std::uint64_t length = unsignedOf(step.length);
  if (formats.batch.isPaddedLeft) {
    return overlap(padding, padding + length);
  }
  // What pads on the right stands behind the prompt.
  const std::uint64_t prompt = formats.batch.generatesInSteps ? unsignedOf(step.prompt) : length;
  return overlap(0, prompt) + overlap(prompt + padding, length + padding);
}

std::vector<PieceShape> piecesOf(const RunFormats& formats, const StepShape& step) {
  const std::uint64_t padding = unsignedOf(formats.batch.padding);
  const std::uint64_t width = unsignedOf(step.length) + padding;
  const std::uint64_t together =
      formats.batch.generatesInSteps ? unsignedOf(step.prompt) + padding : width;
  const std::uint64_t chunk =
      formats.batch.chunkLength > 0 ? unsignedOf(formats.batch.chunkLength) : together;
  std::vector<PieceShape> pieces;
  for (std::uint64_t begin = 0; begin < width;) {
    const std::uint64_t end = begin < together ? std::min(begin + chunk, together) : begin + 1;
    pieces.push_back({.index = pieces.size(),
                      .begin = begin,
                      .end = end,
                      .compared = comparedIn(formats, step, begin, end)});
    begin = end;
  }
  for (PieceShape& piece : pieces) {
    piece.count = pieces.size();
  }
  return pieces;
}

bool isOfPositions(ShownAs how) {
  return how != ShownAs::Whole && how != ShownAs::TurnedWhole;
}

}  // namespace

RunShadow::RunShadow(const Parts& parts)
    : m_parts(parts),
      m_sequences(unsignedOf(std::max(parts.step.batch, parts.formats.batch.among))),
      m_compared(unsignedOf(parts.step.batch * parts.step.length)),
      m_pieces(piecesOf(parts.formats, parts.step)),
      m_isWide(m_sequences > unsignedOf(parts.step.batch) || parts.formats.batch.padding > 0) {
  m_fixed.emplace_back(std::make_shared<MemoryMeter::Storage>(
                           m_meter, parts.kept, parts.kept, &MemoryParts::captures),
                       parts.kept,
                       DType::UInt8);
  m_fixed.push_back(make(blasWorkspace(step().backward), DType::UInt8));
}

const ModuleFormats& RunShadow::at(const std::string& module) {
  const auto known = m_modules.find(module);
  return known == m_modules.end() ? m_modules.emplace(module, formats().at(module)).first->second
                                  : known->second;
}

MemoryTensor RunShadow::make(std::uint64_t count, DType type) {
  return held(count, type, m_part);
}

MemoryTensor RunShadow::held(std::uint64_t count, DType type, MemoryPart part) {
  const std::uint64_t bytes = count * itemSize(type);
  return {std::make_shared<MemoryMeter::Storage>(m_meter, bytes, allocatedBytes(bytes), part),
          count,
          type};
}

void RunShadow::use(std::uint64_t bytes) {
  static_cast<void>(held(bytes, DType::UInt8, &MemoryParts::workspace));
}

MemoryTensor RunShadow::rounded(numerics::NumberFormat format, std::uint64_t count) {
  MemoryTensor result = make(count, DType::Float32);
  if (step().isOnCuda) {
    use(roundingWorkspace(format, count, formats().isStochastic));
  }
  return result;
}

MemoryTensor RunShadow::sum(const MemoryTensor& a, const MemoryTensor& b) {
  if (!a || !b) {
    return a ? a : b;
  }
  return make(a.count(), itemSize(a.type()) < itemSize(b.type()) ? b.type() : a.type());
}

RunShadow::Shown RunShadow::copied(std::uint64_t count, DType type) {
  return {held(count, type, &MemoryParts::captures).storage(), count, type};
}

/// A tensor as it is shown: divided by the loss's factor, in float32 at least, cut, contiguous.
RunShadow::Shown RunShadow::shown(Pass pass, const MemoryTensor& tensor, ShownAs how) {
  Shown own{tensor.storage(), tensor.count(), tensor.type()};
  if (pass != Pass::Forward && formats().lossScale != LossScale::One) {
    const DType type = itemSize(own.type) < kFloatBytes ? DType::Float32 : own.type;
    const Shown wide = type == own.type ? own : copied(own.count, type);
    own = copied(own.count, type);
  }
  std::uint64_t count = own.count;
  if (m_isWide && isOfPositions(how)) {
    count = count / tokens() * unsignedOf(step().batch) * m_piece.compared;
    count = how == ShownAs::Pairs ? count / m_piece.end * unsignedOf(step().length) : count;
  }
  // Parts of a row are put together as they lie.
  const bool isTurned =
      how == ShownAs::TurnedWhole || (how == ShownAs::TurnedRows && m_piece.count == 1);
  return count != own.count || isTurned ? copied(count, own.type) : own;
}

void RunShadow::show(Pass pass, const std::string& name, const MemoryTensor& tensor, ShownAs how) {
  const bool isAgain = pass == Pass::Forward && m_isInBackward;
  if (m_isTrial || isAgain || !m_parts.isCaptured(pass, name)) {
    return;
  }
  Shown own = shown(pass, tensor, how);
  if (m_piece.count > 1 && isOfPositions(how)) {
    std::vector<Shown>& parts = m_incomplete[{pass, name}];
    parts.push_back(std::move(own));
    if (parts.size() < m_piece.count) {
      return;
    }
    std::uint64_t count = 0;
    for (const Shown& part : parts) {
      count += part.count;
    }
    own = copied(count, parts.front().type);
    m_incomplete.erase({pass, name});
  }
  if (m_parts.isReference) {
    hold(std::move(own.storage));
  }
}

void RunShadow::hold(MemoryMeter::Held storage) {
  m_heldBytes += storage->bytes();
  m_held.push_back(std::move(storage));
  // As worker::ReferenceCaptures and engine::CaptureComparer do.
  const std::uint64_t usable = m_parts.room - m_parts.room / 10;
  const std::uint64_t room = usable - std::min(usable, m_meter.peak());
  while (m_heldBytes > room) {
    m_heldBytes -= m_held.back()->bytes();
    m_held.pop_back();
  }
}

std::uint64_t RunShadow::keptBytes() const {
  // A module's output may be that of its last part.
  const std::set<MemoryMeter::Held> distinct(m_held.begin(), m_held.end());
  std::uint64_t bytes = 0;
  for (const MemoryMeter::Held& each : distinct) {
    bytes += each->counted();
  }
  return bytes;
}

}  // namespace ulp::analysis
