#pragma once

#include <fmt/format.h>
#include <string>
#include <utility>

#include <tl/expected.hpp>

#include "core/study/schema/schema.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::study {

/// What is wrong with a value, without the file's name.
struct ValueProblem {
  SourcePosition position;
  std::string message;
};
/// Says what is wrong with a value of `key`, whose path fills the first place of `format`.
template <class... Arguments>
[[nodiscard]] tl::unexpected<ValueProblem> problemOf(
    const Key& key,
    const YamlNode& node,
    fmt::format_string<const std::string_view&, Arguments...> format,
    Arguments&&... arguments) {
  return tl::unexpected(ValueProblem{
      node.position, fmt::format(format, key.path, std::forward<Arguments>(arguments)...)});
}

template <class Value>
using Checked = tl::expected<Value, ValueProblem>;
using CheckedText = Checked<std::string>;

/// The value in its canonical spelling (dtypes by their torch name, lists and objects as JSON), or
/// why `key` cannot take it.
[[nodiscard]] CheckedText checkValue(const Key& key, const YamlNode& node);

}  // namespace ulp::study
