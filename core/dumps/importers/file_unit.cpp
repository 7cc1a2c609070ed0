#include "core/dumps/importers/file_unit.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <future>
#include <utility>

#include "core/base/threads.h"
#include "core/tensors/opening/tensor_file.h"

namespace ulp::dumps {
namespace {

constexpr std::size_t kMostOpen = 8;
constexpr std::size_t kMostThreads = 8;
constexpr std::size_t kBatch = 64;  ///< files that a thread takes at once

void readHeader(const std::filesystem::path& file, TensorFileIndex& index) {
  const auto archive = tensors::openTensorFile(file);
  if (archive) {
    index.tensors = (*archive)->tensors();
  } else {
    index.problem = archive.error().message();
  }
}

}  // namespace

Result<std::vector<TensorFileIndex>> indexTensorFiles(
    const std::vector<std::filesystem::path>& files,
    const std::stop_token& stop,
    const Progress& progress) {
  std::vector<TensorFileIndex> indices(files.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&](std::size_t thread) {
    while (!stop.stop_requested()) {
      const std::size_t first = next.fetch_add(kBatch);
      if (first >= files.size()) {
        return;
      }
      for (std::size_t i = first; i < std::min(first + kBatch, files.size()); ++i) {
        readHeader(files[i], indices[i]);
      }
      if (thread == 0 && progress) {
        progress(std::min(next.load(), files.size()), files.size());
      }
    }
  };
  const std::size_t threads =
      threadsFor(std::min<std::size_t>(kMostThreads, files.size() / kBatch + 1));
  ULP_TRY(runOnThreads(threads, work));
  if (stop.stop_requested()) {
    return fail(ErrorCode::Cancelled, "reading the headers of tensor files was cancelled");
  }
  return indices;
}

void FileUnit::add(DumpEntry entry,
                   DumpRow row,
                   std::size_t file,
                   const tensors::TensorInfo* tensor) {
  addEntry(std::move(entry));
  addToLast(std::move(row), file, tensor);
}

void FileUnit::addToLast(DumpRow row, std::size_t file, const tensors::TensorInfo* tensor) {
  row.hasElements = true;
  if (tensor != nullptr) {
    row.dtype = tensor->storedAs;
    row.shape = tensor->shape;
  }
  addRow(std::move(row));
  m_places.push_back({file, tensor == nullptr ? "" : tensor->name});
}

Result<tensors::Tensor> FileUnit::read(std::size_t row) const {
  if (!rows[row].hasElements) {
    return fail(ErrorCode::NotFound, fmt::format("'{}' has no elements", rows[row].name));
  }
  const Place& place = m_places[row];
  const auto archive = ULP_TRY(archiveOf(place.file));
  return archive->read(place.tensor);
}

Result<tensors::TensorArchivePtr> FileUnit::archiveOf(std::size_t file) const {
  const auto isIt = [file](const auto& each) { return each.file == file; };
  std::promise<Result<tensors::TensorArchivePtr>> opened;
  std::shared_future<Result<tensors::TensorArchivePtr>> underWay;
  {
    const std::scoped_lock lock(m_mutex);
    if (const auto found = std::ranges::find_if(m_open, isIt); found != m_open.end()) {
      return found->archive;
    }
    if (const auto found = std::ranges::find_if(m_opening, isIt); found != m_opening.end()) {
      underWay = found->archive;
    } else {
      m_opening.push_back({file, opened.get_future().share()});
    }
  }
  if (underWay.valid()) {
    return underWay.get();
  }
  // Those who wait are told, whatever happens.
  auto archive = guarded([&] {
                   return tensors::openTensorFile(m_files[file]);
                 }).and_then([](auto&& result) { return std::move(result); });
  opened.set_value(archive);
  const std::scoped_lock lock(m_mutex);
  m_opening.erase(std::ranges::find_if(m_opening, isIt));
  if (archive && (*archive)->tensors().size() > 1) {
    if (m_open.size() == kMostOpen) {
      m_open.erase(m_open.begin());
    }
    m_open.push_back({file, *archive});
  }
  return archive;
}

}  // namespace ulp::dumps
