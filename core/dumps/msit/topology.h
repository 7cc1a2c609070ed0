#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"

/// Dumps of msit llm: of a PyTorch model, and of one that runs on the Ascend Transformer Boost
/// (ATB).
namespace ulp::dumps::msit {

/// A module of a PyTorch model or an operation of an ATB one.
struct TopologyNode {
  std::string name{};    ///< "root.model.layers.0", "DecoderLayer_1"
  std::string type{};    ///< class of the module, opType of the operation
  std::string folder{};  ///< below that of a token: the name, or "1_DecoderLayer/1_Attention"
  std::size_t parent = kNone;
  std::vector<std::size_t> children{};
  std::uint64_t order = 0;                    ///< among its siblings, as its folder counts
  bool hasBias = false;                       ///< ATB's parameter of linear operations
  std::optional<std::int64_t> elewiseType{};  ///< ATB's parameter of elementwise ones; 8: addition
};

/// A model as its dumper describes it, depth first: nodes[0] is the root, parents stand before
/// their children and siblings in the order of the file.
struct Topology {
  std::vector<TopologyNode> nodes;
};

/// The model that a unit is of. Entries of the unit are called as the folders of its nodes.
struct ModelStructure {
  std::vector<Topology> models;  ///< one, or those of ATB's prefill and decode
  bool isAtb = false;
};

/// `model_tree.json`. Errors: NotFound, Io, CorruptData (`file: place: what`), Unsupported (nested
/// deeper than any model).
[[nodiscard]] Result<Topology> readModelTree(const std::filesystem::path& path);

/// `model/{PID}/{name}.json` of an ATB dump. Top-level operations are counted from the number at
/// the end of the first one's name, plus `shift`. Errors: those of readModelTree().
[[nodiscard]] Result<Topology> readAtbTopology(const std::filesystem::path& path,
                                               std::uint64_t shift = 0);
[[nodiscard]] Result<Topology> parseModelTree(std::string_view text, const std::string& file);
[[nodiscard]] Result<Topology> parseAtbTopology(std::string_view text,
                                                const std::string& file,
                                                std::uint64_t shift = 0);

/// Whether a name from a file may stand for one folder: not empty, no separator, not "..".
[[nodiscard]] bool isFolderName(std::string_view name);

// Questions that the rules of msit ask about a model's structure.

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
