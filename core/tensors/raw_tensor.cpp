#include "core/tensors/raw_tensor.h"

#include <utility>

#include "core/tensors/name_index.h"
#include "core/tensors/stored_type.h"
#include "core/tensors/widen.h"

namespace ulp::tensors {
namespace {

tl::unexpected<Error> refuse(const ByteSource& source, ErrorCode code, const std::string& what) {
  return fail(code, source.path.string() + ": " + what);
}

const StoredType* typeOf(const std::string& name) {
  const auto dtype = parseDType(name);
  return findStoredType(dtype ? toString(*dtype) : name);
}

}  // namespace

Result<Tensor> parseRawTensor(const ByteSource& source, const RawLayout& layout) {
  const StoredType* const type = typeOf(layout.dtype);
  if (type == nullptr) {
    return refuse(source,
                  ErrorCode::InvalidArgument,
                  "no element type is called " + quotedName(layout.dtype) +
                      "; choose float32, bfloat16, int64, …");
  }
  if (type->showing == Showing::Never) {
    return refuse(source, ErrorCode::Unsupported, notRead(type->name));
  }
  const auto count = checkedCount(layout.shape);
  const std::uint64_t available =
      source.bytes.size() - std::min<std::uint64_t>(layout.offset, source.bytes.size());
  if (!count || *count > available / type->itemSize || *count * type->itemSize != available) {
    return refuse(source,
                  ErrorCode::InvalidArgument,
                  "its " + std::to_string(available) + " bytes from byte " +
                      std::to_string(layout.offset) + " on hold " +
                      std::to_string(available / type->itemSize) + " elements of " +
                      std::string(type->name) + ", and the shape asks for " +
                      (count ? std::to_string(*count) : "an impossible number"));
  }
  // Only a tensor without elements comes so far.
  if (layout.offset > source.bytes.size()) {
    return refuse(
        source, ErrorCode::InvalidArgument, "it ends before byte " + std::to_string(layout.offset));
  }
  const TensorInfo info{{}, layout.shape, type->dtype, std::string(type->name)};
  auto tensor = type->showing == Showing::Widened
                    ? widened(source.bytes.subspan(layout.offset), info)
                    : tensorAt(source, layout.offset, info.dtype, info.shape);
  return tensor ? ifIntact(source, std::move(tensor))
                : failWhile(source.path.string(), std::move(tensor));
}

Result<Tensor> readRawTensor(const std::filesystem::path& path, const RawLayout& layout) {
  const auto source = openByteSource(path);
  return source ? parseRawTensor(*source, layout) : tl::unexpected(source.error());
}

}  // namespace ulp::tensors
