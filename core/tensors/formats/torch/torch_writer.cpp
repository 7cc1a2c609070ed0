#include "core/tensors/formats/torch/torch_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/zip_writer.h"
#include "core/tensors/elements/stored_type.h"

namespace ulp::tensors {
namespace {

static_assert(std::endian::native == std::endian::little, "the member byteorder says so");

using namespace std::string_view_literals;

// Parts of a pickle of protocol 2, by the opcodes of Python's pickletools.

std::string pickledGlobal(std::string_view module, std::string_view name) {
  return fmt::format("c{}\n{}\n", module, name);
}

std::string pickledText(std::string_view value) {
  std::string bytes = "X";
  appendNumbers(bytes, static_cast<std::uint32_t>(value.size()));
  return bytes.append(value);
}

std::string pickled(std::int64_t value) {
  std::string bytes;
  if (std::in_range<std::uint8_t>(value)) {
    appendNumbers(bytes, 'K', static_cast<std::uint8_t>(value));
  } else if (value >= 0 && std::in_range<std::int32_t>(value)) {
    appendNumbers(bytes, 'J', static_cast<std::int32_t>(value));
  } else {
    appendNumbers(bytes, '\x8A', '\x08', value);
  }
  return bytes;
}

std::string pickled(std::span<const std::int64_t> values) {
  std::string bytes = "(";
  for (const std::int64_t value : values) {
    bytes += pickled(value);
  }
  return bytes + "t";
}

/// Of row-major elements, in elements; a dimension of none counts as one, as torch has it.
std::vector<std::int64_t> stridesOf(std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i > 0; --i) {
    strides[i - 1] = stride;
    stride *= std::max<std::int64_t>(shape[i - 1], 1);
  }
  return strides;
}

/// Types that came after torch's classes of storages are stored as a run of bytes.
std::string pickleOf(const numerics::TensorView& tensor) {
  const std::string_view storage = storedTypeOf(tensor.dtype).torchStorage;
  const bool isTyped = !storage.empty();
  const std::size_t size = isTyped ? tensor.count() : tensor.sizeBytes();
  std::string pickle = "\x80\x02";
  pickle += pickledGlobal("torch._utils", isTyped ? "_rebuild_tensor_v2" : "_rebuild_tensor_v3");
  pickle += "((" + pickledText("storage");
  pickle +=
      isTyped ? pickledGlobal("torch", storage) : pickledGlobal("torch.storage", "UntypedStorage");
  pickle += pickledText("0") + pickledText("cpu") + pickled(static_cast<std::int64_t>(size));
  // The tuple so far is what the storage is called by; then come offset, shape, strides and False.
  pickle += "tQ" + pickled(0) + pickled(tensor.shape) + pickled(stridesOf(tensor.shape)) + "\x89";
  pickle += pickledGlobal("collections", "OrderedDict") + ")R";
  pickle += isTyped ? "" : pickledGlobal("torch", toString(tensor.dtype));
  return pickle + "tR.";
}

}  // namespace

Result<> writeTorchTensor(const std::filesystem::path& path,
                          const numerics::TensorView& tensor,
                          Durability durability,
                          const MappedFile* from,
                          const SeePiece& see) {
  auto file = ULP_TRY(FileWriter::create(path));
  const std::string pickle = pickleOf(tensor);
  const std::array<std::pair<std::string_view, std::span<const std::byte>>, 6> members{{
      {"archive/data.pkl", std::as_bytes(std::span(pickle))},
      {"archive/.format_version", std::as_bytes(std::span("1"sv))},
      {"archive/.storage_alignment", std::as_bytes(std::span("64"sv))},
      {"archive/byteorder", std::as_bytes(std::span("little"sv))},
      {"archive/data/0", tensor.bytes()},
      {"archive/version", std::as_bytes(std::span("3\n"sv))},
  }};
  ZipWriter zip(std::move(file));
  for (const auto& [name, content] : members) {
    const bool isElements = content.data() == tensor.data;
    ULP_TRY(whileDoing(path.string(),
                       isElements ? zip.add(name, content, from, see) : zip.add(name, content)));
  }
  return zip.finish(durability);
}

}  // namespace ulp::tensors
