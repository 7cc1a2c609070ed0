#include "core/analysis/dumps/padded_vocabulary.h"

#include <cstddef>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "core/analysis/dumps/dump_site.h"
#include "core/dumps/unit_edit.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::DumpUnitPtr;
using dumps::EntryKind;
using dumps::Role;

bool isOfModel(Role role) {
  return role == Role::Parameter || role == Role::ParameterGradient || role == Role::Value;
}

bool isNamed(const DumpEntry& entry) {
  return entry.kind == EntryKind::Tensor || entry.kind == EntryKind::Saved;
}

/// Entries of the vocabulary: the features of logits, else the rows of the LM head's or the
/// embedding's weight; 0: neither is there.
std::int64_t vocabularyOf(const DumpUnit& unit) {
  std::int64_t ofWeights = 0;
  for (std::size_t i = 0; i < unit.entries.size(); ++i) {
    const DumpEntry& entry = unit.entries[i];
    if (!isOfVocabulary(isNamed(entry) ? entry.name : entry.module)) {
      continue;
    }
    for (std::size_t r = entry.firstRow; r < entry.firstRow + entry.rowCount; ++r) {
      const DumpRow& row = unit.rows[r];
      if (row.shape.empty()) {
        continue;
      }
      if (entry.kind == EntryKind::Module && row.role == Role::Output &&
          isLogits(siteOf(unit, i, r))) {
        return row.shape.back();
      }
      const bool isWeight = isOfModel(row.role) && row.shape.size() == 2;
      ofWeights = isWeight && ofWeights == 0 ? row.shape.front() : ofWeights;
    }
  }
  return ofWeights;
}

/// The dimension that has a place for every entry of the vocabulary.
std::optional<std::size_t> vocabularyDimension(const DumpRow& row, std::int64_t size) {
  if (row.shape.empty()) {
    return std::nullopt;
  }
  if (isOfModel(row.role) && row.shape.front() == size) {
    return 0;
  }
  return row.shape.back() == size ? std::optional(row.shape.size() - 1) : std::nullopt;
}

DumpUnitPtr cut(const DumpUnitPtr& unit, std::int64_t from, std::int64_t to) {
  dumps::UnitEdit edit(unit);
  std::size_t count = 0;
  for (std::size_t i = 0; i < unit->entries.size(); ++i) {
    const DumpEntry& entry = unit->entries[i];
    if (layerOf(isNamed(entry) ? entry.name : entry.module) >= 0) {
      continue;
    }
    for (std::size_t r = entry.firstRow; r < entry.firstRow + entry.rowCount; ++r) {
      const auto dim = vocabularyDimension(unit->rows[r], from);
      if (!dim || !unit->rows[r].hasElements) {
        continue;
      }
      DumpRow row = unit->rows[r];
      row.shape[*dim] = to;
      row.statistics = {};
      row.checksum.clear();
      edit.replace(
          r,
          std::move(row),
          dumps::sliceOf(dumps::rowRecipe(unit, r), static_cast<std::int64_t>(*dim), {{0, to}}));
      ++count;
    }
  }
  if (count > 0) {
    edit.note(
        fmt::format("the vocabulary has {} entries here, of which {} are compared: the last "
                    "{} are padding, left out of {} tensors; 'vocabulary' of the mapping can "
                    "say otherwise",
                    from,
                    to,
                    from - to,
                    count));
  }
  return std::move(edit).build();
}

}  // namespace

bool looksPadded(std::int64_t wide, std::int64_t narrow) {
  constexpr std::int64_t kSmallest = 8;  // Of what tensor cores want.
  // The largest power of two that divides it.
  const std::int64_t multiple = wide & -wide;
  return narrow > 0 && wide > narrow && multiple >= kSmallest && wide - narrow < multiple;
}

UnpaddedUnits withoutVocabularyPadding(const DumpUnitPtr& baseline,
                                       const DumpUnitPtr& candidate,
                                       const DumpRules& rules) {
  UnpaddedUnits units{baseline, candidate};
  if (rules.vocabulary == 0) {
    return units;
  }
  const std::int64_t left = vocabularyOf(*baseline);
  const std::int64_t right = vocabularyOf(*candidate);
  if (rules.vocabulary) {
    const std::int64_t wanted = *rules.vocabulary;
    units.baseline = left > wanted ? cut(baseline, left, wanted) : baseline;
    units.candidate = right > wanted ? cut(candidate, right, wanted) : candidate;
  } else if (looksPadded(left, right)) {
    units.baseline = cut(baseline, left, right);
  } else if (looksPadded(right, left)) {
    units.candidate = cut(candidate, right, left);
  }
  return units;
}

}  // namespace ulp::analysis
