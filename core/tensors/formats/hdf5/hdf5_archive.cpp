#include "core/tensors/formats/hdf5/hdf5_archive.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/elements/shown_tensor.h"
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

/// Finds out whether the elements can be in the file, and refuses them where they cannot. Error: no
/// file can be so.
Result<> locate(const ByteSource& source, Hdf5Dataset& dataset) {
  const auto count = checkedCount(dataset.info.shape);
  const std::uint64_t bytes = source.bytes.size();
  const std::size_t size = itemSize(dataset.info.dtype);
  if (!count) {
    return fail(ErrorCode::CorruptData, "claims more elements than any file can hold");
  }
  if (dataset.offset == Hdf5Dataset::kInPieces) {
    dataset.refused = *count > bytes / size * kMostCompression ? kTooMuch : "";
  } else if (dataset.offset > bytes || *count > (bytes - dataset.offset) / size) {
    return fail(ErrorCode::CorruptData, "reaches beyond the end of its file");
  }
  return {};
}

std::string placeOfDataset(const ByteSource& source, std::string_view dataset) {
  return source.path.string() + ": " + quotedName(dataset);
}

/// Through HDF5, into memory.
Result<Tensor> loaded(const ByteSource& file, const Hdf5Dataset& dataset, const TensorInfo& info) {
  const std::size_t size = checkedCount(info.shape).value_or(0) * itemSize(info.dtype);
  const auto shared = ULP_TRY(MemoryFile::create(size));
  const std::vector<std::string> request{"read", file.path.string(), info.name, kindOf(info)};
  ULP_TRY(runHdf5Reader(request, shared));
  auto memory = ULP_TRY(shared.map());
  const ByteSource source{file.path, {memory.get(), size}, memory};
  const StoredType& type = dataset.isWidened ? *findStoredType("uint64") : storedTypeOf(info.dtype);
  return shownTensor(source, 0, type, info);
}

Result<Tensor> elementsOf(const ByteSource& source,
                          const Hdf5Dataset& dataset,
                          const TensorInfo& info) {
  if (!dataset.refused.empty()) {
    return fail(ErrorCode::Unsupported, dataset.refused);
  }
  return dataset.offset == Hdf5Dataset::kInPieces
             ? loaded(source, dataset, info)
             : tensorAt(source, dataset.offset, info.dtype, info.shape);
}

}  // namespace

Result<TensorArchivePtr> openHdf5Archive(const std::filesystem::path& path) {
  auto source = ULP_TRY(openByteSource(path));
  const auto list = ULP_TRY(MemoryFile::create());
  ULP_TRY(runHdf5Reader({"list", path.string()}, list));
  auto content = ULP_TRY(list.content());
  auto datasets = ULP_TRY(decodedDatasets(byteSourceOf(path, std::move(content))));
  std::vector<TensorInfo> infos;
  for (Hdf5Dataset& dataset : datasets) {
    if (dataset.refused.empty()) {
      auto located = locate(source, dataset);
      if (!located) {
        return failWhile(placeOfDataset(source, dataset.info.name), std::move(located));
      }
    }
    infos.push_back(std::move(dataset.info));
  }
  return makeArchive(path,
                     std::move(infos),
                     [source = std::move(source), datasets = std::move(datasets)](
                         const TensorInfo& info, std::size_t position) {
                       return whileDoing(placeOfDataset(source, info.name),
                                         elementsOf(source, datasets[position], info));
                     });
}

}  // namespace ulp::tensors
