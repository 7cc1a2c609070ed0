#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/base/text/regular_expression.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// The first line is an expression, the second what replaces it, the rest a name.
inline void fuzzRegularExpression(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = fuzzText(data, size);
  const auto takeLine = [&rest] {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    return line;
  };
  const std::string_view pattern = takeLine();
  const std::string_view replacement = takeLine();
  using Dialect = RegularExpression::Dialect;
  for (const Dialect dialect : {Dialect::Names, Dialect::NamesInAnyCase, Dialect::Tokenizer}) {
    const auto expression = RegularExpression::compile(pattern, dialect);
    if (!expression) {
      require(!expression.error().message().empty());
      continue;
    }
    const auto isFound = expression->isFoundIn(rest);
    require(isFound || !isFound.error().message().empty());
    const auto replaced = expression->replaced(rest, replacement);
    require(replaced || !replaced.error().message().empty());
  }
}

}  // namespace ulp::test
