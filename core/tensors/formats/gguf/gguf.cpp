#include "core/tensors/formats/gguf/gguf.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/elements/shown_tensor.h"

namespace ulp::tensors {
namespace {

constexpr std::uint32_t kGgufMagic = 0x46554747;
constexpr std::uint32_t kOldestVersion = 2;
constexpr std::uint32_t kNewestVersion = 3;
constexpr std::uint64_t kDefaultAlignment = 32;
constexpr std::uint64_t kLongestName = 65535;
constexpr std::uint32_t kMostGgufDimensions = 4;
// A key without characters, its type and one byte; a name without characters, no dimensions, format
// and offset: what an entry takes at least, so that a count can be refused before it is believed.
constexpr std::uint64_t kSmallestEntry = 8 + 4 + 1;
constexpr std::uint64_t kSmallestTensor = 8 + 4 + 4 + 8;

/// How the elements of a type are read.
struct ElementReader {
  std::size_t bytes = 0;  ///< of one element; 0 where they differ in size
  GgufValue (*at)(std::span<const std::byte> elements, std::uint64_t i) = nullptr;
};

template <class Stored, class Wide>
constexpr ElementReader kNumber{
    sizeof(Stored), [](std::span<const std::byte> elements, std::uint64_t i) -> GgufValue {
      return static_cast<Wide>(numberAt<Stored>(elements, i * sizeof(Stored)));
    }};

/// In the order of GgufType.
constexpr std::array<ElementReader, 13> kReaders{{kNumber<std::uint8_t, std::uint64_t>,
                                                  kNumber<std::int8_t, std::int64_t>,
                                                  kNumber<std::uint16_t, std::uint64_t>,
                                                  kNumber<std::int16_t, std::int64_t>,
                                                  kNumber<std::uint32_t, std::uint64_t>,
                                                  kNumber<std::int32_t, std::int64_t>,
                                                  kNumber<float, double>,
                                                  kNumber<std::uint8_t, bool>,
                                                  {},
                                                  {},
                                                  kNumber<std::uint64_t, std::uint64_t>,
                                                  kNumber<std::int64_t, std::int64_t>,
                                                  kNumber<double, double>}};

const ElementReader& readerOf(GgufType type) {
  return kReaders.at(static_cast<std::size_t>(type));
}

Result<Tensor> decoded(const GgufFormat& format,
                       std::span<const std::byte> blocks,
                       const TensorInfo& info) {
  if (format.decode == nullptr) {
    return fail(ErrorCode::Unsupported,
                "blocks of format " + info.storedAs +
                    " are not read; convert the file to Q8_0, a K format or F16");
  }
  auto made = ULP_TRY(newTensor(info.dtype, info.shape));
  auto* const elements = reinterpret_cast<float*>(made.bytes);
  ULP_TRY(decodeBlocks(format, blocks, {elements, made.tensor.view.count()}));
  return std::move(made.tensor);
}

std::optional<std::int64_t> asInteger(const GgufValue& value) {
  if (const auto* negative = std::get_if<std::int64_t>(&value)) {
    return *negative;
  }
  const auto* positive = std::get_if<std::uint64_t>(&value);
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (positive == nullptr || *positive > kLargest) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*positive);
}

std::optional<double> asReal(const GgufValue& value) {
  if (const auto* real = std::get_if<double>(&value)) {
    return *real;
  }
  const auto integer = asInteger(value);
  return integer ? std::optional<double>(static_cast<double>(*integer)) : std::nullopt;
}

}  // namespace

/// Reads header, metadata and tensor table of one file.
class GgufParser {
 public:
  explicit GgufParser(ByteSource source)
      : m_file(new GgufFile(std::move(source))), m_reader(m_file->m_source) {}

  Result<std::shared_ptr<const GgufFile>> parse() {
    ULP_TRY(readHeader());
    for (std::uint64_t i = 0; i < m_entryCount && m_reader.ok(); ++i) {
      readEntry();
    }
    m_names.clear();
    for (std::uint64_t i = 0; i < m_tensorCount && m_reader.ok(); ++i) {
      readTensor();
    }
    if (!m_reader.ok()) {
      return m_reader.error();
    }
    if (m_unknownFormat) {
      return m_file->m_source.unsupported(*m_unknownFormat);
    }
    ULP_TRY(placeTensors());
    m_file->m_index = NameIndex(m_file->m_infos);
    return std::shared_ptr<const GgufFile>(std::move(m_file));
  }

