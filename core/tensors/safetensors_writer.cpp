#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/tensors/file_writer.h"
#include "core/tensors/name_index.h"
#include "core/tensors/safetensors.h"
#include "core/tensors/safetensors_header.h"

namespace ulp::tensors {
namespace {

constexpr std::string_view kMetadataKey = "__metadata__";

Result<> checkNames(const std::filesystem::path& path, std::span<const NamedTensor> tensors) {
  std::set<std::string_view> seen;
  for (const NamedTensor& tensor : tensors) {
    const bool usable = tensor.name != kMetadataKey && isUtf8(tensor.name);
    if (!usable || !seen.insert(tensor.name).second) {
      return fail(ErrorCode::InvalidArgument,
                  path.string() + ": tensor " + quotedName(tensor.name) +
                      (usable ? ": given twice" : ": not a name that the format allows"));
    }
  }
  return {};
}

/// Size prefix and JSON text, padded so that the data section is aligned.
std::string headerOf(std::span<const NamedTensor* const> tensors,
                     const std::map<std::string, std::string>& metadata) {
  constexpr std::size_t kAlignment = 64;
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) {
    header[std::string(kMetadataKey)] = metadata;
  }
  std::size_t offset = 0;
  for (const NamedTensor* tensor : tensors) {
    const std::size_t end = offset + tensor->view.sizeBytes();
    header[tensor->name] = {{"dtype", safetensorsName(tensor->view.dtype)},
                            {"shape", tensor->view.shape},
                            {"data_offsets", {offset, end}}};
    offset = end;
  }
  const std::string json = header.dump();
  const std::uint64_t size = (json.size() + 8 + kAlignment - 1) / kAlignment * kAlignment - 8;
  std::string text(8 + size, ' ');
  std::memcpy(text.data(), &size, sizeof size);
  json.copy(text.data() + 8, json.size());
  return text;
}

}  // namespace

Result<> writeSafetensors(const std::filesystem::path& path,
                          std::span<const NamedTensor> tensors,
                          const std::map<std::string, std::string>& metadata) {
  if (auto checked = checkNames(path, tensors); !checked) {
    return checked;
  }
  std::vector<const NamedTensor*> order(tensors.size());
  std::iota(order.begin(), order.end(), tensors.data());
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return itemSize(a->view.dtype) > itemSize(b->view.dtype);
  });
  const auto header = guarded([&] { return headerOf(order, metadata); });
  if (!header) {
    return fail(header.error().code(), path.string() + ": header: " + header.error().message());
  }
  auto file = FileWriter::create(path);
  if (!file) {
    return tl::unexpected(std::move(file.error()));
  }
  auto written = file->write(std::as_bytes(std::span(*header)));
  for (std::size_t i = 0; written && i < order.size(); ++i) {
    written = file->write(order[i]->view.bytes());
  }
  return written ? file->commit() : written;
}

}  // namespace ulp::tensors
