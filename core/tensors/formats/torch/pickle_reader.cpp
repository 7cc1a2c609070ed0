#include "core/tensors/formats/torch/pickle_reader.h"

#include <bit>
#include <span>
#include <string>
#include <utility>

#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/name_index.h"

namespace ulp::tensors {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
constexpr std::size_t kMostPickleObjects = std::size_t{4} << 20U;

enum class Op : std::uint8_t {
  Mark = '(',
  Stop = '.',
  Pop = '0',
  PopMark = '1',
  Dup = '2',
  BinInt = 'J',
  BinInt1 = 'K',
  BinInt2 = 'M',
  NoneValue = 'N',
  BinPersistent = 'Q',
  Reduce = 'R',
  BinString = 'T',
  ShortBinString = 'U',
  BinUnicode = 'X',
  Append = 'a',
  Build = 'b',
  GlobalName = 'c',
  Dict = 'd',
  EmptyDict = '}',
  Appends = 'e',
  BinGet = 'h',
  LongBinGet = 'j',
  List = 'l',
  EmptyList = ']',
  BinPut = 'q',
  LongBinPut = 'r',
  SetItem = 's',
  Tuple = 't',
  EmptyTuple = ')',
  SetItems = 'u',
  BinFloat = 'G',
  BinBytes = 'B',
  ShortBinBytes = 'C',
  Protocol = 0x80,
  NewObject = 0x81,
  Tuple1 = 0x85,
  Tuple2 = 0x86,
  Tuple3 = 0x87,
  NewTrue = 0x88,
  NewFalse = 0x89,
  Long1 = 0x8A,
  Long4 = 0x8B,
  ShortBinUnicode = 0x8C,
  BinUnicode8 = 0x8D,
  BinBytes8 = 0x8E,
  EmptySet = 0x8F,
  AddItems = 0x90,
  FrozenSet = 0x91,
  StackGlobal = 0x93,
  Memoize = 0x94,
  Frame = 0x95,
  ByteArray8 = 0x96
};

std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The stack machine of pickles, over objects in one list instead of Python's.
class Machine {
 public:
  Machine(const ByteSource& source, FindPickleGlobal find)
      : m_source(source), m_reader(source), m_find(find) {}

  Result<Pickle> run() {
    while (m_reader.ok() && !m_unsupported) {
      m_instruction = m_reader.offset();
      const auto op = static_cast<Op>(m_reader.scalar<std::uint8_t>("pickle"));
      if (op == Op::Stop) {
        m_pickle.root = pop();
        break;
      }
      step(op);
    }
    if (m_unsupported) {
      return tl::unexpected(*std::move(m_unsupported));
    }
    if (!m_reader.ok()) {
      return m_reader.error();
    }
    return std::move(m_pickle);
  }

 private:
  void step(Op op) {
    if (!value(op) && !container(op) && !stackOrMemo(op)) {
      m_reader.refuse("instruction " + std::to_string(static_cast<unsigned>(op)) +
                      " is not one that torch.save writes");
    }
  }

  /// Instructions that push an object that stands in the pickle.
  bool value(Op op) {
    switch (op) {
      case Op::NoneValue:
        push({});
        return true;
      case Op::NewTrue:
      case Op::NewFalse:
        push({.kind = PickleKind::Bool, .integer = op == Op::NewTrue ? 1 : 0});
        return true;
      case Op::BinInt:
        pushInteger(m_reader.scalar<std::int32_t>("integer"));
        return true;
      case Op::BinInt1:
        pushInteger(m_reader.scalar<std::uint8_t>("integer"));
        return true;
      case Op::BinInt2:
        pushInteger(m_reader.scalar<std::uint16_t>("integer"));
        return true;
      case Op::Long1:
        pushLong(m_reader.scalar<std::uint8_t>("integer"));
        return true;
      case Op::Long4:
        pushLong(m_reader.scalar<std::uint32_t>("integer"));
        return true;
      case Op::BinFloat: {
        const auto bits = __builtin_bswap64(m_reader.scalar<std::uint64_t>("number"));
        push({.kind = PickleKind::Real, .real = std::bit_cast<double>(bits)});
        return true;
      }
      case Op::GlobalName: {
        const std::string_view module = line();
        pushGlobal(module, line());
        return true;
      }
      case Op::StackGlobal: {
        const std::string_view name = popText();
        pushGlobal(popText(), name);
        return true;
      }
      default:
        return text(op);
    }
  }

  bool text(Op op) {
    switch (op) {
      case Op::BinUnicode:
      case Op::BinString:
        pushText(PickleKind::Text, m_reader.scalar<std::uint32_t>("text"));
        return true;
      case Op::ShortBinUnicode:
      case Op::ShortBinString:
        pushText(PickleKind::Text, m_reader.scalar<std::uint8_t>("text"));
        return true;
      case Op::BinUnicode8:
        pushText(PickleKind::Text, m_reader.scalar<std::uint64_t>("text"));
        return true;
      case Op::BinBytes:
        pushText(PickleKind::Bytes, m_reader.scalar<std::uint32_t>("bytes"));
        return true;
      case Op::ShortBinBytes:
        pushText(PickleKind::Bytes, m_reader.scalar<std::uint8_t>("bytes"));
        return true;
      case Op::BinBytes8:
      case Op::ByteArray8:
        pushText(PickleKind::Bytes, m_reader.scalar<std::uint64_t>("bytes"));
        return true;
      default:
        return false;
    }
  }

