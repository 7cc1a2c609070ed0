#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/stop_scope.h"
#include "core/json/dump.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/elements/stored_type.h"
#include "core/tensors/formats/safetensors/safetensors.h"
#include "core/tensors/formats/safetensors/safetensors_stream.h"

namespace ulp::tensors {
namespace {

constexpr std::string_view kMetadataKey = "__metadata__";

Result<> checkNames(const std::filesystem::path& path,
                    std::span<const TensorInfo> tensors,
                    const std::map<std::string, std::string>& metadata) {
  for (const auto& [name, value] : metadata) {
    if (!isUtf8(name) || !isUtf8(value)) {
      return fail(ErrorCode::InvalidArgument,
                  path.string() + ": metadata " + quotedName(name) + ": is not UTF-8");
    }
  }
  std::set<std::string_view> seen;
  for (const TensorInfo& tensor : tensors) {
    const bool usable = tensor.name != kMetadataKey && isUtf8(tensor.name);
    if (!usable || !seen.insert(tensor.name).second) {
      return fail(ErrorCode::InvalidArgument,
                  path.string() + ": tensor " + quotedName(tensor.name) +
                      (usable ? ": given twice" : ": not a name that the format allows"));
    }
  }
  return {};
}

std::size_t sizeOf(const TensorInfo& tensor) {
  return numerics::TensorView{nullptr, tensor.dtype, tensor.shape}.sizeBytes();
}

/// Size prefix and JSON text, padded so that the data section is aligned.
std::string headerOf(std::span<const TensorInfo> tensors,
                     const std::map<std::string, std::string>& metadata) {
  constexpr std::size_t kAlignment = 64;
  // Written rather than built: an object of many members finds each by looking at all of them.
  std::string json = "{";
  const auto key = [&](std::string_view name) {
    json += json.size() > 1 ? "," : "";
    json += json::quoted(name) + ":";
  };
  if (!metadata.empty()) {
    key(kMetadataKey);
    std::vector<std::string> pairs;
    for (const auto& [name, value] : metadata) {
      pairs.push_back(json::quoted(name) + ":" + json::quoted(value));
    }
    json += fmt::format("{{{}}}", fmt::join(pairs, ","));
  }
  std::size_t offset = 0;
  for (const TensorInfo& tensor : tensors) {
    const std::size_t end = offset + sizeOf(tensor);
    key(tensor.name);
    json += fmt::format(R"({{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                        storedTypeOf(tensor.dtype).safetensors,
                        fmt::join(tensor.shape, ","),
                        offset,
                        end);
    offset = end;
  }
  json += "}";
  const std::uint64_t size = (json.size() + 8 + kAlignment - 1) / kAlignment * kAlignment - 8;
  std::string text(8 + size, ' ');
  std::memcpy(text.data(), &size, sizeof size);
  json.copy(text.data() + 8, json.size());
  return text;
}

}  // namespace

Result<SafetensorsWriter> SafetensorsWriter::create(
    const std::filesystem::path& path,
    std::vector<TensorInfo> tensors,
    const std::map<std::string, std::string>& metadata) {
  ULP_TRY(checkNames(path, tensors, metadata));
  const auto make = [&] { return headerOf(tensors, metadata); };
  const auto header = ULP_TRY(whileDoing(path.string() + ": header", guarded(make)));
  if (header.size() > kLargestSafetensorsHeader) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: names and metadata of {} tensors take {} bytes, and readers take "
                            "at most {}; write fewer tensors into one file",
                            path.string(),
                            tensors.size(),
                            header.size(),
                            kLargestSafetensorsHeader));
  }
  auto file = ULP_TRY(FileWriter::create(path));
  ULP_TRY(file.write(std::as_bytes(std::span(header))));
  return SafetensorsWriter(path, std::move(tensors), std::move(file));
}

SafetensorsWriter::SafetensorsWriter(std::filesystem::path path,
                                     std::vector<TensorInfo> tensors,
                                     FileWriter file)
    : m_path(std::move(path)), m_tensors(std::move(tensors)), m_file(std::move(file)) {}

Result<> SafetensorsWriter::write(const numerics::TensorView& tensor, const MappedFile* from) {
  const bool isOneTooMany = m_next == m_tensors.size();
  if (isOneTooMany || m_tensors[m_next].dtype != tensor.dtype ||
      m_tensors[m_next].shape != tensor.shape) {
    return fail(ErrorCode::InvalidArgument,
                m_path.string() + ": " +
                    (isOneTooMany ? "one tensor more than was announced"
                                  : "tensor " + quotedName(m_tensors[m_next].name) +
                                        ": its shape or type is not the one that was announced"));
  }
  ++m_next;
  return m_file.stream(tensor.bytes(), from);
}

Result<> SafetensorsWriter::commit(Durability durability) {
  if (m_next != m_tensors.size()) {
    return fail(ErrorCode::InvalidArgument,
                m_path.string() + ": tensor " + quotedName(m_tensors[m_next].name) +
                    ": was announced and never came");
  }
  return m_file.commit(durability);
}

Result<> writeSafetensors(const std::filesystem::path& path,
                          std::span<const NamedTensor> tensors,
                          const std::map<std::string, std::string>& metadata) {
  // Saves what was finished before somebody asked for a stop.
  const StopScope unstoppable{std::stop_token()};
  std::vector<const NamedTensor*> order(tensors.size());
  std::iota(order.begin(), order.end(), tensors.data());
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return itemSize(a->view.dtype) > itemSize(b->view.dtype);
  });
  std::vector<TensorInfo> infos;
  infos.reserve(order.size());
  for (const NamedTensor* tensor : order) {
    infos.push_back({tensor->name, tensor->view.shape, tensor->view.dtype, {}});
  }
  auto writer = ULP_TRY(SafetensorsWriter::create(path, std::move(infos), metadata));
  for (const NamedTensor* tensor : order) {
    ULP_TRY(writer.write(tensor->view));
  }
  return writer.commit();
}

}  // namespace ulp::tensors
