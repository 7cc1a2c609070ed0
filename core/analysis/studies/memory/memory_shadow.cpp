#include "core/analysis/studies/memory/memory_shadow.h"

#include <algorithm>
#include <utility>

#include "core/analysis/studies/memory/layer_shadow.h"

namespace ulp::analysis {
namespace {

using numerics::Operation;

const std::string kTable = "model.embed_tokens";
const std::string kHead = "lm_head";
const std::string kLoss = "loss";

/// What a piece leaves of the network for the backward pass.
struct PieceSaved {
  ParameterUse table;
  DType tableType = DType::Float32;  ///< of what the embedding gives
  SplitInputs tableInputs;
  RotaryTables rotation;
  std::vector<LayerSaved> layers;
  NormSaved norm;
  DType normInput = DType::Float32;
  ProductSaved head;
  DType logits = DType::Float32;
};

/// The network around the layers, and the loss: core/engine/families/plugins/llama.cpp,
/// batches/piecewise_pass.cpp, running/training_step.cpp and losses/.
class StepShadow {
 public:
  explicit StepShadow(RunShadow& run)
      : m_run(run),
        m_parameters(run),
        m_hidden(unsignedOf(run.model().hidden)),
        m_vocabulary(unsignedOf(run.model().vocabulary)),
        m_layers(static_cast<std::size_t>(run.model().layers)) {}

  void take() {
    for (std::uint64_t i = 0; i < m_run.step().microBatches; ++i) {
      m_run.setPart(&MemoryParts::activations);
      loss(forward());
      if (m_run.step().backward) {
        m_run.setPart(&MemoryParts::workspace);
        m_run.setInBackward(true);
        // The factor of the first micro-batch holds for the others.
        if (i == 0 && m_run.formats().lossScale == LossScale::Sought) {
          m_run.trial(true);
          backward();
          m_parameters.dropGradients();
          m_run.trial(false);
        }
        backward();
        m_run.setInBackward(false);
      }
      m_pieces.clear();
      if (i + 1 < m_run.step().microBatches) {
        m_parameters.foldGradients();
      }
    }
    m_run.setPiece({});
    m_parameters.finish();
  }

 private:
  [[nodiscard]] std::uint64_t comparedLogits() const { return m_run.compared() * m_vocabulary; }
  [[nodiscard]] bool isCached() const { return m_run.formats().batch.isCached(); }

  /// Gives the logits of the positions that are compared.
  MemoryTensor forward() {
    const std::vector<PieceShape>& pieces = m_run.pieces();
    m_pieces = std::vector<PieceSaved>(pieces.size());
    std::vector<LayerCache> caches(m_layers);
    std::vector<MemoryTensor> parts;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      m_run.setPiece(pieces[i]);
      parts.push_back(logitsOf(m_pieces[i], caches));
    }
    return parts.size() == 1 ? parts.front().part(comparedLogits())
                             : m_run.make(comparedLogits(), parts.front().type());
  }

  MemoryTensor logitsOf(PieceSaved& saved, std::vector<LayerCache>& caches) {
    saved.layers = std::vector<LayerSaved>(m_layers);
    MemoryTensor x = embedded(saved);
    m_run.show(Pass::Forward, "embeddings", x);
    const MemoryTensor mask = givenMask();
    SharedShadow shared{.tables = rotaryTables()};
    if (m_run.step().backward) {
      saved.rotation = shared.tables;
    }
    for (std::size_t layer = 0; layer < m_layers; ++layer) {
      shared.cache = isCached() ? &caches[layer] : nullptr;
      x = LayerShadow(m_run, m_parameters, static_cast<int>(layer))
              .forward(x, shared, saved.layers[layer]);
    }
    saved.normInput = x.type();
    x = NormShadow(m_run, m_parameters, "model.norm").forward(x, saved.norm);
    m_run.show(Pass::Forward, "norm", x);
    saved.head.use = m_parameters.use(headWeight(), kHead);
    MemoryTensor logits = inFormats(
        m_run, kHead, {x, saved.head.use.elements}, saved.head.inputs, [&](const SiteShadow& site) {
          return head(site, x, saved);
        });
    saved.logits = logits.type();
    return logits;
  }

