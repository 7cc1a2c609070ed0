#include "core/comparing/match/structure_pairs.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/shape.h"
#include "core/comparing/match/row_identity.h"
#include "core/dumps/msit/pairing.h"
#include "core/dumps/msit/topology.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::Role;
using dumps::msit::ModelStructure;
using dumps::msit::NodeId;
using dumps::msit::NodePair;
using dumps::msit::Place;
using dumps::msit::TopologyNode;
using Rows = std::vector<std::size_t>;

/// Nodes of both structures and, where they were recorded, their entries.
struct RecordedPair {
  NodePair nodes;
  std::size_t torch = 0;  ///< entry
  std::size_t atb = 0;    ///< entry
};

bool isFile(const DumpRow& row, std::string_view file) {
  const std::string_view stem = file.substr(0, file.rfind('.'));
  const std::string_view name = row.name;
  return row.role != Role::Value && name.size() > stem.size() && name.ends_with(stem) &&
         name[name.size() - stem.size() - 1] == '/';
}

Rows rowsAt(const DumpUnit& unit, std::size_t entry, const Place& place) {
  const DumpEntry& its = unit.entries[entry];
  const Role role = place.files == Place::Files::Inputs ? Role::Input : Role::Output;
  Rows rows;
  for (const std::size_t r : its.rows()) {
    if (place.files == Place::Files::One ? isFile(unit.rows[r], place.name)
                                         : unit.rows[r].role == role) {
      rows.push_back(r);
    }
  }
  return rows;
}

/// Of what ATB splits query, key and value into, the one that the projection gives.
Rows withoutOtherProjections(const TopologyNode& torch, Rows atb) {
  constexpr std::array<std::string_view, 3> kProjections{".q_proj", ".k_proj", ".v_proj"};
  for (std::size_t i = 0; i < kProjections.size(); ++i) {
    if (atb.size() == kProjections.size() && torch.name.ends_with(kProjections.at(i))) {
      return {atb[i]};
    }
  }
  return atb;
}

class StructurePairer {
 public:
  StructurePairer(const DumpUnit& torch, const DumpUnit& atb)
      : m_torch(torch),
        m_atb(atb),
        m_isTorchPaired(torch.rows.size()),
        m_isAtbPaired(atb.rows.size()) {
    for (const dumps::msit::Topology& model : atb.structure->models) {
      m_atbLayers.push_back(dumps::msit::layers(model));
    }
  }

  /// With the PyTorch model as baseline.
  [[nodiscard]] std::vector<StructuralPair> run() && {
    const std::vector<RecordedPair> pairs = recordedPairs();
    for (const RecordedPair& pair : pairs) {
      pairEqualShapes(pair);
    }
    pairOnlyPartners(pairs);
    return std::move(m_result);
  }

 private:
  /// In the order of ATB's structure.
  [[nodiscard]] std::vector<RecordedPair> recordedPairs() const {
    using dumps::msit::Level;
    const auto& torchModels = m_torch.structure->models;
    const auto& atbModels = m_atb.structure->models;
    std::vector<NodePair> pairs =
        dumps::msit::pairUp(torchModels, atbModels, Level::Api, /*isMyAtb=*/true);
    const std::vector<NodePair> modules =
        dumps::msit::pairUp(torchModels, atbModels, Level::Module, /*isMyAtb=*/true);
    const std::set<NodePair> known(pairs.begin(), pairs.end());
    std::ranges::copy_if(modules, std::back_inserter(pairs), [&](const NodePair& pair) {
      return !known.contains(pair);
    });
    std::ranges::stable_sort(pairs, {}, &NodePair::my);
    const auto torchEntries = entriesByName(m_torch);
    const auto atbEntries = entriesByName(m_atb);
    std::vector<RecordedPair> recorded;
    for (NodePair& pair : pairs) {
      const auto torch = torchEntries.find(nodeOf(m_torch, pair.golden).folder);
      const auto atb = atbEntries.find(nodeOf(m_atb, pair.my).folder);
      if (torch != torchEntries.end() && atb != atbEntries.end()) {
        recorded.push_back({std::move(pair), torch->second, atb->second});
      }
    }
    return recorded;
  }

  [[nodiscard]] static std::unordered_map<std::string_view, std::size_t> entriesByName(
      const DumpUnit& unit) {
    std::unordered_map<std::string_view, std::size_t> entries;
    for (std::size_t i = 0; i < unit.entries.size(); ++i) {
      entries.emplace(unit.entries[i].name, i);
    }
    return entries;
  }

  [[nodiscard]] static const TopologyNode& nodeOf(const DumpUnit& unit, const NodeId& id) {
    return unit.structure->models[id.model].nodes[id.node];
  }

