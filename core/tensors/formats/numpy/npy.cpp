#include "core/tensors/formats/numpy/npy.h"

#include <charconv>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/stop_pace.h"
#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/archive/zip_directory.h"
#include "core/tensors/elements/shown_tensor.h"
#include "core/tensors/elements/strided.h"

namespace ulp::tensors {
namespace {

constexpr std::string_view kNpyExtension = ".npy";
/// Holds the header of any array that is no record with hundreds of fields.
constexpr std::uint64_t kHeaderBytes = 70'000;

/// The dictionary in front of an .npy file.
struct NpyHeader {
  std::string descr;  ///< "<f4", "|b1", …
  bool fortranOrder = false;
  std::vector<std::int64_t> shape;
};

/// Walks the literal of a Python dictionary with the three keys that the format defines.
class NpyHeaderParser {
 public:
  explicit NpyHeaderParser(std::string_view text) : m_rest(text) {}

  /// What is wrong where parse() gave nothing.
  [[nodiscard]] const std::string& problem() const { return m_problem; }

  std::optional<NpyHeader> parse() {
    if (!expect('{')) {
      return std::nullopt;
    }
    while (!accept('}')) {
      if (!readEntry() || (!accept(',') && !nextIs('}'))) {
        return refuse("not a dictionary of descr, fortran_order and shape");
      }
    }
    skipSpace();
    if (!m_rest.empty() || !m_hasDescr || !m_hasOrder || !m_hasShape) {
      return refuse("not a dictionary of descr, fortran_order and shape");
    }
    return m_header;
  }

 private:
  std::nullopt_t refuse(std::string_view what) {
    if (m_problem.empty()) {
      m_problem = what;
    }
    return std::nullopt;
  }

  void skipSpace() {
    const std::size_t start = m_rest.find_first_not_of(" \t\r\n");
    m_rest.remove_prefix(start == std::string_view::npos ? m_rest.size() : start);
  }

  bool nextIs(char wanted) {
    skipSpace();
    return m_rest.starts_with(wanted);
  }

  bool accept(char wanted) {
    const bool found = nextIs(wanted);
    if (found) {
      m_rest.remove_prefix(1);
    }
    return found;
  }

  bool expect(char wanted) {
    if (accept(wanted)) {
      return true;
    }
    refuse(std::string("expected '") + wanted + "'");
    return false;
  }

  bool acceptWord(std::string_view word) {
    skipSpace();
    const bool found = m_rest.starts_with(word);
    if (found) {
      m_rest.remove_prefix(word.size());
    }
    return found;
  }

  std::optional<std::string> readText() {
    skipSpace();
    const char quote = m_rest.empty() ? '\0' : m_rest.front();
    if (quote != '\'' && quote != '"') {
      return std::nullopt;
    }
    const std::size_t end = m_rest.find(quote, 1);
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    const std::string text(m_rest.substr(1, end - 1));
    m_rest.remove_prefix(end + 1);
    return text;
  }

  bool readEntry() {
    const auto key = readText();
    if (!key || !expect(':')) {
      return false;
    }
    if (*key == "descr" && !m_hasDescr) {
      m_hasDescr = true;
      return readDescr();
    }
    if (*key == "fortran_order" && !m_hasOrder) {
      m_hasOrder = true;
      m_header.fortranOrder = acceptWord("True");
      return m_header.fortranOrder || acceptWord("False");
    }
    if (*key == "shape" && !m_hasShape) {
      m_hasShape = true;
      return readShape();
    }
    return false;
  }

  bool readDescr() {
    if (nextIs('[')) {
      refuse("structured arrays are not read; save one field of it");
      return false;
    }
    const auto descr = readText();
    m_header.descr = descr.value_or("");
    return descr.has_value();
  }

  bool readShape() {
    constexpr std::size_t kMostDimensions = 64;  // NumPy's own limit
    if (!expect('(')) {
      return false;
    }
    while (!accept(')')) {
      std::int64_t dimension = 0;
      skipSpace();
      const auto [end, status] =
          std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), dimension);
      if (status != std::errc() || dimension < 0 || m_header.shape.size() == kMostDimensions) {
        refuse("shape holds something that is not a dimension, or more than 64 of them");
        return false;
      }
      m_rest.remove_prefix(static_cast<std::size_t>(end - m_rest.data()));
      static_cast<void>(acceptWord("L"));  // Python 2 marked long integers so.
      m_header.shape.push_back(dimension);
      if (!accept(',') && !nextIs(')')) {
        return false;
      }
    }
    return true;
  }

  std::string_view m_rest;
  std::string m_problem;
  NpyHeader m_header;
  bool m_hasDescr = false;
  bool m_hasOrder = false;
  bool m_hasShape = false;
};