 private:
  Result<> readHeader() {
    const auto magic = m_reader.scalar<std::uint32_t>("magic number");
    if (m_reader.ok() && magic != kGgufMagic) {
      return m_file->m_source.corrupt("byte 0: does not start with GGUF; is this a GGUF file?");
    }
    m_file->m_version = m_reader.scalar<std::uint32_t>("version");
    if (m_reader.ok() && (m_file->m_version & 0xFFFFU) == 0 && m_file->m_version != 0) {
      return m_file->m_source.unsupported(
          "big-endian GGUF files are not read; convert it to little-endian");
    }
    if (m_reader.ok() &&
        (m_file->m_version < kOldestVersion || m_file->m_version > kNewestVersion)) {
      return m_file->m_source.unsupported("GGUF version " + std::to_string(m_file->m_version) +
                                          " is not read, only 2 and 3; convert the file anew");
    }
    m_tensorCount = m_reader.scalar<std::uint64_t>("number of tensors");
    m_entryCount = m_reader.scalar<std::uint64_t>("number of metadata entries");
    checkCount(m_tensorCount, kSmallestTensor, "tensors");
    checkCount(m_entryCount, kSmallestEntry, "metadata entries");
    return m_reader.ok() ? Result<>() : m_reader.error();
  }

  void checkCount(std::uint64_t count, std::uint64_t smallest, std::string_view what) {
    if (count > m_reader.remaining() / smallest) {
      m_reader.refuse(std::to_string(count) + " " + std::string(what) +
                      " do not fit into the rest of the file");
    }
  }

  /// A text with its length in front, as it lies in the file.
  std::string_view readText(std::string_view what) {
    const auto length = m_reader.scalar<std::uint64_t>(what);
    return m_reader.text(length, what);
  }

  /// A key or tensor name: not too long, readable, not seen before.
  std::string_view readName(std::string_view what) {
    const std::string_view name = readText(what);
    if (name.size() > kLongestName) {
      m_reader.refuse(std::string(what) + " is longer than 65535 bytes");
    } else if (!isUtf8(name)) {
      m_reader.refuse(std::string(what) + " " + quotedName(name) + " is not UTF-8");
    } else if (m_reader.ok() && !m_names.insert(name).second) {
      m_reader.refuse(std::string(what) + " " + quotedName(name) + " occurs twice");
    }
    return name;
  }

  GgufType readType() {
    const auto number = m_reader.scalar<std::uint32_t>("value type");
    if (number >= kReaders.size()) {
      m_reader.refuse("unknown value type " + std::to_string(number));
      return GgufType::UInt8;
    }
    return static_cast<GgufType>(number);
  }

  void readEntry() {
    GgufEntry entry;
    entry.key = readName("metadata key");
    entry.type = readType();
    entry.value = readValue(entry.type);
    if (entry.key == "general.alignment" && m_reader.ok()) {
      const auto* alignment = std::get_if<std::uint64_t>(&entry.value);
      const bool usable =
          entry.type == GgufType::UInt32 && *alignment != 0 && (*alignment & (*alignment - 1)) == 0;
      if (!usable) {
        m_reader.refuse("general.alignment is not a power of two of type uint32");
        return;
      }
      m_alignment = *alignment;
    }
    if (m_reader.ok()) {
      m_file->m_metadata.push_back(entry);
    }
  }

  GgufValue readValue(GgufType type) {
    if (type == GgufType::String) {
      return readText("text value");
    }
    if (type == GgufType::Array) {
      return readArray(0);
    }
    const auto bytes = m_reader.take(readerOf(type).bytes, "value");
    return m_reader.ok() ? readerOf(type).at(bytes, 0) : GgufValue();
  }

  GgufArray readArray(int depth) {
    constexpr int kDeepest = 4;
    if (depth == kDeepest) {
      m_reader.refuse("lists are nested more than 4 deep");
      return {};
    }
    GgufArray array;
    array.elementType = readType();
    array.count = m_reader.scalar<std::uint64_t>("list length");
    const std::size_t elementBytes = readerOf(array.elementType).bytes;
    constexpr std::size_t kLengthBytes = 8;
    checkCount(array.count, elementBytes == 0 ? kLengthBytes : elementBytes, "list elements");
    const std::size_t start = m_reader.offset();
    if (elementBytes != 0) {
      array.bytes = m_reader.take(m_reader.ok() ? array.count * elementBytes : 0, "list");
      return array;
    }
    for (std::uint64_t i = 0; i < array.count && m_reader.ok(); ++i) {
      if (array.elementType == GgufType::String) {
        static_cast<void>(readText("text in a list"));
      } else {
        static_cast<void>(readArray(depth + 1));
      }
    }
    array.bytes = m_file->m_source.bytes.subspan(start, m_reader.offset() - start);
    return array;
  }

