#include "core/tensors/formats/hdf5/hdf5_contents.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "core/tensors/archive/byte_reader.h"

namespace ulp::tensors {
namespace {

/// Raised when the records change: the two processes may be of different builds.
constexpr std::uint32_t kContentsVersion = 2;

enum class RecordKind : std::uint8_t { Group, Dataset, Link };
enum class AttributeKind : std::uint8_t { Text, Integers };

void appendText(std::string& bytes, std::string_view text) {
  appendNumbers(bytes, std::uint64_t{text.size()});
  bytes += text;
}

void appendIntegers(std::string& bytes, const std::vector<std::int64_t>& integers) {
  appendNumbers(bytes, std::uint64_t{integers.size()});
  for (const std::int64_t integer : integers) {
    appendNumbers(bytes, integer);
  }
}

void appendAttributes(std::string& bytes, const Hdf5Attributes& attributes) {
  appendNumbers(bytes, std::uint64_t{attributes.size()});
  for (const Hdf5Attribute& attribute : attributes) {
    appendText(bytes, attribute.name);
    if (const auto* text = std::get_if<std::string>(&attribute.value)) {
      appendNumbers(bytes, AttributeKind::Text);
      appendText(bytes, *text);
    } else {
      appendNumbers(bytes, AttributeKind::Integers);
      appendIntegers(bytes, *std::get_if<std::vector<std::int64_t>>(&attribute.value));
    }
  }
}

std::string textFrom(ByteReader& reader) {
  const auto size = reader.scalar<std::uint64_t>("length of a text");
  return std::string(reader.text(size, "text"));
}

std::vector<std::int64_t> integersFrom(ByteReader& reader) {
  const auto count = reader.scalar<std::uint64_t>("number of integers");
  if (count > reader.remaining() / sizeof(std::int64_t)) {
    reader.refuse("more integers than follow");
    return {};
  }
  std::vector<std::int64_t> integers(count);
  for (std::int64_t& integer : integers) {
    integer = reader.scalar<std::int64_t>("integer");
  }
  return integers;
}

Hdf5Attribute attributeFrom(ByteReader& reader) {
  std::string name = textFrom(reader);
  const auto kind = reader.scalar<AttributeKind>("kind of an attribute");
  if (kind == AttributeKind::Text) {
    return {std::move(name), textFrom(reader)};
  }
  if (kind != AttributeKind::Integers) {
    reader.refuse("no kind of attribute");
  }
  return {std::move(name), integersFrom(reader)};
}

Hdf5Attributes attributesFrom(ByteReader& reader) {
  const auto count = reader.scalar<std::uint64_t>("number of attributes");
  Hdf5Attributes attributes;
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    attributes.push_back(attributeFrom(reader));
  }
  return attributes;
}

std::vector<std::int64_t> shapeFrom(ByteReader& reader) {
  constexpr std::size_t kMostDimensions = 32;
  auto shape = integersFrom(reader);
  if (shape.size() > kMostDimensions) {
    reader.refuse("more dimensions than HDF5 has");
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

void append(std::string& bytes, const Hdf5Group& group) {
  appendNumbers(bytes, RecordKind::Group);
  appendText(bytes, group.path);
  appendAttributes(bytes, group.attributes);
}

Hdf5Group groupFrom(ByteReader& reader) {
  std::string path = textFrom(reader);
  return {std::move(path), attributesFrom(reader)};
}

void append(std::string& bytes, const Hdf5Dataset& dataset) {
  appendNumbers(bytes, RecordKind::Dataset);
  appendText(bytes, dataset.info.name);
  appendIntegers(bytes, dataset.info.shape);
  appendText(bytes, toString(dataset.info.dtype));
  appendText(bytes, dataset.info.storedAs);
  appendNumbers(
      bytes, dataset.offset, dataset.textWidth, static_cast<std::uint8_t>(dataset.isWidened));
  appendText(bytes, dataset.refused);
  appendAttributes(bytes, dataset.attributes);
}

Hdf5Dataset datasetFrom(ByteReader& reader) {
  Hdf5Dataset dataset;
  dataset.info.name = textFrom(reader);
  dataset.info.shape = shapeFrom(reader);
  dataset.info.dtype = dtypeFrom(reader);
  dataset.info.storedAs = textFrom(reader);
  dataset.offset = reader.scalar<std::uint64_t>("offset");
  dataset.textWidth = reader.scalar<std::uint64_t>("width of a text");
  dataset.isWidened = reader.scalar<std::uint8_t>("flag") != 0;
  dataset.refused = textFrom(reader);
  dataset.attributes = attributesFrom(reader);
  return dataset;
}

void append(std::string& bytes, const Hdf5Link& link) {
  appendNumbers(bytes, RecordKind::Link);
  appendText(bytes, link.path);
  appendText(bytes, link.file);
  appendText(bytes, link.object);
}

Hdf5Link linkFrom(ByteReader& reader) {
  Hdf5Link link;
  link.path = textFrom(reader);
  link.file = textFrom(reader);
  link.object = textFrom(reader);
  return link;
}

void addRecord(ByteReader& reader, Hdf5Contents& contents) {
  switch (reader.scalar<RecordKind>("kind of a record")) {
    case RecordKind::Group:
      contents.groups.push_back(groupFrom(reader));
      return;
    case RecordKind::Dataset:
      contents.datasets.push_back(datasetFrom(reader));
      return;
    case RecordKind::Link:
      contents.links.push_back(linkFrom(reader));
      return;
  }
  reader.refuse("no kind of record");
}

template <class Value>
const Value* valueIn(const Hdf5Attributes& attributes, std::string_view name) {
  const auto found = std::ranges::find(attributes, name, &Hdf5Attribute::name);
  return found == attributes.end() ? nullptr : std::get_if<Value>(&found->value);
}

}  // namespace

const std::string* textIn(const Hdf5Attributes& attributes, std::string_view name) {
  return valueIn<std::string>(attributes, name);
}

const std::vector<std::int64_t>* integersIn(const Hdf5Attributes& attributes,
                                            std::string_view name) {
  return valueIn<std::vector<std::int64_t>>(attributes, name);
}

std::string kindOf(const TensorInfo& info) {
  return fmt::format("{} [{}]", info.storedAs, fmt::join(info.shape, ", "));
}

std::string encoded(const Hdf5Contents& contents) {
  std::string bytes;
  appendNumbers(bytes, kContentsVersion);
  const auto appendAll = [&bytes](const auto& records) {
    for (const auto& record : records) {
      append(bytes, record);
    }
  };
  appendAll(contents.groups);
  appendAll(contents.datasets);
  appendAll(contents.links);
  return bytes;
}

Result<Hdf5Contents> decodedContents(const ByteSource& source) {
  ByteReader reader(source);
  if (reader.scalar<std::uint32_t>("version") != kContentsVersion) {
    return source.unsupported(
        "the program that reads HDF5 files belongs to another version of Ulpscope; "
        "install Ulpscope anew");
  }
  Hdf5Contents contents;
  while (reader.remaining() > 0) {
    addRecord(reader, contents);
  }
  if (!reader.ok()) {
    return reader.error();
  }
  return contents;
}

}  // namespace ulp::tensors
