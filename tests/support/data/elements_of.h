#pragma once

#include <vector>

#include "core/tensors/archive/tensor_archive.h"

namespace ulp::test {

inline std::vector<double> elementsOf(const tensors::Tensor& tensor) {
  std::vector<double> elements;
  for (std::size_t i = 0; i < tensor.view.count(); ++i) {
    elements.push_back(numerics::elementAt(tensor.view, i));
  }
  return elements;
}

}  // namespace ulp::test