  void readTensor() {
    TensorInfo info;
    info.name = readName("tensor name");
    const auto dimensions = m_reader.scalar<std::uint32_t>("number of dimensions");
    if (dimensions > kMostGgufDimensions) {
      m_reader.refuse("tensor " + quotedName(info.name) + " has " + std::to_string(dimensions) +
                      " dimensions, more than 4");
    }
    for (std::uint32_t i = 0; i < dimensions && m_reader.ok(); ++i) {
      info.shape.push_back(static_cast<std::int64_t>(m_reader.scalar<std::uint64_t>("dimension")));
    }
    const auto formatId = m_reader.scalar<std::uint32_t>("tensor format");
    const auto offset = m_reader.scalar<std::uint64_t>("tensor offset");
    const GgufFormat* format = findGgufFormat(formatId);
    if (!m_reader.ok()) {
      return;
    }
    if (format == nullptr) {
      m_unknownFormat =
          "tensor " + quotedName(info.name) + ": unknown format number " + std::to_string(formatId);
      return;
    }
    std::reverse(info.shape.begin(), info.shape.end());
    info.dtype = format->plain.value_or(DType::Float32);
    info.storedAs = format->name;
    m_file->m_infos.push_back(std::move(info));
    m_file->m_stored.push_back({format, offset, 0});
  }

  /// Turns offsets into places of the file and checks that each tensor lies there, alone.
  Result<> placeTensors() {
    const std::uint64_t fileBytes = m_file->m_source.bytes.size();
    const std::uint64_t misaligned = m_reader.offset() % m_alignment;
    const std::uint64_t dataStart =
        m_reader.offset() + (misaligned == 0 ? 0 : m_alignment - misaligned);
    const std::uint64_t dataBytes = dataStart > fileBytes ? 0 : fileBytes - dataStart;
    for (std::size_t i = 0; i < m_file->m_infos.size(); ++i) {
      auto problem = place(m_file->m_infos[i], m_file->m_stored[i], dataBytes);
      if (!problem.empty()) {
        return refuseTensor(i, problem);
      }
      // An empty tensor may stand behind the last byte of the file.
      m_file->m_stored[i].offset =
          std::min<std::uint64_t>(dataStart + m_file->m_stored[i].offset, fileBytes);
    }
    return checkOverlaps();
  }

  tl::unexpected<Error> refuseTensor(std::size_t i, const std::string& problem) const {
    return m_file->m_source.corrupt("tensor " + quotedName(m_file->m_infos[i].name) + ": " +
                                    problem);
  }

  /// Fills in the size; gives what is wrong, or nothing.
  std::string place(const TensorInfo& info,
                    GgufFile::Stored& stored,
                    std::uint64_t dataBytes) const {
    const GgufFormat& format = *stored.format;
    const auto count = checkedCount(info.shape);
    if (!count) {
      return "the product of its dimensions exceeds 63 bits";
    }
    const auto row = static_cast<std::uint64_t>(info.shape.empty() ? 1 : info.shape.back());
    if (row % format.blockElements != 0) {
      return "its rows of " + std::to_string(row) + " elements are no multiple of the " +
             std::to_string(format.blockElements) + " in a block of " + info.storedAs;
    }
    if (stored.offset % m_alignment != 0) {
      return "its offset " + std::to_string(stored.offset) + " is no multiple of the alignment " +
             std::to_string(m_alignment);
    }
    const std::uint64_t blocks = *count / format.blockElements;
    if (stored.offset > dataBytes || blocks > (dataBytes - stored.offset) / format.blockBytes) {
      return "reaches beyond the end of the file: " + std::to_string(blocks) + " blocks of " +
             std::to_string(format.blockBytes) + " bytes at offset " +
             std::to_string(stored.offset) + " of " + std::to_string(dataBytes) + " bytes of data";
    }
    stored.sizeBytes = blocks * format.blockBytes;
    return {};
  }

  Result<> checkOverlaps() const {
    const auto& stored = m_file->m_stored;
    std::vector<std::size_t> order(stored.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&stored](std::size_t a, std::size_t b) {
      return std::pair(stored[a].offset, stored[a].sizeBytes) <
             std::pair(stored[b].offset, stored[b].sizeBytes);
    });
    for (std::size_t i = 1; i < order.size(); ++i) {
      const auto& before = stored[order[i - 1]];
      if (before.offset + before.sizeBytes > stored[order[i]].offset) {
        return refuseTensor(order[i],
                            "overlaps tensor " + quotedName(m_file->m_infos[order[i - 1]].name));
      }
    }
    return {};
  }

  std::unique_ptr<GgufFile> m_file;
  ByteReader m_reader;
  std::uint64_t m_tensorCount = 0;
  std::uint64_t m_entryCount = 0;
  std::uint64_t m_alignment = kDefaultAlignment;
  std::unordered_set<std::string_view> m_names;
  std::optional<std::string> m_unknownFormat;
};

