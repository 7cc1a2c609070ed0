#include "core/tensors/opening/weights_folder.h"

#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/formats/gguf/gguf.h"
#include "core/tensors/formats/safetensors/safetensors.h"

namespace ulp::tensors {
namespace {

constexpr std::string_view kSingle = "model.safetensors";
constexpr std::string_view kIndex = "model.safetensors.index.json";

bool isThere(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

Result<TensorArchivePtr> openFolder(const std::filesystem::path& folder) {
  if (isThere(folder / kSingle)) {
    return openSafetensors(folder / kSingle);
  }
  if (isThere(folder / kIndex)) {
    return openSafetensorsIndex(folder / kIndex);
  }
  const bool pickled =
      isThere(folder / "pytorch_model.bin") || isThere(folder / "pytorch_model.bin.index.json");
  const std::string remedy =
      pickled ? "; convert its pytorch_model.bin with save_pretrained(safe_serialization=True)"
              : "; a .gguf file is opened by its own path";
  return fail(ErrorCode::NotFound,
              folder.string() + ": holds neither " + std::string(kSingle) + " nor " +
                  std::string(kIndex) + remedy);
}

}  // namespace

Result<TensorArchivePtr> openWeights(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return openFolder(path);
  }
  auto source = ULP_TRY(openByteSource(path, WhenShortened::EndProcess));
  if (textOf(source.bytes).starts_with("GGUF") || path.extension() == ".gguf") {
    return GgufFile::parse(std::move(source));
  }
  if (path.extension() == ".json") {
    return openSafetensorsIndex(path);
  }
  constexpr std::size_t kPrefixBytes = 8;
  const bool headed = source.bytes.size() > kPrefixBytes &&
                      textOf(source.bytes.subspan(kPrefixBytes)).starts_with('{');
  if (headed || path.extension() == ".safetensors") {
    return parseSafetensors(std::move(source));
  }
  return fail(ErrorCode::Unsupported,
              path.string() +
                  ": neither a safetensors nor a GGUF file; other formats of weights "
                  "are not read");
}

}  // namespace ulp::tensors