  MemoryTensor embedded(PieceSaved& saved) {
    saved.table = m_parameters.use(kTable + ".weight", kTable);
    return inFormats(
        m_run, kTable, {saved.table.elements}, saved.tableInputs, [&](const SiteShadow& site) {
          return embedding(site, saved);
        });
  }

  MemoryTensor embedding(const SiteShadow& site, PieceSaved& saved) {
    const MemoryTensor weight = site.weight(saved.table.elements, Operation::Compute);
    const MemoryTensor x = site.rows(m_hidden, Operation::Compute);
    saved.tableType = x.type();
    return site.cast(x, Operation::Residual);
  }

  MemoryTensor givenMask() {
    const std::uint64_t end = m_run.piece().end;
    if (m_run.formats().attention == AttentionKind::Eager && !m_run.formats().isFastLlm) {
      const DType type = numerics::carrierOf(m_run.formats()[Operation::Residual]);
      return m_run.make(m_run.tokens() * end, type);
    }
    return m_run.hasMask() ? m_run.make(m_run.piece().length() * end, DType::Bool) : MemoryTensor();
  }

  RotaryTables rotaryTables() {
    const SiteShadow site(m_run, m_run.at("model.rotary_emb").forward);
    const std::uint64_t count = m_run.piece().length() * unsignedOf(m_run.model().headSize);
    // Where it is padded, each sequence has positions of its own.
    const std::uint64_t tables = m_run.formats().batch.padding > 0 ? m_run.sequences() : 1;
    const auto table = [&] { return site.make(tables * count, Operation::RotaryTable); };
    return {table(), table()};
  }

  [[nodiscard]] std::string headWeight() const {
    return (m_run.model().isTied ? kTable : kHead) + ".weight";
  }
  [[nodiscard]] ProductShape headShape() const {
    return {.in = m_hidden, .out = m_vocabulary, .operation = Operation::LmHead};
  }

  MemoryTensor head(const SiteShadow& site, const MemoryTensor& x, PieceSaved& saved) {
    return site.cast(product(site, headShape(), x, saved.head), Operation::Logits);
  }

  /// Makes the loss and its gradient.
  void loss(MemoryTensor logits) {
    m_run.setPart(&MemoryParts::workspace);
    m_run.show(
        Pass::Forward, "logits", logits, areTurned() ? ShownAs::TurnedWhole : ShownAs::Whole);
    m_logits = std::move(logits);
    static_cast<void>(
        inFormats(m_run, kLoss, {m_logits}, m_lossInputs, [this](const SiteShadow& site) {
          m_gradient = evaluate(site);
          return MemoryTensor();
        }));
    if (m_run.at(kLoss).isSplit()) {
      m_gradient.reset();
    }
    if (!m_run.step().backward) {
      m_logits.reset();
    }
  }

  /// Whether padding stands between the logits that are compared.
  [[nodiscard]] bool areTurned() const {
    return m_pieces.size() == 1 && m_run.formats().batch.padding > 0 && m_run.step().batch > 1;
  }

  /// Gives the gradient of the logits, where there is a backward pass.
  MemoryTensor evaluate(const SiteShadow& site) {
    MemoryTensor read = site.cast(m_logits, Operation::Loss);
    if (areTurned() && read.storage() == m_logits.storage()) {
      read = wideLogits(site);
    }
    // Of all terms that ask for it: shifted logits and their exponentials.
    std::pair<MemoryTensor, MemoryTensor> softmax;
    MemoryTensor sum;
    for (const LossKind kind : m_run.step().losses) {
      if (kind == LossKind::CrossEntropy && !m_run.formats().isFastLlm) {
        sum = m_run.sum(sum, crossEntropy(site));
        continue;
      }
      if (!softmax.first) {
        const MemoryTensor scaled = m_run.step().scalesLogits ? wideLogits(site) : MemoryTensor();
        softmax.first = wideLogits(site);
        softmax.second = wideLogits(site);
      }
      const MemoryTensor own = ofSoftmax(site, kind);
      if (kind == LossKind::Policy) {
        // Products of both, of which the entropy is the sum.
        static_cast<void>(wideLogits(site));
      }
      sum = m_run.sum(sum, own);
    }
    return sum;
  }

