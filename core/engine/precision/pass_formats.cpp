#include "core/engine/precision/pass_formats.h"

#include <utility>

#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include "core/engine/precision/convert.h"
#include "core/engine/precision/simulated_format.h"

namespace ulp::engine {
namespace {

/// Where the streams of the gradients of products lie behind those of the operations. It stays as
/// it is when operations are added, so that a seed means the same numbers.
constexpr std::uint64_t kProductStreams = 14;

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr const char* kRecomputation = "recomputation";

/// What the backward pass needs to know, kept by the context as one opaque object.
struct Recomputation : torch::CustomClassHolder {
  Recomputation(ModuleOperation chosen, const PassFormats& used)
      : operation(std::move(chosen)), formats(used) {}
  ModuleOperation operation;
  PassFormats formats;
};

struct SplitPasses : torch::autograd::Function<SplitPasses> {
  static at::Tensor forward(AutogradContext* context,
                            at::TensorList inputs,
                            const SiteFormats* site,
                            const ModuleOperation* operation) {
    context->save_for_backward(inputs.vec());
    context->saved_data[kRecomputation] =
        c10::IValue::make_capsule(c10::make_intrusive<Recomputation>(*operation, site->backward));
    return (*operation)(inputs.vec(), site->forward);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto kept = context->saved_data[kRecomputation].toCapsule();
    const auto& recomputation = static_cast<const Recomputation&>(*kept);
    variable_list inputs;
    variable_list wanted;
    for (const at::Tensor& saved : context->get_saved_variables()) {
      at::Tensor input = saved.detach();
      if (saved.requires_grad()) {
        wanted.push_back(input.requires_grad_(true));
      }
      inputs.push_back(std::move(input));
    }
    return spread(inputs, derivative(recomputation, inputs, wanted, gradients.front()));
  }

 private:
  static variable_list derivative(const Recomputation& recomputation,
                                  const variable_list& inputs,
                                  const variable_list& wanted,
                                  const at::Tensor& gradient) {
    const c10::AutoGradMode recording(true);
    const at::Tensor result = recomputation.operation(inputs, recomputation.formats);
    return torch::autograd::grad({result}, wanted, {gradient.to(result.scalar_type())});
  }

  /// One entry an argument of forward(), of which the last two have no gradient.
  static variable_list spread(const variable_list& inputs, const variable_list& computed) {
    variable_list all(inputs.size() + 2);
    auto next = computed.begin();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].requires_grad()) {
        all[i] = *next++;
      }
    }
    return all;
  }
};

/// The operation on those of its inputs that are defined, the only ones that autograd knows.
ModuleOperation onDefined(const std::vector<at::Tensor>& inputs, const ModuleOperation& operation) {
  std::vector<bool> isDefined;
  isDefined.reserve(inputs.size());
  for (const at::Tensor& input : inputs) {
    isDefined.push_back(input.defined());
  }
  return [isDefined, operation](const std::vector<at::Tensor>& given, const PassFormats& formats) {
    std::vector<at::Tensor> all;
    all.reserve(isDefined.size());
    auto next = given.begin();
    for (const bool has : isDefined) {
      all.push_back(has ? *next++ : at::Tensor());
    }
    return operation(all, formats);
  };
}

}  // namespace

at::ScalarType carrierType(numerics::NumberFormat format) {
  return scalarType(numerics::carrierOf(format));
}

at::Tensor castTo(const at::Tensor& x,
                  numerics::NumberFormat format,
                  const numerics::Rounding& rounding) {
  const at::ScalarType carrier = carrierType(format);
  const bool isNarrower = c10::elementSize(carrier) < c10::elementSize(x.scalar_type());
  const bool isRandom = rounding.mode == numerics::RoundingMode::Stochastic && isNarrower;
  if (isRandom && !numerics::isSimulated(format)) {
    // To the nearest, LibTorch casts, which does not saturate.
    numerics::Rounding propagating = rounding;
    propagating.overflow = numerics::Overflow::Propagate;
    return quantizeStraightThrough(x, {.forward = Quantization{format, propagating}}).to(carrier);
  }
  const at::Tensor held = x.to(carrier);
  return numerics::isSimulated(format)
             ? quantizeStraightThrough(held, {.forward = Quantization{format, rounding}})
             : held;
}

at::ScalarType PassFormats::type(Operation operation) const {
  return carrierType(m_formats[operation]);
}

numerics::Rounding PassFormats::roundingOf(Operation operation) const {
  numerics::Rounding rounding = m_rounding;
  rounding.stream += static_cast<std::uint64_t>(operation);
  return rounding;
}

at::Tensor PassFormats::to(const at::Tensor& x, Operation operation) const {
  return castTo(x, m_formats[operation], roundingOf(operation));
}

at::Tensor PassFormats::weight(const at::Tensor& parameter, Operation operation) const {
  if (!parameter.defined()) {
    return parameter;
  }
  // Rounding numbers of a block-scaled format once more would not leave all of them alone.
  return m_formats[operation] == m_formats[Operation::Weights] ? parameter.to(type(operation))
                                                               : to(parameter, operation);
}

at::Tensor PassFormats::product(const at::Tensor& y, Operation operation) const {
  const numerics::NumberFormat format = m_formats[operation];
  if (!numerics::isSimulated(format)) {
    return y;
  }
  numerics::Rounding rounding = roundingOf(operation);
  rounding.stream += kProductStreams;
  return quantizeStraightThrough(y, {.backward = Quantization{format, rounding}});
}

at::ScalarType SiteFormats::parameterType() const {
  using numerics::Operation;
  const at::ScalarType computed =
      at::promoteTypes(forward.type(Operation::Compute), backward.type(Operation::Compute));
  return at::promoteTypes(forward.type(Operation::Weights), computed);
}

at::Tensor inFormats(const SiteFormats& site,
                     const std::vector<at::Tensor>& inputs,
                     const ModuleOperation& operation) {
  if (!site.isSplit) {
    return operation(inputs, site.forward);
  }
  const ModuleOperation reduced = onDefined(inputs, operation);
  std::vector<at::Tensor> defined = inputs;
  std::erase_if(defined, [](const at::Tensor& input) { return !input.defined(); });
  return SplitPasses::apply(at::TensorList(defined), &site, &reduced);
}

}  // namespace ulp::engine