/// The text of the header; the reader then stands at the data.
std::string_view headerText(ByteReader& reader) {
  constexpr std::string_view kMagic = "\x93NUMPY";
  const auto magic = reader.take(kMagic.size(), "magic text");
  if (reader.ok() && std::memcmp(magic.data(), kMagic.data(), kMagic.size()) != 0) {
    reader.refuse("does not start with \\x93NUMPY; is this an .npy file?");
  }
  const auto major = reader.scalar<std::uint8_t>("version");
  static_cast<void>(reader.scalar<std::uint8_t>("version"));
  if (major < 1 || major > 3) {
    reader.refuse("version " + std::to_string(major) + " is not one of 1, 2 and 3");
  }
  const std::uint64_t length = major == 1 ? reader.scalar<std::uint16_t>("header length")
                                          : reader.scalar<std::uint32_t>("header length");
  return reader.text(length, "header");
}

/// Elements in row-major order of an array whose first index runs fastest.
Result<Tensor> transposed(const numerics::TensorView& columns) {
  Strides strides{.shape = columns.shape, .steps = columns.shape};
  std::exclusive_scan(columns.shape.begin(),
                      columns.shape.end(),
                      strides.steps.begin(),
                      std::int64_t{1},
                      std::multiplies<>());
  const auto memory = ULP_TRY(gather(columns.bytes(), itemSize(columns.dtype), strides));
  return Tensor{{memory.get(), columns.dtype, columns.shape}, memory};
}

/// The reader then stands at the data.
Result<NpyHeader> readHeader(const ByteSource& source, ByteReader& reader) {
  const std::string_view text = headerText(reader);
  if (!reader.ok()) {
    return reader.error();
  }
  NpyHeaderParser parser(text);
  auto header = parser.parse();
  if (!header) {
    return source.corrupt("header: " + parser.problem());
  }
  return *std::move(header);
}

}  // namespace

Result<TensorInfo> parseNpyInfo(const ByteSource& source) {
  ByteReader reader(source);
  auto header = ULP_TRY(readHeader(source, reader));
  if (!checkedCount(header.shape)) {
    return source.corrupt("header: its shape is impossible");
  }
  TensorInfo info{{}, std::move(header.shape), DType::Float32, header.descr};
  if (const StoredType* const type = findStoredType(header.descr, &StoredType::numpy)) {
    info.dtype = type->dtype;
    info.storedAs = type->name;
  }
  return info;
}

Result<Tensor> parseNpy(const ByteSource& source) {
  ByteReader reader(source);
  auto header = ULP_TRY(readHeader(source, reader));
  const StoredType* const type = findStoredType(header.descr, &StoredType::numpy);
  if (type == nullptr) {
    return source.unsupported("header: elements of type " + quotedName(header.descr) +
                              " are not read; save little-endian numbers or truth values");
  }
  const auto count = checkedCount(header.shape);
  const std::size_t available = reader.remaining();
  if (!count || *count > available / type->itemSize || *count * type->itemSize != available) {
    return source.corrupt("data: the " + std::to_string(available) +
                          " bytes after the header are not what its shape and type need");
  }
  const TensorInfo info{{}, std::move(header.shape), type->dtype, std::move(header.descr)};
  auto tensor = shownTensor(source, reader.offset(), *type, info);
  if (tensor && header.fortranOrder) {
    tensor = transposed(tensor->view);
  }
  return ifIntactAt(source.path.string(), source, std::move(tensor));
}

Result<TensorArchivePtr> parseNpz(const ByteSource& source) {
  const auto all = ULP_TRY(readZipDirectory(source));
  std::vector<ZipMember> members;
  std::vector<TensorInfo> infos;
  StopPace pace(256);
  for (const ZipMember& member : all) {
    if (pace.isStopped()) {
      return stopped();
    }
    if (!member.name.ends_with(kNpyExtension)) {
      continue;
    }
    if (!isUtf8(member.name)) {
      return source.corrupt("zip: the name of member " + quotedName(member.name) + " is not UTF-8");
    }
    const auto beginning = ULP_TRY(readZipMember(source, member, kHeaderBytes));
    auto info = ULP_TRY(parseNpyInfo(beginning));
    info.name = member.name.substr(0, member.name.size() - kNpyExtension.size());
    members.push_back(member);
    infos.push_back(std::move(info));
  }
  return makeArchive(source.path,
                     std::move(infos),
                     [source, members = std::move(members)](
                         const TensorInfo& /*info*/, std::size_t position) -> Result<Tensor> {
                       const auto content = ULP_TRY(readZipMember(source, members[position]));
                       return parseNpy(content);
                     });
}

Result<Tensor> readNpy(const std::filesystem::path& path) {
  const auto source = ULP_TRY(openByteSource(path));
  return parseNpy(source);
}

}  // namespace ulp::tensors
