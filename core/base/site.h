#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ulp {

enum class Pass : std::uint8_t { Forward, Backward, ParameterGradient };
/// Depth of capture. A row of level Layer is also captured at level Module.
enum class Level : std::uint8_t { Layer, Module, Op };

[[nodiscard]] std::string_view toString(
    Pass pass);  ///< "forward" | "backward" | "parameter_gradient"
[[nodiscard]] std::optional<Pass> parsePass(std::string_view name);
[[nodiscard]] std::string_view toString(Level level);  ///< "layer" | "module" | "op"
[[nodiscard]] std::optional<Level> parseLevel(std::string_view name);

/// A place where the model makes a tensor (DESIGN section 1).
/// `name` is the row's name: "embeddings", "decoder.11", "norm", "logits", "loss" at level Layer,
/// else the Hugging Face module path ("model.layers.11.mlp.down_proj") or the parameter's name.
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
