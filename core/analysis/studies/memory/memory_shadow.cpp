#include "core/analysis/studies/memory/memory_shadow.h"

#include <algorithm>
#include <utility>

#include "core/analysis/studies/memory/layer_shadow.h"
#include "core/analysis/studies/memory/product_shadow.h"
#include "core/analysis/studies/memory/run_shadow.h"

namespace ulp::analysis {
namespace {

using numerics::Operation;

/// The network around the layers, and the loss: core/engine/families/plugins/llama.cpp,
/// running/training_step.cpp and losses/.
class StepShadow {
 public:
  explicit StepShadow(RunShadow& run)
      : m_run(run),
        m_hidden(unsignedOf(run.model().hidden)),
        m_vocabulary(unsignedOf(run.model().vocabulary)),
        m_layers(static_cast<std::size_t>(run.model().layers)) {}

  void take() {
    for (std::uint64_t i = 0; i < m_run.step().microBatches; ++i) {
      m_run.setPart(&MemoryParts::activations);
      forward();
      if (m_run.step().backward) {
        m_run.setPart(&MemoryParts::workspace);
        if (m_run.formats().lossScale == LossScale::Sought) {
          m_run.trial(true);
          backward();
          m_run.dropGradients();
          m_run.trial(false);
        }
        backward();
      }
      if (i + 1 < m_run.step().microBatches) {
        m_run.foldGradients();
      }
    }
    m_run.finish();
  }

 private:
  [[nodiscard]] ProductShape headShape() const {
    return {.parameter = m_run.model().isTied ? "model.embed_tokens.weight" : "lm_head.weight",
            .in = m_hidden,
            .out = m_vocabulary,
            .from = Operation::NormOutput,
            .operation = Operation::LmHead,
            .isInLayer = false};
  }
  [[nodiscard]] MemoryTensor logits(std::uint64_t positions, Operation operation) {
    return m_run.make(positions * m_vocabulary * m_run.formats().bytes(operation));
  }

  void forward() {
    const RunFormats& formats = m_run.formats();
    const std::uint64_t length = unsignedOf(m_run.step().length);
    MemoryTensor x;
    {
      const MemoryTensor weight = m_run.weight(m_vocabulary * m_hidden, Operation::Compute);
      x = m_run.rows(m_hidden, Operation::Compute);
      x = m_run.castRows(x, m_hidden, Operation::Compute, Operation::Residual);
    }
    m_run.show(Pass::Forward, "embeddings", x);
    MemoryTensor mask;
    if (attentionWay(m_run.model(), formats) == AttentionWay::Eager) {
      mask = m_run.make(m_run.tokens() * length * formats.bytes(Operation::Residual));
    }
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer) {
      m_layers[layer] = {};
      x = LayerShadow(m_run, static_cast<int>(layer)).forward(x, m_layers[layer]);
    }
    x = LayerShadow::norm(m_run, "model.norm", x, m_norm);
    m_run.show(Pass::Forward, "norm", x);
    MemoryTensor all = head(x);
    x.reset();
    mask.reset();
    loss(std::move(all));
  }

  MemoryTensor head(const MemoryTensor& x) {
    const MemoryTensor result = product(m_run, headShape(), x, m_head);
    return m_run.cast(result, m_run.tokens() * m_vocabulary, Operation::LmHead, Operation::Logits);
  }

  /// Makes the loss and its gradient.
  void loss(MemoryTensor all) {
    m_run.setPart(&MemoryParts::workspace);
    if (m_run.tokens() > m_run.compared()) {
      all = logits(m_run.compared(), Operation::Logits);
    }
    m_run.show(Pass::Forward, "logits", all);
    m_logits = all;
    all.reset();
    evaluate(m_gradient);
    if (!m_run.step().backward) {
      m_logits.reset();
    }
  }

