#include "core/dumps/dump.h"

#include <fmt/format.h>

namespace ulp::dumps {

std::string_view toString(Role role) {
  switch (role) {
    case Role::Input:
      return "input";
    case Role::Parameter:
      return "parameter";
    case Role::Output:
      return "output";
    case Role::OutputGradient:
      return "output_gradient";
    case Role::InputGradient:
      return "input_gradient";
    case Role::ParameterGradient:
      return "parameter_gradient";
    case Role::Value:
      break;
  }
  return "value";
}

std::string_view toString(EntryKind kind) {
  switch (kind) {
    case EntryKind::Api:
      return "api";
    case EntryKind::Module:
      return "module";
    case EntryKind::Gradient:
      return "gradient";
    case EntryKind::Saved:
      return "saved";
    case EntryKind::Tensor:
      break;
  }
  return "tensor";
}

std::string describe(const UnitAxes& axes) {
  std::string text = axes.run.empty() ? std::string() : "run " + axes.run;
  const auto add = [&](std::string_view axis, std::optional<std::int64_t> value) {
    if (value) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", axis, *value);
    }
  };
  add("step", axes.step);
  add("rank", axes.rank);
  add("token", axes.token);
  return text;
}

}  // namespace ulp::dumps