  [[nodiscard]] Rows torchRows(const RecordedPair& pair) const {
    return rowsAt(m_torch, pair.torch, pair.nodes.goldenPlace);
  }
  [[nodiscard]] Rows atbRows(const RecordedPair& pair) const {
    return withoutOtherProjections(nodeOf(m_torch, pair.nodes.golden),
                                   rowsAt(m_atb, pair.atb, pair.nodes.myPlace));
  }

  void add(const RecordedPair& pair, std::size_t torch, std::size_t atb) {
    m_isTorchPaired[torch] = true;
    m_isAtbPaired[atb] = true;
    m_result.push_back({pair.torch, torch, pair.atb, atb});
  }

  [[nodiscard]] bool isFree(std::size_t torch, std::size_t atb) const {
    return !m_isTorchPaired[torch] && !m_isAtbPaired[atb];
  }

  void pairEqualShapes(const RecordedPair& pair) {
    const Rows others = atbRows(pair);
    bool isPaired = false;
    for (const std::size_t row : torchRows(pair)) {
      const auto other = std::ranges::find_if(others, [&](std::size_t atb) {
        return isFree(row, atb) && isSqueezedSame(m_torch.rows[row].shape, m_atb.rows[atb].shape);
      });
      if (other != others.end()) {
        add(pair, row, *other);
        isPaired = true;
      }
    }
    if (isPaired && readsTheSame(pair.nodes)) {
      pairFirstInputs(pair);
    }
  }

  [[nodiscard]] bool readsTheSame(const NodePair& nodes) const {
    if (nodes.goldenPlace != Place() || nodes.myPlace != Place()) {
      return false;
    }
    const std::string& type = nodeOf(m_atb, nodes.my).type;
    const Rows& layers = m_atbLayers[nodes.my.model];
    return type == "LinearOperation" || type == "ActivationOperation" ||
           std::ranges::binary_search(layers, nodes.my.node);
  }

  void pairFirstInputs(const RecordedPair& pair) {
    const std::size_t torch = firstInput(m_torch, pair.torch);
    const std::size_t atb = firstInput(m_atb, pair.atb);
    if (torch != dumps::kNone && atb != dumps::kNone && isFree(torch, atb) &&
        isSqueezedSame(m_torch.rows[torch].shape, m_atb.rows[atb].shape)) {
      add(pair, torch, atb);
    }
  }

  /// Of floating-point numbers; kNone: it is something else, or was not recorded.
  [[nodiscard]] static std::size_t firstInput(const DumpUnit& unit, std::size_t entry) {
    for (const std::size_t row : rowsAt(unit, entry, {.files = Place::Files::Inputs})) {
      const auto type = elementTypeOf(unit.rows[row]);
      if (isFirstOfRole(unit.rows[row].index) && type && isFloatingPoint(*type)) {
        return row;
      }
    }
    return dumps::kNone;
  }

  /// What stands for nothing else is meant, whatever its shape.
  void pairOnlyPartners(const std::vector<RecordedPair>& pairs) {
    std::map<std::size_t, std::size_t> torchUses;
    std::map<std::size_t, std::size_t> atbUses;
    for (const RecordedPair& pair : pairs) {
      ++torchUses[pair.torch];
      ++atbUses[pair.atb];
    }
    for (const RecordedPair& pair : pairs) {
      const Rows torch = torchRows(pair);
      const Rows atb = atbRows(pair);
      if (torchUses[pair.torch] == 1 && atbUses[pair.atb] == 1 && torch.size() == 1 &&
          atb.size() == 1 && isFree(torch.front(), atb.front())) {
        add(pair, torch.front(), atb.front());
      }
    }
  }

  const DumpUnit& m_torch;
  const DumpUnit& m_atb;
  std::vector<bool> m_isTorchPaired;  ///< of each row
  std::vector<bool> m_isAtbPaired;
  std::vector<Rows> m_atbLayers;  ///< nodes of each of its structures, in order
  std::vector<StructuralPair> m_result;
};

}  // namespace

std::vector<StructuralPair> pairByStructure(const DumpUnit& baseline, const DumpUnit& candidate) {
  const ModelStructure* const left = baseline.structure.get();
  const ModelStructure* const right = candidate.structure.get();
  if (left == nullptr || right == nullptr || left->isAtb == right->isAtb) {
    return {};
  }
  if (right->isAtb) {
    return StructurePairer(baseline, candidate).run();
  }
  std::vector<StructuralPair> pairs = StructurePairer(candidate, baseline).run();
  for (StructuralPair& pair : pairs) {
    std::swap(pair.baselineEntry, pair.candidateEntry);
    std::swap(pair.baselineRow, pair.candidateRow);
  }
  return pairs;
}

}  // namespace ulp::analysis
