#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/text/sentence.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/model/tensor_recipe.h"

namespace ulp::dumps {

/// An entry that a unit gets.
struct NewEntry {
  DumpEntry head;  ///< its rows and its parent are set later
  std::vector<std::pair<DumpRow, TensorRecipe>> rows{};
  std::vector<std::size_t> of;  ///< the entries that it stands for, in the unit as it was
  std::size_t piece = 0;        ///< which part of the only one of them; kWhole: all of them in one
};
inline constexpr std::size_t kWhole = kNone - 1;

/// A unit with some rows taken out and entries put in. Enclosed calls follow what encloses them:
/// a part of a call is enclosed by the same part of the enclosing call.
class UnitEdit {
 public:
  explicit UnitEdit(DumpUnitPtr unit);

  [[nodiscard]] const DumpUnitPtr& unit() const { return m_unit; }
  /// An entry without any row left goes with its last one.
  void remove(std::size_t row);
  /// A row as something else, in its place.
  void replace(std::size_t row, DumpRow with, TensorRecipe recipe);
  /// Stands before `entry`, in the order of the calls; behind those that were put there earlier.
  void putBefore(std::size_t entry, NewEntry added);
  void putBehind(std::size_t entry, NewEntry added);
  void note(Sentence text) { m_notes.push_back(std::move(text)); }

  /// The unit itself where nothing was changed.
  [[nodiscard]] DumpUnitPtr build() &&;

 private:
  [[nodiscard]] bool isKept(std::size_t entry) const;

  DumpUnitPtr m_unit;
  std::vector<bool> m_isRemoved;  ///< rows
  std::unordered_map<std::size_t, std::pair<DumpRow, TensorRecipe>> m_replaced;
  std::unordered_map<std::size_t, std::vector<NewEntry>> m_before;
  std::unordered_map<std::size_t, std::vector<NewEntry>> m_behind;
  std::vector<Sentence> m_notes;
  bool m_isChanged = false;
};

}  // namespace ulp::dumps