  /// Instructions that make or fill a container or an object.
  bool container(Op op) {
    switch (op) {
      case Op::EmptyTuple:
        push({.kind = PickleKind::Tuple});
        return true;
      case Op::EmptyList:
      case Op::EmptySet:
        push({.kind = PickleKind::List});
        return true;
      case Op::EmptyDict:
        push({.kind = PickleKind::Dict});
        return true;
      case Op::Tuple1:
      case Op::Tuple2:
      case Op::Tuple3:
        pushItems(PickleKind::Tuple,
                  popLast(static_cast<std::size_t>(op) - static_cast<std::size_t>(Op::Tuple1) + 1));
        return true;
      case Op::Tuple:
        pushItems(PickleKind::Tuple, popToMark());
        return true;
      case Op::List:
      case Op::FrozenSet:
        pushItems(PickleKind::List, popToMark());
        return true;
      case Op::Dict:
        pushItems(PickleKind::Dict, popToMark());
        return true;
      case Op::Append:
        fill(PickleKind::List, popLast(1));
        return true;
      case Op::Appends:
      case Op::AddItems:
        fill(PickleKind::List, popToMark());
        return true;
      case Op::SetItem:
        fill(PickleKind::Dict, popLast(2));
        return true;
      case Op::SetItems:
        fill(PickleKind::Dict, popToMark());
        return true;
      default:
        return object(op);
    }
  }

  bool object(Op op) {
    switch (op) {
      case Op::BinPersistent:
        pushItems(PickleKind::Persistent, popLast(1));
        return true;
      case Op::Reduce:
      case Op::NewObject:
        call();
        return true;
      case Op::Build:  // attributes of an object, which say nothing of tensors
        static_cast<void>(pop());
        static_cast<void>(top());
        return true;
      default:
        return false;
    }
  }

  bool stackOrMemo(Op op) {
    switch (op) {
      case Op::Mark:
        m_marks.push_back(m_stack.size());
        return true;
      case Op::Pop:
        static_cast<void>(pop());
        return true;
      case Op::PopMark:
        static_cast<void>(popToMark());
        return true;
      case Op::Dup:
        m_stack.push_back(top());
        return true;
      case Op::BinGet:
        recall(m_reader.scalar<std::uint8_t>("memo"));
        return true;
      case Op::LongBinGet:
        recall(m_reader.scalar<std::uint32_t>("memo"));
        return true;
      case Op::BinPut:
        keep(m_reader.scalar<std::uint8_t>("memo"));
        return true;
      case Op::LongBinPut:
        keep(m_reader.scalar<std::uint32_t>("memo"));
        return true;
      case Op::Memoize:
        keep(m_memo.size());
        return true;
      case Op::Protocol:
        if (const auto version = m_reader.scalar<std::uint8_t>("protocol"); version > 5) {
          m_reader.refuse("protocol " + std::to_string(version) + " is not one of 2 to 5");
        }
        return true;
      case Op::Frame:
        static_cast<void>(m_reader.scalar<std::uint64_t>("frame"));
        return true;
      default:
        return false;
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

  void pushInteger(std::int64_t integer) {
    push({.kind = PickleKind::Integer, .integer = integer});
  }

  /// Two's complement, little-endian. Numbers beyond 64 bits come as a real one.
  void pushLong(std::uint64_t size) {
    const auto bytes = m_reader.take(size, "integer");
    if (bytes.empty()) {
      pushInteger(0);
      return;
    }
    const bool isNegative = (bytes.back() & std::byte{0x80}) != std::byte{0};
    if (bytes.size() <= sizeof(std::int64_t)) {
      std::uint64_t value = isNegative ? ~std::uint64_t{0} : 0;
      std::memcpy(&value, bytes.data(), bytes.size());
      pushInteger(static_cast<std::int64_t>(value));
      return;
    }
    double value = isNegative ? -1 : 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
      value = value * 256 + std::to_integer<int>(bytes[i]);
    }
    push({.kind = PickleKind::Real, .real = value});
  }

  void pushText(PickleKind kind, std::uint64_t size) {
    const auto bytes = m_reader.take(size, "text");
    push({.kind = kind, .text = textOf(bytes)});
  }

  void pushItems(PickleKind kind, std::vector<std::uint32_t> items) {
    if (kind == PickleKind::Dict && items.size() % 2 != 0) {
      m_reader.refuse("a key without a value");
    }
    push({.kind = kind, .items = std::move(items)});
  }

  void pushGlobal(std::string_view module, std::string_view name) {
    if (!m_reader.ok()) {
      return;
    }
    const auto known = m_find(module, name);
    if (!known) {
      m_unsupported =
          Error(ErrorCode::Unsupported,
                m_source.path.string() + ": byte " + std::to_string(m_instruction) + ": names " +
                    quotedName(std::string(module) + "." + std::string(name)) +
                    ", which is neither a tensor nor a plain container; nothing was run. Save "
                    "the tensors alone: torch.save of a dict of tensors");
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
    const auto bytes = m_reader.take(end + 1, "name");
    return textOf(bytes.first(bytes.empty() ? 0 : end));
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
  std::optional<Error> m_unsupported;
};

}  // namespace

Result<Pickle> readPickle(const ByteSource& source, FindPickleGlobal find) {
  if (source.bytes.size() > kMostBytes) {
    return fail(ErrorCode::Unsupported,
                source.path.string() + ": a pickle of " + std::to_string(source.bytes.size()) +
                    " bytes; at most " + std::to_string(kMostBytes) + " are read");
  }
  return Machine(source, find).run();
}

}  // namespace ulp::tensors
