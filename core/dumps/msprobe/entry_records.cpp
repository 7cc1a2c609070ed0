#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/text/split.h"
#include "core/dumps/msprobe/dump_json.h"
#include "core/dumps/msprobe/entry_name.h"
#include "core/dumps/msprobe/python_text.h"

namespace ulp::dumps::msprobe {
namespace {

using namespace std::string_view_literals;

/// Each row repeats the name of all that it stands in: a short file must not fill the memory.
constexpr std::size_t kMaxName = 4096;
constexpr std::size_t kShownName = 60;

Scalar toScalar(const JsonTree& tree, const JsonNode* node) {
  if (node == nullptr || node->kind == JsonKind::Null) {
    return {.kind = ScalarKind::Text, .text = "None"};
  }
  switch (node->kind) {
    case JsonKind::Integer:
      return {.kind = ScalarKind::Integer, .number = node->number, .text = std::string(node->text)};
    case JsonKind::Float:
      return {.kind = ScalarKind::Float, .number = node->number};
    default:
      return {.kind = ScalarKind::Text, .text = printed(tree, *node)};
  }
}

/// What Python calls the class of a value.
std::string_view className(const JsonNode* value) {
  switch (value == nullptr ? JsonKind::Null : value->kind) {
    case JsonKind::Bool:
      return "<class 'bool'>";
    case JsonKind::Integer:
      return "<class 'int'>";
    case JsonKind::Float:
      return "<class 'float'>";
    case JsonKind::Text:
      return "<class 'str'>";
    case JsonKind::List:
      return "<class 'list'>";
    case JsonKind::Object:
      return "<class 'dict'>";
    case JsonKind::Null:
      break;
  }
  return "<class 'NoneType'>";
}

/// A file beside the others, not one somewhere else on the machine.
bool isPlainFileName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\\\0", 3)) == std::string_view::npos;
}

std::vector<std::int64_t> dimensionsOf(const JsonTree& tree, const JsonNode* shape) {
  std::vector<std::int64_t> dimensions;
  if (shape == nullptr || shape->kind != JsonKind::List) {
    return dimensions;
  }
  dimensions.reserve(shape->childCount);
  for (std::uint32_t child = shape->firstChild; child != kNoNode; child = tree[child].next) {
    const JsonNode& extent = tree[child];
    constexpr double kLimit = 9e18;
    const bool isExtent =
        extent.kind == JsonKind::Integer && extent.number >= 0 && extent.number < kLimit;
    dimensions.push_back(isExtent ? static_cast<std::int64_t>(extent.number) : -1);
  }
  return dimensions;
}

/// The printed value of a number or truth value tells its type: nothing else need be kept of one.
bool isToldByValue(const JsonTree& tree, const JsonNode& argument) {
  if (argument.firstChild == kNoNode || tree[argument.firstChild].next == kNoNode) {
    return false;
  }
  const JsonNode& type = tree[argument.firstChild];
  const JsonNode& value = tree[type.next];
  if (type.key != "type" || value.key != "value" || value.next != kNoNode) {
    return false;
  }
  return (type.text == "int" && value.kind == JsonKind::Integer) ||
         (type.text == "float" && value.kind == JsonKind::Float) ||
         (type.text == "bool" && value.kind == JsonKind::Bool);
}

/// Walks the value of an entry. The tree's depth is limited, and so is the recursion.
class Walk {
 public:
  Walk(std::vector<Record>& records, const JsonTree& tree, std::vector<std::string>& notes)
      : m_records(records), m_tree(tree), m_notes(notes) {}

  void all(const JsonNode& value, std::string_view name, Section section) {
    m_name = name;
    m_prefix = name.size();
    m_section = section;
    node(value);
  }

  [[nodiscard]] std::vector<EmptyContainer> takeEmpties() { return std::move(m_empties); }

 private:
  void node(const JsonNode& value) {
    if (value.kind == JsonKind::List) {
      children(value, m_section != Section::Gradient);
    } else if (value.kind == JsonKind::Object) {
      object(value);
    } else {
      // A bare value but null is not what msprobe writes: shown, never compared as a tensor.
      add(value, nullptr);
    }
  }

