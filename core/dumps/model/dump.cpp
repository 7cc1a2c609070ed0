#include "core/dumps/model/dump.h"

#include <cmath>

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

bool isSame(const Statistics& left, const Statistics& right) {
  const auto isEqual = [](const std::optional<double>& a, const std::optional<double>& b) {
    return a == b || (a && b && std::isnan(*a) && std::isnan(*b));
  };
  return isEqual(left.max, right.max) && isEqual(left.min, right.min) &&
         isEqual(left.mean, right.mean) && isEqual(left.norm, right.norm);
}

bool isTensor(const DumpRow& row) {
  return row.value.empty() && (!row.dtype.empty() || !row.shape.empty() || row.hasElements ||
                               !row.statistics.isEmpty() || !row.checksum.empty());
}

}  // namespace ulp::dumps
