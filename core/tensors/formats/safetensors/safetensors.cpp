#include "core/tensors/formats/safetensors/safetensors.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/stop_pace.h"
#include "core/json/parse.h"
#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/elements/shown_tensor.h"
#include "core/tensors/elements/stored_type.h"

namespace ulp::tensors {
namespace {

constexpr std::size_t kPrefixBytes = 8;

/// One entry of the header, as far as JSON goes; nothing about sizes is checked yet.
struct SafetensorsEntry {
  std::string name;
  std::string type;
  std::vector<std::int64_t> shape;
  std::array<std::uint64_t, 2> offsets{};  ///< relative to the data section
};

/// Reads the header as a stream of events, so that a header that is not one is refused where it
/// departs from the format, before its content is held in memory.
class SafetensorsHeaderReader final : public json::Events {
 public:
  [[nodiscard]] std::vector<SafetensorsEntry> takeEntries() { return std::move(m_entries); }
  [[nodiscard]] const std::string& error() const { return m_error; }

  bool null() override { return refuse("null where none is allowed"); }
  bool boolean(bool /*value*/) override { return refuse("a truth value where none is allowed"); }
  bool real(double /*value*/, const std::string& /*spelled*/) override {
    return refuse("a fraction, or a number beyond 64 bits, where an integer is needed");
  }

  bool negative(std::int64_t /*value*/) override {
    return refuse(m_at == At::Shape ? "negative dimension" : "negative number");
  }

  bool natural(std::uint64_t value) override {
    if (m_at == At::Shape) {
      if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return refuse("dimension beyond 63 bits");
      }
      m_entries.back().shape.push_back(static_cast<std::int64_t>(value));
      return true;
    }
    if (m_at == At::Offsets && m_offsetCount < 2) {
      m_entries.back().offsets.at(m_offsetCount++) = value;
      return true;
    }
    return refuse(m_at == At::Offsets ? "data_offsets has more than two numbers"
                                      : "a number where none is allowed");
  }

  bool text(std::string& value) override {
    if (m_at == At::MetadataValue) {
      m_at = At::Metadata;
      return true;
    }
    if (m_at == At::TypeValue) {
      m_entries.back().type = value;
      m_at = At::Tensor;
      return true;
    }
    return refuse("a text where none is allowed");
  }

  bool beginObject() override {
    switch (m_at) {
      case At::Begin:
        m_at = At::Root;
        return true;
      case At::MetadataBegin:
        m_at = At::Metadata;
        return true;
      case At::TensorBegin:
        m_at = At::Tensor;
        m_seen.clear();
        m_offsetCount = 0;
        return true;
      default:
        return refuse("an object where none is allowed");
    }
  }

  bool key(std::string& name) override {
    switch (m_at) {
      case At::Root:
        return startEntry(name);
      case At::Metadata:
        m_at = At::MetadataValue;
        return true;
      default:
        return startField(name);
    }
  }

  bool endObject() override {
    if (m_at == At::Root) {
      m_at = At::End;
      return true;
    }
    if (m_at == At::Tensor && (m_seen.size() != kFields || m_offsetCount != 2)) {
      return refuse("dtype, shape or data_offsets is missing or incomplete");
    }
    m_at = At::Root;
    return true;
  }

  bool beginArray() override {
    if (m_at == At::ShapeValue) {
      m_at = At::Shape;
      return true;
    }
    if (m_at == At::OffsetsValue) {
      m_at = At::Offsets;
      return true;
    }
    return refuse("a list where none is allowed");
  }

  bool endArray() override {
    m_at = At::Tensor;
    return true;
  }

  void syntaxError(std::size_t byte, const std::string& /*what*/) override {
    m_error = "header: not valid JSON at byte " + std::to_string(kPrefixBytes + byte);
  }

 private:
  enum class At {
    Begin,
    Root,
    MetadataBegin,
    Metadata,
    MetadataValue,
    TensorBegin,
    Tensor,
    TypeValue,
    ShapeValue,
    Shape,
    OffsetsValue,
    Offsets,
    End
  };
  static constexpr std::size_t kFields = 3;

  bool refuse(const std::string& what) {
    const bool inTensor = m_at >= At::TensorBegin && m_at < At::End;
    m_error =
        inTensor ? "tensor " + quotedName(m_entries.back().name) + ": " + what : "header: " + what;
    return false;
  }

  bool startEntry(const std::string& name) {
    if (!m_names.insert(name).second) {
      m_error = "tensor " + quotedName(name) + ": named twice";
      return false;
    }
    if (name == "__metadata__") {
      m_at = At::MetadataBegin;
      return true;
    }
    m_entries.push_back({name, {}, {}, {}});
    m_at = At::TensorBegin;
    return true;
  }

  bool startField(const std::string& name) {
    const bool known = name == "dtype" || name == "shape" || name == "data_offsets";
    if (!known) {
      return refuse("unknown field " + quotedName(name));
    }
    if (!m_seen.insert(name).second) {
      return refuse(name + " is given twice");
    }
    m_at = name == "dtype" ? At::TypeValue : name == "shape" ? At::ShapeValue : At::OffsetsValue;
    return true;
  }

