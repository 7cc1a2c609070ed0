#include "core/tensors/formats/atb/atb_file.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "core/base/text/parse_number.h"
#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/elements/shown_tensor.h"
#include "core/tensors/formats/atb/atb_type.h"

namespace ulp::tensors {
namespace {

constexpr std::size_t kLongestHeader = 65'536;
constexpr std::size_t kMostAtbDimensions = 64;

struct Coded {
  int code;
  std::string_view name;
};

/// Formats that store elements in blocks, not in the order of their dimensions.
constexpr std::array<Coded, 8> kBlocked{{{3, "NC1HWC0"},
                                         {4, "FRACTAL_Z"},
                                         {12, "NC1HWC0_C04"},
                                         {29, "FRACTAL_NZ"},
                                         {32, "NDC1HWC0"},
                                         {33, "FRACTAL_Z_3D"},
                                         {50, "FRACTAL_NZ_C0_16"},
                                         {51, "FRACTAL_NZ_C0_32"}}};

/// Empty: the format stores them in the order of their dimensions.
std::string_view blockedFormat(int code) {
  const auto* const found = std::ranges::find(kBlocked, code, &Coded::code);
  return found == kBlocked.end() ? std::string_view() : found->name;
}

std::optional<std::vector<std::int64_t>> parseShape(std::string_view text) {
  std::vector<std::int64_t> shape;
  while (!text.empty() && shape.size() <= kMostAtbDimensions) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto dimension = parseNumber<std::int64_t>(text.substr(0, comma));
    if (!dimension) {
      return std::nullopt;
    }
    shape.push_back(*dimension);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  const bool isPossible = shape.size() <= kMostAtbDimensions && checkedCount(shape).has_value();
  return isPossible ? std::optional(std::move(shape)) : std::nullopt;
}

/// Takes the lines `name=value` up to `$End`.
class AtbHeaderReader {
 public:
  explicit AtbHeaderReader(const ByteSource& source)
      : m_source(source),
        m_text(textOf(source.bytes.first(std::min(source.bytes.size(), kLongestHeader)))) {}

  Result<AtbHeader> read() {
    if (!m_text.starts_with("$Version=")) {
      return m_source.corrupt("not an ATB file: it does not begin with $Version=");
    }
    while (true) {
      ++m_line;
      const std::size_t end = m_text.find('\n', m_place);
      const std::size_t equals = m_text.find('=', m_place);
      if (end == std::string_view::npos) {
        return refuse("the header does not end with $End=1");
      }
      if (equals >= end) {
        return refuse("is not name=value");
      }
      const std::string_view name = m_text.substr(m_place, equals - m_place);
      const std::string_view value = m_text.substr(equals + 1, end - equals - 1);
      m_place = end + 1;
      if (name == "$End") {
        return finish();
      }
      if (!take(name, value)) {
        return refuse(std::string(name) + "=" + quotedName(value) + " is not a possible value");
      }
    }
  }

 private:
  [[nodiscard]] tl::unexpected<Error> refuse(const std::string& what) const {
    return m_source.corrupt("line " + std::to_string(m_line) + ": " + what);
  }

  /// False where the value is none. Names that are not known say nothing of the elements.
  bool take(std::string_view name, std::string_view value) {
    const auto into = [&](auto& target, auto number) {
      if (number) {
        target = *number;
      }
      return number.has_value();
    };
    if (name == "format") {
      return into(m_header.format, parseNumber<int>(value));
    }
    if (name == "dtype") {
      return into(m_header.dtype, parseNumber<int>(value));
    }
    if (name == "dims") {
      m_hasShape = true;
      return into(m_header.shape, parseShape(value));
    }
    if (name == "$Object.Length") {
      return into(m_header.length, parseNumber<std::uint64_t>(value));
    }
    if (name == "$Object.data") {
      const std::size_t comma = std::min(value.find(','), value.size());
      m_header.hasElements = true;
      return into(m_header.offset, parseNumber<std::uint64_t>(value.substr(0, comma)));
    }
    if (name == "data") {
      m_header.sameAs = value;
      return !value.empty();
    }
    // Where the dumper could not compute a statistic, it is not there.
    for (const auto& [statistic, target] : {std::pair("max", &m_header.max),
                                            std::pair("min", &m_header.min),
                                            std::pair("mean", &m_header.mean),
                                            std::pair("l2norm", &m_header.norm)}) {
      if (name == statistic) {
        *target = parseNumber<double>(value);
      }
    }
    return true;
  }

  Result<AtbHeader> finish() {
    if (!m_hasShape || m_header.dtype < -1) {
      return refuse("the header has no dims or no dtype");
    }
    if (!checkedCount(shownShape(m_header.dtype, m_header.shape))) {
      return refuse("its dims give more elements than there can be");
    }
    m_header.hasElements = m_header.hasElements && m_header.sameAs.empty();
    if (!m_header.hasElements) {
      return std::move(m_header);
    }
    const std::uint64_t available = m_source.bytes.size() - m_place;
    if (m_header.offset > available || m_header.length > available - m_header.offset) {
      return m_source.corrupt("its " + std::to_string(m_header.length) +
                              " bytes of elements at byte " + std::to_string(m_header.offset) +
                              " behind the header reach beyond the end of the file");
    }
    m_header.offset += m_place;
    return std::move(m_header);
  }

