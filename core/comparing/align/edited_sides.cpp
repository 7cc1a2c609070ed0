#include "core/comparing/align/edited_sides.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/list_of.h"

namespace ulp::analysis {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnitPtr;
using dumps::EntryKind;

std::vector<std::vector<std::int64_t>> EditedSide::shapesOf(
    const std::vector<std::size_t>& rows) const {
  return listOf(rows, [this](std::size_t each) { return row(each).shape; });
}

void explainBoth(EditedSide& side,
                 std::size_t row,
                 EditedSide& other,
                 const std::vector<std::size_t>& partners,
                 const std::string& reason) {
  side.explain(row, reason);
  for (const std::size_t partner : partners) {
    other.explain(partner, reason);
  }
}

std::span<const AlignmentPass> alignmentPasses() {
  static constexpr std::array<AlignmentPass, 7> kAll{
      {{"tensors of several ranks", false, joinByShapes},
       {"scale of the loss", false, matchLossScale},
       {"padding of the vocabulary", true, cutVocabularyPadding},
       {"transposed weights", false, transposeWeights},
       {"exchanged dimensions", false, exchangeDimensions},
       {"stacked experts", true, splitExperts},
       {"fused projections", false, splitFused}}};
  return kAll;
}

EditedSides::EditedSides(const UnitSides& units, const SiteMapping& mapping)
    : keys(pairedKeys(*units.baseline, *units.candidate, mapping)),
      baseline(units.baseline, keys.baseline),
      candidate(units.candidate, keys.candidate) {}

Result<> EditedSides::finish(UnitSides& units) && {
  ULP_TRY(keys.check());
  baseline.reasons.merge(units.reasons.baseline);
  candidate.reasons.merge(units.reasons.candidate);
  units = {std::move(baseline.edit).build(),
           std::move(candidate.edit).build(),
           {std::move(baseline.reasons), std::move(candidate.reasons)}};
  return {};
}

MadeRow rowAsItIs(const DumpUnitPtr& unit, std::size_t row) {
  return {unit->rows[row], dumps::rowRecipe(unit, row)};
}

void slice(MadeRow& row, std::size_t dim, std::int64_t size, std::vector<dumps::Run> runs) {
  row.first.shape[dim] = size;
  row.first.statistics = {};
  row.first.checksum.clear();
  row.second =
      dumps::sliceOf(std::move(row.second), static_cast<std::int64_t>(dim), std::move(runs));
}

void transpose(MadeRow& row, std::size_t dim) {
  std::swap(row.first.shape[dim], row.first.shape[dim + 1]);
  row.first.checksum.clear();
  row.second = dumps::transposeOf(std::move(row.second), static_cast<std::int64_t>(dim));
}

void transpose(MadeRow& row) {
  transpose(row, row.first.shape.size() - 2);
}

bool hasClass(const DumpEntry& entry) {
  return (entry.kind == EntryKind::Module || entry.kind == EntryKind::Gradient) &&
         !entry.operation.empty();
}

bool isConv1D(const DumpEntry& entry) {
  return entry.operation.find("Conv1D") != std::string::npos;
}

bool areTransposedByClass(const DumpEntry& one, const DumpEntry& other) {
  return hasClass(one) && hasClass(other) && isConv1D(one) != isConv1D(other);
}

std::string notMadeOf(std::span<const std::int64_t> whole,
                      std::string_view what,
                      const std::vector<std::vector<std::int64_t>>& parts) {
  const auto texts =
      listOf(parts, [](const auto& part) { return fmt::format("[{}]", fmt::join(part, ", ")); });
  return fmt::format(
      "[{}]{} is not made of {}", fmt::join(whole, ", "), what, fmt::join(texts, " and "));
}

std::optional<std::vector<tensors::Tensor>> readRows(const DumpUnitPtr& unit,
                                                     const std::vector<std::size_t>& rows,
                                                     bool isTransposed) {
  std::vector<tensors::Tensor> read;
  for (const std::size_t row : rows) {
    dumps::TensorRecipe recipe = dumps::rowRecipe(unit, row);
    auto tensor = dumps::makeTensor(isTransposed ? dumps::transposeOf(std::move(recipe)) : recipe);
    if (!tensor) {
      return std::nullopt;
    }
    read.push_back(std::move(*tensor));
  }
  return read;
}

std::optional<std::vector<double>> intactErrors(const numerics::TensorView& whole,
                                                const std::vector<tensors::Tensor>& parts,
                                                const FusedCut& cut,
                                                std::span<const std::int64_t> groups) {
  std::vector<double> errors =
      layoutErrors(whole, listOf(parts, &tensors::Tensor::view), cut, groups);
  const bool areIntact = std::ranges::all_of(
      parts, [](const auto& part) { return tensors::checkIntact(part).has_value(); });
  return areIntact ? std::optional(std::move(errors)) : std::nullopt;
}

}  // namespace ulp::analysis
