#include "core/tensors/formats/torch/pickle_reader.h"

#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/name_index.h"

namespace ulp::tensors {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
constexpr std::size_t kMostPickleObjects = std::size_t{4} << 20U;

/// The stack machine of pickles, over objects in one list instead of Python's.
class Machine {
 public:
  Machine(const ByteSource& source, FindPickleGlobal find)
      : m_source(source), m_reader(source), m_find(find) {}

  Result<Pickle> run() {
    while (m_reader.ok() && !m_unsupported) {
      m_instruction = m_reader.offset();
      const auto code = m_reader.scalar<std::uint8_t>("pickle");
      if (code == kStop) {
        m_pickle.root = pop();
        break;
      }
      step(code);
    }
    if (m_unsupported) {
      return m_source.unsupported(*m_unsupported);
    }
    if (!m_reader.ok()) {
      return m_reader.error();
    }
    return std::move(m_pickle);
  }

 private:
  struct Instruction {
    std::uint8_t code;
    void (*run)(Machine& m);
  };

  /// What the instructions do, by the names that Python's pickletools has for them.
  static const auto& instructions() {
    using enum PickleKind;
    static constexpr std::array<Instruction, 51> kInstructions{{
        {'N', [](Machine& m) { m.push({}); }},                             // NONE
        {0x88, [](Machine& m) { m.push({.kind = Bool, .integer = 1}); }},  // NEWTRUE
        {0x89, [](Machine& m) { m.push({.kind = Bool}); }},                // NEWFALSE
        {'J', [](Machine& m) { m.pushInteger<std::int32_t>(); }},          // BININT
        {'K', [](Machine& m) { m.pushInteger<std::uint8_t>(); }},          // BININT1
        {'M', [](Machine& m) { m.pushInteger<std::uint16_t>(); }},         // BININT2
        {0x8A, [](Machine& m) { m.pushLong<std::uint8_t>(); }},            // LONG1
        {0x8B, [](Machine& m) { m.pushLong<std::uint32_t>(); }},           // LONG4
        {'G', [](Machine& m) { m.pushReal(); }},                           // BINFLOAT
        {'c', [](Machine& m) { m.pushNamedGlobal(); }},                    // GLOBAL
        {0x93, [](Machine& m) { m.pushStackedGlobal(); }},                 // STACK_GLOBAL
        {'X', [](Machine& m) { m.pushText<std::uint32_t>(Text); }},        // BINUNICODE
        {'T', [](Machine& m) { m.pushText<std::uint32_t>(Text); }},        // BINSTRING
        {0x8C, [](Machine& m) { m.pushText<std::uint8_t>(Text); }},        // SHORT_BINUNICODE
        {'U', [](Machine& m) { m.pushText<std::uint8_t>(Text); }},         // SHORT_BINSTRING
        {0x8D, [](Machine& m) { m.pushText<std::uint64_t>(Text); }},       // BINUNICODE8
        {'B', [](Machine& m) { m.pushText<std::uint32_t>(Bytes); }},       // BINBYTES
        {'C', [](Machine& m) { m.pushText<std::uint8_t>(Bytes); }},        // SHORT_BINBYTES
        {0x8E, [](Machine& m) { m.pushText<std::uint64_t>(Bytes); }},      // BINBYTES8
        {0x96, [](Machine& m) { m.pushText<std::uint64_t>(Bytes); }},      // BYTEARRAY8
        {')', [](Machine& m) { m.push({.kind = Tuple}); }},                // EMPTY_TUPLE
        {']', [](Machine& m) { m.push({.kind = List}); }},                 // EMPTY_LIST
        {0x8F, [](Machine& m) { m.push({.kind = List}); }},                // EMPTY_SET
        {'}', [](Machine& m) { m.push({.kind = Dict}); }},                 // EMPTY_DICT
        {0x85, [](Machine& m) { m.pushItems(Tuple, m.popLast(1)); }},      // TUPLE1
        {0x86, [](Machine& m) { m.pushItems(Tuple, m.popLast(2)); }},      // TUPLE2
        {0x87, [](Machine& m) { m.pushItems(Tuple, m.popLast(3)); }},      // TUPLE3
        {'t', [](Machine& m) { m.pushItems(Tuple, m.popToMark()); }},      // TUPLE
        {'l', [](Machine& m) { m.pushItems(List, m.popToMark()); }},       // LIST
        {0x91, [](Machine& m) { m.pushItems(List, m.popToMark()); }},      // FROZENSET
        {'d', [](Machine& m) { m.pushItems(Dict, m.popToMark()); }},       // DICT
        {'a', [](Machine& m) { m.fill(List, m.popLast(1)); }},             // APPEND
        {'e', [](Machine& m) { m.fill(List, m.popToMark()); }},            // APPENDS
        {0x90, [](Machine& m) { m.fill(List, m.popToMark()); }},           // ADDITEMS
        {'s', [](Machine& m) { m.fill(Dict, m.popLast(2)); }},             // SETITEM
        {'u', [](Machine& m) { m.fill(Dict, m.popToMark()); }},            // SETITEMS
        {'Q', [](Machine& m) { m.pushItems(Persistent, m.popLast(1)); }},  // BINPERSID
        {'R', [](Machine& m) { m.call(); }},                               // REDUCE
        {0x81, [](Machine& m) { m.call(); }},                              // NEWOBJ
        {'b', [](Machine& m) { m.dropAttributes(); }},                     // BUILD
        {'(', [](Machine& m) { m.m_marks.push_back(m.m_stack.size()); }},  // MARK
        {'0', [](Machine& m) { static_cast<void>(m.pop()); }},             // POP
        {'1', [](Machine& m) { static_cast<void>(m.popToMark()); }},       // POP_MARK
        {'2', [](Machine& m) { m.m_stack.push_back(m.top()); }},           // DUP
        {'h', [](Machine& m) { m.recall(m.memo<std::uint8_t>()); }},       // BINGET
        {'j', [](Machine& m) { m.recall(m.memo<std::uint32_t>()); }},      // LONG_BINGET
        {'q', [](Machine& m) { m.keep(m.memo<std::uint8_t>()); }},         // BINPUT
        {'r', [](Machine& m) { m.keep(m.memo<std::uint32_t>()); }},        // LONG_BINPUT
        {0x94, [](Machine& m) { m.keep(m.m_memo.size()); }},               // MEMOIZE
        {0x80, [](Machine& m) { m.checkProtocol(); }},                     // PROTO
        {0x95, [](Machine& m) { m.skipFrame(); }},                         // FRAME
    }};
    return kInstructions;
  }

