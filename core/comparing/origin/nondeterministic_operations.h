#pragma once

#include <string_view>

#include "core/base/site.h"

namespace ulp::analysis {

/// A kind of operation that may give another result of the same inputs when it runs again.
struct NondeterministicOperation {
  std::string_view title;   ///< "scatter_add", as PyTorch spells it
  std::string_view when;    ///< the condition, as the rest of a sentence that begins with the title
  std::string_view remedy;  ///< what makes it repeatable, or takes its place
};

/// What PyTorch documents as not deterministic (torch.use_deterministic_algorithms, the notes on
/// reproducibility), with what belongs to the same question: libraries that choose algorithms,
/// random numbers, memory that nobody wrote. `operation` is an API or the class of a module:
/// "Tensor.scatter_add_", "MaxPool3d". Null: none that is known.
[[nodiscard]] const NondeterministicOperation* nondeterministic(std::string_view operation,
                                                                Pass pass);

}  // namespace ulp::analysis