  std::vector<SafetensorsEntry> m_entries;
  std::string m_error;
  At m_at = At::Begin;
  std::unordered_set<std::string> m_names;
  std::unordered_set<std::string> m_seen;
  std::size_t m_offsetCount = 0;
};

/// How a tensor is shown.
struct ShownType {
  const StoredType* type = nullptr;  ///< null: its elements are not read
  bool isPair = false;               ///< two of them make an element, a complex number
};

/// Error: CorruptData for types that the format does not know, without file and tensor.
Result<ShownType> findSafetensorsType(std::string_view name) {
  const StoredType* const found = findStoredType(name, &StoredType::safetensors);
  if (found == nullptr && name != "F6_E2M3" && name != "F6_E3M2") {
    return fail(ErrorCode::CorruptData, "unknown element type " + quotedName(name));
  }
  if (found == nullptr || found->showing != Showing::Never) {
    return ShownType{found};
  }
  return ShownType{partsOf(*found), partsOf(*found) != nullptr};
}

/// Entries in the order of the JSON text, which starts at byte 8 of the file.
Result<std::vector<SafetensorsEntry>> parseSafetensorsHeader(const ByteSource& source,
                                                             std::string_view header) {
  SafetensorsHeaderReader reader;
  auto read = json::readEvents(header, reader);
  if (!read && read.error().code() == ErrorCode::CorruptData) {
    return source.corrupt(reader.error());
  }
  ULP_TRY(whileDoing(source.path.string() + ": header", std::move(read)));
  return reader.takeEntries();
}

struct StoredTensor {
  const StoredType* type;  ///< null: it is not read
  std::size_t offset;      ///< in the file
};

std::string placeOfTensor(const ByteSource& source, std::string_view tensor) {
  return source.path.string() + ": tensor " + quotedName(tensor);
}

/// What the first eight bytes promise: the JSON text of the header.
Result<std::string_view> headerText(const ByteSource& source) {
  if (source.bytes.size() < kPrefixBytes) {
    return source.corrupt("header: the file has " + std::to_string(source.bytes.size()) +
                          " bytes, fewer than its size prefix");
  }
  const auto size = numberAt<std::uint64_t>(source.bytes, 0);
  if (size > kLargestSafetensorsHeader || size > source.bytes.size() - kPrefixBytes) {
    return source.corrupt("header: its size of " + std::to_string(size) +
                          " bytes exceeds the file or the format's limit of 100 MB");
  }
  const std::string_view text = textOf(source.bytes.subspan(kPrefixBytes, size));
  if (!text.starts_with('{')) {
    return source.corrupt("header: does not start with '{'; is this a safetensors file?");
  }
  return text;
}

/// The byte range of `entry` must hold exactly its elements and continue where `expected` says.
/// Complex numbers get a last dimension of 2 more. Null: elements of its type are not read.
Result<const StoredType*> checkEntry(SafetensorsEntry& entry,
                                     std::uint64_t expected,
                                     std::uint64_t dataBytes) {
  const auto [type, isPair] = ULP_TRY(findSafetensorsType(entry.type));
  const auto [begin, end] = entry.offsets;
  if (begin > end || end > dataBytes) {
    return fail(ErrorCode::CorruptData,
                "data_offsets [" + std::to_string(begin) + ", " + std::to_string(end) +
                    "] do not lie within the " + std::to_string(dataBytes) + " bytes of data");
  }
  if (begin != expected) {
    return fail(ErrorCode::CorruptData,
                std::string(begin < expected ? "overlaps the tensor before it"
                                             : "leaves a gap after the tensor before it") +
                    ": begins at " + std::to_string(begin) + " instead of " +
                    std::to_string(expected));
  }
  if (type == nullptr) {
    return type;
  }
  if (isPair) {
    entry.shape.push_back(2);
  }
  const auto count = checkedCount(entry.shape);
  const std::uint64_t most = std::numeric_limits<std::int64_t>::max() / type->itemSize;
  if (!count || *count > most || *count * type->itemSize != end - begin) {
    return fail(ErrorCode::CorruptData,
                "its shape and element type do not give the " + std::to_string(end - begin) +
                    " bytes between its data_offsets");
  }
  return type;
}

Result<TensorArchivePtr> archiveOf(const ByteSource& source) {
  const auto text = ULP_TRY(headerText(source));
  auto entries = ULP_TRY(parseSafetensorsHeader(source, text));
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.offsets < b.offsets;
  });
  const std::size_t dataStart = kPrefixBytes + text.size();
  const std::uint64_t dataBytes = source.bytes.size() - dataStart;
  std::vector<TensorInfo> infos;
  std::vector<StoredTensor> stored;
  std::uint64_t expected = 0;
  StopPace pace;
  for (SafetensorsEntry& entry : entries) {
    if (pace.isStopped()) {
      return stopped();
    }
    auto type = checkEntry(entry, expected, dataBytes);
    if (!type) {
      return failWhile(placeOfTensor(source, entry.name), std::move(type));
    }
    expected = entry.offsets[1];
    stored.push_back({*type, dataStart + entry.offsets[0]});
    infos.push_back({std::move(entry.name),
                     std::move(entry.shape),
                     *type == nullptr ? DType::Float32 : (*type)->dtype,
                     std::move(entry.type)});
  }
  if (expected != dataBytes) {
    return source.corrupt("data: the header describes " + std::to_string(expected) + " of the " +
                          std::to_string(dataBytes) + " bytes of data");
  }
  return makeArchive(
      source.path,
      std::move(infos),
      [source, stored = std::move(stored)](const TensorInfo& info, std::size_t position) {
        const auto& [type, offset] = stored[position];
        return ifIntactAt(placeOfTensor(source, info.name),
                          source,
                          type == nullptr ? fail(ErrorCode::Unsupported,
                                                 "elements of type " + quotedName(info.storedAs) +
                                                     " are not read")
                                          : shownTensor(source, offset, *type, info));
      });
}

}  // namespace

Result<TensorArchivePtr> parseSafetensors(const ByteSource& source) {
  return ifIntact(source, archiveOf(source));
}

Result<TensorArchivePtr> openSafetensors(const std::filesystem::path& path) {
  const auto source = ULP_TRY(openByteSource(path));
  return parseSafetensors(source);
}

}  // namespace ulp::tensors
