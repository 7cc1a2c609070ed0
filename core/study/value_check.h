#pragma once

#include <string>

#include <tl/expected.hpp>

#include "core/study/schema.h"
#include "core/study/yaml_tree.h"

namespace ulp::study {

/// What is wrong with a value, without the file's name.
struct ValueProblem {
  SourcePosition position;
  std::string message;
};

/// The value in its canonical spelling (dtypes by their torch name, lists and objects as JSON), or
/// why `key` cannot take it.
[[nodiscard]] tl::expected<std::string, ValueProblem> checkValue(const Key& key,
                                                                 const YamlNode& node);

}  // namespace ulp::study
