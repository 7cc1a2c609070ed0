#include "core/engine/running/host_losses.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "core/engine/captures/torch_captures.h"
#include "core/engine/losses/step_loss.h"
#include "core/engine/precision/convert.h"
#include "core/engine/running/training_step.h"

namespace ulp::engine {
namespace {

using numerics::Operation;

/// The format in which the loss reads logits of this type.
at::ScalarType mathOf(const PrecisionPlan& plan, at::ScalarType logits) {
  const std::optional<numerics::NumberFormat>& set = plan.formats[Operation::Loss];
  if (set) {
    return scalarType(numerics::carrierOf(*set));
  }
  return logits == at::kDouble ? at::kDouble : at::kFloat;
}

class HostLosses final : public StepLosses {
 public:
  HostLosses(StepLoss loss, RunRequest request, StepInput input)
      : m_loss(std::move(loss)), m_request(std::move(request)), m_input(std::move(input)) {
    m_input.batches = m_request.microBatches;
  }

  Result<> evaluate(const numerics::TensorView& logits, std::span<std::byte> gradient) override {
    const TokenBatch& tokens = m_input.batches[std::min(m_next, m_input.batches.size() - 1)];
    const bool isOfBatch = logits.shape.size() == 3 && logits.shape[0] == tokens.batch &&
                           logits.shape[1] == tokens.length && isFloatingPoint(logits.dtype);
    if (m_next >= m_input.batches.size() || !isOfBatch ||
        (!gradient.empty() && gradient.size() != logits.sizeBytes())) {
      return fail(ErrorCode::InvalidArgument,
                  "the logits are not [batch, length, vocabulary] in a floating-point type");
    }
    return guarded([&] { add(logits, gradient); });
  }

  std::span<const std::int64_t> positions(std::size_t microBatch) const override {
    return m_input.layouts.at(microBatch).positions;
  }

  Capture value() const override { return captureOf(m_loss.value()); }

  void describe(RunOutcome& outcome) const override {
    outcome.loss = m_loss.value().item<double>();
    m_loss.describe(outcome);
  }

 private:
  void add(const numerics::TensorView& view, std::span<std::byte> gradient) {
    const c10::NoGradGuard noGrad;
    // LibTorch takes no constant memory; it only reads here.
    void* const data =
        const_cast<void*>(view.data);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    const at::Tensor logits = at::from_blob(data, view.shape, scalarType(view.dtype));
    const at::Tensor read =
        logits.to(mathOf(m_request.plan, logits.scalar_type())).reshape({-1, logits.size(-1)});
    const Labels labels =
        labelsOn(m_input.batches[m_next], m_input.layouts[m_next], at::kCPU, read.scalar_type());
    const std::optional<double> scale =
        gradient.empty() ? std::nullopt : std::optional<double>(1.0);
    const LossEvaluation evaluation = m_loss.evaluate(read, labels, logits.scalar_type(), scale);
    m_loss.record(evaluation, labels);
    if (!gradient.empty()) {
      const at::Tensor made = evaluation.gradient.contiguous();
      std::memcpy(gradient.data(), made.const_data_ptr(), gradient.size());
    }
    ++m_next;
  }

  StepLoss m_loss;
  RunRequest m_request;
  StepInput m_input;  ///< of m_request
  std::size_t m_next = 0;
};

}  // namespace

Result<std::unique_ptr<StepLosses>> makeHostLosses(const LossRegistry& registry,
                                                   const RunRequest& request,
                                                   std::int64_t vocabularySize) {
  auto input = ULP_TRY(stepInput(request, vocabularySize));
  auto loss =
      ULP_TRY(makeStepLoss(registry, request.loss, input, CrossEntropyKernel::Transformers));
  return std::make_unique<HostLosses>(std::move(loss), request, std::move(input));
}

}  // namespace ulp::engine