Result<std::shared_ptr<const GgufFile>> GgufFile::parse(const ByteSource& source) {
  return ifIntact(source, GgufParser(source).parse());
}

Result<std::shared_ptr<const GgufFile>> GgufFile::open(const std::filesystem::path& path) {
  const auto source = ULP_TRY(openByteSource(path));
  return parse(source);
}

Result<Tensor> GgufFile::read(std::string_view name) const {
  const auto position = ULP_TRY(m_index.find(m_source.path, name));
  const TensorInfo& info = m_infos[position];
  const Stored& stored = m_stored[position];
  if (stored.format->plain) {
    return tensorAt(m_source, stored.offset, info.dtype, info.shape);
  }
  const auto blocks = m_source.bytes.subspan(stored.offset, stored.sizeBytes);
  auto tensor = decoded(*stored.format, blocks, info);
  m_source.release(blocks);
  return ifIntactAt(
      m_source.path.string() + ": tensor " + quotedName(name), m_source, std::move(tensor));
}

const GgufEntry* GgufFile::find(std::string_view key) const {
  const auto found = std::ranges::find(m_metadata, key, &GgufEntry::key);
  return found == m_metadata.end() ? nullptr : &*found;
}

Result<const GgufEntry*> GgufFile::require(std::string_view key) const {
  const GgufEntry* entry = find(key);
  if (entry == nullptr) {
    return fail(ErrorCode::NotFound,
                m_source.path.string() + ": metadata " + quotedName(key) + " is missing");
  }
  return entry;
}

tl::unexpected<Error> GgufFile::wrongType(std::string_view key, std::string_view wanted) const {
  return m_source.corrupt("metadata " + quotedName(key) + ": is not " + std::string(wanted));
}

Result<std::int64_t> GgufFile::integer(std::string_view key) const {
  const auto entry = ULP_TRY(require(key));
  const auto value = asInteger(entry->value);
  return value ? Result<std::int64_t>(*value) : wrongType(key, "an integer of 63 bits");
}

Result<double> GgufFile::real(std::string_view key) const {
  const auto entry = ULP_TRY(require(key));
  const auto value = asReal(entry->value);
  return value ? Result<double>(*value) : wrongType(key, "a number");
}

Result<bool> GgufFile::flag(std::string_view key) const {
  const auto entry = ULP_TRY(require(key));
  const auto* value = std::get_if<bool>(&entry->value);
  return value != nullptr ? Result<bool>(*value) : wrongType(key, "a truth value");
}

Result<std::string_view> GgufFile::text(std::string_view key) const {
  const auto entry = ULP_TRY(require(key));
  const auto* value = std::get_if<std::string_view>(&entry->value);
  return value != nullptr ? Result<std::string_view>(*value) : wrongType(key, "a text");
}

template <class Value, class Accept>
Result<std::vector<Value>> GgufFile::list(std::string_view key,
                                          std::string_view wanted,
                                          const Accept& accept) const {
  const auto entry = ULP_TRY(require(key));
  const auto* array = std::get_if<GgufArray>(&entry->value);
  if (array == nullptr || readerOf(array->elementType).at == nullptr) {
    return wrongType(key, wanted);
  }
  std::vector<Value> values;
  values.reserve(array->count);
  for (std::uint64_t i = 0; i < array->count; ++i) {
    const auto value = accept(readerOf(array->elementType).at(array->bytes, i));
    if (!value) {
      return wrongType(key, wanted);
    }
    values.push_back(*value);
  }
  return values;
}

Result<std::vector<std::int64_t>> GgufFile::integers(std::string_view key) const {
  return list<std::int64_t>(key, "a list of integers of 63 bits", asInteger);
}

Result<std::vector<double>> GgufFile::reals(std::string_view key) const {
  return list<double>(key, "a list of numbers", asReal);
}

Result<std::vector<std::string_view>> GgufFile::texts(std::string_view key) const {
  const auto entry = ULP_TRY(require(key));
  const auto* array = std::get_if<GgufArray>(&entry->value);
  if (array == nullptr || array->elementType != GgufType::String) {
    return wrongType(key, "a list of texts");
  }
  std::vector<std::string_view> values;
  values.reserve(array->count);
  // The parser has walked these lengths and found each within the file.
  auto rest = array->bytes;
  for (std::uint64_t i = 0; i < array->count; ++i) {
    const auto length = numberAt<std::uint64_t>(rest, 0);
    rest = rest.subspan(sizeof length);
    values.push_back(textOf(rest.first(length)));
    rest = rest.subspan(length);
  }
  return values;
}

}  // namespace ulp::tensors
