#include "core/engine/precision/split_passes.h"

#include <utility>
#include <vector>

#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

namespace ulp::engine {
namespace {

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
