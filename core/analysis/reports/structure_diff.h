#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/mapping/site_mapping.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

/// A tensor of a source: where it is made and how large it is.
struct SiteShape {
  Site site;
  std::vector<std::int64_t> shape;
};

/// The tensors of a report's variants: the union, in execution order, each once.
[[nodiscard]] std::vector<SiteShape> structureOf(const report::Report& report);

/// A pair of equal name (after mapping) but another shape.
struct ShapeMismatch {
  SiteShape baseline;
  SiteShape other;
};

/// How the tensors of two sources correspond by name and pass. Nothing is dropped: every tensor of
/// either side is counted in `matched` or listed once.
struct StructureDiff {
  std::size_t matched = 0;  ///< equal shapes
  std::vector<ShapeMismatch> shapes;
  std::vector<SiteShape> onlyInBaseline;
  std::vector<SiteShape> onlyInOther;  ///< under their own names
};

/// Errors: those of SiteMapping::map().
[[nodiscard]] Result<StructureDiff> structureDiff(std::span<const SiteShape> baseline,
                                                  std::span<const SiteShape> other,
                                                  const SiteMapping& mapping = {});

/// A pair that a person may want to confirm.
struct SuggestedPair {
  std::size_t baseline = 0;  ///< in StructureDiff::onlyInBaseline
  std::size_t other = 0;     ///< in StructureDiff::onlyInOther
  double likeness = 0;       ///< 0 … 1: shared parts of the names
};

/// Suggests partners for unmatched tensors: those of equal pass, shape and layer number whose names
/// share most parts (split at '.', '_' and between letters and digits; Dice's coefficient), at
/// least a third; each tensor at most once, most alike first.
[[nodiscard]] std::vector<SuggestedPair> suggestPairs(const StructureDiff& diff);

}  // namespace ulp::analysis
