#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensors/formats/safetensors/safetensors.h"
#include "tests/fuzz/fuzz_bytes.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// The file of a tensor of one byte, as a shard.
inline std::string tinyShard(std::string_view name) {
  const std::string header =
      "{\"" + std::string(name) + R"(":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size());
  return bytes + header + 'x';
}

/// model.safetensors.index.json, beside the shards "1.safetensors", which holds "a", and
/// "2.safetensors", which holds "b".
inline void fuzzSafetensorsIndex(const std::uint8_t* data, std::size_t size) {
  static const FuzzFolder folder;
  static const bool isReady = folder.write("1.safetensors", tinyShard("a")) &&
                              folder.write("2.safetensors", tinyShard("b"));
  require(isReady);
  folder.write("model.safetensors.index.json", fuzzText(data, size));
  const auto archive =
      tensors::openSafetensorsIndex(folder.path() / "model.safetensors.index.json");
  require(archive || !archive.error().message().empty());
  if (archive) {
    touchAll(**archive);
  }
}

}  // namespace ulp::test
