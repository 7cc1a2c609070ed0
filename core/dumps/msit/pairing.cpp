#include "core/dumps/msit/pairing.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string_view>
#include <unordered_map>

#include "core/base/text/ascii_lower.h"
#include "core/base/text/contains_text.h"

namespace ulp::dumps::msit {
namespace {

using Nodes = std::vector<std::size_t>;

const Place kInputs{.files = Place::Files::Inputs};
const Place kOutputs{.files = Place::Files::Outputs};
constexpr std::int64_t kAddition = 8;

Place file(std::string name) {
  return {.files = Place::Files::One, .name = std::move(name)};
}

/// Quantised types as the float ones that they replace.
std::string_view floatType(std::string_view type) {
  constexpr std::array<std::array<std::string_view, 2>, 3> kFloat{
      {{"LinearQuantOperation", "LinearOperation"},
       {"LinearDequantOnly", "LinearNoQuant"},
       {"LinearRowParallelNoAdd", "LinearRowParallelAndAdd"}}};
  for (const auto& [quantised, plain] : kFloat) {
    if (type == quantised) {
      return plain;
    }
  }
  return type;
}

/// Words that all stand in the path of an ATB operation, and what stands in the module's.
struct PathRule {
  std::vector<std::string_view> atb;
  std::string_view torch;
};
const std::vector<PathRule>& pathRules() {
  static const std::vector<PathRule> kRules{
      {{"qkv", "linearoperation"}, "self_attn.w_pack"},
      {{"qkv", "splitoperation"}, "self_attn.v_proj"},
      {{"qkvlinear", "splitoperation"}, "self_attn.k_proj"},
      {{"qkvlinearsplit", "splitoperation"}, "self_attn.q_proj"},
      {{"attention", "linearoperation"}, "self_attn.o_proj"},
      {{"mlp", "rmsnormoperation"}, "mlp.post_attention_layernorm"},
      {{"mlp", "splitoperation"}, "mlp.gate_proj"},
      {{"mlp", "activationoperation"}, "mlp.act_fn"},
      {{"mlp", "elewiseoperation"}, "mlp.down_proj"},
      {{"mlp", "linearoperation"}, "mlp.down_proj"}};
  return kRules;
}

/// "Type_outtensor0" -> type and place.
struct MappedType {
  std::string type;
  Place place;
};
MappedType mappedType(const std::string& text, std::string_view extension) {
  const std::size_t mark = text.find('_');
  if (mark == std::string::npos) {
    return {text, kOutputs};
  }
  return {text.substr(0, mark), file(text.substr(mark + 1) + std::string(extension))};
}

/// The rules, over one structure of each side.
class Rules {
 public:
  Rules(const Topology& golden,
        std::size_t goldenModel,
        const Topology& my,
        std::size_t myModel,
        const OperationMapping& mapping,
        const std::function<void(NodePair)>& add)
      : m_golden(golden),
        m_goldenModel(goldenModel),
        m_my(my),
        m_myModel(myModel),
        m_mapping(mapping),
        m_add(add),
        m_goldenLayers(layers(golden)),
        m_myLayers(layers(my)) {}

  void apply(Level level) const {
    switch (level) {
      case Level::Layer:
        pairLayers();
        pairSpecialNames();
        return;
      case Level::Module:
        eachLayer([this](std::size_t golden, std::size_t my) { pairModules(golden, my); });
        return;
      case Level::Api:
        break;
    }
    pairLastChildren();
    pairEqualNames();
    pairEqualTypeCounts();
    pairLayers();
    eachLayer([this](std::size_t golden, std::size_t my) { pairBuiltinOperations(golden, my); });
    eachLayer([this](std::size_t golden, std::size_t my) { pairMappedTypes(golden, my); });
    eachLayer([this](std::size_t golden, std::size_t my) { pairRotary(golden, my); });
    eachLayer([this](std::size_t golden, std::size_t my) { pairPaths(golden, my); });
    pairSpecialNames();
    eachLayer([this](std::size_t golden, std::size_t my) { pairProjections(golden, my); });
  }

 private:
  void add(std::size_t golden, std::size_t my) const { add(golden, kOutputs, my, kOutputs); }
  void add(std::size_t golden,
           const Place& goldenPlace,
           std::size_t my,
           const Place& myPlace) const {
    m_add({.my = {m_myModel, my},
           .myPlace = myPlace,
           .golden = {m_goldenModel, golden},
           .goldenPlace = goldenPlace});
  }

