#include "core/dumps/msprobe/json_tree.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <fmt/format.h>
#include <span>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "core/base/files/mapped_file.h"
#include "core/base/text/c_locale.h"
#include "core/dumps/msprobe/python_text.h"
#include "core/json/dump.h"
#include "core/json/reader.h"

namespace ulp::dumps::msprobe {
namespace {

/// How a language writes values.
struct Notation {
  std::string_view null;
  std::string_view yes;
  std::string_view no;
  std::string (*real)(double value);
  std::string (*quoted)(std::string_view text);
};
constexpr Notation kPython{"None", "True", "False", pythonFloat, pythonQuoted};
constexpr Notation kJson{"null", "true", "false", jsonFloat, [](std::string_view text) {
                           return json::quoted(text, true);
                         }};

/// Depth is limited by whoever made the tree.
void append(std::string& out,
            const JsonTree& tree,
            const JsonNode& node,
            const Notation& notation) {
  switch (node.kind) {
    case JsonKind::Null:
      out += notation.null;
      return;
    case JsonKind::Bool:
      out += node.flag ? notation.yes : notation.no;
      return;
    case JsonKind::Integer:
      out += node.text;
      return;
    case JsonKind::Float:
      out += notation.real(node.number);
      return;
    case JsonKind::Text:
      out += notation.quoted(node.text);
      return;
    case JsonKind::List:
    case JsonKind::Object:
      break;
  }
  const bool isObject = node.kind == JsonKind::Object;
  out += isObject ? '{' : '[';
  for (std::uint32_t child = node.firstChild; child != kNoNode; child = tree[child].next) {
    if (child != node.firstChild) {
      out += ", ";
    }
    if (isObject) {
      out += notation.quoted(tree[child].key) + ": ";
    }
    append(out, tree, tree[child], notation);
  }
  out += isObject ? '}' : ']';
}

/// Objects of leaves are small, and there are very many of them.
constexpr std::uint32_t kSmallObject = 16;

bool hasDuplicates(const JsonTree& tree, const JsonNode& object) {
  for (std::uint32_t first = object.firstChild; first != kNoNode; first = tree[first].next) {
    for (std::uint32_t other = tree[first].next; other != kNoNode; other = tree[other].next) {
      if (tree[first].key == tree[other].key) {
        return true;
      }
    }
  }
  return false;
}

/// msprobe's own limit.
constexpr std::size_t kMaxDepth = 400;
/// Of one member, which is kept whole.
constexpr std::size_t kMaxValues = std::size_t{1} << 22;

/// As float() of Python reads it.
double toDouble(std::string_view digits) {
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    const CLocale points;
    value = std::strtod(std::string(digits).c_str(), nullptr);
  }
  return value;
}

/// Why a text is no JSON.
std::string_view toText(json::SyntaxProblem problem) {
  constexpr std::string_view kTexts[] = {
      "Invalid value.",
      "Missing a name for object member.",
      "Missing a colon after a name of object member.",
      "Missing a comma or '}' after an object member.",
      "Missing a comma or ']' after an array element.",
      "Missing a closing quotation mark in string.",
      "Invalid escape character in string.",
      "Invalid escape character in string.",
      "Incorrect hex digit after \\u escape in string.",
      "The surrogate pair in string is invalid.",
      "Miss fraction part in number.",
      "Miss exponent in number.",
      "Number too big to be stored in double.",
  };
  return kTexts[static_cast<std::size_t>(problem)];
}

/// Reads the members of a file's object, one tree after the other.
class MemberReader {
 public:
  MemberReader(std::string_view bytes, std::string_view inside, const OnMember& onMember)
      : m_bytes(bytes),
        m_inside(inside),
        m_onMember(onMember),
        m_json(
            bytes, {}, {.maxDepth = kMaxDepth, .hasNonFinite = true, .needsSurrogatePairs = true}) {
  }

  JsonEnd read(const std::stop_token& stop, const ReadProgress& progress) {
    m_stop = &stop;
    m_progress = &progress;
    if (m_json.peek() == Token::BeginObject) {
      readMembers();
    } else if (std::string_view("]},:\0", 5).find(nextByte()) != std::string_view::npos) {
      refuse("The document is empty.");
      m_end.isCut = m_json.position() >= m_bytes.size();
    } else {
      // What begins with a value that is broken is no JSON.
      if (m_json.peek() != Token::BeginArray) {
        static_cast<void>(readScalar(m_json.peek()));
      }
      refuse("the file does not hold an object");
    }
    describeEnd();
    return std::move(m_end);
  }

