#include "core/tensors/formats/torch/torch_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tensors/archive/zip_writer.h"

namespace ulp::tensors {
namespace {

static_assert(std::endian::native == std::endian::little, "the member byteorder says so");

using namespace std::string_literals;
using namespace std::string_view_literals;

/// The pickle of one tensor, protocol 2, by the opcodes of Python's pickletools.
class PickleWriter {
 public:
  void global(std::string_view module, std::string_view name) {
    m_bytes += 'c';
    m_bytes.append(module).append("\n").append(name).append("\n");
  }

  void text(std::string_view value) {
    m_bytes += 'X';
    number(static_cast<std::uint32_t>(value.size()));
    m_bytes += value;
  }

  void integer(std::int64_t value) {
    if (value >= 0 && value <= std::numeric_limits<std::uint8_t>::max()) {
      m_bytes += 'K';
      number(static_cast<std::uint8_t>(value));
    } else if (value >= 0 && value <= std::numeric_limits<std::int32_t>::max()) {
      m_bytes += 'J';
      number(static_cast<std::int32_t>(value));
    } else {
      m_bytes += "\x8A\x08"sv;
      number(value);
    }
  }

  void integers(std::span<const std::int64_t> values) {
    mark();
    for (const std::int64_t value : values) {
      integer(value);
    }
    tuple();
  }

  void protocol() { m_bytes += "\x80\x02"sv; }
  void mark() { m_bytes += '('; }
  void tuple() { m_bytes += 't'; }
  void emptyTuple() { m_bytes += ')'; }
  void falseValue() { m_bytes += '\x89'; }
  void persistent() { m_bytes += 'Q'; }
  void call() { m_bytes += 'R'; }
  std::string finish() && {
    m_bytes += '.';
    return std::move(m_bytes);
  }

 private:
  template <class Number>
  void number(Number value) {
    std::array<char, sizeof value> raw{};
    std::memcpy(raw.data(), &value, sizeof value);
    m_bytes.append(raw.data(), raw.size());
  }

  std::string m_bytes;
};

/// torch's class of a storage of this type; empty for types that came after those classes, whose
/// storage is a run of bytes.
std::string_view storageOf(DType dtype) {
  switch (dtype) {
    case DType::Float64:
      return "DoubleStorage";
    case DType::Float32:
      return "FloatStorage";
    case DType::Float16:
      return "HalfStorage";
    case DType::BFloat16:
      return "BFloat16Storage";
    case DType::Int64:
      return "LongStorage";
    case DType::Int32:
      return "IntStorage";
    case DType::Int16:
      return "ShortStorage";
    case DType::Int8:
      return "CharStorage";
    case DType::UInt8:
      return "ByteStorage";
    case DType::Bool:
      return "BoolStorage";
    case DType::Float8E4M3FN:
    case DType::Float8E5M2:
      break;
  }
  return {};
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

std::string pickleOf(const numerics::TensorView& tensor) {
  const std::string_view storage = storageOf(tensor.dtype);
  const bool isTyped = !storage.empty();
  PickleWriter pickle;
  pickle.protocol();
  pickle.global("torch._utils", isTyped ? "_rebuild_tensor_v2" : "_rebuild_tensor_v3");
  pickle.mark();
  pickle.mark();
  pickle.text("storage");
  pickle.global(isTyped ? "torch" : "torch.storage", isTyped ? storage : "UntypedStorage");
  pickle.text("0");
  pickle.text("cpu");
  pickle.integer(static_cast<std::int64_t>(isTyped ? tensor.count() : tensor.sizeBytes()));
  pickle.tuple();
  pickle.persistent();
  pickle.integer(0);
  pickle.integers(tensor.shape);
  pickle.integers(stridesOf(tensor.shape));
  pickle.falseValue();
  pickle.global("collections", "OrderedDict");
  pickle.emptyTuple();
  pickle.call();
  if (!isTyped) {
    pickle.global("torch", toString(tensor.dtype));
  }
  pickle.tuple();
  pickle.call();
  return std::move(pickle).finish();
}

}  // namespace

Result<> writeTorchTensor(const std::filesystem::path& path,
                          const numerics::TensorView& tensor,
                          Durability durability,
                          const MappedFile* from) {
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
    if (auto added = zip.add(name, content, isElements ? from : nullptr); !added) {
      return failWhile(path.string(), std::move(added));
    }
  }
  return zip.finish(durability);
}

}  // namespace ulp::tensors
