#include "core/tensors/formats/safetensors/safetensors_header.h"

#include <limits>
#include <unordered_set>
#include <utility>

#include "core/json/parse.h"
#include "core/tensors/archive/name_index.h"

namespace ulp::tensors {
namespace {

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
    m_error = "header: not valid JSON at byte " + std::to_string(kSizeBytes + byte);
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
  static constexpr std::size_t kSizeBytes = 8;

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

}  // namespace

Result<const StoredType*> findSafetensorsType(std::string_view name) {
  const StoredType* const found = findStoredType(name, &StoredType::safetensors);
  if (found != nullptr && found->showing != Showing::Never) {
    return found;
  }
  const bool isKnown = found != nullptr || name == "F6_E2M3" || name == "F6_E3M2";
  return isKnown ? fail(ErrorCode::Unsupported,
                        "elements of type " + quotedName(name) + " are not read")
                 : fail(ErrorCode::CorruptData, "unknown element type " + quotedName(name));
}

Result<std::vector<SafetensorsEntry>> parseSafetensorsHeader(const ByteSource& source,
                                                             std::string_view header) {
  SafetensorsHeaderReader reader;
  auto done = guarded([&] { return json::readEvents(header, reader); });
  if (!done) {
    return failWhile(source.path.string() + ": header", std::move(done));
  }
  if (!*done) {
    return source.corrupt(reader.error());
  }
  return reader.takeEntries();
}

}  // namespace ulp::tensors