  void object(const JsonNode& value) {
    const JsonNode* leaf = &value;
    const JsonNode* known = m_tree.find(value, "class_type");
    if (known != nullptr && known->text == "torch.distributed.P2POp") {
      leaf = m_tree.find(value, "tensor");
      if (leaf == nullptr || leaf->kind != JsonKind::Object) {
        return;
      }
    }
    const JsonNode* type = m_tree.find(*leaf, "type");
    if (type != nullptr && type->kind == JsonKind::Text) {
      add(*leaf, type);
    } else {
      children(*leaf, true);
    }
  }

  [[nodiscard]] std::string index() const {
    return m_name.size() > m_prefix ? m_name.substr(m_prefix + 1) : std::string();
  }

  void children(const JsonNode& parent, bool isNamed) {
    const bool isKept = m_section == Section::Input || m_section == Section::Output;
    if (parent.firstChild == kNoNode && isKept && m_name.size() > m_prefix &&
        m_name.size() <= kMaxName) {
      m_empties.push_back({m_section, index(), parent.kind == JsonKind::List});
    }
    std::size_t position = 0;
    const std::size_t length = m_name.size();
    for (std::uint32_t child = parent.firstChild; child != kNoNode; child = m_tree[child].next) {
      if (isNamed) {
        m_name += '.';
        if (parent.kind == JsonKind::Object) {
          m_name += m_tree[child].key;
        } else {
          m_name += std::to_string(position);
        }
      }
      node(m_tree[child]);
      m_name.resize(length);
      ++position;
    }
  }

  void add(const JsonNode& value, const JsonNode* type) {
    if (m_name.size() > kMaxName) {
      if (!std::exchange(m_isTooLong, true)) {
        m_notes.push_back(fmt::format("'{}…': names of more than {} characters are left out",
                                      m_name.substr(0, kShownName),
                                      kMaxName));
      }
      return;
    }
    Record& record = m_records.emplace_back();
    record.name = m_name;
    record.index = index();
    record.section = m_section;
    if (type != nullptr) {
      leaf(record, value, *type);
      return;
    }
    record.statistics.fill({.kind = ScalarKind::Text, .text = "None"});
    if (value.kind != JsonKind::Null) {
      record.value = printed(m_tree, value);
    }
  }

  void leaf(Record& record, const JsonNode& value, const JsonNode& type) {
    constexpr std::array kNames{"Max"sv, "Min"sv, "Mean"sv, "Norm"sv};
    const JsonNode* dtype = m_tree.find(value, "dtype");
    const JsonNode* shape = m_tree.find(value, "shape");
    const JsonNode* checksum = m_tree.find(value, "md5");
    record.hasChecksum = checksum != nullptr;
    for (std::size_t each = 0; each < kNames.size(); ++each) {
      record.statistics[each] = toScalar(m_tree, m_tree.find(value, kNames[each]));
    }
    if (const JsonNode* grad = m_tree.find(value, "requires_grad");
        grad != nullptr && grad->kind != JsonKind::Null) {
      record.requiresGrad = printed(m_tree, *grad);
    }
    if (shape != nullptr && shape->kind != JsonKind::Null) {
      record.shape = printed(m_tree, *shape);
    }
    if (dtype != nullptr && dtype->kind == JsonKind::Text && !dtype->text.empty()) {
      record.isTensor = true;
      record.dtype = dtype->text;
      record.dimensions = dimensionsOf(m_tree, shape);
    } else {
      argument(record, value, type.text);
    }
    if (checksum != nullptr && !checksum->text.empty()) {
      record.checksum = checksum->text;
    }
    record.isChecksumMade = record.checksum.empty();
    if (record.isChecksumMade) {
      const JsonNode* held = m_tree.find(value, "value");
      static const std::string kOfNothing = crc32Text("");
      record.checksum = held == nullptr ? kOfNothing : crc32Text(printed(m_tree, *held));
    }
    nameFile(record, value);
  }

