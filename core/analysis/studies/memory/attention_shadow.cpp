#include "core/analysis/studies/memory/attention_shadow.h"

#include <utility>

namespace ulp::analysis {
namespace {

/// As in the engine's attention.cpp.
constexpr std::int64_t kLargestGroupedHead = 256;

}  // namespace

AttentionShadow::AttentionShadow(const SiteShadow& site, const std::string& path)
    : m_site(site), m_run(site.run()), m_path(path), m_compute(site.type(Operation::Compute)) {
  const ModelOutline& model = m_run.model();
  const RunFormats& formats = m_run.formats();
  const bool isOneQuery = m_run.piece().length() == 1 && !formats.isFastLlm;
  m_isGrouped = model.heads != model.keyValueHeads;
  m_way = way();
  const bool isTakenGrouped = model.headSize <= kLargestGroupedHead && !m_run.hasMask() &&
                              formats.attention != AttentionKind::Efficient;
  const bool isKernel = m_way == AttentionWay::Plain || m_way == AttentionWay::Fused;
  m_repeatsBefore =
      formats.isFastLlm ? isKernel : m_isGrouped && !isOneQuery && isKernel && !isTakenGrouped;
  m_repeatsInside = m_way == AttentionWay::Plain && m_isGrouped && !m_repeatsBefore &&
                    (isTakenGrouped || !isOneQuery);
  const auto width = [&model](std::int64_t heads) { return unsignedOf(heads * model.headSize); };
  m_queries = m_run.tokens() * width(model.heads);
  m_everyKey = m_run.keys() * width(model.heads);
  m_keys = m_run.keys() * width(model.keyValueHeads);
  m_pairs = m_run.tokens() * m_run.piece().end * unsignedOf(model.heads);
}

AttentionWay AttentionShadow::way() const {
  const RunFormats& formats = m_run.formats();
  switch (formats.attention) {
    case AttentionKind::Eager:
      return formats.isFastLlm ? AttentionWay::Backup : AttentionWay::Eager;
    case AttentionKind::Plain:
      return AttentionWay::Plain;
    case AttentionKind::Fused:
      return AttentionWay::Fused;
    case AttentionKind::Efficient:
      return m_compute == DType::Float64 ? AttentionWay::Plain : AttentionWay::Fused;
    case AttentionKind::Chosen:
      break;
  }
  // LibTorch's choice: no fused kernel takes float64, nor float32 with grouped heads.
  const bool isGiven = m_isGrouped && !m_run.hasMask();
  return m_compute == DType::Float64 || (m_compute == DType::Float32 && isGiven)
             ? AttentionWay::Plain
             : AttentionWay::Fused;
}

DType AttentionShadow::plainType() const {
  return m_run.formats().reducesPlain || itemSize(m_compute) >= kFloatBytes ? m_compute
                                                                            : DType::Float32;
}

void AttentionShadow::showPairs(Pass pass, std::string_view name, const MemoryTensor& pairs) const {
  // With a cache no query meets all keys.
  if (!m_run.formats().batch.isCached()) {
    // Queries of a group are taken apart.
    const bool isTurned = m_way == AttentionWay::Backup && m_isGrouped;
    m_run.show(
        pass, m_path + std::string(name), pairs, isTurned ? ShownAs::TurnedRows : ShownAs::Pairs);
  }
}

MemoryTensor AttentionShadow::bias() const {
  if (!m_run.hasMask()) {
    return {};
  }
  // Fast-LLM's mask is one for all sequences.
  const std::uint64_t rows = m_run.formats().isFastLlm ? m_run.piece().length() : m_run.tokens();
  return m_run.make(rows * m_run.piece().end, m_compute);
}

MemoryTensor AttentionShadow::attend(const AttentionTensors& read, AttentionSaved& saved) {
  AttentionSaved own;
  AttentionTensors given = read;
  MemoryTensor output = m_way == AttentionWay::Eager    ? eager(given, own)
                        : m_way == AttentionWay::Backup ? backup(given, own)
                        : m_way == AttentionWay::Plain  ? plain(given, own)
                                                        : fused(given, own);
  own.queryType = read.query.type();
  own.keyType = read.key.type();
  own.valueType = read.value.type();
  if (m_site.keeps()) {
    own.inputs = std::move(saved.inputs);
    saved = std::move(own);
  }
  return output;
}

void AttentionShadow::soften(const MemoryTensor& scores, AttentionSaved& own) {
  {
    const MemoryTensor wide = m_run.inType(scores, m_site.type(Operation::Softmax));
    own.softmax = pairs(m_site.type(Operation::Softmax));
  }
  const MemoryTensor kept = m_site.cast(own.softmax, Operation::Softmax);
  own.weights = m_site.cast(kept, Operation::Compute);
  if (!m_site.keeps()) {
    own.softmax.reset();
  }
}

MemoryTensor AttentionShadow::eager(AttentionTensors& read, AttentionSaved& own) {
  if (m_isGrouped) {
    read.key = everyKey(read.key.type());
    read.value = everyKey(read.value.type());
  }
  own.query = m_site.cast(read.query, Operation::AttentionScores);
  own.key = m_site.cast(read.key, Operation::AttentionScores);
  const DType type = m_site.type(Operation::AttentionScores);
  MemoryTensor scores = pairs(type);
  scores = pairs(type);
  showPairs(Pass::Forward, ".scores", scores);
  // The mask is one of the residual stream.
  const DType mask = numerics::carrierOf(m_run.formats()[Operation::Residual]);
  scores = pairs(itemSize(mask) > itemSize(type) ? mask : type);
  soften(scores, own);
  showPairs(Pass::Forward, ".softmax", own.weights);
  own.value = m_site.cast(read.value, Operation::Compute);
  const MemoryTensor product = queries(m_compute);
  return queries(m_compute);
}

MemoryTensor AttentionShadow::backup(const AttentionTensors& read, AttentionSaved& own) {
  const DType type = m_site.type(Operation::AttentionScores);
  {
    const MemoryTensor query = m_site.cast(read.query, Operation::AttentionScores);
    own.query = queries(type);
    const MemoryTensor key = m_site.cast(read.key, Operation::AttentionScores);
    own.key = keys(type);
  }
  const MemoryTensor unused = pairs(type);
  const MemoryTensor scores = pairs(type);
  showPairs(Pass::Forward, ".scores", scores);
  const MemoryTensor masked = pairs(m_site.cast(scores, Operation::Softmax).type());
  soften(masked, own);
  showPairs(Pass::Forward, ".softmax", own.weights);
  {
    const MemoryTensor value = m_site.cast(read.value, Operation::Compute);
    own.value = keys(m_compute);
  }
  return queries(m_compute);
}

MemoryTensor AttentionShadow::plain(const AttentionTensors& read, AttentionSaved& own) {
  const DType type = plainType();
  const AttentionTensors cast = castForKernel(read);
  const MemoryTensor mask = bias();
  const MemoryTensor wideQuery = m_run.inType(cast.query, type);
  MemoryTensor wideKey = m_run.inType(cast.key, type);
  const MemoryTensor wideValue = m_run.inType(cast.value, type);
  own.query = queries(type);
  wideKey = m_repeatsInside ? everyKey(type) : wideKey;
  own.value = m_repeatsInside ? everyKey(type) : wideValue;
  own.key = m_run.make(wideKey.count(), type);
  MemoryTensor scores = pairs(type);
  own.softmax = pairs(type);
  // Which scores are hidden.
  static_cast<void>(pairs(DType::Bool));
  scores.reset();
  MemoryTensor product = queries(type);
  if (type != m_compute) {
    product = queries(m_compute);
    static_cast<void>(pairs(m_compute));
  }
  return queries(m_compute);
}

MemoryTensor AttentionShadow::fused(const AttentionTensors& read, AttentionSaved& own) {
  const AttentionTensors cast = castForKernel(read);
  own.bias = bias();
  own.query = cast.query;
  own.key = cast.key;
  own.value = cast.value;
  own.output = queries(m_compute);
  own.softmax = m_run.make(m_run.tokens() * unsignedOf(m_run.model().heads), DType::Float32);
  return own.output;
}

AttentionTensors AttentionShadow::castForKernel(const AttentionTensors& read) {
  // Heads stand before positions; only what was rounded before lies so, too.
  const bool isTurnedWhole = numerics::isSimulated(m_site[Operation::Rotary]);
  AttentionTensors cast;
  cast.query = m_site.cast(read.query, Operation::Compute, isTurnedWhole);
  cast.key = m_site.cast(read.key, Operation::Compute, isTurnedWhole);
  cast.value = m_site.cast(read.value, Operation::Compute, false);
  if (m_repeatsBefore) {
    cast.key = everyKey(m_compute);
    cast.value = everyKey(m_compute);
  }
  return cast;
}

AttentionTensors AttentionShadow::backward(MemoryTensor gradient, AttentionSaved& saved) {
  AttentionTensors gradients = m_way == AttentionWay::Eager || m_way == AttentionWay::Backup
                                   ? eagerBackward(gradient, saved)
                               : m_way == AttentionWay::Plain ? plainBackward(gradient, saved)
                                                              : fusedBackward(gradient, saved);
  gradients.query = m_run.inType(gradients.query, saved.queryType);
  // What was repeated is added up, in the type in which it was.
  const auto back = [&](MemoryTensor& given, DType type) {
    given = m_way == AttentionWay::Eager ? m_run.inType(given, type) : given;
    const bool isSum = m_isGrouped && given.count() != m_keys;
    given = m_run.inType(isSum ? keys(given.type()) : given, type);
  };
  back(gradients.key, saved.keyType);
  back(gradients.value, saved.valueType);
  return gradients;
}

AttentionTensors AttentionShadow::eagerBackward(MemoryTensor& gradient, AttentionSaved& saved) {
  const bool isBackup = m_way == AttentionWay::Backup;
  const DType scores = m_site.type(Operation::AttentionScores);
  const DType softmax = m_site.type(Operation::Softmax);
  const auto ofKeys = [&](DType type) { return isBackup ? keys(type) : everyKey(type); };
  AttentionTensors gradients;
  gradients.value = ofKeys(m_compute);
  MemoryTensor weights = pairs(m_compute);
  gradient.reset();
  m_site.release(saved.weights, saved.value);
  showPairs(Pass::Backward, ".softmax", weights);
  weights = m_run.inType(weights, softmax);
  weights = pairs(softmax);
  m_site.release(saved.softmax);
  weights = m_run.inType(weights, scores);
  showPairs(Pass::Backward, ".scores", weights);
  weights = pairs(scores);
  gradients.query = queries(scores);
  gradients.key = ofKeys(scores);
  m_site.release(saved.query, saved.key);
  return gradients;
}

AttentionTensors AttentionShadow::plainBackward(MemoryTensor& gradient, AttentionSaved& saved) {
  const DType type = plainType();
  const auto ofKeys = [&] { return m_run.make(saved.key.count(), type); };
  AttentionTensors gradients;
  MemoryTensor wide = m_run.inType(gradient, type);
  gradient.reset();
  gradients.value = ofKeys();
  MemoryTensor weights = pairs(type);
  wide.reset();
  m_site.release(saved.value);
  weights = pairs(type);
  m_site.release(saved.softmax);
  gradients.query = queries(type);
  gradients.key = ofKeys();
  m_site.release(saved.query, saved.key);
  weights.reset();
  gradients.query = queries(type);
  gradients.key = ofKeys();
  return gradients;
}

AttentionTensors AttentionShadow::fusedBackward(MemoryTensor& gradient, AttentionSaved& saved) {
  // Sums of queries in float32, and keys and values of each head.
  const MemoryTensor sums = queries(DType::Float32);
  const MemoryTensor deltas =
      m_run.make(m_run.tokens() * unsignedOf(m_run.model().heads), DType::Float32);
  AttentionTensors gradients;
  gradients.query = queries(m_compute);
  gradients.key = everyKey(m_compute);
  gradients.value = everyKey(m_compute);
  if (m_isGrouped && !m_repeatsBefore) {
    gradients.key = keys(m_compute);
    gradients.value = keys(m_compute);
  }
  gradient.reset();
  m_site.release(saved.query, saved.key, saved.value, saved.output, saved.softmax, saved.bias);
  return gradients;
}

}  // namespace ulp::analysis