  MemoryTensor wideLogits(const SiteShadow& site) {
    return site.make(comparedLogits(), Operation::Loss);
  }

  /// torch's; gives the gradient of the logits.
  MemoryTensor crossEntropy(const SiteShadow& site) {
    const bool isScaled = m_run.step().scalesLogits;
    const MemoryTensor scaled = isScaled ? wideLogits(site) : MemoryTensor();
    const MemoryTensor logProbabilities = wideLogits(site);
    if (!m_run.step().backward) {
      return {};
    }
    MemoryTensor ofLoss = wideLogits(site);
    MemoryTensor derivative = wideLogits(site);
    ofLoss.reset();
    derivative = isScaled ? wideLogits(site) : derivative;
    return m_run.inType(derivative, m_logits.type());
  }

  /// The same of a term that has the parts of a softmax.
  MemoryTensor ofSoftmax(const SiteShadow& site, LossKind kind) {
    if (!m_run.step().backward) {
      return {};
    }
    MemoryTensor derivative;
    if (kind == LossKind::CrossEntropy) {
      const MemoryTensor product = [&] {
        const MemoryTensor scattered = wideLogits(site);
        return wideLogits(site);
      }();
      derivative = wideLogits(site);
      return m_run.inType(derivative, m_logits.type());
    }
    const bool isPolicy = kind == LossKind::Policy;
    const MemoryTensor probabilities = isPolicy ? wideLogits(site) : MemoryTensor();
    const MemoryTensor ofLabels = isPolicy ? wideLogits(site) : MemoryTensor();
    derivative = wideLogits(site);
    return m_run.inType(derivative, m_logits.type());
  }

  void backward() {
    MemoryTensor gradient = lossBackward();
    m_run.show(Pass::Backward, "logits", gradient, ShownAs::Whole);
    std::vector<LayerCache> behind(m_layers);
    for (std::size_t i = m_pieces.size(); i-- > 0;) {
      m_run.setPiece(m_run.pieces()[i]);
      MemoryTensor own =
          gradient.part(m_run.piece().compared * unsignedOf(m_run.step().batch) * m_vocabulary);
      if (i == 0) {
        gradient.reset();
      }
      pieceBackward(std::move(own), m_pieces[i], behind);
      if (!m_run.isTrial()) {
        m_pieces[i] = {};
      }
    }
  }

  MemoryTensor lossBackward() {
    const ModuleFormats& formats = m_run.at(kLoss);
    const SiteShadow site(m_run, formats.backward);
    MemoryTensor gradient = formats.isSplit() ? evaluate(site) : m_gradient;
    if (m_run.formats().lossScale != LossScale::One) {
      // The loss's factor is not 1, so that it is evaluated once more.
      gradient = evaluate(site);
    }
    if (!m_run.isTrial()) {
      m_gradient.reset();
      m_logits.reset();
      m_lossInputs.clear();
    }
    return gradient;
  }

  void pieceBackward(MemoryTensor gradient, PieceSaved& saved, std::vector<LayerCache>& behind) {
    if (m_run.isWide()) {
      // Zeros for the positions that are not compared, then for the sequences.
      gradient = m_run.make(unsignedOf(m_run.step().batch) * m_run.piece().length() * m_vocabulary,
                            gradient.type());
      gradient = m_run.make(m_run.tokens() * m_vocabulary, gradient.type());
    }
    MemoryTensor x = headBackward(std::move(gradient), saved);
    NormShadow norm(m_run, m_parameters, "model.norm");
    x = norm.backward(std::move(x), saved.norm);
    // Of two readers the probe adds what each sends back, as autograd does once more.
    m_run.show(Pass::Backward,
               "norm",
               norm.readsTwice(saved.normInput) ? m_run.make(x.count(), x.type()) : x);
    SharedShadow shared{.tables = saved.rotation};
    for (std::size_t layer = m_layers; layer-- > 0;) {
      shared.gradients = isCached() ? &behind[layer] : nullptr;
      x = LayerShadow(m_run, m_parameters, static_cast<int>(layer))
              .backward(std::move(x), shared, saved.layers[layer]);
    }
    if (saved.table.isWanted) {
      embeddedBackward(std::move(x), saved);
    }
  }

