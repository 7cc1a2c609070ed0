#pragma once

#include <string>
#include <string_view>

#include "core/study/yaml/yaml_tree.h"

namespace ulp::study {

/// A scalar as it may stand inside brackets: plain where that reads back as the same text, else in
/// quotes. `quote`: the quotes to use in any case, or 0.
[[nodiscard]] std::string writeScalar(std::string_view text, char quote = 0);
/// A node in one line of flow style: `{a: 1, b: [x, 'y: z']}`. What is quoted stays quoted.
[[nodiscard]] std::string writeFlow(const YamlNode& node);

[[nodiscard]] YamlNode scalarNode(std::string_view text, SourcePosition position = {});
[[nodiscard]] YamlNode mapNode(std::vector<YamlNode::Entry> entries = {});
/// Texts, also where they look like numbers.
[[nodiscard]] YamlNode textListNode(const std::vector<std::string>& texts);

}  // namespace ulp::study
