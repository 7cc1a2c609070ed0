#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ulp {

enum class Pass : std::uint8_t {
  Forward,
  Backward,
  ParameterGradient,
  Optimizer  ///< the first step of the optimizer: its state and what it changes of a parameter
};
/// In the order of a step.
inline constexpr std::array<Pass, 4> kPasses{
    Pass::Forward, Pass::Backward, Pass::ParameterGradient, Pass::Optimizer};
/// Its tensors belong to parameters and have no place in the depth of the model.
[[nodiscard]] constexpr bool isOfParameters(Pass pass) {
  return pass == Pass::ParameterGradient || pass == Pass::Optimizer;
}
/// Depth of capture. A row of level Layer is also captured at level Module.
enum class Level : std::uint8_t { Layer, Module, Op };

[[nodiscard]] std::string_view toString(
    Pass pass);  ///< "forward" | "backward" | "parameter_gradient" | "optimizer"
[[nodiscard]] std::optional<Pass> parsePass(std::string_view name);
[[nodiscard]] std::string_view toString(Level level);  ///< "layer" | "module" | "op"
[[nodiscard]] std::optional<Level> parseLevel(std::string_view name);

/// A place where the model makes a tensor (DESIGN section 1).
/// `name` is the row's name: "embeddings", "decoder.11", "norm", "logits", "loss" at level Layer,
/// else the Hugging Face module path ("model.layers.11.mlp.down_proj") or the parameter's name, in
/// the pass Optimizer with what is shown of it ("model.norm.weight.exp_avg").
/// `module` is the module path also for layer rows ("model.layers.11"). `layer` is -1 outside
/// layers. Within a run, {name, pass} is unique.
struct Site {
  std::string name;
  std::string module;
  int layer = -1;
  Level level = Level::Layer;
  Pass pass = Pass::Forward;

  friend auto operator<=>(const Site&, const Site&) = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace ulp