  void step(std::uint8_t code) {
    static const auto byCode = [] {
      std::array<void (*)(Machine&), 256> table{};
      for (const Instruction& instruction : instructions()) {
        table.at(instruction.code) = instruction.run;
      }
      return table;
    }();
    if (byCode.at(code) == nullptr) {
      m_reader.refuse("instruction " + std::to_string(code) + " is not one that torch.save writes");
    } else {
      byCode.at(code)(*this);
    }
  }

  void push(PickleNode node) {
    if (m_pickle.nodes.size() >= kMostPickleObjects) {
      m_reader.refuse("more than " + std::to_string(kMostPickleObjects) + " objects");
      return;
    }
    m_stack.push_back(static_cast<std::uint32_t>(m_pickle.nodes.size()));
    m_pickle.nodes.push_back(std::move(node));
  }

  void pushNumber(std::int64_t integer) { push({.kind = PickleKind::Integer, .integer = integer}); }

  template <class Stored>
  void pushInteger() {
    pushNumber(std::int64_t{m_reader.scalar<Stored>("integer")});
  }

  void pushReal() {
    const auto bits = __builtin_bswap64(m_reader.scalar<std::uint64_t>("number"));
    push({.kind = PickleKind::Real, .real = std::bit_cast<double>(bits)});
  }

  /// Two's complement, little-endian. Numbers beyond 64 bits come as a real one.
  template <class Size>
  void pushLong() {
    const auto size = m_reader.scalar<Size>("integer");
    const auto bytes = m_reader.take(size, "integer");
    if (bytes.empty()) {
      pushNumber(0);
      return;
    }
    const bool isNegative = (bytes.back() & std::byte{0x80}) != std::byte{0};
    if (bytes.size() <= sizeof(std::int64_t)) {
      std::uint64_t value = isNegative ? ~std::uint64_t{0} : 0;
      std::memcpy(&value, bytes.data(), bytes.size());
      pushNumber(static_cast<std::int64_t>(value));
      return;
    }
    double value = isNegative ? -1 : 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
      value = value * 256 + std::to_integer<int>(bytes[i]);
    }
    push({.kind = PickleKind::Real, .real = value});
  }