  /// What is no tensor.
  void argument(Record& record, const JsonNode& value, std::string_view type) {
    const JsonNode* held = m_tree.find(value, "value");
    record.value = held != nullptr ? printed(m_tree, *held) : std::string();
    if (!isToldByValue(m_tree, value)) {
      record.argument = jsonText(m_tree, value);
    }
    const std::string last(lastPart(m_name, '.'));
    const bool isPeer =
        last == "src" || last == "dst" || last == "group_src" || last == "group_dst";
    record.dtype = type;
    if (type == "torch.Size") {
      record.shape = record.value;
    } else if (type == "slice") {
      record.shape = "(3,)";
    } else if (isPeer || type == "torch.ProcessGroup") {
      const JsonNode* group = isPeer ? held : m_tree.find(value, "group_ranks");
      record.value = group != nullptr ? printed(m_tree, *group) : std::string("None");
      record.shape = "[]";
      record.checksum = record.value;
      record.statistics.fill({.kind = ScalarKind::Text, .text = record.value});
    } else {
      record.shape = "[]";
      record.statistics.fill(toScalar(m_tree, held));
      if (type != "ellipsis") {
        record.dtype = className(held);
      }
      if (const JsonNode* format = m_tree.find(value, "format");
          held == nullptr && format != nullptr) {
        record.value = printed(m_tree, *format);
      }
    }
  }

  void nameFile(Record& record, const JsonNode& value) {
    const JsonNode* file = m_tree.find(value, "data_name");
    if (file == nullptr || file->kind != JsonKind::Text || file->text.empty() ||
        file->text == "-1") {
      return;
    }
    if (!isPlainFileName(file->text)) {
      m_notes.push_back(
          fmt::format("'{}': the data_name '{}' points out of the dump and is not "
                      "followed",
                      record.name,
                      file->text));
      return;
    }
    record.fileName = file->text;
    record.name = file->text.substr(0, file->text.rfind('.'));
  }

  std::vector<Record>& m_records;
  const JsonTree& m_tree;
  std::vector<std::string>& m_notes;
  std::vector<EmptyContainer> m_empties;
  std::string m_name;
  bool m_isTooLong = false;
  std::size_t m_prefix = 0;
  Section m_section = Section::Input;
};

}  // namespace

std::string printed(const Scalar& scalar) {
  return scalar.kind == ScalarKind::Float ? pythonFloat(scalar.number) : scalar.text;
}

std::vector<EmptyContainer> appendRecords(std::vector<Record>& records,
                                          std::string_view entry,
                                          const JsonTree& value,
                                          std::vector<std::string>& notes) {
  struct Part {
    std::string_view key;
    std::string_view suffix;
    Section section;
  };
  constexpr std::array kParts{Part{"input_args", ".input", Section::Input},
                              Part{"input_kwargs", ".input", Section::Input},
                              Part{"input", ".input", Section::Input},
                              Part{"output", ".output", Section::Output},
                              Part{"parameters", ".parameters", Section::Parameters}};
  const std::size_t first = records.size();
  Walk walk(records, value, notes);
  if (isGradientName(entry)) {
    walk.all(value.root(), entry, Section::Gradient);
  } else if (entry.ends_with(".debug")) {
    walk.all(value.root(), entry, Section::Saved);
  } else {
    for (const Part& part : kParts) {
      if (const JsonNode* held = value.find(value.root(), part.key); held != nullptr) {
        walk.all(*held, std::string(entry) + std::string(part.suffix), part.section);
      }
    }
  }
  const std::span<Record> added = std::span(records).subspan(first);
  // They mostly are in order, and a sort first makes room for them all elsewhere.
  if (!std::ranges::is_sorted(added, {}, &Record::section)) {
    std::ranges::stable_sort(added, {}, &Record::section);
  }
  return walk.takeEmpties();
}

}  // namespace ulp::dumps::msprobe
