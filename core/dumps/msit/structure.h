#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/dumps/msit/topology.h"

/// Questions that the rules of msit ask about a model's structure.
namespace ulp::dumps::msit {

/// One past the last node below `node`; those below stand right behind it.
[[nodiscard]] std::size_t endOfSubtree(const Topology& model, std::size_t node);
/// Nodes without children below `node`, itself left out.
[[nodiscard]] std::vector<std::size_t> leaves(const Topology& model, std::size_t node);
/// `node` and all below it.
[[nodiscard]] std::vector<std::size_t> subtree(const Topology& model, std::size_t node);
/// The layers: all nodes of the type that more than 5 children of the first node with more than 10
/// have. Models of 10 layers or fewer have none.
[[nodiscard]] std::vector<std::size_t> layers(const Topology& model);
/// The last child of the root, that child's last one, and so on.
[[nodiscard]] std::vector<std::size_t> lastChildren(const Topology& model);
/// The node that follows under the same parent; kNone: there is none.
[[nodiscard]] std::size_t nextSibling(const Topology& model, std::size_t node);

}  // namespace ulp::dumps::msit
