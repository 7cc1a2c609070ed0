#pragma once

#include <string>

#include "core/base/result.h"
#include "core/study/yaml/yaml_edit.h"
#include "core/study/yaml/yaml_tree.h"

/// How edits of YAML prove that they did what they should, for the editing code itself.
namespace ulp::study {

/// Two trees say the same; an empty map and no value do, too.
[[nodiscard]] bool means(const YamlNode& a, const YamlNode& b);
/// The node at `path` of a tree that is known to have it.
[[nodiscard]] YamlNode& nodeAt(YamlNode& root, const YamlPath& path);
/// The edited text, when it means `expected`; else refuse().
[[nodiscard]] Result<std::string> proven(std::string text, const YamlNode& expected);
/// Unsupported: the place is shared or written in a way that is not safe to change.
[[nodiscard]] tl::unexpected<Error> refuse();

}  // namespace ulp::study
