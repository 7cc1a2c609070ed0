#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/tensors/opening/token_file.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// A file of token ids. The first line says which kind: "json", "npy" or "safetensors".
inline void fuzzTokenFile(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzzText(data, size);
  const std::size_t line = std::min(input.find('\n'), input.size());
  const std::string_view kind = input.substr(0, line);
  if (kind != "json" && kind != "npy" && kind != "safetensors") {
    return;
  }
  static const FuzzFolder folder;
  const auto name = std::string("tokens.") + std::string(kind);
  folder.write(name, input.substr(std::min(line + 1, size)));
  const auto file = tensors::readTokens(folder.path() / name);
  if (!file) {
    require(!file.error().message().empty());
    return;
  }
  // A product would overflow where an extent is 0.
  const bool isEmpty = std::ranges::count(file->shape, 0) > 0;
  require(isEmpty == file->tokens.empty());
  std::size_t left = file->tokens.size();
  for (const std::int64_t extent : file->shape) {
    require(extent >= 0 && (isEmpty || left % static_cast<std::size_t>(extent) == 0));
    left = isEmpty ? 1 : left / static_cast<std::size_t>(extent);
  }
  require(left == 1);
}

}  // namespace ulp::test
