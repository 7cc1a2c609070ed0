#include "core/dumps/exporters/argument_tree.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/dumps/msprobe/entry_name.h"

namespace ulp::dumps {
namespace {

/// Beyond, numbers of list items are keys of an object: a hostile index must not fill the memory.
constexpr std::uint64_t kMostItems = 256;
constexpr std::size_t kMostLevels = 16;

ArgumentNode* childOf(ArgumentNode& parent, std::string_view key) {
  const auto found = std::find_if(parent.children.begin(),
                                  parent.children.end(),
                                  [&](const ArgumentNode& child) { return child.key == key; });
  return found == parent.children.end() ? nullptr : &*found;
}

std::string addUnique(ArgumentNode& root, std::string name, const ArgumentNode& node) {
  std::unordered_set<std::string_view> taken;
  for (const ArgumentNode& child : root.children) {
    taken.insert(child.key);
  }
  const std::string stem = name;
  for (std::size_t again = 2; taken.contains(name); ++again) {
    name = fmt::format("{}_{}", stem, again);
  }
  root.children.push_back(node);
  root.children.back().key = name;
  return name;
}

std::string addNode(ArgumentNode& root, std::string_view index, const ArgumentNode& node) {
  const std::vector<std::string_view> parts = msprobe::segments(index);
  ArgumentNode* at = &root;
  for (std::size_t level = 0; level < parts.size(); ++level) {
    ArgumentNode* child = childOf(*at, parts[level]);
    const bool isLast = level + 1 == parts.size();
    const bool isInTheWay = child != nullptr && (isLast || child->isLeaf());
    if (isInTheWay || level == kMostLevels) {
      std::string flat(index);
      std::replace(flat.begin(), flat.end(), '.', '_');
      return addUnique(root, std::move(flat), node);
    }
    if (child == nullptr) {
      at->children.push_back(isLast ? node : ArgumentNode{});
      child = &at->children.back();
      child->key = std::string(parts[level]);
    }
    at = child;
  }
  return std::string(index);
}

}  // namespace

bool ArgumentNode::isList() const {
  return !isNamed && std::all_of(children.begin(), children.end(), [&](const ArgumentNode& child) {
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

std::string addArgument(ArgumentNode& root, std::string_view index, std::size_t row) {
  return addNode(root, index, {.row = row});
}

void addEmptyArgument(ArgumentNode& root, std::string_view index, bool isList) {
  addNode(root, index, {.isNamed = !isList});
}

std::string addNamedArgument(ArgumentNode& root, std::string_view name, std::size_t row) {
  return addUnique(root, std::string(name.empty() ? "value" : name), {.row = row});
}

}  // namespace ulp::dumps
