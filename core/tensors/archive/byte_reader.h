#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"

namespace ulp::tensors {

/// Walks a file from the front and keeps the first error: after one, every read gives zero or
/// nothing, so that a parser asks ok() once for several reads. Never reads beyond the file.
class ByteReader {
 public:
  explicit ByteReader(const ByteSource& source) : m_source(source) {}

  [[nodiscard]] bool ok() const { return m_error.empty(); }
  [[nodiscard]] tl::unexpected<Error> error() const { return m_source.corrupt(m_error); }
  [[nodiscard]] std::size_t offset() const { return m_offset; }
  [[nodiscard]] std::size_t remaining() const {
    return ok() ? m_source.bytes.size() - m_offset : 0;
  }

  /// Records what is wrong at the current byte unless something was wrong before.
  void refuse(const std::string& what) {
    if (ok()) {
      m_error = "byte " + std::to_string(m_offset) + ": " + what;
    }
  }

  /// `what` names the bytes in the error: "tensor name".
  [[nodiscard]] std::span<const std::byte> take(std::uint64_t count, std::string_view what) {
    if (count > remaining()) {
      refuse(std::string(what) + " of " + std::to_string(count) +
             " bytes reaches beyond the end of the file");
      return {};
    }
    const auto bytes = m_source.bytes.subspan(m_offset, count);
    m_offset += count;
    return bytes;
  }

  template <class Value>
  [[nodiscard]] Value scalar(std::string_view what) {
    Value value{};
    const auto bytes = take(sizeof value, what);
    if (!bytes.empty()) {
      std::memcpy(&value, bytes.data(), sizeof value);
    }
    return value;
  }

 private:
  const ByteSource& m_source;
  std::size_t m_offset = 0;
  std::string m_error;
};

}  // namespace ulp::tensors
