#pragma once

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
[[nodiscard]] inline tl::unexpected<ValueProblem> problemAt(SourcePosition position,
                                                            std::string message) {
  return tl::unexpected<ValueProblem>(ValueProblem{position, std::move(message)});
}
using CheckedText = tl::expected<std::string, ValueProblem>;

/// The value in its canonical spelling (dtypes by their torch name, lists and objects as JSON), or
/// why `key` cannot take it.
[[nodiscard]] CheckedText checkValue(const Key& key, const YamlNode& node);

}  // namespace ulp::study
