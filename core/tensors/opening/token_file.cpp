#include "core/tensors/opening/token_file.h"

#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/json/parse.h"
#include "core/numerics/element_types.h"
#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/formats/numpy/npy.h"
#include "core/tensors/formats/safetensors/safetensors.h"

namespace ulp::tensors {
namespace {

constexpr std::string_view kPreferred = "input_ids";

bool holdsIntegers(DType dtype) {
  return !isFloatingPoint(dtype) && dtype != DType::Bool;
}

/// `place` names file and tensor.
Result<TokenFile> tokensOf(const Tensor& tensor, const std::string& place) {
  const numerics::TensorView& view = tensor.view;
  if (!holdsIntegers(view.dtype)) {
    return fail(
        ErrorCode::InvalidArgument,
        place + ": holds " + std::string(toString(view.dtype)) + " where token ids are integers");
  }
  TokenFile file{.shape = view.shape, .tokens = {}};
  numerics::withElementType(view.dtype, [&]<class Type>(Type) {
    // Keeps float and double from being converted; holdsIntegers() has refused the other formats.
    if constexpr (std::is_integral_v<typename Type::Stored>) {
      const auto* elements = static_cast<const typename Type::Stored*>(view.data);
      file.tokens.assign(elements, elements + view.count());
    }
  });
  ULP_TRY(checkIntact(tensor));
  return file;
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

/// Collects the integers of nested lists; the first list of a level sets the length of the others.
class TokenReader final : public json::Events {
 public:
  [[nodiscard]] TokenFile takeFile() { return std::move(m_file); }
  [[nodiscard]] const std::string& error() const { return m_error; }

  bool null() override { return refuse("null"); }
  bool boolean(bool /*value*/) override { return refuse("a truth value"); }
  bool real(double /*value*/, const std::string& /*spelled*/) override {
    return refuse("a fraction, or a number beyond 64 bits");
  }
  bool text(std::string& /*value*/) override { return refuse("a text"); }
  bool beginObject() override { return refuse("an object"); }
  bool key(std::string& /*name*/) override { return refuse("an object"); }
  bool endObject() override { return refuse("an object"); }
  bool negative(std::int64_t value) override { return add(value); }
  bool natural(std::uint64_t value) override {
    constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return value > kLargest ? refuse("a number beyond 63 bits")
                            : add(static_cast<std::int64_t>(value));
  }

  bool beginArray() override {
    constexpr std::size_t kDeepest = 8;
    if (m_counts.size() == kDeepest) {
      return refuse("lists nested more than 8 deep");
    }
    if (m_leafDepth != 0 && m_counts.size() >= m_leafDepth) {
      return refuse("a list");
    }
    m_counts.push_back(0);
    return true;
  }

  bool endArray() override {
    const std::size_t depth = m_counts.size();
    const std::int64_t count = m_counts.back();
    if (m_file.shape.size() < depth) {
      m_file.shape.resize(depth, kUnknown);
    }
    std::int64_t& expected = m_file.shape[depth - 1];
    m_counts.pop_back();
    if (expected != kUnknown && expected != count) {
      m_error = place() + ": has " + std::to_string(count) +
                " elements where the lists before it have " + std::to_string(expected);
      return false;
    }
    expected = count;
    if (!m_counts.empty()) {
      ++m_counts.back();
    }
    return true;
  }

  void syntaxError(std::size_t byte, const std::string& /*what*/) override {
    m_error = "byte " + std::to_string(byte) + ": not valid JSON";
  }

 private:
  static constexpr std::int64_t kUnknown = -1;

  /// Of the value that comes next: `[1][3]`.
  [[nodiscard]] std::string place() const {
    std::string text;
    for (const std::int64_t count : m_counts) {
      text += '[' + std::to_string(count) + ']';
    }
    return text.empty() ? "top level" : text;
  }

  bool refuse(const std::string& what) {
    m_error = place() + ": " + what + " where a token id is needed";
    return false;
  }

  bool add(std::int64_t value) {
    if (m_counts.empty()) {
      m_error = "top level: a number where a list of token ids is needed";
      return false;
    }
    if (m_leafDepth == 0) {
      m_leafDepth = m_counts.size();
    }
    const bool areListsBefore = m_file.shape.size() > m_counts.size();
    if (areListsBefore || m_counts.size() != m_leafDepth) {
      m_error = place() + ": a number where the elements before it are lists";
      return false;
    }
    m_file.tokens.push_back(value);
    ++m_counts.back();
    return true;
  }

  TokenFile m_file;
  std::string m_error;
  std::vector<std::int64_t> m_counts;  ///< elements so far of each list that is open
  std::size_t m_leafDepth = 0;         ///< where numbers were seen; 0: none yet
};

/// Places in errors read `[1][3]`.
Result<TokenFile> readJsonTokens(const std::filesystem::path& path) {
  const auto source = ULP_TRY(openByteSource(path));
  TokenReader reader;
  auto read = json::readEvents(textOf(source.bytes), reader);
  ULP_TRY(checkIntact(source.file.get()));
  if (!read && read.error().code() == ErrorCode::CorruptData) {
    return source.corrupt(reader.error());
  }
  ULP_TRY(whileDoing(path.string(), std::move(read)));
  return reader.takeFile();
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
    return readJsonTokens(path);
  }
  return fail(ErrorCode::Unsupported,
              path.string() + ": token ids are read from .npy, .safetensors and .json files");
}

}  // namespace ulp::tensors
