#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/dumps/exporters/exported_names.h"
#include "core/dumps/model/dump.h"

namespace ulp::dumps {

/// Nested lists and objects whose leaves are rows: how JSON holds the arguments of a call.
struct ArgumentNode {
  std::string key{};        ///< in its parent: a number in a list
  std::size_t row = kNone;  ///< of a leaf
  bool isNamed = false;     ///< an object, even where all keys are numbers or there are none
  std::vector<ArgumentNode> children{};
  struct Place {
    std::size_t child = 0;
    std::size_t next = 2;  ///< number of the next of the same key
  };
  std::map<std::string, Place, std::less<>> places{};  ///< of the children, by key

  [[nodiscard]] bool isLeaf() const { return row != kNone; }
  /// Null: there is none.
  [[nodiscard]] ArgumentNode* find(std::string_view childKey);
  /// Adds a child, whose key no other has.
  ArgumentNode& add(ArgumentNode child);
  /// The same, whose key gets a number where another has it.
  ArgumentNode& addNumbered(ArgumentNode child);
  /// All keys are numbers, few of which are missing.
  [[nodiscard]] bool isList() const;
  /// In the order of a list, with null for the numbers that are missing.
  [[nodiscard]] std::vector<const ArgumentNode*> listItems() const;
};

/// The value of an entry in dump.json.
struct MsprobeEntry {
  ArgumentNode root;
  /// What names the file of a row behind its entry: "input.0", "parameters.weight", "".
  std::vector<std::pair<std::size_t, std::string>> files;  ///< by row, in the order of rows
};

/// Whether an entry is written as a value that a user saved ("name.0.debug") rather than as a call.
[[nodiscard]] bool isSavedValue(const DumpEntry& entry);

/// An entry of a unit with those of its rows that are chosen.
[[nodiscard]] MsprobeEntry makeMsprobeEntry(const DumpUnit& unit,
                                            const DumpEntry& entry,
                                            const std::vector<bool>& isChosen);

/// Names that msprobe gives to calls and files. Only characters that msprobe accepts in paths come
/// out, and no name twice.
class MsprobeNames {
 public:
  /// `isOurs`: of a dump that does not name its calls as msprobe does.
  explicit MsprobeNames(bool isOurs) : m_isOurs(isOurs) {}

  /// "Module.model.norm.LlamaRMSNorm.forward.0", "Functional.linear.3.backward",
  /// "Module.model.norm.LlamaRMSNorm.parameters_grad.0", "loss.0.debug". `fallback` names an entry
  /// that has neither a name nor a module.
  [[nodiscard]] std::string entry(const DumpEntry& entry, std::string_view fallback);
  /// "Module.….forward.0.input.0.pt"; `behind` ("input.0") may be empty.
  [[nodiscard]] std::string file(std::string_view entry, std::string_view behind);

 private:
  /// The first unused "<before>.<number><after>", from `call` on.
  std::string numbered(const std::string& before, std::uint64_t call, std::string_view after);

  bool m_isOurs;
  std::unordered_set<std::string> m_entries;
  UniqueNames m_files;
  std::unordered_map<std::string, std::uint64_t> m_next;  ///< number, where one was taken
};

}  // namespace ulp::dumps
