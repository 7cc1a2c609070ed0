#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"

namespace ulp::tensors {

enum class PickleKind : std::uint8_t {
  None,
  Bool,
  Integer,
  Real,
  Text,
  Bytes,
  Tuple,
  List,
  Dict,
  Global,      ///< a class or function, by name
  Persistent,  ///< what the pickle refers to outside of itself
  Call         ///< what calling a Global would have made
};

/// An object of a pickle. `items` are positions in Pickle::nodes: of a sequence its members, of a
/// dict keys and values in turn, of a Persistent its id, of a Call the Global and its arguments (a
/// tuple). Objects may be shared and may contain themselves.
struct PickleNode {
  PickleKind kind = PickleKind::None;
  std::uint16_t global = 0;  ///< Global: id from the table of known ones
  std::int64_t integer = 0;  ///< Integer, Bool
  double real = 0;           ///< Real
  std::string_view text{};   ///< Text, Bytes; Global: its name without the module
  std::vector<std::uint32_t> items{};
};

struct Pickle {
  std::vector<PickleNode> nodes;
  std::uint32_t root = 0;

  [[nodiscard]] const PickleNode& at(std::uint32_t node) const { return nodes[node]; }
  /// Member `position` of a node; nothing where it has fewer.
  [[nodiscard]] const PickleNode* item(const PickleNode& node, std::size_t position) const {
    return position < node.items.size() ? &nodes[node.items[position]] : nullptr;
  }
};

/// What a pickle may name.
struct PickleGlobal {
  std::uint16_t id = 0;
  /// Kind of what a call of it makes: Dict, List, or Call for anything else.
  PickleKind makes = PickleKind::Call;
};
using FindPickleGlobal = std::optional<PickleGlobal> (*)(std::string_view module,
                                                         std::string_view name);

/// Refuses a pickle of more bytes than are read. Error: Unsupported.
[[nodiscard]] Result<> checkPickleSize(const ByteSource& source, std::uint64_t size);

/// Reads a pickle of protocol 2 to 5 as data: no code is run and nothing is imported, calls are
/// kept as such. Texts lie in the bytes of the source. Errors: CorruptData, Unsupported (a global
/// that `find` does not know, with its name; objects of other libraries), each with the byte.
[[nodiscard]] Result<Pickle> readPickle(const ByteSource& source, FindPickleGlobal find);

}  // namespace ulp::tensors
