#pragma once

#include "core/base/interface.h"
#include "core/base/result.h"
#include "core/json/value.h"
#include "core/remote/protocol/frame.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::remote {

/// What a host says of dumps of other tools: by who reads them, which this room does not know.
class DumpAnswers : public Interface {
 public:
  /// `dump`, `unit` or `tensor`, with the path in `question` made whole. Errors: of reading.
  [[nodiscard]] virtual Result<Frame> answer(const json::Value& question) = 0;
  /// The tensor that a question for parts of one names.
  [[nodiscard]] virtual Result<tensors::Tensor> tensor(const json::Value& question) = 0;
};

}  // namespace ulp::remote
