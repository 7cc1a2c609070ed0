#include "core/dumps/exporters/msprobe_entry.h"

#include <algorithm>
#include <string_view>

#include "core/dumps/msprobe/entry_name.h"

namespace ulp::dumps {
namespace {

/// Where a row of a call stands.
struct Placed {
  std::string_view section;   ///< key in dump.json
  std::string_view category;  ///< in names of files
};

bool isNumbered(std::string_view index) {
  return msprobe::parseCount(index.substr(0, index.find('.'))).has_value();
}

Placed placeOf(const DumpEntry& entry, const DumpRow& row) {
  if (entry.pass == Pass::Backward) {
    return isRead(row.role) ? Placed{"input", "input"} : Placed{"output", "output"};
  }
  if (row.role == Role::Parameter) {
    return {"parameters", "parameters"};
  }
  if (row.role != Role::Input) {
    return {"output", "output"};
  }
  return row.index.empty() || isNumbered(row.index) ? Placed{"input_args", "input"}
                                                    : Placed{"input_kwargs", "kwargs"};
}

ArgumentNode& sectionOf(ArgumentNode& root, std::string_view key) {
  const auto found = std::find_if(root.children.begin(),
                                  root.children.end(),
                                  [key](const ArgumentNode& node) { return node.key == key; });
  return found == root.children.end()
             ? root.children.emplace_back(ArgumentNode{.key = std::string(key)})
             : *found;
}

/// The sections that msprobe writes of a call even where they are empty.
ArgumentNode emptyCall(const DumpEntry& entry) {
  ArgumentNode root{.isNamed = true};
  if (entry.kind == EntryKind::Gradient) {
    return root;
  }
  if (entry.pass == Pass::Backward) {
    root.children = {{.key = "input"}, {.key = "output"}};
    return root;
  }
  root.children = {
      {.key = "input_args"}, {.key = "input_kwargs", .isNamed = true}, {.key = "output"}};
  if (entry.kind == EntryKind::Module) {
    root.children.push_back({.key = "parameters", .isNamed = true});
  }
  return root;
}

/// Returns what names the row's file behind its entry.
std::string addToCall(ArgumentNode& root,
                      const DumpEntry& entry,
                      const DumpRow& row,
                      std::size_t number) {
  if (entry.kind == EntryKind::Gradient) {
    // The list of one that msprobe writes of each parameter.
    std::string name = addNamedArgument(root, row.index, kNone);
    root.children.back().children.push_back({.key = "0", .row = number});
    return name;
  }
  const Placed placed = placeOf(entry, row);
  ArgumentNode& section = sectionOf(root, placed.section);
  if (placed.section == "parameters") {
    section.isNamed = true;
    return "parameters." + addNamedArgument(section, row.index, number);
  }
  std::string index = row.index;
  if (!section.isNamed && (index.empty() || !isNumbered(index))) {
    // A result that is an object is the one item of the list of results.
    index = index.empty() ? std::to_string(section.children.size()) : "0." + index;
  }
  return std::string(placed.category) + "." + addArgument(section, index, number);
}

/// A list or object without items, in the section of its role.
void addEmpty(ArgumentNode& root, const DumpEntry& entry, const EmptyArgument& empty) {
  const Placed placed = placeOf(entry, {.role = empty.role, .index = empty.index});
  ArgumentNode& section = sectionOf(root, placed.section);
  if (section.isNamed || isNumbered(empty.index)) {
    addEmptyArgument(section, empty.index, empty.isList);
  }
}

MsprobeEntry savedEntry(const DumpUnit& unit,
                        const DumpEntry& entry,
                        const std::vector<bool>& isChosen) {
  MsprobeEntry made;
  for (std::size_t row = entry.firstRow; row < entry.firstRow + entry.rowCount; ++row) {
    if (!isChosen[row]) {
      continue;
    }
    const std::string& index = unit.rows[row].index;
    if (index.empty() && entry.rowCount == 1) {
      made.root.row = row;
      made.files.emplace_back(row, "");
    } else {
      made.files.emplace_back(row, addArgument(made.root, index.empty() ? "value" : index, row));
    }
  }
  return made;
}

}  // namespace

bool isSavedValue(const DumpEntry& entry) {
  switch (entry.kind) {
    case EntryKind::Api:
    case EntryKind::Module:
      return entry.pass != Pass::Forward && entry.pass != Pass::Backward;
    case EntryKind::Gradient:
      return entry.pass != Pass::ParameterGradient;
    case EntryKind::Saved:
    case EntryKind::Tensor:
      break;
  }
  return true;
}

MsprobeEntry makeMsprobeEntry(const DumpUnit& unit,
                              const DumpEntry& entry,
                              const std::vector<bool>& isChosen) {
  if (isSavedValue(entry)) {
    return savedEntry(unit, entry, isChosen);
  }
  MsprobeEntry made{.root = emptyCall(entry)};
  for (std::size_t row = entry.firstRow; row < entry.firstRow + entry.rowCount; ++row) {
    if (isChosen[row]) {
      made.files.emplace_back(row, addToCall(made.root, entry, unit.rows[row], row));
    }
  }
  for (const EmptyArgument& empty : entry.empties) {
    addEmpty(made.root, entry, empty);
  }
  return made;
}

}  // namespace ulp::dumps
