#include "core/tensors/elements/raw_tensor.h"

#include <algorithm>
#include <utility>

#include "core/tensors/archive/name_index.h"
#include "core/tensors/elements/shown_tensor.h"

namespace ulp::tensors {
namespace {

const StoredType* typeOf(const std::string& name) {
  const auto dtype = parseDType(name);
  return findStoredType(dtype ? toString(*dtype) : name);
}

/// The shape for so many elements, or what it asks for instead.
tl::expected<std::vector<std::int64_t>, std::string> shapeFor(std::vector<std::int64_t> shape,
                                                              std::uint64_t elements) {
  const auto open = std::find(shape.begin(), shape.end(), -1);
  const bool isOpen = open != shape.end();
  if (isOpen) {
    *open = 1;
  }
  const auto count = checkedCount(shape);
  if (!count) {
    return tl::unexpected(std::string("an impossible number"));
  }
  if (!isOpen) {
    return *count == elements ? tl::expected<std::vector<std::int64_t>, std::string>(shape)
                              : tl::unexpected(std::to_string(*count));
  }
  if (*count == 0 || elements % *count != 0) {
    return tl::unexpected("a multiple of " + std::to_string(*count));
  }
  *open = static_cast<std::int64_t>(elements / *count);
  return shape;
}

}  // namespace

Result<TensorInfo> rawTensorInfo(const std::filesystem::path& path,
                                 std::uint64_t size,
                                 const RawLayout& layout) {
  const StoredType* const type = typeOf(layout.dtype);
  const auto refuse = [&path](const std::string& what) {
    return fail(ErrorCode::InvalidArgument, path.string() + ": " + what);
  };
  if (type == nullptr) {
    return refuse("no element type is called " + quotedName(layout.dtype) +
                  "; choose float32, bfloat16, int64, …");
  }
  if (type->showing == Showing::Never) {
    return fail(ErrorCode::Unsupported, path.string() + ": " + notRead(type->name));
  }
  if (layout.offset > size) {
    return refuse("its " + std::to_string(size) + " bytes end before byte " +
                  std::to_string(layout.offset));
  }
  const std::uint64_t available = size - layout.offset;
  const std::uint64_t elements = available / type->itemSize;
  auto shape = shapeFor(layout.shape, elements);
  if (!shape || available % type->itemSize != 0) {
    return refuse(
        "its " + std::to_string(available) + " bytes from byte " + std::to_string(layout.offset) +
        " on hold " + (shape ? "no whole number of" : std::to_string(elements)) + " elements of " +
        std::string(type->name) + (shape ? "" : ", and the shape asks for " + shape.error()));
  }
  return TensorInfo{{}, std::move(*shape), type->dtype, std::string(type->name)};
}

Result<Tensor> parseRawTensor(const ByteSource& source, const RawLayout& layout) {
  const auto info = ULP_TRY(rawTensorInfo(source.path, source.bytes.size(), layout));
  return ifIntactAt(source.path.string(),
                    source,
                    shownTensor(source, layout.offset, *findStoredType(info.storedAs), info));
}

Result<Tensor> readRawTensor(const std::filesystem::path& path, const RawLayout& layout) {
  const auto source = ULP_TRY(openByteSource(path));
  return parseRawTensor(source, layout);
}

}  // namespace ulp::tensors
