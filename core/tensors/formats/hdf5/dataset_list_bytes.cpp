#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/formats/hdf5/dataset_list.h"

namespace ulp::tensors {
namespace {

/// Raised when the records change: the two processes may be of different builds.
constexpr std::uint32_t kListVersion = 1;

void appendText(std::string& bytes, std::string_view text) {
  appendNumbers(bytes, std::uint64_t{text.size()});
  bytes += text;
}

std::string textFrom(ByteReader& reader) {
  const auto size = reader.scalar<std::uint64_t>("length of a text");
  return std::string(reader.text(size, "text"));
}

std::vector<std::int64_t> shapeFrom(ByteReader& reader) {
  constexpr std::uint64_t kMostDimensions = 32;
  const auto rank = reader.scalar<std::uint64_t>("number of dimensions");
  if (rank > kMostDimensions) {
    reader.refuse("more dimensions than HDF5 has");
    return {};
  }
  std::vector<std::int64_t> shape(rank);
  for (std::int64_t& dimension : shape) {
    dimension = reader.scalar<std::int64_t>("dimension");
  }
  return shape;
}

DType dtypeFrom(ByteReader& reader) {
  const auto dtype = parseDType(textFrom(reader));
  if (!dtype) {
    reader.refuse("no element type");
  }
  return dtype.value_or(DType::Float32);
}

Hdf5Dataset datasetFrom(ByteReader& reader) {
  Hdf5Dataset dataset;
  dataset.info.name = textFrom(reader);
  dataset.info.shape = shapeFrom(reader);
  dataset.info.dtype = dtypeFrom(reader);
  dataset.info.storedAs = textFrom(reader);
  dataset.offset = reader.scalar<std::uint64_t>("offset");
  dataset.isWidened = reader.scalar<std::uint8_t>("flag") != 0;
  dataset.refused = textFrom(reader);
  return dataset;
}

}  // namespace

std::string encoded(const std::vector<Hdf5Dataset>& datasets) {
  std::string bytes;
  appendNumbers(bytes, kListVersion);
  for (const Hdf5Dataset& dataset : datasets) {
    appendText(bytes, dataset.info.name);
    appendNumbers(bytes, std::uint64_t{dataset.info.shape.size()});
    for (const std::int64_t dimension : dataset.info.shape) {
      appendNumbers(bytes, dimension);
    }
    appendText(bytes, toString(dataset.info.dtype));
    appendText(bytes, dataset.info.storedAs);
    appendNumbers(bytes, dataset.offset, static_cast<std::uint8_t>(dataset.isWidened));
    appendText(bytes, dataset.refused);
  }
  return bytes;
}

Result<std::vector<Hdf5Dataset>> decodedDatasets(const ByteSource& source) {
  ByteReader reader(source);
  if (reader.scalar<std::uint32_t>("version") != kListVersion) {
    return source.unsupported(
        "the program that reads HDF5 files belongs to another version of Ulpscope; "
        "install Ulpscope anew");
  }
  std::vector<Hdf5Dataset> datasets;
  while (reader.remaining() > 0) {
    datasets.push_back(datasetFrom(reader));
  }
  if (!reader.ok()) {
    return reader.error();
  }
  return datasets;
}

}  // namespace ulp::tensors