 private:
  using Token = json::Reader::Token;

  [[nodiscard]] char nextByte() const {
    return m_json.position() < m_bytes.size() ? m_bytes[m_json.position()] : '\0';
  }

  void refuse(std::string why) {
    if (m_json.isOk()) {
      m_end.problem = std::move(why);
      m_json.fail(ErrorCode::CorruptData, {});
    }
  }

  /// Those of the file's object, or of the member of it that is taken apart.
  void readMembers() {
    m_json.readObject([&](std::string_view key) {
      m_end.openMember = key;
      if (!m_isInside && !m_inside.empty() && key == m_inside &&
          m_json.peek() == Token::BeginObject) {
        m_isInside = true;
        readMembers();
        m_isInside = !m_json.isOk();
      } else {
        m_tree.clear();
        readNode(kNoNode, key);
        handOver();
      }
      if (m_json.isOk()) {
        m_end.openMember.clear();
      }
    });
  }

  void readNode(std::uint32_t parent, std::string_view key) {
    const Token token = m_json.peek();
    if (token != Token::BeginObject && token != Token::BeginArray) {
      const JsonNode node = readScalar(token);
      if (hasRoom(parent)) {
        m_tree.add(parent, key, node);
      }
      return;
    }
    if (m_json.depth() < kMaxDepth && !hasRoom(parent)) {
      return;
    }
    const bool isObject = token == Token::BeginObject;
    const std::uint32_t opened =
        m_tree.add(parent, key, {.kind = isObject ? JsonKind::Object : JsonKind::List});
    if (!isObject) {
      m_json.readArray([&] { readNode(opened, {}); });
      return;
    }
    m_json.readObject([&](std::string_view name) { readNode(opened, name); });
    if (m_json.isOk()) {
      m_tree.mergeDuplicates(opened);
    }
  }

  [[nodiscard]] bool hasRoom(std::uint32_t parent) {
    if (parent != kNoNode && m_tree.size() >= kMaxValues) {
      refuse(fmt::format("more than {} values in one member", kMaxValues));
    }
    return m_json.isOk();
  }

  /// The text of the value lives until the next one is read.
  [[nodiscard]] JsonNode readScalar(Token token) {
    if (token == Token::Text) {
      return {.kind = JsonKind::Text, .text = m_json.readText(m_text)};
    }
    if (token == Token::Null) {
      static_cast<void>(m_json.skipValue());
      return {};
    }
    if (token == Token::Boolean) {
      return {.kind = JsonKind::Bool, .flag = m_json.skipValue().starts_with('t')};
    }
    const std::string_view digits = m_json.readNumberText();
    const bool isFloat = digits.find_first_of(".eEnN") != std::string_view::npos;
    const std::string_view kept = digits == "-0" ? "0" : digits;
    return {.kind = isFloat ? JsonKind::Float : JsonKind::Integer,
            .number = toDouble(digits),
            .text = isFloat ? std::string_view() : kept};
  }

  void handOver() {
    if (!m_json.isOk()) {
      return;
    }
    constexpr std::size_t kStep = std::size_t{1} << 20;
    ++m_end.memberCount;
    if (m_stop->stop_requested()) {
      m_json.fail(ErrorCode::Cancelled, {});
      return;
    }
    if (*m_progress && m_json.position() >= m_reported + kStep) {
      m_reported = m_json.position();
      (*m_progress)(m_reported, m_bytes.size());
    }
    m_onMember(m_isInside, m_end.openMember, m_tree);
  }

  /// Makes the sentence of what ended the reading, if anything was wrong.
  void describeEnd() {
    const auto problem = m_json.syntaxProblem();
    if (problem == json::SyntaxProblem::NoColon && m_json.depth() == (m_isInside ? 2 : 1)) {
      m_end.openMember = m_json.nameWithoutColon();
    }
    if (problem == json::SyntaxProblem::TooDeep) {
      m_end.problem = fmt::format("nested deeper than {} levels", kMaxDepth);
    } else if (problem) {
      m_end.isCut = m_json.position() >= m_bytes.size();
      m_end.problem = toText(*problem);
    }
    if (m_end.problem.empty()) {
      return;
    }
    // An escape is named behind its two characters; the second may be a line break.
    const std::size_t back = problem == json::SyntaxProblem::UnknownEscape ? 2 : 0;
    const std::string_view before = m_bytes.substr(0, m_json.valuePosition() - back);
    m_end.problem = fmt::format("line {}: {}",
                                std::ranges::count(before, '\n') + 1,
                                m_end.isCut ? "the file ends here" : m_end.problem);
  }

