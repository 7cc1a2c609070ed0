#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/dumps/importers/raw_address.h"
#include "core/tensors/elements/raw_tensor.h"
#include "tests/fuzz/fuzz_bytes.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// The first line is an address ("a.bin:bfloat16[4,8]"), what follows the file that it is about. An
/// address that is written out says the same again.
inline void fuzzRawElements(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzzText(data, size);
  const std::size_t line = std::min(input.find('\n'), input.size());
  const auto address = dumps::parseRawAddress(std::string(input.substr(0, line)));
  if (!address) {
    return;
  }
  const auto again = dumps::parseRawAddress(dumps::toPath(*address));
  require(again && again->file == address->file && again->layout.dtype == address->layout.dtype);
  require(again->layout.shape == address->layout.shape &&
          again->layout.offset == address->layout.offset);
  const std::size_t start = std::min(line + 1, size);
  const auto tensor =
      tensors::parseRawTensor(fuzzSource(data + start, size - start), address->layout);
  if (tensor) {
    touch(*tensor);
  } else {
    require(!tensor.error().message().empty());
  }
}

}  // namespace ulp::test
