#include "core/tensors/opening/token_file.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "core/tensors/archive/name_index.h"
#include "core/tensors/formats/numpy/npy.h"
#include "core/tensors/formats/safetensors/safetensors.h"
#include "core/tensors/opening/token_json.h"

namespace ulp::tensors {
namespace {

constexpr std::string_view kPreferred = "input_ids";

bool holdsIntegers(DType dtype) {
  return !isFloatingPoint(dtype) && dtype != DType::Bool;
}

template <class Stored>
void append(const numerics::TensorView& view, std::vector<std::int64_t>& tokens) {
  const auto* elements = static_cast<const Stored*>(view.data);
  tokens.assign(elements, elements + view.count());
}

/// `place` names file and tensor.
Result<TokenFile> tokensOf(const Tensor& tensor, const std::string& place) {
  TokenFile file;
  file.shape = tensor.view.shape;
  switch (tensor.view.dtype) {
    case DType::Int64:
      append<std::int64_t>(tensor.view, file.tokens);
      return file;
    case DType::Int32:
      append<std::int32_t>(tensor.view, file.tokens);
      return file;
    case DType::Int16:
      append<std::int16_t>(tensor.view, file.tokens);
      return file;
    case DType::Int8:
      append<std::int8_t>(tensor.view, file.tokens);
      return file;
    case DType::UInt8:
      append<std::uint8_t>(tensor.view, file.tokens);
      return file;
    default:
      return fail(ErrorCode::InvalidArgument,
                  place + ": holds " + std::string(toString(tensor.view.dtype)) +
                      " where token ids are integers");
  }
}

Result<TokenFile> readNpyTokens(const std::filesystem::path& path) {
  const auto tensor = ULP_TRY(readNpy(path));
  return tokensOf(tensor, path.string() + ": array");
}

/// The tensor named input_ids, else the only one with integers.
Result<std::string> chooseTensor(const TensorArchive& archive) {
  std::string found;
  for (const TensorInfo& info : archive.tensors()) {
    if (info.name == kPreferred) {
      return info.name;
    }
    if (!holdsIntegers(info.dtype)) {
      continue;
    }
    if (!found.empty()) {
      return fail(ErrorCode::InvalidArgument,
                  archive.path().string() + ": tensors " + quotedName(found) + " and " +
                      quotedName(info.name) + ": both hold integers; name one of them input_ids");
    }
    found = info.name;
  }
  if (found.empty()) {
    return fail(ErrorCode::InvalidArgument,
                archive.path().string() + ": tensors: none holds integers");
  }
  return found;
}

Result<TokenFile> readSafetensorsTokens(const std::filesystem::path& path) {
  const auto archive = ULP_TRY(openSafetensors(path));
  const auto name = ULP_TRY(chooseTensor(*archive));
  const auto tensor = ULP_TRY(archive->read(name));
  return tokensOf(tensor, path.string() + ": tensor " + quotedName(name));
}

}  // namespace

Result<TokenFile> readTokens(const std::filesystem::path& path) {
  const auto extension = path.extension();
  if (extension == ".npy") {
    return readNpyTokens(path);
  }
  if (extension == ".safetensors") {
    return readSafetensorsTokens(path);
  }
  if (extension == ".json") {
    const auto source = openByteSource(path);
    return source ? parseTokenJson(*source) : tl::unexpected(source.error());
  }
  return fail(ErrorCode::Unsupported,
              path.string() + ": token ids are read from .npy, .safetensors and .json files");
}

}  // namespace ulp::tensors