  const ByteSource& m_source;
  std::string_view m_text;
  std::size_t m_place = 0;
  std::size_t m_line = 0;
  bool m_hasShape = false;
  AtbHeader m_header;
};

class AtbArchive final : public AtbFile {
 public:
  AtbArchive(ByteSource source, AtbHeader header)
      : m_source(std::move(source)), m_header(std::move(header)) {
    const AtbType* const type = findAtbType(m_header.dtype);
    m_infos.push_back({"",
                       shownShape(m_header.dtype, m_header.shape),
                       type == nullptr ? DType::Float32 : type->dtype,
                       m_header.typeName()});
  }

  [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_infos; }
  [[nodiscard]] const std::filesystem::path& path() const override { return m_source.path; }
  [[nodiscard]] const AtbHeader& header() const override { return m_header; }

  [[nodiscard]] Result<Tensor> read(std::string_view name) const override {
    if (!name.empty()) {
      return fail(ErrorCode::NotFound,
                  m_source.path.string() + ": no tensor " + quotedName(name) +
                      "; its one tensor has no name");
    }
    if (!m_header.sameAs.empty()) {
      return readOther();
    }
    return ifIntactAt(m_source.path.string(), m_source, elements());
  }

 private:
  [[nodiscard]] Result<Tensor> elements() const {
    if (!m_header.hasElements) {
      return fail(ErrorCode::NotFound, "holds statistics alone; dump with --type tensor");
    }
    if (const std::string_view blocked = blockedFormat(m_header.format); !blocked.empty()) {
      return fail(ErrorCode::Unsupported,
                  "elements in format " + std::string(blocked) +
                      " are not read; dump the tensor in format ND");
    }
    const AtbType* const type = findAtbType(m_header.dtype);
    if (type == nullptr || type->reading == AtbReading::Refused) {
      return fail(ErrorCode::Unsupported, whyNotRead(m_header.dtype));
    }
    const std::uint64_t count = checkedCount(m_header.shape).value_or(0);
    if (storedBytes(*type, count) != m_header.length) {
      return fail(ErrorCode::CorruptData,
                  "its dims and dtype do not give the " + std::to_string(m_header.length) +
                      " bytes that $Object.Length says");
    }
    const TensorInfo& info = m_infos.front();
    if (type->reading == AtbReading::Decoded) {
      return decodeAtb(m_source.bytes.subspan(m_header.offset), *type, info);
    }
    return type->reading == AtbReading::Stored
               ? shownTensor(m_source, m_header.offset, *findStoredType(type->name), info)
               : tensorAt(m_source, m_header.offset, info.dtype, info.shape);
  }

  /// The folder of all tensors of the dump that `folder` is part of; where there is none that of
  /// its operation, whose tensors lie in `before` and `after`.
  [[nodiscard]] static std::filesystem::path dumpFolder(const std::filesystem::path& folder) {
    for (std::filesystem::path above = folder; above.has_filename(); above = above.parent_path()) {
      // "/data" is a disk rather than a dump.
      const bool isOnDisk = above.parent_path() != above.root_path();
      if (isOnDisk && (above.filename() == "tensors" || above.filename() == "data")) {
        return above;
      }
    }
    const bool isOfOperation = folder.filename() == "before" || folder.filename() == "after";
    return isOfOperation ? folder.parent_path() : folder;
  }

  [[nodiscard]] static bool isBelow(const std::filesystem::path& file,
                                    const std::filesystem::path& folder) {
    const auto [inFile, inFolder] =
        std::mismatch(file.begin(), file.end(), folder.begin(), folder.end());
    return inFolder == folder.end();
  }

  /// The other file is named as it was on the machine that dumped; it lies beside this one or,
  /// named relatively, from here.
  [[nodiscard]] Result<Tensor> readOther() const {
    const std::filesystem::path named(m_header.sameAs);
    std::error_code failure;
    const std::filesystem::path folder =
        std::filesystem::absolute(m_source.path, failure).lexically_normal().parent_path();
    const std::filesystem::path other =
        (folder / (named.is_absolute() ? named.filename() : named)).lexically_normal();
    if (failure || !isBelow(other, dumpFolder(folder))) {
      return m_source.corrupt("$Object 'data' names " + quotedName(m_header.sameAs) +
                              ", which lies outside the dump");
    }
    const auto file = AtbFile::open(other);
    if (!file) {
      return fail(file.error().code(),
                  m_source.path.string() + ": its elements are in " + file.error().message());
    }
    if (!(*file)->header().sameAs.empty()) {
      return m_source.corrupt("its elements are in " + other.string() + ", which has none either");
    }
    return (*file)->read("");
  }

  ByteSource m_source;
  AtbHeader m_header;
  std::vector<TensorInfo> m_infos;
};

}  // namespace

std::string AtbHeader::typeName() const {
  return atbTypeName(dtype);
}

Result<std::shared_ptr<const AtbFile>> AtbFile::parse(ByteSource source) {
  auto header = ULP_TRY(AtbHeaderReader(source).read());
  return std::make_shared<const AtbArchive>(std::move(source), std::move(header));
}

Result<std::shared_ptr<const AtbFile>> AtbFile::open(const std::filesystem::path& path) {
  auto source = ULP_TRY(openByteSource(path));
  return parse(std::move(source));
}

Result<Tensor> readAtbTensor(const std::filesystem::path& path) {
  const auto file = ULP_TRY(AtbFile::open(path));
  return file->read("");
}

}  // namespace ulp::tensors
