#include "core/tensors/opening/tensor_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/archive/zip_directory.h"
#include "core/tensors/formats/atb/atb_file.h"
#include "core/tensors/formats/gguf/gguf.h"
#include "core/tensors/formats/hdf5/hdf5_archive.h"
#include "core/tensors/formats/numpy/npy.h"
#include "core/tensors/formats/safetensors/safetensors.h"
#include "core/tensors/formats/torch/torch_file.h"

namespace ulp::tensors {
namespace {

enum class Format : std::uint8_t { Safetensors, Json, Gguf, Npy, Zip, Hdf5, Atb, BarePickle };

constexpr std::size_t kSafetensorsPrefix = 8;

/// By the first bytes; `size` is the file's.
std::optional<Format> formatOf(std::span<const std::byte> bytes, std::uint64_t size) {
  constexpr std::array<std::pair<std::string_view, Format>, 5> kMagic{{
      {"\x93NUMPY", Format::Npy},
      {"GGUF", Format::Gguf},
      {"\x89HDF\r\n\x1A\n", Format::Hdf5},
      {"$Version=", Format::Atb},
      {"\x80", Format::BarePickle},
  }};
  if (isZip(bytes)) {
    return Format::Zip;
  }
  // Before the others, whose beginnings a length may look like.
  if (bytes.size() > kSafetensorsPrefix && bytes[kSafetensorsPrefix] == std::byte{'{'}) {
    if (numberAt<std::uint64_t>(bytes, 0) <= size - kSafetensorsPrefix) {
      return Format::Safetensors;
    }
  }
  for (const auto& [magic, format] : kMagic) {
    if (textOf(bytes).starts_with(magic)) {
      return format;
    }
  }
  return textOf(bytes).starts_with('{') ? std::optional(Format::Json) : std::nullopt;
}

/// An .npy file, whose one array has no name.
class NpyArchive final : public TensorArchive {
 public:
  NpyArchive(ByteSource source, TensorInfo info) : m_source(std::move(source)) {
    m_infos.push_back(std::move(info));
  }

  [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_infos; }
  [[nodiscard]] const std::filesystem::path& path() const override { return m_source.path; }

  [[nodiscard]] Result<Tensor> read(std::string_view name) const override {
    if (!name.empty()) {
      return fail(ErrorCode::NotFound,
                  m_source.path.string() + ": no tensor " + quotedName(name) +
                      "; its one array has no name");
    }
    return parseNpy(m_source);
  }

 private:
  ByteSource m_source;
  std::vector<TensorInfo> m_infos;
};

Result<TensorArchivePtr> openNpy(ByteSource source) {
  auto info = ULP_TRY(parseNpyInfo(source));
  return std::make_shared<const NpyArchive>(std::move(source), std::move(info));
}

Result<TensorArchivePtr> openZip(ByteSource source) {
  const auto members = ULP_TRY(readZipDirectory(source));
  const auto holds = [&](std::string_view ending) {
    return std::any_of(members.begin(), members.end(), [ending](const ZipMember& member) {
      return member.name.ends_with(ending);
    });
  };
  if (holds("data.pkl")) {
    return TorchFile::parse(std::move(source));
  }
  if (holds(".npy")) {
    return parseNpz(source);
  }
  return source.unsupported(
      "a zip archive with neither the data.pkl of torch.save nor .npy arrays");
}

Result<TensorArchivePtr> openJson(const ByteSource& source) {
  if (textOf(source.bytes).find("\"weight_map\"") == std::string_view::npos) {
    return source.unsupported("JSON, but not the index of safetensors files");
  }
  return openSafetensorsIndex(source.path);
}

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

tl::unexpected<Error> unknown(const ByteSource& source) {
  return source.unsupported(
      (source.bytes.empty() ? "is empty" : "holds no tensors that are known") +
      ("; files that are read: " + std::string(kTensorFileFormats)));
}

Result<TensorArchivePtr> openByContent(ByteSource source) {
  const auto format = formatOf(source.bytes, source.bytes.size());
  if (!format) {
    return unknown(source);
  }
  switch (*format) {
    case Format::Safetensors:
      return parseSafetensors(source);
    case Format::Json:
      return openJson(source);
    case Format::Gguf:
      return GgufFile::parse(source);
    case Format::Npy:
      return openNpy(std::move(source));
    case Format::Zip:
      return openZip(std::move(source));
    case Format::Hdf5:
      return openHdf5Archive(source.path);
    case Format::Atb:
      return AtbFile::parse(std::move(source));
    case Format::BarePickle:
      return TorchFile::parse(std::move(source));
  }
  return unknown(source);
}

}  // namespace

Result<TensorArchivePtr> openTensorFile(const std::filesystem::path& path) {
  const auto source = ULP_TRY(openByteSource(path));
  return ifIntact(source, openByContent(source));
}

Result<TensorArchivePtr> openWeights(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return openFolder(path);
  }
  const auto source = ULP_TRY(openByteSource(path));
  if (textOf(source.bytes).starts_with("GGUF") || path.extension() == ".gguf") {
    return GgufFile::parse(source);
  }
  if (path.extension() == ".json") {
    return openSafetensorsIndex(path);
  }
  const bool headed = source.bytes.size() > kSafetensorsPrefix &&
                      textOf(source.bytes.subspan(kSafetensorsPrefix)).starts_with('{');
  if (headed || path.extension() == ".safetensors") {
    return parseSafetensors(source);
  }
  return ifIntact<TensorArchivePtr>(
      source,
      source.unsupported(
          "neither a safetensors nor a GGUF file; other formats of weights are not read"));
}

bool looksLikeTensorFile(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) {
    return false;  // a named pipe must not be opened: that waits for somebody to write to it
  }
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  std::array<char, 16> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  const auto count = static_cast<std::size_t>(file.gcount());
  const auto format = formatOf(std::as_bytes(std::span(head).first(count)), size);
  return !failed && format && *format != Format::Json && *format != Format::BarePickle;
}

}  // namespace ulp::tensors
