#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/studies/memory/memory_meter.h"
#include "core/analysis/studies/model_outline.h"
#include "core/analysis/studies/run_formats.h"
#include "core/base/site.h"
#include "core/study/schema/step_settings.h"

namespace ulp::analysis {

/// What cuBLAS takes of each thread, of which one goes forward and one backward; on other devices
/// than Hopper's it takes a quarter.
[[nodiscard]] constexpr std::uint64_t blasWorkspace(bool backward) {
  return std::uint64_t{32} << (backward ? 21 : 20);
}

/// How a term of the loss uses memory.
enum class LossKind : std::uint8_t {
  CrossEntropy,  ///< that of torch, or of Fast-LLM
  Softmax,       ///< of the parts of a softmax
  Policy         ///< the same, with the log-probabilities of the labels on the way back
};

/// What decides, beside model and formats, how much memory a run takes.
struct StepShape {
  std::int64_t batch = 1;   ///< sequences of a micro-batch
  std::int64_t length = 0;  ///< tokens of each
  std::uint64_t microBatches = 1;
  bool backward = true;
  study::OptimizerSettings optimizer{};
  std::int64_t prompt = 0;  ///< positions of each sequence before those that are generated
  std::vector<LossKind> losses{LossKind::CrossEntropy};  ///< in the order of the terms
  bool scalesLogits = false;                             ///< before the losses see them
  bool isOnCuda = true;  ///< false: as on the CPU, whose kernels are others
};

/// In how many pieces a run goes through the model.
[[nodiscard]] std::uint64_t pieceCount(const RunFormats& formats, const StepShape& step);

/// Tells whether a site is captured; of the pass Optimizer, whether any row of a parameter is.
using IsCaptured = std::function<bool(Pass pass, std::string_view name)>;

/// The memory of a CUDA device during a study, as core/engine takes it: each tensor lives here as
/// long as there, but has no elements. Of models of the llama layout.
class MemoryShadow {
 public:
  /// `room`: what LibTorch can get of the device, in bytes.
  MemoryShadow(ModelOutline model, StepShape step, IsCaptured isCaptured, std::uint64_t room);

  /// Makes the run of the reference, whose captures then stay for the others.
  [[nodiscard]] MemoryParts reference(const RunFormats& formats);
  [[nodiscard]] MemoryParts variant(const RunFormats& formats) const;
  /// What stays of the reference, in bytes.
  [[nodiscard]] std::uint64_t keptBytes() const { return m_kept; }

 private:
  ModelOutline m_model;
  StepShape m_step;
  IsCaptured m_isCaptured;
  std::uint64_t m_room;
  std::uint64_t m_kept = 0;
  RunFormats m_reference;
};

}  // namespace ulp::analysis
