#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {

/// Builds files byte by byte.
class Bytes {
 public:
  Bytes& text(std::string_view value) {
    m_content += value;
    return *this;
  }
  template <class Value>
  Bytes& number(Value value) {
    std::string raw(sizeof value, '\0');
    std::memcpy(raw.data(), &value, sizeof value);
    m_content += raw;
    return *this;
  }
  /// A text with its length as 64 bits in front, as in GGUF.
  Bytes& counted(std::string_view value) { return number<std::uint64_t>(value.size()).text(value); }
  Bytes& padTo(std::size_t multiple) {
    m_content.resize((m_content.size() + multiple - 1) / multiple * multiple, '\0');
    return *this;
  }
  [[nodiscard]] const std::string& content() const { return m_content; }

 private:
  std::string m_content;
};

/// A .npy file of version 1; `shape` as Python writes it: "(2, 3)", "(1,)", "()".
inline std::string npyBytes(std::string_view descr,
                            std::string_view shape,
                            std::string_view elements) {
  std::string header = "{'descr': '" + std::string(descr) +
                       "', 'fortran_order': False, 'shape': " + std::string(shape) + ", }";
  header.resize(117, ' ');
  header += '\n';
  return Bytes()
      .text("\x93NUMPY\x01")
      .number<std::uint8_t>(0)
      .number(static_cast<std::uint16_t>(header.size()))
      .text(header)
      .text(elements)
      .content();
}

inline ByteSource sourceOf(std::string_view content, const char* name = "file") {
  const auto bytes = std::as_bytes(std::span(content));
  return byteSourceOf(name, {bytes.begin(), bytes.end()});
}

/// Every prefix of a valid file must be refused as corrupt, with the name of the file.
template <class Parse>
void expectPrefixesCorrupt(const std::string& content, const Parse& parse) {
  ASSERT_TRUE(parse(sourceOf(content)));
  for (std::size_t size = 0; size < content.size(); ++size) {
    const auto parsed = parse(sourceOf(std::string_view(content).substr(0, size)));
    ASSERT_FALSE(parsed) << "of " << size << " bytes";
    ASSERT_EQ(parsed.error().code(), ErrorCode::CorruptData) << parsed.error().message();
    ASSERT_EQ(parsed.error().message().substr(0, 6), "file: ") << parsed.error().message();
  }
}

/// What is parsed of a file that somebody writes to meanwhile must be refused, whatever it is.
template <class Parse>
void expectChangedRefused(const std::string& content, const Parse& parse) {
  const test::TempDir dir;
  const std::filesystem::path path = dir.write("file", content);
  const auto source = openByteSource(path);
  ASSERT_TRUE(source && parse(*source));
  std::ofstream(path, std::ios::app) << "more";
  const auto changed = parse(*source);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(changed.error().message(), testing::HasSubstr("file: the file was changed while"));
  std::filesystem::resize_file(path, 4);
  EXPECT_THAT(parse(*source).error().message(),
              testing::HasSubstr("file: the file became shorter"));
}

template <class Value>
std::vector<Value> elementsOf(const Tensor& tensor) {
  const auto* elements = static_cast<const Value*>(tensor.view.data);
  return std::vector<Value>(elements, elements + tensor.view.count());
}

/// The message of a failed result; a success fails the test.
template <class T>
std::string messageOf(const Result<T>& result) {
  EXPECT_FALSE(result) << "succeeded";
  return result ? std::string() : result.error().message();
}

}  // namespace ulp::tensors
