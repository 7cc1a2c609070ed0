#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/kernels/kernel_record.h"
#include "core/base/site.h"

/// Which row a kernel ran for, from when it was launched. Free of LibTorch.
namespace ulp::engine {

/// A kernel and when the host launched it.
struct KernelLaunch {
  std::string name;
  std::int64_t time = 0;
};

/// What a run did at a moment of the same clock.
struct RowMark {
  enum class Kind : std::uint8_t {
    Begins,  ///< the operations of a row, in that pass
    Ends,    ///< the row's product in that pass is there
    Aside,   ///< what follows is not the model's, until Back; may be nested
    Back
  };
  Kind kind = Kind::Begins;
  std::int64_t time = 0;
  Site row{};  ///< of Begins and Ends
};

/// Gives each kernel to the row that was being computed when it was launched: of several that had
/// begun and not ended the one deepest in the module tree, so that a layer has what its modules
/// leave to it. What was launched while no row was being computed belongs to the next one that ends
/// without having launched any: embeddings and loss, which never begin, and the logits. A row of
/// level Op has no beginning: it shares with its module what was launched since the row before
/// it began or ended. `marks` are in order of time.
[[nodiscard]] KernelRecord kernelsOfRows(const std::vector<RowMark>& marks,
                                         std::vector<KernelLaunch> launches);

}  // namespace ulp::engine
