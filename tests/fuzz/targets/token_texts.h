#pragma once

#include <cstddef>
#include <cstdint>

#include "core/report/model/token_texts.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// tokens.json. Each token that was to be predicted is there.
inline void fuzzTokenTexts(const std::uint8_t* data, std::size_t size) {
  static const FuzzFolder folder;
  folder.write(report::kTokenTextFile, fuzzText(data, size));
  const auto tokens = report::readTokenTexts(folder.path());
  if (!tokens) {
    require(!tokens.error().message().empty());
    return;
  }
  require(tokens->has_value());
  const report::TokenTexts& read = **tokens;
  require(read.predicted(read.sequences - 1, read.length - 1) == read.ids.back());
  static_cast<void>(read.textOf(read.ids.front()));
}

}  // namespace ulp::test
