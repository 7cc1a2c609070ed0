#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/tensors/formats/hdf5/hdf5_contents.h"
#include "core/tensors/formats/hdf5/reader_process.h"
#include "tests/fuzz/fuzz_bytes.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// What the process that reads HDF5 files sends, and its report: it may do what the file wants.
inline void fuzzHdf5Answer(const std::uint8_t* data, std::size_t size) {
  const auto result = tensors::resultOf(fuzzText(data, size), "input.h5");
  require(result || !result.error().message().empty());
  const auto contents = tensors::decodedContents(fuzzSource(data, size));
  if (!contents) {
    require(!contents.error().message().empty());
    return;
  }
  const std::string bytes = tensors::encoded(*contents);
  const auto again = tensors::decodedContents(
      fuzzSource(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
  require(again && tensors::encoded(*again) == bytes);
}

}  // namespace ulp::test
