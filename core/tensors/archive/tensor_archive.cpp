#include "core/tensors/archive/tensor_archive.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include "core/tensors/archive/tensor_parts.h"

namespace ulp::tensors {
namespace {

std::span<const std::byte> bytesOf(const Tensor& tensor, std::size_t first, std::size_t count) {
  const std::size_t all = tensor.view.count();
  const std::size_t size = itemSize(tensor.view.dtype);
  first = std::min(first, all);
  return tensor.view.bytes().subspan(first * size, std::min(count, all - first) * size);
}

}  // namespace

Result<> checkIntact(const Tensor& tensor) {
  if (tensor.parts != nullptr) {
    if (auto problem = tensor.parts->problem()) {
      return tl::unexpected(std::move(*problem));
    }
  }
  return checkIntact(tensor.file.get());
}

Result<> checkIntact(const MappedFile* file) {
  return file == nullptr ? Result<>() : file->checkIntact();
}

Result<> bring(const Tensor& tensor, const ElementGrid& wanted) {
  return tensor.parts == nullptr ? Result<>() : tensor.parts->bring(wanted);
}

Result<> bringAll(const Tensor& tensor) {
  return bring(tensor, {.columns = static_cast<std::int64_t>(tensor.view.count())});
}

bool isAllHere(const Tensor& tensor) {
  return isHere(tensor, {.columns = static_cast<std::int64_t>(tensor.view.count())});
}

bool isHere(const Tensor& tensor, const ElementGrid& wanted) {
  return tensor.parts == nullptr || tensor.parts->has(wanted);
}

void readAhead(const Tensor& tensor, std::size_t first, std::size_t count) {
  // The kernel starts no more at once than the device takes in one request, and forgets the rest.
  constexpr std::size_t kRequest = std::size_t{1} << 20;
  const auto bytes = bytesOf(tensor, first, count);
  if (tensor.file == nullptr || bytes.empty()) {
    return;
  }
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::span<const std::byte> all = tensor.file->bytes();
  const auto begin = static_cast<std::size_t>(bytes.data() - all.data());
  const std::size_t end = begin + bytes.size();
  for (std::size_t at = begin / page * page; at < end; at += kRequest) {
    // A hint: where it is refused, the pages come when they are touched. madvise takes a mutable
    // pointer although it changes nothing.
    ::madvise(const_cast<std::byte*>(all.data()) + at, std::min(kRequest, end - at), MADV_WILLNEED);
  }
}

void giveBack(const Tensor& tensor, std::size_t first, std::size_t count) {
  if (tensor.file != nullptr) {
    tensor.file->release(bytesOf(tensor, first, count));
  }
}

}  // namespace ulp::tensors
