#include "core/analysis/studies/memory/memory_shadow.h"

#include <algorithm>
#include <utility>

#include "core/analysis/studies/memory/layer_shadow.h"
#include "core/analysis/studies/memory/run_shadow.h"

namespace ulp::analysis {
namespace {

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
        if (m_run.formats().usesFloat16) {
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
  struct HeadSaved {
    MemoryTensor input;
    MemoryTensor weight;  ///< in the head's format
  };

  [[nodiscard]] std::string headWeight() const {
    return m_run.model().isTied ? "model.embed_tokens.weight" : "lm_head.weight";
  }
  [[nodiscard]] MemoryTensor logits(std::uint64_t positions, std::uint64_t item) {
    return m_run.make(positions * m_vocabulary * item);
  }

  void forward() {
    const RunFormats& formats = m_run.formats();
    const std::uint64_t length = unsignedOf(m_run.step().length);
    MemoryTensor x = m_run.rows(m_hidden, formats.compute);
    x = m_run.cast(x, m_hidden, formats.compute, formats.residual);
    m_run.show(Pass::Forward, "embeddings", x);
    MemoryTensor mask;
    if (attentionWay(m_run.model(), formats) == AttentionWay::Eager) {
      mask = m_run.make(m_run.tokens() * length * formats.residual);
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
    const RunFormats& formats = m_run.formats();
    const MemoryTensor read = m_run.cast(x, m_hidden, formats.normOutput, formats.head);
    m_run.setPart(&MemoryParts::weights);
    const MemoryTensor weight = formats.weights == formats.head
                                    ? MemoryTensor()
                                    : m_run.make(m_vocabulary * m_hidden * formats.head);
    m_run.setPart(&MemoryParts::activations);
    MemoryTensor product = logits(m_run.tokens(), formats.head);
    if (m_run.step().backward) {
      m_head.input = m_run.wantsGradient(headWeight()) ? read : MemoryTensor();
      m_head.weight = weight;
    }
    product = formats.head == formats.logits ? product : logits(m_run.tokens(), formats.logits);
    return product;
  }

  /// Makes the loss and its gradient.
  void loss(MemoryTensor all) {
    const RunFormats& formats = m_run.formats();
    m_run.setPart(&MemoryParts::workspace);
    if (m_run.tokens() > m_run.compared()) {
      all = logits(m_run.compared(), formats.logits);
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
    const RunFormats& formats = m_run.formats();
    const auto wide = [&] { return logits(m_run.compared(), formats.loss); };
    const MemoryTensor read = formats.logits == formats.loss ? m_logits : wide();
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
      gradient = formats.loss == formats.logits ? last : logits(m_run.compared(), formats.logits);
      return;
    }
    const MemoryTensor shifted = wide();
    const MemoryTensor exponentials = wide();
    if (m_run.step().backward) {
      const MemoryTensor probabilities = wide();
      const MemoryTensor derivative = wide();
      last = wide();
      gradient = formats.loss == formats.logits ? last : logits(m_run.compared(), formats.logits);
    }
  }

  void backward() {
    const RunFormats& formats = m_run.formats();
    MemoryTensor gradient = m_gradient;
    if (formats.usesFloat16) {
      // The loss's factor is not 1, so that it is evaluated once more.
      evaluate(gradient);
    }
    if (!m_run.isTrial()) {
      m_gradient.reset();
      m_logits.reset();
    }
    m_run.show(Pass::Backward, "logits", gradient);
    if (m_run.tokens() > m_run.compared()) {
      gradient = logits(m_run.tokens(), formats.logits);
    }
    MemoryTensor x = headBackward(std::move(gradient));
    m_run.show(Pass::Backward, "lm_head", x);
    x = LayerShadow::normBackward(m_run, "model.norm", std::move(x), m_norm);
    // Of two readers the probe adds what each sends back, as autograd does once more.
    const bool isReadTwice = formats.norm == formats.residual;
    m_run.show(Pass::Backward, "norm", isReadTwice ? m_run.rows(m_hidden, formats.residual) : x);
    for (std::size_t layer = m_layers.size(); layer-- > 0;) {
      x = LayerShadow(m_run, static_cast<int>(layer)).backward(std::move(x), m_layers[layer]);
    }
    if (m_run.wantsGradient("model.embed_tokens.weight")) {
      x = m_run.cast(x, m_hidden, formats.residual, formats.compute);
      m_run.addGradient("model.embed_tokens.weight", m_vocabulary * m_hidden);
    }
  }

  MemoryTensor headBackward(MemoryTensor gradient) {
    const RunFormats& formats = m_run.formats();
    gradient = formats.head == formats.logits ? gradient : logits(m_run.tokens(), formats.head);
    MemoryTensor own = m_run.rows(m_hidden, formats.head);
    if (m_run.wantsGradient(headWeight())) {
      MemoryTensor wide;
      if (formats.head != formats.weights) {
        wide = m_run.make(m_vocabulary * m_hidden * formats.head);
        gradient.reset();
      }
      m_run.addGradient(headWeight(), m_vocabulary * m_hidden);
    }
    if (!m_run.isTrial()) {
      m_head = {};
    }
    return m_run.cast(own, m_hidden, formats.head, formats.normOutput);
  }

  RunShadow& m_run;
  std::uint64_t m_hidden;
  std::uint64_t m_vocabulary;
  std::vector<LayerSaved> m_layers;
  NormSaved m_norm;
  HeadSaved m_head;
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
