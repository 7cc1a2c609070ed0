#pragma once

#include <string>

#include "tests/views/realistic_report.h"

namespace ulp::test {

/// As many variants of a model of 126 layers, modules forward and backward, as give `rows` rows or
/// a few more; one row in 500 is not finite, one in 2000 is missing.
inline ReportShape largeShape(std::size_t rows) {
  ReportShape shape{.layers = 126, .variants = {}, .nonFiniteShare = 0.002, .missingShare = 0.0005};
  const std::size_t perVariant = realisticSites(shape).size() - 4;
  for (std::size_t i = 0; i * perVariant < rows; ++i) {
    shape.variants.push_back("bf16_fp32_layers_0_to_" + std::to_string(i));
  }
  return shape;
}

/// `variants` variants of `rows` rows each.
inline ReportShape wideShape(int variants, int rows) {
  ReportShape shape{.layers = 1, .variants = {}, .nonFiniteShare = 0.002};
  const auto first = static_cast<int>(realisticSites(shape).size());
  shape.layers = 2;
  const auto perLayer = static_cast<int>(realisticSites(shape).size()) - first;
  shape.layers = ((rows - first) / perLayer) + 1;
  for (int i = 0; i < variants; ++i) {
    shape.variants.push_back("bf16_fp32_layers_0_to_" + std::to_string(i));
  }
  return shape;
}

inline std::size_t rowCount(const report::Report& report) {
  std::size_t rows = 0;
  for (const report::Run& run : report.runs) {
    rows += run.comparisons.size();
  }
  return rows;
}

}  // namespace ulp::test
