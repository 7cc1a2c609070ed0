#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/tensors/formats/hdf5/dataset_list.h"
#include "core/tensors/formats/hdf5/reader_process.h"
#include "tests/fuzz/fuzz_bytes.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// The list and the report of the process that reads HDF5 files, which may do what the file wants.
inline void fuzzHdf5Answer(const std::uint8_t* data, std::size_t size) {
  const auto result = tensors::resultOf(fuzzText(data, size), "input.h5");
  require(result || !result.error().message().empty());
  const auto datasets = tensors::decodedDatasets(fuzzSource(data, size));
  if (!datasets) {
    require(!datasets.error().message().empty());
    return;
  }
  for (const tensors::Hdf5Dataset& dataset : *datasets) {
    static_cast<void>(tensors::kindOf(dataset.info));
  }
  const std::string bytes = tensors::encoded(*datasets);
  const auto again = tensors::decodedDatasets(
      fuzzSource(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
  require(again && again->size() == datasets->size());
}

}  // namespace ulp::test
