#include "core/engine/losses/loss.h"

#include <utility>

namespace ulp::engine {
namespace {

/// Numbers of tokens, moved to the positions that predict them.
at::Tensor shifted(const std::vector<float>& values, const TokenBatch& tokens, at::Device device) {
  if (values.empty()) {
    return {};
  }
  return at::tensor(values, at::TensorOptions().dtype(at::kFloat))
      .view({tokens.batch, tokens.length + 1})
      .slice(1, 1, tokens.length + 1)
      .reshape({-1})
      .to(device);
}

}  // namespace

at::Tensor longTensor(const std::vector<std::int64_t>& values, at::Device device) {
  return at::tensor(values, at::TensorOptions().dtype(at::kLong)).to(device);
}

Labels labelsOn(const TokenBatch& tokens,
                const LabelLayout& layout,
                at::Device device,
                at::ScalarType math) {
  Labels labels;
  labels.ids = longTensor(layout.labels, device);
  labels.mask = labels.ids >= 0;
  labels.target = labels.ids * labels.mask;
  labels.segment = longTensor(layout.segments, device);
  labels.counts = longTensor(layout.labelCounts, device).to(math).clamp_min(1);
  labels.perLabel = labels.mask.to(math) / labels.counts;
  labels.documents = layout.documents;
  labels.advantages = shifted(tokens.policy.advantages, tokens, device);
  labels.old = shifted(tokens.policy.oldLogProbabilities, tokens, device);
  labels.oldIsOwn = tokens.policy.oldIsOwn;
  return labels;
}

Labels labelsIn(Labels labels, at::ScalarType math) {
  labels.counts = labels.counts.to(math);
  labels.perLabel = labels.perLabel.to(math);
  return labels;
}

LossLogits::LossLogits(at::Tensor values,
                       at::Tensor target,
                       double scale,
                       at::ScalarType gradientType)
    : m_values(std::move(values)),
      m_target(std::move(target)),
      m_scale(scale),
      m_gradientType(gradientType) {}

const SoftmaxParts& LossLogits::softmax() {
  if (!m_softmax) {
    const at::Tensor scaled = m_scale == 1 ? m_values : m_values * m_scale;
    SoftmaxParts parts;
    parts.maximum = std::get<0>(scaled.max(-1));
    parts.shifted = scaled - parts.maximum.unsqueeze(-1);
    parts.exponentials = parts.shifted.exp();
    parts.sum = parts.exponentials.sum(-1);
    parts.logProbability =
        parts.shifted.gather(-1, m_target.unsqueeze(-1)).squeeze(-1) - parts.sum.log();
    m_softmax = std::move(parts);
  }
  return *m_softmax;
}

}  // namespace ulp::engine
