#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/dumps/model/dump.h"

namespace ulp::dumps {

/// Nested lists and objects whose leaves are rows: how JSON holds the arguments of a call.
struct ArgumentNode {
  std::string key{};        ///< in its parent: a number in a list
  std::size_t row = kNone;  ///< of a leaf
  bool isNamed = false;     ///< an object, even where all keys are numbers or there are none
  std::vector<ArgumentNode> children{};

  [[nodiscard]] bool isLeaf() const { return row != kNone; }
  /// All keys are numbers, few of which are missing.
  [[nodiscard]] bool isList() const;
  /// In the order of a list, with null for the numbers that are missing.
  [[nodiscard]] std::vector<const ArgumentNode*> listItems() const;
};

/// Adds a row below `root` at the path that `index` names ("0.hidden": two levels). Where something
/// is in the way it gets a key of its own in `root`. Returns the path that it got.
std::string addArgument(ArgumentNode& root, std::string_view index, std::size_t row);
/// The same of a list or object that holds nothing.
void addEmptyArgument(ArgumentNode& root, std::string_view index, bool isList);
/// addArgument() for names that are not split: those of parameters.
std::string addNamedArgument(ArgumentNode& root, std::string_view name, std::size_t row);

}  // namespace ulp::dumps
