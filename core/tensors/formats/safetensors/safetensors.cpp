#include "core/tensors/formats/safetensors/safetensors.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/elements/shown_tensor.h"
#include "core/tensors/formats/safetensors/safetensors_header.h"

namespace ulp::tensors {
namespace {

constexpr std::size_t kPrefixBytes = 8;

struct StoredTensor {
  const StoredType* type;
  std::size_t offset;  ///< in the file
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
Result<const StoredType*> checkEntry(const SafetensorsEntry& entry,
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
    auto type = checkEntry(entry, expected, dataBytes);
    if (!type) {
      return failWhile(placeOfTensor(source, entry.name), std::move(type));
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
  return makeArchive(
      source.path,
      std::move(infos),
      [source, stored = std::move(stored)](const TensorInfo& info, std::size_t position) {
        const auto& [type, offset] = stored[position];
        return ifIntactAt(
            placeOfTensor(source, info.name), source, shownTensor(source, offset, *type, info));
      });
}

Result<TensorArchivePtr> openSafetensors(const std::filesystem::path& path,
                                         WhenShortened whenShortened) {
  auto source = ULP_TRY(openByteSource(path, whenShortened));
  return parseSafetensors(std::move(source));
}

}  // namespace ulp::tensors
