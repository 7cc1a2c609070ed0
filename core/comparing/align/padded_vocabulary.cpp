#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/dtype.h"
#include "core/comparing/align/edited_sides.h"
#include "core/comparing/match/row_identity.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::DumpUnitPtr;
using dumps::EntryKind;
using dumps::Role;

/// Entries of the vocabulary: the features of logits, else the rows of the LM head's or the
/// embedding's weight; 0: neither is there.
std::int64_t vocabularyOf(const DumpUnit& unit) {
  std::int64_t ofWeights = 0;
  for (std::size_t i = 0; i < unit.entries.size(); ++i) {
    const DumpEntry& entry = unit.entries[i];
    if (!isOfVocabulary(pathOrName(entry))) {
      continue;
    }
    for (const std::size_t r : entry.rows()) {
      const DumpRow& row = unit.rows[r];
      if (row.shape.empty()) {
        continue;
      }
      if (entry.kind == EntryKind::Module && row.role == Role::Output &&
          isLogits(siteOf(unit, i, r))) {
        return row.shape.back();
      }
      const bool isWeight = isOfModel(row) && row.shape.size() == 2;
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
  if (isOfModel(row) && row.shape.front() == size) {
    return 0;
  }
  return row.shape.back() == size ? std::optional(row.shape.size() - 1) : std::nullopt;
}

/// Entries of the vocabulary on either side.
struct Sizes {
  std::int64_t baseline = 0;
  std::int64_t candidate = 0;
};

/// Token ids and masks have places, not entries of the vocabulary.
bool isOfNumbers(const DumpRow& row) {
  const std::optional<DType> type = elementTypeOf(row);
  return !type || isFloatingPoint(*type);
}

/// The hidden size is the same number, so that it cannot be told which dimension is which.
bool isAlsoHidden(const DumpUnit& unit, std::int64_t size) {
  return std::ranges::any_of(unit.entries, [&](const DumpEntry& entry) {
    return isOfVocabulary(pathOrName(entry)) &&
           std::ranges::any_of(entry.rows(), [&](std::size_t r) {
             const DumpRow& row = unit.rows[r];
             return isOfModel(row) && row.shape.size() == 2 && row.shape.front() == size &&
                    row.shape.back() == size;
           });
  });
}

bool hasModules(const DumpUnit& unit) {
  return std::ranges::any_of(unit.entries, [](const DumpEntry& entry) {
    return entry.kind == EntryKind::Module || entry.kind == EntryKind::Gradient;
  });
}

DumpUnitPtr cut(const DumpUnitPtr& unit, std::int64_t from, std::int64_t to) {
  // Without modules nothing tells what lies outside of layers.
  const bool knowsModules = hasModules(*unit);
  dumps::UnitEdit edit(unit);
  std::size_t count = 0;
  for (const DumpEntry& entry : unit->entries) {
    const std::string& path = pathOrName(entry);
    if (layerOf(path) >= 0 || (!knowsModules && !isOfVocabulary(path))) {
      continue;
    }
    for (const std::size_t r : entry.rows()) {
      const auto dim = vocabularyDimension(unit->rows[r], from);
      if (!dim || !unit->rows[r].hasElements || !isOfNumbers(unit->rows[r])) {
        continue;
      }
      MadeRow row = rowAsItIs(unit, r);
      slice(row, *dim, to, {{0, to}});
      edit.replace(r, std::move(row.first), std::move(row.second));
      ++count;
    }
  }
  if (count > 0) {
    edit.note(
        {ULP_TR_NOOP("the vocabulary has %1 entries here, of which %2 are compared: the last %3 "
                     "are padding, left out of %4 tensors; 'vocabulary' of the mapping can say "
                     "otherwise"),
         {std::to_string(from),
          std::to_string(to),
          std::to_string(from - to),
          std::to_string(count)}});
  }
  return std::move(edit).build();
}

/// Neither unit where one cannot be cut: the other one alone would be of another size.
void cutBoth(UnitSides& units, Sizes from, std::int64_t to) {
  bool isStuck = false;
  const std::array sides{std::pair(&units.baseline, from.baseline),
                         std::pair(&units.candidate, from.candidate)};
  for (const auto& [unit, wide] : sides) {
    if (wide > to && isAlsoHidden(**unit, wide)) {
      dumps::UnitEdit edit(*unit);
      edit.note(
          {ULP_TR_NOOP("the vocabulary has %1 entries here, of which the last %2 may be padding; "
                       "they are compared as well, since the hidden size is %1 too"),
           {std::to_string(wide), std::to_string(wide - to)}});
      *unit = std::move(edit).build();
      isStuck = true;
    }
  }
  for (const auto& [unit, wide] : sides) {
    if (!isStuck && wide > to) {
      *unit = cut(*unit, wide, to);
    }
  }
}

}  // namespace

bool looksPadded(std::int64_t wide, std::int64_t narrow) {
  constexpr std::int64_t kSmallest = 8;  // Of what tensor cores want.
  // The largest power of two that divides it.
  const std::int64_t multiple = wide & -wide;
  // A shard of a vocabulary is such a size as well, but far from the whole.
  constexpr std::int64_t kLargestShare = 8;
  return narrow > 0 && wide > narrow && multiple >= kSmallest && wide - narrow < multiple &&
         wide - narrow <= narrow / kLargestShare;
}

Result<> cutVocabularyPadding(UnitSides& units, const AlignmentRules& rules) {
  const std::optional<std::int64_t> wanted = rules.mapping.dumps().vocabulary;
  if (wanted == 0) {
    return {};
  }
  const Sizes from{vocabularyOf(*units.baseline), vocabularyOf(*units.candidate)};
  if (wanted) {
    cutBoth(units, from, *wanted);
  } else if (looksPadded(from.baseline, from.candidate) ||
             looksPadded(from.candidate, from.baseline)) {
    cutBoth(units, from, std::min(from.baseline, from.candidate));
  }
  return {};
}

}  // namespace ulp::analysis
