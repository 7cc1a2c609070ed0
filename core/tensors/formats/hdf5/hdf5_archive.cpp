#include "core/tensors/formats/hdf5/hdf5_archive.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/elements/widen.h"
#include "core/tensors/formats/hdf5/dataset_list.h"
#include "core/tensors/formats/hdf5/memory_file.h"
#include "core/tensors/formats/hdf5/reader_process.h"

namespace ulp::tensors {
namespace {

/// Deflate, the strongest of HDF5's own filters, reaches a factor of about 1000.
constexpr std::uint64_t kMostCompression = 2048;
/// Of a healthy file, too: chunks that were never written take no room in it.
constexpr const char* kTooMuch =
    "claims more elements than its file can hold; where most of them were never written, write "
    "those that were to a file of their own";

/// Where the elements of a dataset are.
struct Place {
  std::optional<std::size_t> offset;  ///< in the file, where they lie in one piece as in memory
  bool isWidened = false;             ///< what HDF5 reads is widened
  std::string refused;                ///< why they are not read; empty: they are
};

class Hdf5Archive final : public TensorArchive {
 public:
  explicit Hdf5Archive(ByteSource source) : m_source(std::move(source)) {}

  [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_infos; }
  [[nodiscard]] const std::filesystem::path& path() const override { return m_source.path; }

  Result<> start() {
    const auto bytes = ULP_TRY(MemoryFile::create());
    ULP_TRY(runHdf5Reader({"list", m_source.path.string()}, bytes));
    auto content = bytes.content();
    auto datasets =
        ULP_TRY(content ? decodedDatasets(byteSourceOf(m_source.path, *std::move(content)))
                        : tl::unexpected(std::move(content.error())));
    for (Hdf5Dataset& dataset : datasets) {
      ULP_TRY(add(std::move(dataset)));
    }
    m_index = NameIndex(m_infos);
    return {};
  }

  [[nodiscard]] Result<Tensor> read(std::string_view name) const override {
    const auto position = ULP_TRY(m_index.find(m_source.path, name));
    const Place& place = m_places[position];
    const TensorInfo& info = m_infos[position];
    auto tensor = !place.refused.empty() ? fail(ErrorCode::Unsupported, place.refused)
                  : place.offset         ? tensorAt(m_source, *place.offset, info.dtype, info.shape)
                                         : loaded(info, place.isWidened);
    if (!tensor) {
      return failWhile(m_source.path.string() + ": " + quotedName(name), std::move(tensor));
    }
    return tensor;
  }

 private:
  Result<> add(Hdf5Dataset dataset) {
    Place place{std::nullopt, dataset.isWidened, std::move(dataset.refused)};
    if (place.refused.empty()) {
      if (auto located = locate(dataset, place); !located) {
        return failWhile(m_source.path.string() + ": " + quotedName(dataset.info.name),
                         std::move(located));
      }
    }
    m_infos.push_back(std::move(dataset.info));
    m_places.push_back(std::move(place));
    return {};
  }

  /// The offset of elements that can be mapped, and whether others can be in the file. Error: no
  /// file can be so.
  Result<> locate(const Hdf5Dataset& dataset, Place& place) const {
    const auto count = checkedCount(dataset.info.shape);
    const std::uint64_t bytes = m_source.bytes.size();
    const std::size_t size = itemSize(dataset.info.dtype);
    if (!count) {
      return fail(ErrorCode::CorruptData, "claims more elements than any file can hold");
    }
    if (dataset.offset == Hdf5Dataset::kInPieces) {
      place.refused = *count > bytes / size * kMostCompression ? kTooMuch : "";
      return {};
    }
    if (dataset.offset > bytes || *count > (bytes - dataset.offset) / size) {
      return fail(ErrorCode::CorruptData, "reaches beyond the end of its file");
    }
    place.offset = dataset.offset;
    return {};
  }

  /// Through HDF5, into memory.
  [[nodiscard]] Result<Tensor> loaded(const TensorInfo& info, bool isWidened) const {
    const std::size_t size = checkedCount(info.shape).value_or(0) * itemSize(info.dtype);
    const auto file = ULP_TRY(MemoryFile::create(size));
    const std::vector<std::string> request{"read", m_source.path.string(), info.name, kindOf(info)};
    ULP_TRY(runHdf5Reader(request, file));
    auto memory = ULP_TRY(file.map());
    const ByteSource source{m_source.path, {memory.get(), size}, memory};
    return isWidened ? widened(source.bytes, info) : tensorAt(source, 0, info.dtype, info.shape);
  }

  ByteSource m_source;
  std::vector<TensorInfo> m_infos;
  std::vector<Place> m_places;  ///< one for each dataset
  NameIndex m_index;
};

}  // namespace

Result<TensorArchivePtr> openHdf5Archive(const std::filesystem::path& path) {
  auto source = ULP_TRY(openByteSource(path));
  auto archive = std::make_shared<Hdf5Archive>(std::move(source));
  ULP_TRY(archive->start());
  return archive;
}

}  // namespace ulp::tensors
