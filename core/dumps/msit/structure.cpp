#include "core/dumps/msit/structure.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace ulp::dumps::msit {
namespace {

constexpr std::size_t kFewLayers = 10;

/// Of the children, the first one in case of a tie; empty where it is not a layer's.
std::string_view frequentType(const Topology& model, std::size_t node) {
  std::map<std::string_view, std::size_t> counts;
  std::size_t most = 0;
  for (const std::size_t child : model.nodes[node].children) {
    most = std::max(most, ++counts[model.nodes[child].type]);
  }
  for (const std::size_t child : model.nodes[node].children) {
    if (counts[model.nodes[child].type] == most && most > kFewLayers / 2) {
      return model.nodes[child].type;
    }
  }
  return {};
}

std::string_view layerType(const Topology& model) {
  std::size_t i = 0;
  while (i < model.nodes.size()) {
    if (model.nodes[i].children.size() <= kFewLayers) {
      ++i;
      continue;
    }
    if (const std::string_view type = frequentType(model, i); !type.empty()) {
      return type;
    }
    i = endOfSubtree(model, i);
  }
  return {};
}

}  // namespace

std::size_t endOfSubtree(const Topology& model, std::size_t node) {
  std::size_t end = node + 1;
  while (end < model.nodes.size() && model.nodes[end].parent != kNone &&
         model.nodes[end].parent >= node) {
    ++end;
  }
  return end;
}

std::vector<std::size_t> leaves(const Topology& model, std::size_t node) {
  std::vector<std::size_t> found;
  for (std::size_t i = node + 1, end = endOfSubtree(model, node); i < end; ++i) {
    if (model.nodes[i].children.empty()) {
      found.push_back(i);
    }
  }
  return found;
}

std::vector<std::size_t> subtree(const Topology& model, std::size_t node) {
  std::vector<std::size_t> found;
  for (std::size_t i = node, end = endOfSubtree(model, node); i < end; ++i) {
    found.push_back(i);
  }
  return found;
}

std::vector<std::size_t> layers(const Topology& model) {
  std::vector<std::size_t> found;
  const std::string_view type = layerType(model);
  std::size_t i = type.empty() ? model.nodes.size() : 1;
  while (i < model.nodes.size()) {
    if (model.nodes[i].type == type) {
      found.push_back(i);
      i = endOfSubtree(model, i);
    } else {
      ++i;
    }
  }
  return found;
}

std::vector<std::size_t> lastChildren(const Topology& model) {
  std::vector<std::size_t> found;
  std::size_t node = 0;
  while (!model.nodes[node].children.empty()) {
    node = model.nodes[node].children.back();
    found.push_back(node);
  }
  return found;
}

std::size_t nextSibling(const Topology& model, std::size_t node) {
  const std::size_t parent = model.nodes[node].parent;
  if (parent == kNone) {
    return kNone;
  }
  const std::vector<std::size_t>& siblings = model.nodes[parent].children;
  const auto place = std::find(siblings.begin(), siblings.end(), node);
  return place == siblings.end() || place + 1 == siblings.end() ? kNone : *(place + 1);
}

}  // namespace ulp::dumps::msit
