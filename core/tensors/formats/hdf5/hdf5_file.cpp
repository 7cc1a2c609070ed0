#include "core/tensors/formats/hdf5/hdf5_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/elements/shown_tensor.h"
#include "core/tensors/formats/hdf5/memory_file.h"
#include "core/tensors/formats/hdf5/reader_process.h"

namespace ulp::tensors {
namespace {

/// Deflate, the strongest of HDF5's own filters, reaches a factor of about 1000.
constexpr std::uint64_t kMostCompression = 2048;

std::string placeOfDataset(const ByteSource& source, std::string_view dataset) {
  return source.path.string() + ": " + quotedName(dataset);
}

Result<> refuseBeyondEnd(const ByteSource& source,
                         const Hdf5Dataset& dataset,
                         std::uint64_t count,
                         std::uint64_t size) {
  const std::uint64_t bytes = source.bytes.size();
  if (dataset.offset <= bytes && count <= (bytes - dataset.offset) / size) {
    return {};
  }
  return fail(ErrorCode::CorruptData,
              fmt::format("{} elements of {} bytes at byte {}: reaches beyond the end of its file, "
                          "which has {} bytes; copy or write it anew",
                          count,
                          size,
                          dataset.offset,
                          bytes));
}

/// Finds out whether the elements can be in the file, and refuses them where they cannot. Error: no
/// file can be so.
Result<> locate(const ByteSource& source, Hdf5Dataset& dataset) {
  const bool isTensor = dataset.refused.empty();
  if (!isTensor && dataset.textWidth == 0) {
    return {};
  }
  const auto count = checkedCount(dataset.info.shape);
  if (!count) {
    return fail(
        ErrorCode::CorruptData,
        fmt::format("claims more elements than any file can hold: {}", kindOf(dataset.info)));
  }
  const std::uint64_t size = isTensor ? itemSize(dataset.info.dtype) : dataset.textWidth;
  if (dataset.offset != Hdf5Dataset::kInPieces) {
    return refuseBeyondEnd(source, dataset, *count, size);
  }
  const std::uint64_t bytes = source.bytes.size();
  const std::uint64_t most = std::min(bytes * kMostCompression, mostUnpacked(bytes)) / size;
  if (*count > most) {
    // Of a healthy file, too: chunks that were never written take no room in it.
    dataset.textWidth = 0;
    dataset.refused = fmt::format(
        "claims more elements than its file can hold ({}; {} at most); store it unpacked or, where "
        "most of them were never written, write those that were to a file of their own",
        *count,
        most);
  }
  return {};
}

/// Whether another file bears the name by now, or none.
bool isReplaced(const InputFile& input, const std::filesystem::path& path) {
  const auto named = InputFile::open(path);
  return !named || !named->identity().isSameFileAs(input.identity());
}

}  // namespace

Result<std::shared_ptr<const Hdf5File>> Hdf5File::open(const std::filesystem::path& path,
                                                       std::span<const std::string_view> attributes,
                                                       Rewriting rewriting) {
  // A worker replaces tensors.h5 after each run, whoever looks at it.
  constexpr int kMostTries = 3;
  for (int tried = 1;; ++tried) {
    const auto input = ULP_TRY(InputFile::open(path));
    auto opened = open(path, input, attributes, rewriting);
    if (opened || tried == kMostTries || !isReplaced(input, path)) {
      return opened;
    }
  }
}

Result<std::shared_ptr<const Hdf5File>> Hdf5File::open(const std::filesystem::path& path,
                                                       const InputFile& input,
                                                       std::span<const std::string_view> attributes,
                                                       Rewriting rewriting) {
  auto source = ULP_TRY(openByteSource(path, rewriting));
  if (isReplaced(input, path)) {
    return fail(ErrorCode::CorruptData,
                path.string() + ": was replaced while it was opened; open it again");
  }
  const auto list = ULP_TRY(MemoryFile::create());
  Hdf5Request request{{"list", path.string()}, limitsOfList(input.identity().size).patience()};
  request.arguments.insert(request.arguments.end(), attributes.begin(), attributes.end());
  ULP_TRY(runHdf5Reader(request, input, list));
  auto bytes = ULP_TRY(whileDoing(path.string(), list.content(kMostHdf5Contents)));
  auto contents = ULP_TRY(decodedContents(byteSourceOf(path, std::move(bytes))));
  for (Hdf5Dataset& dataset : contents.datasets) {
    if (auto located = locate(source, dataset); !located) {
      return failWhile(placeOfDataset(source, dataset.info.name), std::move(located));
    }
  }
  return std::shared_ptr<const Hdf5File>(
      new Hdf5File(std::move(source), input.identity(), std::move(contents)));
}

const Hdf5Dataset* Hdf5File::dataset(std::string_view path) const {
  const auto found = m_datasets.find(path);
  return found == m_datasets.end() ? nullptr : found->second;
}

const Hdf5Group* Hdf5File::group(std::string_view path) const {
  const auto found = m_groups.find(path);
  return found == m_groups.end() ? nullptr : found->second;
}

Result<Tensor> Hdf5File::read(const Hdf5Dataset& dataset) const {
  return whileDoing(placeOfDataset(m_source, dataset.info.name), elementsOf(dataset));
}

Result<std::vector<std::string>> Hdf5File::texts(const Hdf5Dataset& dataset) const {
  return whileDoing(placeOfDataset(m_source, dataset.info.name), textsOf(dataset));
}

Result<ByteSource> Hdf5File::readByReader(const TensorInfo& info, std::size_t bytes) const {
  const auto input = ULP_TRY(InputFile::open(path()));
  if (input.identity() != m_identity) {
    return fail(ErrorCode::CorruptData,
                "the file was changed or replaced while it was open; open it again");
  }
  const auto shared = ULP_TRY(MemoryFile::create(bytes));
  const Hdf5Request request{{"read", path().string(), info.name, kindOf(info)},
                            limitsOfRead(bytes, m_identity.size).patience()};
  ULP_TRY(runHdf5Reader(request, input, shared));
  auto memory = ULP_TRY(shared.map());
  const std::span<const std::byte> read(memory.get(), bytes);
  return ByteSource{path(), read, std::move(memory)};
}

Result<Tensor> Hdf5File::elementsOf(const Hdf5Dataset& dataset) const {
  const TensorInfo& info = dataset.info;
  if (!dataset.refused.empty()) {
    return fail(ErrorCode::Unsupported, dataset.refused);
  }
  if (dataset.offset != Hdf5Dataset::kInPieces) {
    return tensorAt(m_source, dataset.offset, info.dtype, info.shape);
  }
  const std::size_t size = checkedCount(info.shape).value_or(0) * itemSize(info.dtype);
  if (size == 0) {
    auto empty = ULP_TRY(newTensor(info.dtype, info.shape));
    return std::move(empty.tensor);
  }
  const auto read = ULP_TRY(readByReader(info, size));
  const StoredType& type = dataset.isWidened ? *findStoredType("uint64") : storedTypeOf(info.dtype);
  return shownTensor(read, 0, type, info);
}

Result<std::vector<std::string>> Hdf5File::textsOf(const Hdf5Dataset& dataset) const {
  constexpr std::uint64_t kMostTexts = 1'000'000;
  constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20U;
  if (dataset.textWidth == 0) {
    return fail(ErrorCode::CorruptData,
                "holds no texts of fixed length that can be read: " + dataset.refused);
  }
  const std::uint64_t count = checkedCount(dataset.info.shape).value_or(kMostTexts + 1);
  const std::uint64_t width = dataset.textWidth;
  if (count > kMostTexts || width > kMostBytes || count * width > kMostBytes) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{} texts of {} bytes; at most {} of {} MiB together are read",
                            count,
                            width,
                            kMostTexts,
                            kMostBytes >> 20U));
  }
  const bool isMapped = dataset.offset != Hdf5Dataset::kInPieces;
  const auto read =
      ULP_TRY(isMapped ? Result<ByteSource>(m_source) : readByReader(dataset.info, count * width));
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto cell =
        textOf(read.bytes.subspan((isMapped ? dataset.offset : 0) + i * width, width));
    texts.emplace_back(cell.substr(0, cell.find('\0')));
  }
  ULP_TRY(checkIntact(read.file.get()));
  return texts;
}

}  // namespace ulp::tensors