  template <class Pair>
  void eachLayer(const Pair& pair) const {
    zip(m_goldenLayers, m_myLayers, pair);
  }
  template <class Pair>
  static void zip(const Nodes& golden, const Nodes& my, const Pair& pair) {
    for (std::size_t i = 0; i < std::min(golden.size(), my.size()); ++i) {
      pair(golden[i], my[i]);
    }
  }
  template <class Test>
  static Nodes select(const Topology& model, const Nodes& nodes, const Test& test) {
    Nodes found;
    std::ranges::copy_if(
        nodes, std::back_inserter(found), [&](std::size_t i) { return test(model.nodes[i]); });
    return found;
  }

  void pairLayers() const {
    eachLayer([this](std::size_t golden, std::size_t my) { add(golden, my); });
  }

  static auto containsOneOf(std::vector<std::string_view> parts) {
    return [parts = std::move(parts)](const TopologyNode& node) {
      return std::ranges::any_of(
          parts, [&](std::string_view part) { return containsText(node.folder, part); });
    };
  }

  void pairModules(std::size_t goldenLayer, std::size_t myLayer) const {
    static const std::vector<std::pair<std::string_view, std::vector<std::string_view>>> kModules{
        {"Attention", {"self_attn", "self_attention", "Attention"}},
        {"Mlp", {"mlp", "Mlp"}},
        {"mlp", {"mlp"}},
        {"self_attn", {"self_attn"}},
        {"self_attention", {"self_attention"}}};
    for (const auto& [myPart, goldenParts] : kModules) {
      const Nodes golden =
          select(m_golden, m_golden.nodes[goldenLayer].children, containsOneOf(goldenParts));
      const Nodes my = select(m_my, m_my.nodes[myLayer].children, containsOneOf({myPart}));
      zip(golden, my, [this](std::size_t one, std::size_t other) { add(one, other); });
    }
  }

  /// The logits are what the last operation gives, at whichever depth.
  void pairLastChildren() const {
    const Nodes my = lastChildren(m_my);
    for (const std::size_t golden : lastChildren(m_golden)) {
      for (const std::size_t node : my) {
        add(golden, node);
      }
    }
  }

  static std::unordered_map<std::string_view, std::size_t> byName(const Topology& model) {
    std::unordered_map<std::string_view, std::size_t> names;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
      names[model.nodes[i].name] = i;
    }
    return names;
  }

  void pairEqualNames() const {
    const auto golden = byName(m_golden);
    const auto my = byName(m_my);
    for (std::size_t i = 0; i < m_my.nodes.size(); ++i) {
      const std::string_view name = m_my.nodes[i].name;
      const auto match = golden.find(name);
      if (name != "root" && match != golden.end() && my.at(name) == i) {
        add(match->second, i);
      }
    }
  }

  using TypeGroups = std::vector<std::pair<std::string_view, Nodes>>;
  static TypeGroups childrenByType(const Topology& model, std::size_t node) {
    TypeGroups groups;
    std::unordered_map<std::string_view, std::size_t> places;
    for (const std::size_t child : model.nodes[node].children) {
      const std::string_view type = floatType(model.nodes[child].type);
      const auto [place, isNew] = places.try_emplace(type, groups.size());
      if (isNew) {
        groups.emplace_back(type, Nodes());
      }
      groups[place->second].second.push_back(child);
    }
    return groups;
  }

  using NodePairs = std::vector<std::pair<std::size_t, std::size_t>>;
  void addEqualTypeCounts(std::size_t goldenNode, std::size_t myNode, NodePairs& pairs) const {
    const TypeGroups golden = childrenByType(m_golden, goldenNode);
    for (const auto& [type, nodes] : childrenByType(m_my, myNode)) {
      const auto match = std::ranges::find(golden, type, &TypeGroups::value_type::first);
      if (match != golden.end() && match->second.size() == nodes.size()) {
        zip(match->second, nodes, [&](std::size_t one, std::size_t other) {
          pairs.emplace_back(one, other);
        });
      }
    }
  }

  /// From the roots down, children whose type occurs equally often.
  void pairEqualTypeCounts() const {
    NodePairs pairs{{0, 0}};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto [golden, my] = pairs[i];
      addEqualTypeCounts(golden, my, pairs);
    }
    for (const auto& [golden, my] : pairs) {
      add(golden, my);
    }
  }

  /// A linear operation without bias that an addition follows is the sum: so is torch's Linear.
  [[nodiscard]] std::size_t withBias(std::size_t node) const {
    const TopologyNode& linear = m_my.nodes[node];
    if (linear.type != "LinearOperation" || linear.hasBias) {
      return node;
    }
    const std::size_t next = nextSibling(m_my, node);
    const bool isSum = next != kNone && m_my.nodes[next].type == "ElewiseOperation" &&
                       m_my.nodes[next].elewiseType == kAddition;
    return isSum ? next : node;
  }

