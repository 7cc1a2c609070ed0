#include "core/tensors/archive/byte_source.h"

#include <limits>
#include <new>
#include <utility>

#include "core/base/files/in_pieces.h"

namespace ulp::tensors {
namespace {

/// A cache line, which suits vector loads of every width.
constexpr std::align_val_t kMemoryAlignment{64};

}  // namespace

tl::unexpected<Error> ByteSource::corrupt(const std::string& what) const {
  return fail(ErrorCode::CorruptData, path.string() + ": " + what);
}

tl::unexpected<Error> ByteSource::unsupported(const std::string& what) const {
  return fail(ErrorCode::Unsupported, path.string() + ": " + what);
}

Result<ByteSource> openByteSource(const std::filesystem::path& path, Rewriting rewriting) {
  const auto mapped = ULP_TRY(MappedFile::open(path, rewriting));
  return byteSourceOf(mapped);
}

ByteSource byteSourceOf(const std::shared_ptr<const MappedFile>& file) {
  return {file->path(), file->bytes(), file, file};
}

ByteSource byteSourceOf(std::filesystem::path name, std::vector<std::byte> content) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(content));
  const std::span<const std::byte> bytes(*owner);
  return {std::move(name), bytes, std::move(owner)};
}

Result<std::shared_ptr<std::byte[]>> allocateBytes(std::size_t size) {
  constexpr std::size_t kMost = std::numeric_limits<std::ptrdiff_t>::max();
  void* memory = size > kMost ? nullptr : ::operator new(size, kMemoryAlignment, std::nothrow);
  if (memory == nullptr) {
    return fail(ErrorCode::OutOfMemory,
                "no memory for a tensor of " + std::to_string(size) + " bytes");
  }
  return std::shared_ptr<std::byte[]>(static_cast<std::byte*>(memory), [](std::byte* bytes) {
    ::operator delete(bytes, kMemoryAlignment);
  });
}

Result<NewTensor> newTensor(DType dtype, std::vector<std::int64_t> shape) {
  numerics::TensorView view{nullptr, dtype, std::move(shape)};
  auto memory = ULP_TRY(allocateBytes(view.sizeBytes()));
  std::byte* const bytes = memory.get();
  view.data = bytes;
  return NewTensor{{std::move(view), std::move(memory)}, bytes};
}

std::optional<std::uint64_t> checkedCount(std::span<const std::int64_t> shape) {
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::uint64_t product = 1;
  bool empty = false;
  for (const std::int64_t dimension : shape) {
    if (dimension < 0) {
      return std::nullopt;
    }
    if (dimension == 0) {
      empty = true;
      continue;
    }
    if (static_cast<std::uint64_t>(dimension) > kLargest / product) {
      return std::nullopt;
    }
    product *= static_cast<std::uint64_t>(dimension);
  }
  return empty ? 0 : product;
}

Result<Tensor> tensorAt(const ByteSource& source,
                        std::size_t offset,
                        DType dtype,
                        std::vector<std::int64_t> shape) {
  Tensor tensor;
  tensor.view = {source.bytes.data() + offset, dtype, std::move(shape)};
  if (reinterpret_cast<std::uintptr_t>(tensor.view.data) % itemSize(dtype) == 0) {
    tensor.owner = source.owner;
    tensor.file = source.file;
    return tensor;
  }
  auto copy = ULP_TRY(newTensor(dtype, tensor.view.shape));
  ULP_TRY(ByteCopier(copy.bytes).add(tensor.view.bytes(), source.file.get()));
  return ifIntact<Tensor>(source, std::move(copy.tensor));
}

}  // namespace ulp::tensors
