#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/study/reading/study.h"

namespace ulp::analysis {

/// Which implementation of attention a run names.
enum class AttentionKind : std::uint8_t {
  Eager,
  Plain,      ///< LibTorch's math kernel
  Fused,      ///< its flash or cuDNN kernel
  Efficient,  ///< its memory-efficient kernel
  Chosen      ///< LibTorch decides
};

/// Bytes of an element in a run, and what else decides how much it keeps.
struct RunFormats {
  std::uint64_t compute = 4;
  std::uint64_t residual = 4;
  std::uint64_t head = 4;
  std::uint64_t optimizer = 4;
  std::uint64_t weights = 4;  ///< as they are cast
  std::uint64_t logits = 4;
  std::uint64_t loss = 4;
  std::uint64_t gradient = 4;  ///< of weights
  std::uint64_t norm = 4;      ///< statistics of norms
  std::uint64_t normOutput = 4;
  std::uint64_t rotary = 4;
  std::uint64_t scores = 4;
  std::uint64_t softmax = 4;
  std::uint64_t activation = 4;
  bool usesFloat16 = false;  ///< so that the loss is multiplied for the backward pass
  /// On a CUDA device: the plain one for a reference in float32 or wider unless the study says
  /// otherwise.
  AttentionKind attention = AttentionKind::Chosen;
  bool reducesPlain = false;  ///< the math kernel computes in the run's format, not in float32
  bool hasMask = false;       ///< documents or padding, which no flash kernel takes
  /// Positions that are computed for each that is compared (section batch of the study); 1 where a
  /// token file decides how many are compared.
  double positions = 1;
  std::string run{};  ///< its name
};

/// Lists the formats of the runs of a study: the reference, the runs of the noise floor, which
/// repeat it, and the variants.
[[nodiscard]] std::vector<RunFormats> runFormats(const study::Study& study, bool isOnCuda);

}  // namespace ulp::analysis
