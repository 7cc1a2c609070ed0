#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/json/value.h"
#include "core/tensors/archive/tensor_archive.h"

/// Numbers of tensors that lie on a host, computed there: what crosses is small, however large the
/// tensors are.
namespace ulp::remote {

/// What a host says of tensors: 64 bits each, so that every bit of a number arrives.
class Numbers {
 public:
  Numbers() = default;
  /// As text() gave them.
  explicit Numbers(std::string text) : m_text(std::move(text)) {}

  void add(std::uint64_t number) {
    m_text.append(std::bit_cast<Bytes>(number).data(), sizeof(number));
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }

  /// The next one; zero behind the last.
  [[nodiscard]] std::uint64_t whole() {
    Bytes bytes{};
    m_isShort = m_isShort || m_text.size() - m_next < bytes.size();
    if (!m_isShort) {
      std::memcpy(bytes.data(), m_text.data() + m_next, bytes.size());
      m_next += bytes.size();
    }
    return std::bit_cast<std::uint64_t>(bytes);
  }
  [[nodiscard]] double real() { return std::bit_cast<double>(whole()); }
  /// More were taken than there are.
  [[nodiscard]] bool isShort() const { return m_isShort; }
  /// A count of things that follow, each of at least one number.
  [[nodiscard]] std::size_t count();
  /// All were taken, and none was missing. Error: CorruptData.
  [[nodiscard]] Result<> checkWhole() const;

  [[nodiscard]] const std::string& text() const { return m_text; }

 private:
  using Bytes = std::array<char, sizeof(std::uint64_t)>;

  std::string m_text;
  std::size_t m_next = 0;
  bool m_isShort = false;
};

/// What answers on the host: `question` says `what` is to be computed of the tensors, and with
/// which choices. Errors: Unsupported, this version does not know it; those of computing.
using NumbersAnswer = std::function<Result<Numbers>(const json::Value& question,
                                                    std::span<const tensors::Tensor> tensors,
                                                    const std::stop_token& stop)>;

}  // namespace ulp::remote
