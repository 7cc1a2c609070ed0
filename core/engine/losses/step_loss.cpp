#include "core/engine/losses/step_loss.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <c10/util/StringUtil.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>

#include "core/base/list_of.h"

namespace ulp::engine {
namespace {

template <class Number>
void append(std::vector<Number>& to, const at::Tensor& values, at::ScalarType type) {
  const at::Tensor host = values.to(at::kCPU).to(type).contiguous();
  const auto* data = static_cast<const Number*>(host.const_data_ptr());
  to.insert(to.end(), data, data + host.numel());
}

void merge(LossMetric& into, double value, MetricTensor::Merge how) {
  switch (how) {
    case MetricTensor::Merge::Sum:
      into.value += value;
      break;
    case MetricTensor::Merge::Maximum:
      into.value = std::max(into.value, value);
      break;
    case MetricTensor::Merge::Minimum:
      into.value = std::min(into.value, value);
      break;
  }
}

void addMetric(std::vector<LossMetric>& metrics, const MetricTensor& metric) {
  const auto value = metric.value.item<double>();
  const auto known = std::ranges::find(metrics, metric.name, &LossMetric::name);
  if (known == metrics.end()) {
    metrics.push_back({std::string(metric.name), value});
  } else {
    merge(*known, value, metric.merge);
  }
}

void addClips(ClipDecisions& clips, const ClipTensors& tensors) {
  clips.unit = tensors.unit;
  if (tensors.unit != ClipDecisions::Unit::None) {
    append(clips.region, tensors.region, at::kChar);
    append(clips.stopped, tensors.stopped, at::kByte);
  }
}

at::Tensor sumOf(const at::Tensor& sum, const at::Tensor& summand) {
  return sum.defined() ? sum + summand : summand;
}

class LossNode final : public torch::autograd::Node {
 public:
  explicit LossNode(std::function<at::Tensor(double)> gradientAt)
      : m_gradientAt(std::move(gradientAt)) {}

  torch::autograd::variable_list apply(torch::autograd::variable_list&& inputs) override {
    return {m_gradientAt(inputs.front().item<double>())};
  }
  void release_variables() override { m_gradientAt = nullptr; }

 private:
  std::function<at::Tensor(double)> m_gradientAt;
};

}  // namespace

StepLoss::StepLoss(double logitsScale, const StepTotals& totals, CrossEntropyKernel crossEntropy)
    : m_logitsScale(logitsScale), m_crossEntropy(crossEntropy), m_totals(totals) {}

Result<StepLoss> StepLoss::create(const LossRegistry& registry,
                                  const LossPlan& plan,
                                  const StepTotals& totals,
                                  CrossEntropyKernel crossEntropy) {
  if (plan.terms.empty()) {
    return fail(ErrorCode::InvalidArgument, "loss: no term is left of the loss");
  }
  StepLoss step(plan.logitsScale, totals, crossEntropy);
  for (const LossTerm& term : plan.terms) {
    const Loss* const loss = registry.find(term.type);
    if (loss == nullptr) {
      return fail(ErrorCode::InvalidArgument,
                  "loss: '" + term.type + "' is no loss; there are " +
                      c10::Join(", ", listOf(registry.all(), &Loss::id)));
    }
    step.m_terms.push_back({.plan = term, .loss = loss});
  }
  return step;
}

bool StepLoss::needsPolicy() const {
  return std::ranges::any_of(m_terms, [](const Term& term) { return term.loss->needsPolicy; });
}

LossEvaluation StepLoss::evaluate(const at::Tensor& logits,
                                  const Labels& labels,
                                  at::ScalarType gradientType,
                                  std::optional<double> gradientScale) const {
  LossLogits shared(logits.detach(), labels.target, m_logitsScale, gradientType);
  LossEvaluation sum;
  for (const Term& term : m_terms) {
    const double weight = term.plan.weight;
    LossValue value = term.loss->evaluate({.logits = shared,
                                           .labels = labels,
                                           .totals = m_totals,
                                           .term = term.plan,
                                           .crossEntropy = m_crossEntropy,
                                           .outputGradient = weight * gradientScale.value_or(1),
                                           .needsGradient = gradientScale.has_value()});
    sum.value = sumOf(sum.value, weight == 1 ? value.value : value.value * weight);
    sum.gradient = sumOf(sum.gradient, value.gradient);
    value.gradient.reset();
    sum.terms.push_back(std::move(value));
  }
  return sum;
}

void StepLoss::record(const LossEvaluation& evaluation, const Labels& labels) {
  for (std::size_t i = 0; i < m_terms.size(); ++i) {
    m_terms[i].values.push_back(evaluation.terms[i]);
  }
  m_value = sumOf(m_value, evaluation.value);
  m_masks.push_back(labels.mask);
}

LossTermOutcome StepLoss::outcomeOf(const Term& term) {
  LossTermOutcome outcome{.term = term.plan};
  at::Tensor value;
  for (const LossValue& each : term.values) {
    value = sumOf(value, each.value);
    for (const MetricTensor& metric : each.metrics) {
      addMetric(outcome.metrics, metric);
    }
    addClips(outcome.clips, each.clips);
  }
  outcome.value = value.item<double>();
  return outcome;
}

void StepLoss::describe(RunOutcome& outcome) const {
  for (const Term& term : m_terms) {
    outcome.terms.push_back(outcomeOf(term));
  }
  for (std::size_t batch = 0; batch < m_masks.size(); ++batch) {
    const LossValue& first = m_terms.front().values[batch];
    append(outcome.tokens.logProbabilities, first.logProbability, at::kDouble);
    append(outcome.tokens.isLabel, m_masks[batch], at::kByte);
  }
  outcome.labels = m_totals.labels;
  outcome.documents = m_totals.documents;
  outcome.microBatches = m_totals.microBatches;
}

at::Tensor attachLoss(const at::Tensor& logits,
                      const at::Tensor& value,
                      std::function<at::Tensor(double)> gradientAt) {
  at::Tensor attached = value.detach();
  if (!torch::autograd::compute_requires_grad(logits)) {
    return attached;
  }
  const std::shared_ptr<LossNode> node(new LossNode(std::move(gradientAt)),
                                       torch::autograd::deleteNode);
  node->set_next_edges(torch::autograd::collect_next_edges(logits));
  torch::autograd::set_history(attached, node);
  return attached;
}

}  // namespace ulp::engine