  MemoryTensor headBackward(MemoryTensor gradient, PieceSaved& saved) {
    MemoryTensor x = backInFormats(
        m_run,
        kHead,
        std::move(gradient),
        saved.head.inputs,
        [&](const SiteShadow& site) { return head(site, saved.head.inputs.front(), saved); },
        [&](const SiteShadow& site, MemoryTensor given) {
          given = m_run.inType(given, site.type(Operation::LmHead));
          return productBackward(site, m_parameters, headShape(), std::move(given), saved.head);
        });
    m_run.show(Pass::Backward, kHead, x);
    return x;
  }

  void embeddedBackward(MemoryTensor gradient, PieceSaved& saved) {
    static_cast<void>(backInFormats(
        m_run,
        kTable,
        std::move(gradient),
        saved.tableInputs,
        [&](const SiteShadow& site) { return embedding(site, saved); },
        [&](const SiteShadow& /*site*/, MemoryTensor given) {
          given = m_run.inType(given, saved.tableType);
          const DType leaf = saved.table.elements.type();
          const MemoryPart before = m_run.part();
          m_run.setPart(given.type() == leaf ? &MemoryParts::gradients : before);
          const MemoryTensor own = m_run.make(m_vocabulary * m_hidden, given.type());
          m_run.setPart(&MemoryParts::gradients);
          m_parameters.setGradient(saved.table, m_run.inType(own, leaf));
          m_run.setPart(before);
          return MemoryTensor();
        }));
  }

  RunShadow& m_run;
  ParameterShadow m_parameters;
  std::uint64_t m_hidden;
  std::uint64_t m_vocabulary;
  std::size_t m_layers;
  std::vector<PieceSaved> m_pieces;
  SplitInputs m_lossInputs;
  MemoryTensor m_logits;    ///< that the loss reads once more
  MemoryTensor m_gradient;  ///< of them
};

}  // namespace

std::uint64_t pieceCount(const RunFormats& formats, const StepShape& step) {
  const std::int64_t width = step.length + formats.batch.padding;
  const std::int64_t steps = formats.batch.generatesInSteps ? step.length - step.prompt : 0;
  const std::int64_t chunk = formats.batch.chunkLength;
  const std::int64_t chunks = chunk > 0 ? (width - steps + chunk - 1) / chunk : 1;
  return unsignedOf(chunks + steps);
}

MemoryShadow::MemoryShadow(ModelOutline model,
                           StepShape step,
                           IsCaptured isCaptured,
                           std::uint64_t room)
    : m_model(std::move(model)), m_step(step), m_isCaptured(std::move(isCaptured)), m_room(room) {}

MemoryParts MemoryShadow::reference(const RunFormats& formats) {
  RunShadow run({.model = m_model,
                 .step = m_step,
                 .formats = formats,
                 .reference = formats,
                 .isCaptured = m_isCaptured,
                 .room = m_room,
                 .kept = 0,
                 .isReference = true});
  StepShadow(run).take();
  m_kept = run.keptBytes();
  m_reference = formats;
  return run.meter().parts();
}

MemoryParts MemoryShadow::variant(const RunFormats& formats) const {
  RunShadow run({.model = m_model,
                 .step = m_step,
                 .formats = formats,
                 .reference = m_reference,
                 .isCaptured = m_isCaptured,
                 .room = m_room,
                 .kept = m_kept,
                 .isReference = false});
  StepShadow(run).take();
  return run.meter().parts();
}

}  // namespace ulp::analysis
