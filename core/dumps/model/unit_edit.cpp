#include "core/dumps/model/unit_edit.h"

#include <map>
#include <memory>

#include "core/dumps/model/tensor_recipe.h"

namespace ulp::dumps {
namespace {

/// Puts the entries of a unit together and finds their enclosing calls again.
class Assembly {
 public:
  explicit Assembly(const DumpUnitPtr& unit) : m_old(unit), m_new(DerivedUnit::versionOf(*unit)) {}

  void keep(std::size_t entry,
            const std::vector<bool>& isRemoved,
            std::unordered_map<std::size_t, std::pair<DumpRow, TensorRecipe>>& replaced) {
    const DumpEntry& old = m_old->entries[entry];
    start(old, {entry}, kNone);
    for (const std::size_t row : old.rows()) {
      const auto other = replaced.find(row);
      if (isRemoved[row]) {
        continue;
      }
      if (other == replaced.end()) {
        m_new->addRowOf(m_old, row);
      } else {
        m_new->addRow(std::move(other->second.first), std::move(other->second.second));
      }
    }
  }

  void add(NewEntry& added) {
    start(std::move(added.head), added.of, added.piece);
    for (auto& [row, recipe] : added.rows) {
      m_new->addRow(std::move(row), std::move(recipe));
    }
  }

  [[nodiscard]] std::shared_ptr<DerivedUnit> finish() && {
    for (std::size_t i = 0; i < m_origins.size(); ++i) {
      const auto& [old, piece] = m_origins[i];
      m_new->entries[i].parent = placeOf(m_old->entries[old].parent, piece);
    }
    return std::move(m_new);
  }

 private:
  void start(DumpEntry head, const std::vector<std::size_t>& of, std::size_t piece) {
    const std::size_t place = m_new->addEntry(std::move(head));
    m_origins.emplace_back(of.back(), piece);
    for (const std::size_t entry : of) {
      m_places.emplace(std::pair(entry, piece), place);
    }
  }

  /// The same piece of the call, else the rest of it, its first piece, what it went into.
  [[nodiscard]] std::size_t placeOf(std::size_t entry, std::size_t piece) const {
    if (entry == kNone) {
      return kNone;
    }
    for (const std::size_t wanted : {piece, kNone, std::size_t{0}, kWhole}) {
      if (const auto found = m_places.find({entry, wanted}); found != m_places.end()) {
        return found->second;
      }
    }
    return kNone;
  }

  DumpUnitPtr m_old;
  std::shared_ptr<DerivedUnit> m_new;
  std::vector<std::pair<std::size_t, std::size_t>> m_origins;  ///< of each new entry
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> m_places;
};

}  // namespace

UnitEdit::UnitEdit(DumpUnitPtr unit) : m_unit(std::move(unit)), m_isRemoved(m_unit->rows.size()) {}

void UnitEdit::remove(std::size_t row) {
  m_isRemoved[row] = true;
  m_isChanged = true;
}

void UnitEdit::replace(std::size_t row, DumpRow with, TensorRecipe recipe) {
  m_replaced.insert_or_assign(row, std::pair(std::move(with), std::move(recipe)));
  m_isChanged = true;
}

void UnitEdit::putBefore(std::size_t entry, NewEntry added) {
  m_before[entry].push_back(std::move(added));
  m_isChanged = true;
}

void UnitEdit::putBehind(std::size_t entry, NewEntry added) {
  m_behind[entry].push_back(std::move(added));
  m_isChanged = true;
}

bool UnitEdit::isKept(std::size_t entry) const {
  const DumpEntry& its = m_unit->entries[entry];
  for (const std::size_t row : its.rows()) {
    if (!m_isRemoved[row]) {
      return true;
    }
  }
  return its.rowCount == 0;
}

DumpUnitPtr UnitEdit::build() && {
  if (!m_isChanged && m_notes.empty()) {
    return m_unit;
  }
  Assembly assembly(m_unit);
  const auto addAll = [&](auto& added, std::size_t entry) {
    if (const auto found = added.find(entry); found != added.end()) {
      for (NewEntry& each : found->second) {
        assembly.add(each);
      }
    }
  };
  for (std::size_t entry = 0; entry < m_unit->entries.size(); ++entry) {
    addAll(m_before, entry);
    if (isKept(entry)) {
      assembly.keep(entry, m_isRemoved, m_replaced);
    }
    addAll(m_behind, entry);
  }
  auto built = std::move(assembly).finish();
  built->notes.insert(built->notes.end(), m_notes.begin(), m_notes.end());
  return built;
}

}  // namespace ulp::dumps
