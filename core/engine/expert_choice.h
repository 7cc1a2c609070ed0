#pragma once

#include <string>

#include "core/base/site.h"
#include "core/engine/capture.h"

namespace ulp::engine {

/// What a router chose for the tokens of a micro-batch, in host memory.
struct ExpertChoice {
  Site router;        ///< that of the router's forward row
  std::string block;  ///< forward row of the block that holds router and experts
  Capture chosen;     ///< integers [tokens, experts of a token], in no order
  Capture scores;  ///< [tokens, experts]: what the model compared; -Inf where it could not choose
};

}  // namespace ulp::engine
