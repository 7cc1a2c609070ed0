#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory_resource>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ulp::dumps::msprobe {

enum class JsonKind : std::uint8_t { Null, Bool, Integer, Float, Text, List, Object };

inline constexpr std::uint32_t kNoNode = 0xFFFFFFFFU;

/// A value of JSON. Integers and floats are kept apart, as Python does.
struct JsonNode {
  JsonKind kind = JsonKind::Null;
  bool flag = false;      ///< of a Bool
  double number = 0;      ///< of an Integer (rounded) or Float
  std::string_view key;   ///< in its object
  std::string_view text;  ///< of a Text; the digits of an Integer
  std::uint32_t firstChild = kNoNode;
  std::uint32_t lastChild = kNoNode;
  std::uint32_t next = kNoNode;  ///< among its siblings
  std::uint32_t childCount = 0;
};

/// One value with all that it holds, in the order of the file; node 0 is the value itself. Made
/// again and again in the same memory. Texts live until clear().
class JsonTree {
 public:
  JsonTree() : m_texts(m_first.data(), m_first.size()) {}

  void clear();
  [[nodiscard]] std::size_t size() const { return m_nodes.size(); }
  [[nodiscard]] const JsonNode& root() const { return m_nodes.front(); }
  [[nodiscard]] const JsonNode& operator[](std::uint32_t node) const { return m_nodes[node]; }
  /// The member of an object; null where there is none.
  [[nodiscard]] const JsonNode* find(const JsonNode& object, std::string_view key) const;

  /// Adds a value below `parent` (kNoNode: the root). Texts are copied.
  std::uint32_t add(std::uint32_t parent, std::string_view key, const JsonNode& value);
  /// Of members with the same key the last one counts, in the place of the first, as in Python.
  void mergeDuplicates(std::uint32_t object);

 private:
  [[nodiscard]] std::string_view keep(std::string_view text);

  std::vector<JsonNode> m_nodes;
  std::array<std::byte, 16384> m_first{};
  std::pmr::monotonic_buffer_resource m_texts;
};

/// As Python's str() prints it: `None`, `True`, `[2, 8]`, `{'a': 1}`, a text without quotes.
[[nodiscard]] std::string printed(const JsonTree& tree, const JsonNode& node);
/// As json.dumps() of Python writes it: NaN, Infinity and -Infinity are numbers, characters beyond
/// ASCII are escaped.
[[nodiscard]] std::string jsonText(const JsonTree& tree, const JsonNode& node);

/// Where reading ended.
struct JsonEnd {
  std::string problem{};        ///< empty: the file is complete
  bool isCut = false;           ///< the problem is that the bytes end before the object does
  std::string openMember{};     ///< the member that was being read when it ended
  std::size_t memberCount = 0;  ///< that were handed over
};

/// Told of a member once it is complete: whether it stands inside the member `inside` of
/// streamMembers(), its key and its value, which lives until this returns.
using OnMember = std::function<void(bool isInside, std::string_view key, const JsonTree& value)>;
using ReadProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Reads a file that holds one object as Python writes it (NaN, Infinity and -Infinity are
/// numbers), member by member, and those of its member `inside` one by one. A file that breaks off,
/// is not JSON from some place on, or nests deeper than 400 levels: its complete members have been
/// handed over, and JsonEnd says where and why. Errors: NotFound, Io, Cancelled.
[[nodiscard]] Result<JsonEnd> streamMembers(const std::filesystem::path& file,
                                            std::string_view inside,
                                            const OnMember& onMember,
                                            const std::stop_token& stop = {},
                                            const ReadProgress& progress = {});
/// The same of bytes in memory.
[[nodiscard]] JsonEnd streamMembers(std::string_view bytes,
                                    std::string_view inside,
                                    const OnMember& onMember,
                                    const std::stop_token& stop = {},
                                    const ReadProgress& progress = {});

}  // namespace ulp::dumps::msprobe