  void evaluate(MemoryTensor& gradient) {
    const std::uint64_t count = m_run.compared() * m_vocabulary;
    const auto wide = [&] { return logits(m_run.compared(), Operation::Loss); };
    const auto ofLogits = [&](const MemoryTensor& derivative) {
      return m_run.castBack(derivative, count, Operation::Loss, Operation::Logits);
    };
    const MemoryTensor read = m_run.cast(m_logits, count, Operation::Logits, Operation::Loss);
    MemoryTensor last;
    if (m_run.step().hasCrossEntropy) {
      const MemoryTensor logProbabilities = wide();
      if (!m_run.step().backward) {
        return;
      }
      {
        const MemoryTensor ofLoss = wide();
        last = wide();
      }
      gradient = ofLogits(last);
      return;
    }
    const MemoryTensor shifted = wide();
    const MemoryTensor exponentials = wide();
    if (m_run.step().backward) {
      const MemoryTensor probabilities = wide();
      const MemoryTensor derivative = wide();
      last = wide();
      gradient = ofLogits(last);
    }
  }

  void backward() {
    const RunFormats& formats = m_run.formats();
    MemoryTensor gradient = m_gradient;
    if (formats.lossScale != LossScale::One) {
      // The loss's factor is not 1, so that it is evaluated once more.
      evaluate(gradient);
    }
    if (!m_run.isTrial()) {
      m_gradient.reset();
      m_logits.reset();
    }
    m_run.show(Pass::Backward, "logits", gradient);
    if (m_run.tokens() > m_run.compared()) {
      gradient = logits(m_run.tokens(), Operation::Logits);
    }
    MemoryTensor x = headBackward(std::move(gradient));
    m_run.show(Pass::Backward, "lm_head", x);
    x = LayerShadow::normBackward(m_run, "model.norm", std::move(x), m_norm);
    // Of two readers the probe adds what each sends back, as autograd does once more.
    const bool isReadTwice = numerics::carrierOf(formats[Operation::NormStatistics]) ==
                                 numerics::carrierOf(formats[Operation::Residual]) &&
                             !numerics::isSimulated(formats[Operation::NormStatistics]);
    m_run.show(Pass::Backward, "norm", isReadTwice ? m_run.rows(m_hidden, Operation::Residual) : x);
    for (std::size_t layer = m_layers.size(); layer-- > 0;) {
      x = LayerShadow(m_run, static_cast<int>(layer)).backward(std::move(x), m_layers[layer]);
    }
    if (m_run.wantsGradient("model.embed_tokens.weight")) {
      x = m_run.castBackRows(x, m_hidden, Operation::Residual, Operation::Compute);
      const std::uint64_t count = m_vocabulary * m_hidden;
      const MemoryTensor own = formats.bytes(Operation::Compute) == m_run.parameterItem()
                                   ? MemoryTensor()
                                   : m_run.make(count * formats.bytes(Operation::Compute));
      m_run.addGradient("model.embed_tokens.weight", count);
    }
  }

  MemoryTensor headBackward(MemoryTensor gradient) {
    gradient = m_run.castBack(
        gradient, m_run.tokens() * m_vocabulary, Operation::Logits, Operation::LmHead);
    const MemoryTensor own = productBackward(m_run, headShape(), std::move(gradient), m_head);
    return m_run.castBackRows(own, m_hidden, Operation::LmHead, Operation::NormOutput);
  }

  RunShadow& m_run;
  std::uint64_t m_hidden;
  std::uint64_t m_vocabulary;
  std::vector<LayerSaved> m_layers;
  NormSaved m_norm;
  ProductSaved m_head;
  MemoryTensor m_logits;    ///< that the loss reads once more
  MemoryTensor m_gradient;  ///< of them
};

}  // namespace

MemoryShadow::MemoryShadow(ModelOutline model,
                           StepShape step,
                           IsCaptured isCaptured,
                           std::uint64_t room)
    : m_model(std::move(model)), m_step(step), m_isCaptured(std::move(isCaptured)), m_room(room) {}

MemoryParts MemoryShadow::reference(const RunFormats& formats) {
  RunShadow run({.model = m_model,
                 .step = m_step,
                 .formats = formats,
                 .isCaptured = m_isCaptured,
                 .room = m_room,
                 .kept = 0,
                 .isReference = true});
  StepShadow(run).take();
  m_kept = run.keptBytes();
  return run.meter().parts();
}

MemoryParts MemoryShadow::variant(const RunFormats& formats) const {
  RunShadow run({.model = m_model,
                 .step = m_step,
                 .formats = formats,
                 .isCaptured = m_isCaptured,
                 .room = m_room,
                 .kept = m_kept,
                 .isReference = false});
  StepShadow(run).take();
  return run.meter().parts();
}

}  // namespace ulp::analysis
