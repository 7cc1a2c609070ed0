#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/stop_pace.h"
#include "core/tensors/archive/byte_source.h"

namespace ulp::tensors {

/// Bytes as the text that they are.
[[nodiscard]] inline std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The number that lies at a byte, little-endian; the caller has checked that it lies within.
template <class Number>
[[nodiscard]] Number numberAt(std::span<const std::byte> bytes, std::size_t offset) {
  static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");
  Number number{};
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

/// Writes numbers one behind the other, little-endian.
template <class... Numbers>
void appendNumbers(std::string& bytes, Numbers... numbers) {
  const auto one = [&bytes](auto number) {
    const auto raw = std::as_bytes(std::span(&number, 1));
    bytes += textOf(raw);
  };
  (one(numbers), ...);
}

/// Walks a file from the front and keeps the first error: after one, every read gives zero or
/// nothing, so that a parser asks ok() once for several reads. Never reads beyond the file. A stop
/// of the caller's work is such an error.
class ByteReader {
 public:
  explicit ByteReader(const ByteSource& source) : m_source(source) {}

  [[nodiscard]] bool ok() const { return m_error.empty(); }
  [[nodiscard]] tl::unexpected<Error> error() const {
    return m_isStopped ? stopped() : m_source.corrupt(m_error);
  }
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
    if (m_pace.isStopped()) {
      m_isStopped = true;
      refuse("stopped");
      return {};
    }
    const auto bytes = m_source.bytes.subspan(m_offset, count);
    m_offset += count;
    return bytes;
  }

  template <class Value>
  [[nodiscard]] Value scalar(std::string_view what) {
    const auto bytes = take(sizeof(Value), what);
    return bytes.empty() ? Value{} : numberAt<Value>(bytes, 0);
  }

  [[nodiscard]] std::string_view text(std::uint64_t length, std::string_view what) {
    return textOf(take(length, what));
  }

 private:
  const ByteSource& m_source;
  std::size_t m_offset = 0;
  std::string m_error;
  StopPace m_pace;
  bool m_isStopped = false;
};

}  // namespace ulp::tensors
