#include "core/dumps/dump.h"

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

}  // namespace ulp::dumps
