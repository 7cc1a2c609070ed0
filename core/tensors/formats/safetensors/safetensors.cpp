#include "core/tensors/formats/safetensors/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "core/tensors/archive/name_index.h"
#include "core/tensors/elements/widen.h"
#include "core/tensors/formats/safetensors/safetensors_header.h"

namespace ulp::tensors {
namespace {

static_assert(std::endian::native == std::endian::little, "files are mapped as they are");

constexpr std::size_t kPrefixBytes = 8;

struct StoredTensor {
  const SafetensorsType* type;
  std::size_t offset;  ///< in the file
};

class SafetensorsArchive final : public TensorArchive {
 public:
  SafetensorsArchive(ByteSource source,
                     std::vector<TensorInfo> infos,
                     std::vector<StoredTensor> stored)
      : m_source(std::move(source)),
        m_infos(std::move(infos)),
        m_stored(std::move(stored)),
        m_index(m_infos) {}

  [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_infos; }
  [[nodiscard]] const std::filesystem::path& path() const override { return m_source.path; }

  [[nodiscard]] Result<Tensor> read(std::string_view name) const override {
    const auto position = ULP_TRY(m_index.find(m_source.path, name));
    const TensorInfo& info = m_infos[position];
    const StoredTensor& stored = m_stored[position];
    auto tensor = stored.type->widened ? widenedAt(stored, info)
                                       : tensorAt(m_source, stored.offset, info.dtype, info.shape);
    if (!tensor) {
      return failWhile(m_source.path.string() + ": tensor " + quotedName(name), std::move(tensor));
    }
    return ifIntact(m_source, std::move(tensor));
  }

 private:
  [[nodiscard]] Result<Tensor> widenedAt(const StoredTensor& stored, const TensorInfo& info) const {
    const std::uint64_t bytes = checkedCount(info.shape).value_or(0) * stored.type->itemSize;
    const auto part = m_source.bytes.subspan(stored.offset, bytes);
    auto tensor = widened(part, info);
    m_source.release(part);
    return tensor;
  }

  ByteSource m_source;
  std::vector<TensorInfo> m_infos;
  std::vector<StoredTensor> m_stored;
  NameIndex m_index;
};

/// What the first eight bytes promise: the JSON text of the header.
Result<std::string_view> headerText(const ByteSource& source) {
  if (source.bytes.size() < kPrefixBytes) {
    return source.corrupt("header: the file has " + std::to_string(source.bytes.size()) +
                          " bytes, fewer than its size prefix");
  }
  std::uint64_t size = 0;
  std::memcpy(&size, source.bytes.data(), kPrefixBytes);
  if (size > kLargestSafetensorsHeader || size > source.bytes.size() - kPrefixBytes) {
    return source.corrupt("header: its size of " + std::to_string(size) +
                          " bytes exceeds the file or the format's limit of 100 MB");
  }
  const std::string_view text(reinterpret_cast<const char*>(source.bytes.data()) + kPrefixBytes,
                              size);
  if (!text.starts_with('{')) {
    return source.corrupt("header: does not start with '{'; is this a safetensors file?");
  }
  return text;
}

/// The byte range of `entry` must hold exactly its elements and continue where `expected` says.
Result<const SafetensorsType*> checkEntry(const SafetensorsEntry& entry,
                                          std::uint64_t expected,
                                          std::uint64_t dataBytes) {
  const auto type = ULP_TRY(findSafetensorsType(entry.type));
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
  const auto count = checkedCount(entry.shape);
  const std::uint64_t most = std::numeric_limits<std::int64_t>::max() / type->itemSize;
  if (!count || *count > most || *count * type->itemSize != end - begin) {
    return fail(ErrorCode::CorruptData,
                "its shape and element type do not give the " + std::to_string(end - begin) +
                    " bytes between its data_offsets");
  }
  return type;
}

}  // namespace

Result<TensorArchivePtr> parseSafetensors(ByteSource source) {
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
  for (SafetensorsEntry& entry : entries) {
    const auto type = checkEntry(entry, expected, dataBytes);
    if (!type) {
      return fail(type.error().code(),
                  source.path.string() + ": tensor " + quotedName(entry.name) + ": " +
                      type.error().message());
    }
    expected = entry.offsets[1];
    stored.push_back({*type, dataStart + entry.offsets[0]});
    infos.push_back(
        {std::move(entry.name), std::move(entry.shape), (*type)->dtype, std::move(entry.type)});
  }
  if (expected != dataBytes) {
    return source.corrupt("data: the header describes " + std::to_string(expected) + " of the " +
                          std::to_string(dataBytes) + " bytes of data");
  }
  return std::make_shared<const SafetensorsArchive>(
      std::move(source), std::move(infos), std::move(stored));
}

Result<TensorArchivePtr> openSafetensors(const std::filesystem::path& path,
                                         WhenShortened whenShortened) {
  auto source = ULP_TRY(openByteSource(path, whenShortened));
  return parseSafetensors(std::move(source));
}

}  // namespace ulp::tensors
