#include "core/tensors/formats/gguf/gguf.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace ulp::tensors {
namespace {

template <class Element>
Element elementOf(const GgufArray& array, std::uint64_t i) {
  Element element{};
  std::memcpy(&element, array.bytes.data() + i * sizeof element, sizeof element);
  return element;
}

GgufValue scalarOf(const GgufArray& array, std::uint64_t i) {
  switch (array.elementType) {
    case GgufType::UInt8:
      return std::uint64_t{elementOf<std::uint8_t>(array, i)};
    case GgufType::Int8:
      return std::int64_t{elementOf<std::int8_t>(array, i)};
    case GgufType::UInt16:
      return std::uint64_t{elementOf<std::uint16_t>(array, i)};
    case GgufType::Int16:
      return std::int64_t{elementOf<std::int16_t>(array, i)};
    case GgufType::UInt32:
      return std::uint64_t{elementOf<std::uint32_t>(array, i)};
    case GgufType::Int32:
      return std::int64_t{elementOf<std::int32_t>(array, i)};
    case GgufType::UInt64:
      return elementOf<std::uint64_t>(array, i);
    case GgufType::Int64:
      return elementOf<std::int64_t>(array, i);
    case GgufType::Float32:
      return double{elementOf<float>(array, i)};
    case GgufType::Float64:
      return elementOf<double>(array, i);
    default:
      return elementOf<std::uint8_t>(array, i) != 0;
  }
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

Result<std::shared_ptr<const GgufFile>> GgufFile::open(const std::filesystem::path& path) {
  auto source = ULP_TRY(openByteSource(path, WhenShortened::EndProcess));
  return parse(std::move(source));
}

Result<Tensor> GgufFile::read(std::string_view name) const {
  const auto position = ULP_TRY(m_index.find(m_source.path, name));
  const TensorInfo& info = m_infos[position];
  const Stored& stored = m_stored[position];
  if (stored.format->plain) {
    return tensorAt(m_source, stored.offset, info.dtype, info.shape);
  }
  const std::string place = m_source.path.string() + ": tensor " + quotedName(name);
  if (stored.format->decode == nullptr) {
    return fail(ErrorCode::Unsupported,
                place + ": blocks of format " + info.storedAs +
                    " are not read; convert the file to Q8_0, a K format or F16");
  }
  Tensor tensor;
  tensor.view = {nullptr, info.dtype, info.shape};
  const std::size_t count = tensor.view.count();
  auto memory = allocateBytes(tensor.view.sizeBytes());
  if (!memory) {
    return failWhile(place, std::move(memory));
  }
  auto decoded = decodeBlocks(*stored.format,
                              m_source.bytes.subspan(stored.offset, stored.sizeBytes),
                              {reinterpret_cast<float*>(memory->get()), count});
  if (!decoded) {
    return failWhile(place, std::move(decoded));
  }
  tensor.view.data = memory->get();
  tensor.owner = std::move(*memory);
  m_source.release(m_source.bytes.subspan(stored.offset, stored.sizeBytes));
  return ifIntact(m_source, std::move(tensor));
}

const GgufEntry* GgufFile::find(std::string_view key) const {
  const auto found = std::find_if(m_metadata.begin(),
                                  m_metadata.end(),
                                  [key](const GgufEntry& entry) { return entry.key == key; });
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
  const bool scalars = array != nullptr && array->elementType != GgufType::String &&
                       array->elementType != GgufType::Array;
  if (!scalars) {
    return wrongType(key, wanted);
  }
  std::vector<Value> values;
  values.reserve(array->count);
  for (std::uint64_t i = 0; i < array->count; ++i) {
    const auto value = accept(scalarOf(*array, i));
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
    std::uint64_t length = 0;
    std::memcpy(&length, rest.data(), sizeof length);
    rest = rest.subspan(sizeof length);
    values.emplace_back(reinterpret_cast<const char*>(rest.data()), length);
    rest = rest.subspan(length);
  }
  return values;
}

}  // namespace ulp::tensors
