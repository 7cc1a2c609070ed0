#include "core/dumps/exporters/msprobe_entry.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/text/split.h"
#include "core/dumps/msprobe/entry_name.h"

namespace ulp::dumps {
namespace {

/// Beyond, numbers of list items are keys of an object: a hostile index must not fill the memory.
constexpr std::uint64_t kMostItems = 256;
constexpr std::size_t kMostLevels = 16;

std::string addNode(ArgumentNode& root, std::string_view index, ArgumentNode node) {
  const std::vector<std::string_view> parts = split(index, '.');
  ArgumentNode* at = &root;
  for (std::size_t level = 0; level < parts.size(); ++level) {
    ArgumentNode* child = at->find(parts[level]);
    const bool isLast = level + 1 == parts.size();
    const bool isInTheWay = child != nullptr && (isLast || child->isLeaf());
    if (isInTheWay || level == kMostLevels) {
      node.key = index;
      std::ranges::replace(node.key, '.', '_');
      return root.addNumbered(std::move(node)).key;
    }
    if (child == nullptr) {
      ArgumentNode added = isLast ? node : ArgumentNode{};
      added.key = parts[level];
      child = &at->add(std::move(added));
    }
    at = child;
  }
  return std::string(index);
}

/// Adds a row below `root` at the path that `index` names ("0.hidden": two levels). Where something
/// is in the way it gets a key of its own in `root`. Returns the path that it got.
std::string addArgument(ArgumentNode& root, std::string_view index, std::size_t row) {
  return addNode(root, index, {.row = row});
}

/// The same of a list or object that holds nothing.
void addEmptyArgument(ArgumentNode& root, std::string_view index, bool isList) {
  addNode(root, index, {.isNamed = !isList});
}

/// addArgument() for names that are not split: those of parameters.
ArgumentNode& addNamedArgument(ArgumentNode& root, std::string_view name, std::size_t row) {
  return root.addNumbered({.key = std::string(name.empty() ? "value" : name), .row = row});
}

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
  ArgumentNode* const section = root.find(key);
  return section == nullptr ? root.add({.key = std::string(key)}) : *section;
}

/// The sections that msprobe writes of a call even where they are empty.
ArgumentNode emptyCall(const DumpEntry& entry) {
  ArgumentNode root{.isNamed = true};
  if (entry.kind == EntryKind::Gradient) {
    return root;
  }
  if (entry.pass == Pass::Backward) {
    root.add({.key = "input"});
    root.add({.key = "output"});
    return root;
  }
  root.add({.key = "input_args"});
  root.add({.key = "input_kwargs", .isNamed = true});
  root.add({.key = "output"});
  if (entry.kind == EntryKind::Module) {
    root.add({.key = "parameters", .isNamed = true});
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
    ArgumentNode& list = addNamedArgument(root, row.index, kNone);
    list.add({.key = "0", .row = number});
    return list.key;
  }
  const Placed placed = placeOf(entry, row);
  ArgumentNode& section = sectionOf(root, placed.section);
  if (placed.section == "parameters") {
    section.isNamed = true;
    return "parameters." + addNamedArgument(section, row.index, number).key;
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
  for (const std::size_t row : entry.rows()) {
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

/// What msprobe takes in a path, without the slash.
std::string accepted(std::string_view text) {
  std::string name(text);
  std::ranges::replace(name, '/', '.');
  name = plainName(name, "_.:-");
  // A name that begins with a dot is a hidden file, and one that ends with it an empty segment.
  const std::size_t first = name.find_first_not_of('.');
  const std::size_t last = name.find_last_not_of('.');
  return first == std::string::npos ? "_" : name.substr(first, last - first + 1);
}

/// "LlamaMLP" of "transformers.models.LlamaMLP".
std::string className(std::string_view operation) {
  const std::string_view last = lastPart(operation, '.');
  return last.empty() ? "Module" : plainName(last, "_");
}

std::string modulePath(const DumpEntry& entry, std::string_view fallback) {
  std::string path = "Module.";
  const std::string_view named = !entry.module.empty() ? std::string_view(entry.module)
                                 : !entry.name.empty() ? std::string_view(entry.name)
                                                       : fallback;
  return path + accepted(named) + "." + className(entry.operation);
}

std::string apiName(const DumpEntry& entry, std::string_view fallback) {
  const std::string_view named =
      !entry.operation.empty() ? std::string_view(entry.operation) : fallback;
  std::string name = accepted(named);
  const bool isPrefixed = name.find('.') != std::string::npos && !name.starts_with("Module.") &&
                          !name.starts_with("Cell.");
  return isPrefixed ? name : "Custom." + name;
}

}  // namespace

ArgumentNode* ArgumentNode::find(std::string_view childKey) {
  const auto place = places.find(childKey);
  return place == places.end() ? nullptr : &children[place->second.child];
}

ArgumentNode& ArgumentNode::add(ArgumentNode child) {
  places.emplace(child.key, Place{children.size()});
  return children.emplace_back(std::move(child));
}

ArgumentNode& ArgumentNode::addNumbered(ArgumentNode child) {
  const auto taken = places.find(child.key);
  for (std::string stem = child.key; find(child.key) != nullptr;) {
    child.key = fmt::format("{}_{}", stem, taken->second.next++);
  }
  return add(std::move(child));
}

bool ArgumentNode::isList() const {
  return !isNamed && std::ranges::all_of(children, [&](const ArgumentNode& child) {
    const auto number = msprobe::parseCount(child.key);
    return number && *number < std::max<std::uint64_t>(kMostItems, children.size());
  });
}

std::vector<const ArgumentNode*> ArgumentNode::listItems() const {
  std::vector<const ArgumentNode*> items;
  for (const ArgumentNode& child : children) {
    const std::size_t number = msprobe::parseCount(child.key).value_or(0);
    items.resize(std::max(items.size(), number + 1));
    items[number] = &child;
  }
  return items;
}

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
  for (const std::size_t row : entry.rows()) {
    if (isChosen[row]) {
      made.files.emplace_back(row, addToCall(made.root, entry, unit.rows[row], row));
    }
  }
  for (const EmptyArgument& empty : entry.empties) {
    addEmpty(made.root, entry, empty);
  }
  return made;
}

std::string MsprobeNames::numbered(const std::string& before,
                                   std::uint64_t call,
                                   std::string_view after) {
  const auto take = [&](std::uint64_t number) {
    std::string name = fmt::format("{}.{}{}", before, number, after);
    return m_entries.insert(name).second ? std::optional(std::move(name)) : std::nullopt;
  };
  // The backward pass comes to the last call of a module first.
  if (auto own = take(call)) {
    return *std::move(own);
  }
  std::uint64_t& next = m_next[before + std::string(after)];
  for (next = std::max(next, call + 1);; ++next) {
    if (auto other = take(next)) {
      return *std::move(other);
    }
  }
}

std::string MsprobeNames::entry(const DumpEntry& entry, std::string_view fallback) {
  if (!m_isOurs) {
    std::string name = accepted(entry.name);
    if (m_entries.insert(name).second) {
      return name;
    }
  }
  if (isSavedValue(entry)) {
    return numbered(accepted(entry.name.empty() ? fallback : entry.name), entry.call, ".debug");
  }
  if (entry.kind == EntryKind::Gradient) {
    return numbered(modulePath(entry, fallback) + ".parameters_grad", entry.call, "");
  }
  const std::string direction(toString(entry.pass));
  return entry.kind == EntryKind::Module
             ? numbered(modulePath(entry, fallback) + "." + direction, entry.call, "")
             : numbered(apiName(entry, fallback), entry.call, "." + direction);
}

std::string MsprobeNames::file(std::string_view entry, std::string_view behind) {
  std::string name(entry);
  if (!behind.empty()) {
    name += "." + accepted(behind);
  }
  return m_files.make(shortened(std::move(name)) + ".pt", ".pt");
}

}  // namespace ulp::dumps