  void pairBuiltinOperations(std::size_t goldenLayer, std::size_t myLayer) const {
    constexpr std::array<std::array<std::string_view, 2>, 2> kBuiltin{
        {{"LayerNormOperation", "LayerNorm"}, {"LinearOperation", "Linear"}}};
    const Nodes goldenLeaves = leaves(m_golden, goldenLayer);
    const Nodes myLeaves = leaves(m_my, myLayer);
    for (const auto& [atb, torch] : kBuiltin) {
      const auto isType = [](std::string_view type) {
        return [type](const TopologyNode& node) { return node.type == type; };
      };
      const Nodes golden = select(m_golden, goldenLeaves, isType(torch));
      const Nodes my = select(m_my, myLeaves, isType(atb));
      if (golden.size() == my.size()) {
        zip(golden, my, [this](std::size_t one, std::size_t other) {
          add(one, file("output.pth"), withBias(other), file("outtensor0.bin"));
        });
      }
    }
  }

  void pairMappedTypes(std::size_t goldenLayer, std::size_t myLayer) const {
    const Nodes goldenNodes = subtree(m_golden, goldenLayer);
    const Nodes myNodes = subtree(m_my, myLayer);
    const auto hasType = [](const std::string& type) {
      return [&type](const TopologyNode& node) { return containsText(node.type, type); };
    };
    for (const auto& [atbText, torchTexts] : m_mapping) {
      const MappedType atb = mappedType(atbText, ".bin");
      const Nodes my = select(m_my, myNodes, hasType(atb.type));
      for (const std::string& torchText : torchTexts) {
        const MappedType torch = mappedType(torchText, ".pth");
        const Nodes golden = select(m_golden, goldenNodes, hasType(torch.type));
        const bool isEqualCount = golden.size() == my.size();
        for (std::size_t i = 0; isEqualCount && i < my.size(); ++i) {
          add(golden[i], torch.place, my[i], atb.place);
        }
      }
    }
  }

  void pairRotary(std::size_t goldenLayer, std::size_t myLayer) const {
    const Nodes golden =
        select(m_golden, leaves(m_golden, goldenLayer), [](const TopologyNode& node) {
          return containsText(node.name, "rotary");
        });
    const Nodes my = select(m_my, leaves(m_my, myLayer), [](const TopologyNode& node) {
      return containsText(asciiLower(node.name), "ropeoperation");
    });
    zip(golden, my, [this](std::size_t one, std::size_t other) {
      add(one, kOutputs, other, kInputs);
    });
  }

  /// Of a real layer the product is below ten thousand; a file may say anything.
  [[nodiscard]] static bool areTooMany(const Nodes& golden, const Nodes& my) {
    constexpr std::size_t kMostPaths = 1'000'000;
    return !my.empty() && golden.size() > kMostPaths / my.size();
  }

  void pairPaths(std::size_t goldenLayer, std::size_t myLayer) const {
    const Nodes goldenLeaves = leaves(m_golden, goldenLayer);
    const Nodes myLeaves = leaves(m_my, myLayer);
    if (areTooMany(goldenLeaves, myLeaves)) {
      return;
    }
    for (const std::size_t golden : goldenLeaves) {
      const std::string goldenPath = asciiLower(m_golden.nodes[golden].folder);
      for (const std::size_t my : myLeaves) {
        pairPath(golden, goldenPath, my, asciiLower(m_my.nodes[my].folder));
      }
    }
  }

  void pairPath(std::size_t golden,
                const std::string& goldenPath,
                std::size_t my,
                const std::string& myPath) const {
    for (const PathRule& rule : pathRules()) {
      const bool isMatch = containsText(goldenPath, rule.torch) &&
                           std::ranges::all_of(rule.atb, [&](std::string_view word) {
                             return containsText(myPath, word);
                           });
      if (!isMatch || (rule.torch == "self_attn.o_proj" && containsText(myPath, "qkv"))) {
        continue;
      }
      const bool isGate = rule.torch == "mlp.gate_proj";
      const bool isProduct = rule.atb.back() == "elewiseoperation";
      add(golden,
          isProduct ? file("input_0.pth") : kOutputs,
          my,
          isGate ? file("outtensor0.bin") : kOutputs);
    }
  }