  std::string_view m_bytes;
  std::string_view m_inside;
  const OnMember& m_onMember;
  const std::stop_token* m_stop = nullptr;
  const ReadProgress* m_progress = nullptr;
  json::Reader m_json;
  JsonTree m_tree;
  JsonEnd m_end;
  std::string m_text;
  std::size_t m_reported = 0;
  bool m_isInside = false;
};

}  // namespace

void JsonTree::clear() {
  m_nodes.clear();
  m_texts.release();
}

std::string_view JsonTree::keep(std::string_view text) {
  if (text.empty()) {
    return {};
  }
  auto* copy = static_cast<char*>(m_texts.allocate(text.size(), 1));
  std::copy(text.begin(), text.end(), copy);
  return {copy, text.size()};
}

const JsonNode* JsonTree::find(const JsonNode& object, std::string_view key) const {
  if (object.kind != JsonKind::Object) {
    return nullptr;
  }
  for (std::uint32_t child = object.firstChild; child != kNoNode; child = m_nodes[child].next) {
    if (m_nodes[child].key == key) {
      return &m_nodes[child];
    }
  }
  return nullptr;
}

std::uint32_t JsonTree::add(std::uint32_t parent, std::string_view key, const JsonNode& value) {
  const auto added = static_cast<std::uint32_t>(m_nodes.size());
  JsonNode& node = m_nodes.emplace_back(value);
  node.key = keep(key);
  node.text = keep(value.text);
  if (parent != kNoNode) {
    JsonNode& above = m_nodes[parent];
    if (above.firstChild == kNoNode) {
      above.firstChild = added;
    } else {
      m_nodes[above.lastChild].next = added;
    }
    above.lastChild = added;
    ++above.childCount;
  }
  return added;
}

void JsonTree::mergeDuplicates(std::uint32_t object) {
  if (m_nodes[object].childCount <= kSmallObject && !hasDuplicates(*this, m_nodes[object])) {
    return;
  }
  std::unordered_map<std::string_view, std::uint32_t> seen;
  std::uint32_t previous = kNoNode;
  std::uint32_t child = m_nodes[object].firstChild;
  while (child != kNoNode) {
    const std::uint32_t next = m_nodes[child].next;
    const auto [place, isNew] = seen.try_emplace(m_nodes[child].key, child);
    if (isNew) {
      previous = child;
    } else {
      const std::uint32_t after = m_nodes[place->second].next;
      m_nodes[place->second] = m_nodes[child];
      m_nodes[place->second].next = after;
      m_nodes[previous].next = next;
      --m_nodes[object].childCount;
    }
    child = next;
  }
  m_nodes[object].lastChild = previous;
}

std::string printed(const JsonTree& tree, const JsonNode& node) {
  std::string out;
  if (node.kind == JsonKind::Text) {
    out = node.text;
  } else {
    append(out, tree, node, kPython);
  }
  return out;
}

std::string jsonText(const JsonTree& tree, const JsonNode& node) {
  std::string out;
  append(out, tree, node, kJson);
  return out;
}

JsonEnd streamMembers(std::string_view bytes,
                      std::string_view inside,
                      const OnMember& onMember,
                      const std::stop_token& stop,
                      const ReadProgress& progress) {
  return MemberReader(bytes, inside, onMember).read(stop, progress);
}

Result<JsonEnd> streamMembers(const std::filesystem::path& file,
                              std::string_view inside,
                              const OnMember& onMember,
                              const std::stop_token& stop,
                              const ReadProgress& progress) {
  auto mapped = ULP_TRY(MappedFile::open(file));
  const std::span<const std::byte> bytes = mapped->bytes();
  JsonEnd end = streamMembers({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                              inside,
                              onMember,
                              stop,
                              progress);
  if (stop.stop_requested()) {
    return fail(ErrorCode::Cancelled, fmt::format("{}: reading was stopped", file.string()));
  }
  ULP_TRY(mapped->checkIntact());
  return end;
}

}  // namespace ulp::dumps::msprobe