  template <class Size>
  void pushText(PickleKind kind) {
    const auto size = m_reader.scalar<Size>(kind == PickleKind::Text ? "text" : "bytes");
    push({.kind = kind, .text = m_reader.text(size, "text")});
  }

  void pushItems(PickleKind kind, std::vector<std::uint32_t> items) {
    if (kind == PickleKind::Dict && items.size() % 2 != 0) {
      m_reader.refuse("a key without a value");
    }
    push({.kind = kind, .items = std::move(items)});
  }

  void pushNamedGlobal() {
    const std::string_view module = line();
    pushGlobal(module, line());
  }

  void pushStackedGlobal() {
    const std::string_view name = popText();
    pushGlobal(popText(), name);
  }

  void pushGlobal(std::string_view module, std::string_view name) {
    if (!m_reader.ok()) {
      return;
    }
    const auto known = m_find(module, name);
    if (!known) {
      m_unsupported =
          "byte " + std::to_string(m_instruction) + ": names " +
          quotedName(std::string(module) + "." + std::string(name)) +
          ", which is neither a tensor nor a plain container; nothing was run. Save the "
          "tensors alone: torch.save of a dict of tensors";
      return;
    }
    m_makes.resize(m_pickle.nodes.size() + 1, PickleKind::None);
    m_makes.back() = known->makes;
    push({.kind = PickleKind::Global, .global = known->id, .text = name});
  }

  std::string_view line() {
    const std::string_view rest = textOf(m_source.bytes.subspan(m_reader.offset()));
    const std::size_t end = rest.substr(0, kLongestName).find('\n');
    if (end == std::string_view::npos) {
      m_reader.refuse("the name of a global does not end");
      return {};
    }
    return m_reader.text(end + 1, "name").substr(0, end);
  }

  /// Objects above the last mark belong to it.
  [[nodiscard]] std::size_t floor() const { return m_marks.empty() ? 0 : m_marks.back(); }

  std::uint32_t top() {
    if (m_stack.size() <= floor()) {
      m_reader.refuse("takes an object where there is none");
      return 0;
    }
    return m_stack.back();
  }

  std::uint32_t pop() {
    const std::uint32_t node = top();
    if (m_reader.ok()) {
      m_stack.pop_back();
    }
    return node;
  }

  /// Those of an object say nothing of tensors.
  void dropAttributes() {
    static_cast<void>(pop());
    static_cast<void>(top());
  }

  std::string_view popText() {
    const std::uint32_t node = pop();
    if (!m_reader.ok() || m_pickle.nodes[node].kind != PickleKind::Text) {
      m_reader.refuse("a global without a name");
      return {};
    }
    return m_pickle.nodes[node].text;
  }

  std::vector<std::uint32_t> popFrom(std::size_t first) {
    const auto begin = m_stack.begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<std::uint32_t> items(begin, m_stack.end());
    m_stack.resize(first);
    return items;
  }

  std::vector<std::uint32_t> popLast(std::size_t count) {
    if (m_stack.size() - floor() < count) {
      m_reader.refuse("takes an object where there is none");
      return {};
    }
    return popFrom(m_stack.size() - count);
  }

  std::vector<std::uint32_t> popToMark() {
    if (m_marks.empty()) {
      m_reader.refuse("goes back to a mark where there is none");
      return {};
    }
    const std::size_t mark = m_marks.back();
    m_marks.pop_back();
    return popFrom(mark);
  }

  /// Puts `items` into the container on top of the stack.
  void fill(PickleKind kind, const std::vector<std::uint32_t>& items) {
    const std::uint32_t target = top();
    if (!m_reader.ok()) {
      return;
    }
    PickleNode& node = m_pickle.nodes[target];
    if (node.kind != kind || (kind == PickleKind::Dict && items.size() % 2 != 0)) {
      m_reader.refuse("fills something that is not a container of its kind");
      return;
    }
    node.items.insert(node.items.end(), items.begin(), items.end());
  }

