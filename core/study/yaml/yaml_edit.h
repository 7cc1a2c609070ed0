#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/study/yaml/yaml_tree.h"

/// Changes a YAML document in its text, so that comments, order, quotes, line ends and layout stay
/// as their author wrote them. Every function returns the new text, and has proven it: read back,
/// it means what was there before with this one change and no other. Errors: InvalidArgument (the
/// text is no YAML, or the change makes no sense), NotFound (no such key), Unsupported (the place
/// is written in a way that cannot be changed safely: shared through an anchor, with explicit
/// keys); the text is then to be edited by hand.
namespace ulp::study {

/// Keys from the root as they are written: {"variants", "bf16", "precision.compute_dtype"}.
using YamlPath = std::vector<std::string>;

/// What becomes of the comments of something that goes.
enum class Comments : std::uint8_t {
  Keep,  ///< they stay, as lines of their own where needed
  Drop   ///< those beside it, inside it and directly above it go with it
};

/// Gives `path` a value. What is there is changed as little as it takes: of maps and lists, only
/// the parts that differ. Maps that are missing on the way are made.
[[nodiscard]] Result<std::string> setYaml(std::string_view yaml,
                                          const YamlPath& path,
                                          const YamlNode& value);
/// A new key in the map at `map` before its `index`-th entry, at its end from there on. The map
/// may be empty or without value, but must not have the key.
[[nodiscard]] Result<std::string> insertYaml(std::string_view yaml,
                                             const YamlPath& map,
                                             std::size_t index,
                                             const YamlNode::Entry& entry);
[[nodiscard]] Result<std::string> removeYaml(std::string_view yaml,
                                             const YamlPath& path,
                                             Comments comments = Comments::Keep);
/// The last key of `path` becomes `key`, which its map must not have yet.
[[nodiscard]] Result<std::string> renameYaml(std::string_view yaml,
                                             const YamlPath& path,
                                             std::string_view key);
/// A copy of the entry, its comments included, behind it under the name `key`.
[[nodiscard]] Result<std::string> copyYaml(std::string_view yaml,
                                           const YamlPath& path,
                                           std::string_view key);
/// The entry `from` of the map at `map` becomes its entry `to`. Comments beside, inside and
/// directly above it move along.
[[nodiscard]] Result<std::string> moveYaml(std::string_view yaml,
                                           const YamlPath& map,
                                           std::size_t from,
                                           std::size_t to);

}  // namespace ulp::study
