#include "app/cli/sources/tensor_places.h"

#include <cerrno>
#include <cstdint>
#include <fmt/format.h>
#include <ostream>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <utility>

#include "core/base/files/file_writer.h"
#include "core/base/files/folders.h"
#include "core/json/writer.h"
#include "core/tensors/archive/tensor_parts.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSchema = "ulpscope.tensors/1";
constexpr std::int64_t kNanoseconds = 1'000'000'000;

/// Where elements lie, row-major, and how to see that they lie there yet.
struct TensorPlace {
  fs::path file;
  std::uint64_t offset = 0;
  std::uint64_t fileBytes = 0;
  std::int64_t modified = 0;  ///< in nanoseconds since 1970
};

Result<TensorPlace> placeIn(const fs::path& file, std::uint64_t offset) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    return tl::make_unexpected(systemError(file, "read", errno));
  }
  std::error_code error;
  fs::path whole = fs::absolute(file, error);
  return TensorPlace{.file = error ? file : std::move(whole),
                     .offset = offset,
                     .fileBytes = static_cast<std::uint64_t>(status.st_size),
                     .modified = status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec};
}

Result<TensorPlace> unpack(const tensors::Tensor& tensor, const fs::path& file) {
  ULP_TRY(makeFolders(file.parent_path()));
  auto writer = ULP_TRY(FileWriter::create(file));
  ULP_TRY(writer.stream(tensor.view.bytes(), tensor.file.get()));
  ULP_TRY(writer.commit(Durability::WithItsFolder));
  return placeIn(file, 0);
}

Result<std::optional<TensorPlace>> placeOf(const tensors::Tensor& tensor,
                                           const fs::path& unpacked) {
  if (tensor.file != nullptr && tensor.view.sizeBytes() > 0) {
    const std::span<const std::byte> bytes = tensor.file->bytes();
    const auto* const first = static_cast<const std::byte*>(tensor.view.data);
    auto place =
        ULP_TRY(placeIn(tensor.file->path(), static_cast<std::uint64_t>(first - bytes.data())));
    ULP_TRY(tensors::checkIntact(tensor));
    return std::optional(std::move(place));
  }
  if (unpacked.empty()) {
    return std::optional<TensorPlace>();
  }
  return std::optional(ULP_TRY(unpack(tensor, unpacked)));
}

void writeError(json::Writer& json, const Error& error) {
  json.key("problem");
  json.value([&] {
    json.field("code", toString(error.code()));
    json.field("message", error.message());
  });
}

void writePlace(json::Writer& json, const tensors::Tensor& tensor, const TensorPlace& place) {
  json.field("file", place.file.string());
  json.field("offset", place.offset);
  json.field("bytes", tensor.view.sizeBytes());
  json.field("dtype", toString(tensor.view.dtype));
  json.list("shape", tensor.view.shape, [&](std::int64_t extent) { json.value(extent); });
  json.field("file_bytes", place.fileBytes);
  json.field("modified", place.modified);
}

/// The fields of a tensor. Error: why it has no place.
Result<> writeItem(json::Writer& json,
                   const InspectSource& source,
                   std::size_t index,
                   const PlaceOptions& options) {
  const InspectItem& item = source.items[index];
  json.field("run", item.run);
  json.field("pass", toString(item.site.pass));
  json.field("name", item.site.name);
  json.field("module", item.site.module);
  json.field("layer", item.site.layer);
  json.field("dtype", item.storedAs);
  json.list("shape", item.shape, [&](std::int64_t extent) { json.value(extent); });
  json.field("stride", item.sampleStride);
  if (!options.areRead) {
    json.key("place");
    json.null();
    return {};
  }
  const fs::path file =
      options.unpacked.empty() ? fs::path() : options.unpacked / fmt::format("{}.bin", index);
  auto tensor = source.read(index);
  if (tensor && tensor->parts != nullptr) {
    // What comes from another machine lies in a file that goes with this process.
    tensor->file = nullptr;
    const auto brought = file.empty() ? Result<>() : tensors::bringAll(*tensor);
    tensor = brought ? std::move(tensor) : tl::make_unexpected(brought.error());
  }
  const auto place = tensor ? placeOf(*tensor, file) : tl::make_unexpected(tensor.error());
  json.optionalObject("place", place.value_or(std::nullopt), [&](const TensorPlace& found) {
    writePlace(json, *tensor, found);
  });
  if (!place) {
    writeError(json, place.error());
    return tl::make_unexpected(place.error());
  }
  return {};
}

}  // namespace

Result<std::vector<Error>> printPlaces(std::ostream& out,
                                       const InspectSource& source,
                                       std::span<const std::size_t> items,
                                       const PlaceOptions& options) {
  json::Writer json;
  std::vector<Error> problems;
  json.beginObject();
  json.field("schema", kSchema);
  json.key("tensors");
  json.beginArray();
  for (const std::size_t index : items) {
    json.newLine(1);
    json.beginObject();
    if (auto written = writeItem(json, source, index, options); !written) {
      if (written.error().endsWork()) {
        return tl::make_unexpected(written.error());
      }
      problems.push_back(written.error());
    }
    json.endObject();
  }
  json.newLine(0);
  json.endArray();
  json.endObject();
  out << std::move(json).take() << '\n';
  return problems;
}

void printNoPlaces(std::ostream& out, const Error& error) {
  json::Writer json;
  json.beginObject();
  json.field("schema", kSchema);
  json.list("tensors", std::span<const std::size_t>(), [](std::size_t /*item*/) {});
  writeError(json, error);
  json.endObject();
  out << std::move(json).take() << '\n';
}

}  // namespace ulp::cli