  /// A call with its arguments; containers become what they would be.
  void call() {
    const std::uint32_t arguments = pop();
    const std::uint32_t callee = pop();
    if (!m_reader.ok()) {
      return;
    }
    const bool isCall = m_pickle.nodes[callee].kind == PickleKind::Global &&
                        m_pickle.nodes[arguments].kind == PickleKind::Tuple;
    if (!isCall) {
      m_reader.refuse("calls something that has no name");
      return;
    }
    const PickleKind makes = m_makes[callee];
    if (makes == PickleKind::Dict || makes == PickleKind::List) {
      std::vector<std::uint32_t> content = contentOf(m_pickle.nodes[arguments], makes);
      // A container may be copied again and again by a few bytes each.
      m_copied += content.size();
      if (m_copied > m_source.bytes.size()) {
        m_reader.refuse("copies its containers over and over");
        return;
      }
      pushItems(makes, std::move(content));
    } else {
      push({.kind = PickleKind::Call, .items = {callee, arguments}});
    }
  }

  /// What the arguments of a container's class put into it: the members of the first container
  /// among them, for a dict also its pairs.
  [[nodiscard]] std::vector<std::uint32_t> contentOf(const PickleNode& arguments,
                                                     PickleKind makes) const {
    for (const std::uint32_t argument : arguments.items) {
      const PickleNode& node = m_pickle.nodes[argument];
      const bool isSequence = node.kind == PickleKind::List || node.kind == PickleKind::Tuple;
      if (node.kind == makes || (makes == PickleKind::List && isSequence)) {
        return node.items;
      }
      if (makes == PickleKind::Dict && isSequence) {
        return pairsOf(node);
      }
    }
    return {};
  }

  [[nodiscard]] std::vector<std::uint32_t> pairsOf(const PickleNode& list) const {
    std::vector<std::uint32_t> items;
    for (const std::uint32_t pair : list.items) {
      if (const std::vector<std::uint32_t>& both = m_pickle.nodes[pair].items; both.size() == 2) {
        items.insert(items.end(), both.begin(), both.end());
      }
    }
    return items;
  }

  void checkProtocol() {
    if (const auto version = m_reader.scalar<std::uint8_t>("protocol"); version > 5) {
      m_reader.refuse("protocol " + std::to_string(version) + " is not one of 2 to 5");
    }
  }

  void skipFrame() { static_cast<void>(m_reader.scalar<std::uint64_t>("frame")); }

  template <class Place>
  std::size_t memo() {
    return m_reader.scalar<Place>("memo");
  }

  void recall(std::size_t place) {
    if (place >= m_memo.size() || m_memo[place] == kNothing) {
      m_reader.refuse("recalls object " + std::to_string(place) + ", which was not kept");
      return;
    }
    m_stack.push_back(m_memo[place]);
  }

  void keep(std::size_t place) {
    const std::uint32_t node = top();
    // Python numbers them in order, so there are never more than instructions.
    if (place >= m_source.bytes.size()) {
      m_reader.refuse("keeps an object under the number " + std::to_string(place));
    }
    if (!m_reader.ok()) {
      return;
    }
    if (place >= m_memo.size()) {
      m_memo.resize(place + 1, kNothing);
    }
    m_memo[place] = node;
  }

  static constexpr std::uint8_t kStop = '.';
  static constexpr std::uint32_t kNothing = 0xFFFFFFFF;
  static constexpr std::size_t kLongestName = 256;

  const ByteSource& m_source;
  ByteReader m_reader;
  FindPickleGlobal m_find;
  Pickle m_pickle;
  std::vector<PickleKind> m_makes;  ///< of the globals among the nodes
  std::vector<std::uint32_t> m_stack;
  std::vector<std::size_t> m_marks;
  std::vector<std::uint32_t> m_memo;
  std::size_t m_copied = 0;       ///< members that calls have copied
  std::size_t m_instruction = 0;  ///< where the current one begins
  std::optional<std::string> m_unsupported;
};

}  // namespace

Result<> checkPickleSize(const ByteSource& source, std::uint64_t size) {
  if (size > kMostBytes) {
    return source.unsupported("a pickle of " + std::to_string(size) + " bytes; at most " +
                              std::to_string(kMostBytes) + " are read");
  }
  return {};
}

Result<Pickle> readPickle(const ByteSource& source, FindPickleGlobal find) {
  ULP_TRY(checkPickleSize(source, source.bytes.size()));
  return Machine(source, find).run();
}

}  // namespace ulp::tensors