  /// Embeddings, final norm and head, which are no layers.
  void pairSpecialNames() const {
    using Test = bool (*)(const std::string&);
    static const std::vector<std::pair<Test, Test>> kSpecial{
        {[](const std::string& my) { return containsText(asciiLower(my), "wordembedding"); },
         [](const std::string& golden) {
           return (containsText(golden, "embed_tokens") ||
                   containsText(golden, "word_embeddings")) &&
                  !containsText(golden, "word_embeddings_layernorm");
         }},
        {isTopNorm,
         [](const std::string& golden) {
           return containsText(asciiLower(golden), "root.model.norm");
         }},
        {[](const std::string& my) { return containsText(asciiLower(my), "lmhead"); },
         [](const std::string& golden) { return containsText(asciiLower(golden), "lm_head"); }},
        {[](const std::string& my) {
           return containsText(asciiLower(my), "layernormoperation_35");
         },
         [](const std::string& golden) {
           return containsText(asciiLower(golden), "embeddings_layernorm");
         }},
        {[](const std::string& my) {
           return containsText(asciiLower(my), "layernormoperation_66");
         },
         [](const std::string& golden) { return containsText(asciiLower(golden), "ln_f"); }}};
    const Nodes goldenNodes = subtree(m_golden, 0);
    const Nodes myNodes = subtree(m_my, 0);
    for (const auto& [isMy, isGolden] : kSpecial) {
      const Nodes golden =
          select(m_golden, goldenNodes, [test = isGolden](const TopologyNode& node) {
            return test(node.name);
          });
      const Nodes my = select(
          m_my, myNodes, [test = isMy](const TopologyNode& node) { return test(node.name); });
      zip(golden, my, [this](std::size_t one, std::size_t other) { add(one, other); });
    }
  }

  static bool isTopNorm(const std::string& name) {
    constexpr std::string_view kNorm = "RmsNormOperation_";
    return name.starts_with(kNorm) && name.size() > kNorm.size() &&
           name.find_first_not_of("0123456789", kNorm.size()) == std::string::npos;
  }

  static Nodes grandchildren(const Topology& model, std::size_t node) {
    Nodes found;
    for (const std::size_t child : model.nodes[node].children) {
      const Nodes& below = model.nodes[child].children;
      found.insert(found.end(), below.begin(), below.end());
    }
    return found;
  }

  static auto hasInPath(std::string_view part) {
    return [part](const TopologyNode& node) { return containsText(asciiLower(node.folder), part); };
  }

  /// Projections of query, key and value that ATB computes in one operation.
  void pairProjections(std::size_t goldenLayer, std::size_t myLayer) const {
    const Nodes golden = grandchildren(m_golden, goldenLayer);
    const Nodes mine = grandchildren(m_my, myLayer);
    if (areTooMany(golden, mine)) {
      return;
    }
    for (const std::size_t my : mine) {
      if (!containsText(asciiLower(m_my.nodes[my].folder), "qkv")) {
        continue;
      }
      for (const char* part : {"self_attn.v_proj", "self_attn.k_proj", "self_attn.q_proj"}) {
        for (const std::size_t node : select(m_golden, golden, hasInPath(part))) {
          add(node, my);
        }
      }
    }
  }

  const Topology& m_golden;
  std::size_t m_goldenModel;
  const Topology& m_my;
  std::size_t m_myModel;
  const OperationMapping& m_mapping;
  const std::function<void(NodePair)>& m_add;
  Nodes m_goldenLayers;
  Nodes m_myLayers;
};

}  // namespace

const OperationMapping& builtinMapping() {
  static const OperationMapping kMapping{
      {"CommonLayer_outtensor0", {"GLMBlock_output_0", "BloomBlock_output_0"}},
      {"MlpGateLayerV2", {"BloomMLP", "MLP"}},
      {"RmsNormOperation", {"RMSNorm"}},
      {"SelfAttentionOperation", {"CoreAttention"}}};
  return kMapping;
}

std::vector<NodePair> pairUp(const std::vector<Topology>& golden,
                             const std::vector<Topology>& my,
                             Level level,
                             bool isMyAtb,
                             const OperationMapping& mapping) {
  std::vector<NodePair> pairs;
  std::set<NodePair> known;
  const std::function<void(NodePair)> add = [&](NodePair pair) {
    if (known.insert(pair).second) {
      pairs.push_back(std::move(pair));
    }
  };
  for (std::size_t i = 0; i < std::max(golden.size(), my.size()); ++i) {
    const std::size_t goldenModel = i % golden.size();
    const std::size_t myModel = i % my.size();
    Rules(golden[goldenModel], goldenModel, my[myModel], myModel, mapping, add).apply(level);
  }
  if (isMyAtb) {
    std::ranges::stable_sort(pairs, {}, &NodePair::my);
  }
  return pairs;
}

}  // namespace ulp::dumps::msit
