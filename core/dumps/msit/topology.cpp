#include "core/dumps/msit/topology.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/text/parse_number.h"
#include "core/json/parse.h"

namespace ulp::dumps::msit {
namespace {

constexpr std::size_t kDeepestJson = 800;  ///< levels of JSON, two of which are one of the model
constexpr std::size_t kMostNodes = 1'000'000;
constexpr std::size_t kLongestName = 255;    ///< of a folder, on every file system
constexpr std::size_t kLongestPath = 4'096;  ///< of the system
constexpr std::size_t kLargestTopology = std::size_t{256} << 20;

/// What the keys of one tool mean.
struct Spelling {
  std::string_view name;
  std::string_view type;
  std::string_view rootType;
  std::string_view children;
};
constexpr Spelling kTorch{"name", "type", "", "children"};
constexpr Spelling kAtb{"opName", "opType", "modelName", "nodes"};

/// Collects nodes; values of other keys are skipped, however deep.
class TopologyReader final : public json::Events {
 public:
  explicit TopologyReader(const Spelling& spelling) : m_spelling(spelling) {}

  [[nodiscard]] Topology takeTopology() { return std::move(m_topology); }
  [[nodiscard]] const std::string& error() const { return m_error; }
  [[nodiscard]] bool hasChildren() const { return m_hasChildren; }

  bool null() override { return isNoNode(); }
  bool boolean(bool value) override {
    if (isParameter() && m_key == "hasBias") {
      node().hasBias = value;
    }
    return isNoNode();
  }
  bool negative(std::int64_t value) override { return number(value); }
  bool natural(std::uint64_t value) override { return number(static_cast<std::int64_t>(value)); }
  bool real(double /*value*/, const std::string& /*spelled*/) override { return isNoNode(); }

  bool text(std::string& value) override {
    if (!m_places.empty() && m_places.back() == Place::Node) {
      if (m_key == m_spelling.name) {
        node().name = std::move(value);
      } else if (m_key == m_spelling.type || (m_open.size() == 1 && m_key == m_spelling.rootType)) {
        node().type = std::move(value);
      }
      return true;
    }
    return isNoNode();
  }

  bool key(std::string& name) override {
    m_key = std::move(name);
    return true;
  }

  bool beginObject() override {
    if (m_places.empty() || m_places.back() == Place::Children) {
      return push(Place::Node) && addNode();
    }
    const bool isParam = m_places.back() == Place::Node && m_key == "param";
    return push(isParam ? Place::Parameters : Place::Skipped);
  }
  bool beginArray() override {
    if (!isNoNode()) {
      return false;
    }
    const bool isChildren = m_places.back() == Place::Node && m_key == m_spelling.children;
    m_hasChildren = m_hasChildren || isChildren;
    return push(isChildren ? Place::Children : Place::Skipped);
  }
  bool endObject() override { return pop(); }
  bool endArray() override { return pop(); }

  void syntaxError(std::size_t byte, const std::string& /*what*/) override {
    m_error = fmt::format("byte {}: not valid JSON", byte);
  }

 private:
  enum class Place : std::uint8_t { Node, Children, Parameters, Skipped };

  [[nodiscard]] TopologyNode& node() { return m_topology.nodes[m_open.back()]; }
  [[nodiscard]] bool isParameter() const {
    return !m_places.empty() && m_places.back() == Place::Parameters;
  }

  bool number(std::int64_t value) {
    if (isParameter() && m_key == "elewiseType") {
      node().elewiseType = value;
    }
    return isNoNode();
  }

  bool isNoNode() {
    if (m_places.empty() || m_places.back() == Place::Children) {
      m_error = fmt::format("node {}: not an object", m_topology.nodes.size());
      return false;
    }
    return true;
  }

  bool push(Place place) {
    if (m_places.size() == kDeepestJson) {
      m_error = fmt::format(
          "node {}: nested more than {} levels deep", m_topology.nodes.size(), kDeepestJson);
      return false;
    }
    m_places.push_back(place);
    return true;
  }

  bool pop() {
    if (m_places.back() == Place::Node) {
      m_open.pop_back();
    }
    m_places.pop_back();
    return true;
  }

  bool addNode() {
    const std::size_t index = m_topology.nodes.size();
    if (index == kMostNodes) {
      m_error = fmt::format("more than {} nodes", kMostNodes);
      return false;
    }
    TopologyNode added;
    if (!m_open.empty()) {
      added.parent = m_open.back();
      added.order = node().children.size();
      node().children.push_back(index);
    }
    m_topology.nodes.push_back(std::move(added));
    m_open.push_back(index);
    return true;
  }

  const Spelling& m_spelling;
  Topology m_topology;
  std::string m_error;
  std::string m_key;
  bool m_hasChildren = false;
  std::vector<Place> m_places;      ///< what each open bracket holds
  std::vector<std::size_t> m_open;  ///< nodes that are open, outermost first
};

Result<Topology> parse(std::string_view text, const std::string& file, const Spelling& spelling) {
  TopologyReader reader(spelling);
  auto read = json::readEvents(text, reader);
  if (!read && read.error().code() == ErrorCode::CorruptData) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: {}; dump the model again", file, reader.error()));
  }
  ULP_TRY(whileDoing(file, std::move(read)));
  if (!reader.hasChildren()) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: no list '{}': not a model's structure", file, spelling.children));
  }
  return reader.takeTopology();
}

/// Number behind the last '_'; 0 where there is none.
std::uint64_t trailingNumber(std::string_view name) {
  const std::size_t mark = name.rfind('_');
  const std::string_view digits = mark == std::string_view::npos ? name : name.substr(mark + 1);
  return parseNumber<std::uint32_t>(digits).value_or(0);
}

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

bool isFolderName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\\\0", 3)) == std::string_view::npos;
}

Result<Topology> parseModelTree(std::string_view text, const std::string& file) {
  Result<Topology> topology = parse(text, file, kTorch);
  if (!topology) {
    return topology;
  }
  for (TopologyNode& node : topology->nodes) {
    if (!isFolderName(node.name)) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: module '{}': not the name of a folder", file, node.name));
    }
    node.folder = node.name;
  }
  return topology;
}

Result<Topology> parseAtbTopology(std::string_view text,
                                  const std::string& file,
                                  std::uint64_t shift) {
  Result<Topology> topology = parse(text, file, kAtb);
  if (!topology) {
    return topology;
  }
  std::vector<TopologyNode>& nodes = topology->nodes;
  const std::uint64_t first =
      nodes.size() > 1 ? trailingNumber(nodes[1].name) + shift : std::uint64_t{0};
  nodes.front().name = "root";
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    TopologyNode& node = nodes[i];
    if (!isFolderName(node.type)) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: operation '{}': its type '{}' is not the name of a folder",
                              file,
                              node.name,
                              node.type));
    }
    const bool isTop = node.parent == 0;
    node.order += isTop ? first : 0;
    node.folder = fmt::format(
        "{}{}{}_{}", nodes[node.parent].folder, isTop ? "" : "/", node.order, node.type);
    if (node.folder.size() > kLongestPath) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: operation '{}': its folder would be longer than a path may be",
                              file,
                              node.name));
    }
  }
  return topology;
}

Result<Topology> readModelTree(const std::filesystem::path& path) {
  const std::string text = ULP_TRY(readTextFile(path, kLargestTopology));
  return parseModelTree(text, path.string());
}

Result<Topology> readAtbTopology(const std::filesystem::path& path, std::uint64_t shift) {
  const std::string text = ULP_TRY(readTextFile(path, kLargestTopology));
  return parseAtbTopology(text, path.string(), shift);
}

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
  const auto place = std::ranges::find(siblings, node);
  return place == siblings.end() || place + 1 == siblings.end() ? kNone : *(place + 1);
}

}  // namespace ulp::dumps::msit
