#pragma once

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/tensors/archive/tensor_parts.h"

namespace ulp::test {

/// Elements come in blocks, from a memory that nobody else sees.
class FarElements final : public tensors::TensorParts {
 public:
  static constexpr std::size_t kBlock = 1024;  // elements

  explicit FarElements(std::vector<float> there)
      : m_there(std::move(there)), m_here(m_there.size(), -1e30F), m_has(m_there.size(), 0) {}

  bool has(const tensors::ElementGrid& wanted) const override {
    const std::scoped_lock lock(m_mutex);
    return all(wanted, [this](std::size_t at) { return m_has[at] != 0; });
  }
  Result<> bring(const tensors::ElementGrid& wanted) const override {
    if (isLost) {
      m_problem = Error(ErrorCode::Io, "the connection was lost");
      return tl::unexpected(*m_problem);
    }
    const std::scoped_lock lock(m_mutex);
    all(wanted, [this](std::size_t at) {
      const std::size_t begin = at / kBlock * kBlock;
      const std::size_t end = std::min(begin + kBlock, m_there.size());
      if (!m_has[at]) {
        std::copy(&m_there[begin], &m_there[begin] + (end - begin), &m_here[begin]);
        std::fill(&m_has[begin], &m_has[begin] + (end - begin), char{1});
        brought += end - begin;
      }
      return true;
    });
    return {};
  }
  std::uint64_t missingBytes(const tensors::ElementGrid& wanted) const override {
    std::vector<bool> blocks(m_there.size() / kBlock + 1);
    all(wanted, [&](std::size_t at) {
      blocks[at / kBlock] = blocks[at / kBlock] || m_has[at] == 0;
      return true;
    });
    return static_cast<std::uint64_t>(std::ranges::count(blocks, true)) * kBlock * sizeof(float);
  }
  Result<std::vector<std::byte>> pick(const tensors::ElementGrid& wanted) const override {
    if (isLost) {
      m_problem = Error(ErrorCode::Io, "the connection was lost");
      return tl::unexpected(*m_problem);
    }
    std::vector<std::byte> bytes(wanted.count() * sizeof(float));
    std::size_t next = 0;
    for (std::int64_t row = 0; row < wanted.rows; ++row) {
      for (std::int64_t column = 0; column < wanted.columns; ++column, ++next) {
        const std::int64_t at = wanted.first + row * wanted.rowStep + column * wanted.columnStep;
        if (at >= 0 && at < static_cast<std::int64_t>(m_there.size())) {
          std::memcpy(&bytes[next * sizeof(float)], &m_there[static_cast<std::size_t>(at)], 4);
          ++picked;
        }
      }
    }
    return bytes;
  }
  std::optional<Error> problem() const override { return m_problem; }

  [[nodiscard]] const std::vector<float>& here() const { return m_here; }

  bool isLost = false;
  mutable std::size_t brought = 0;
  mutable std::size_t picked = 0;

 private:
  template <class Visit>
  bool all(const tensors::ElementGrid& wanted, const Visit& visit) const {
    for (std::int64_t row = 0; row < wanted.rows; ++row) {
      for (std::int64_t column = 0; column < wanted.columns; ++column) {
        const std::int64_t at = wanted.first + row * wanted.rowStep + column * wanted.columnStep;
        if (at >= 0 && at < static_cast<std::int64_t>(m_there.size()) &&
            !visit(static_cast<std::size_t>(at))) {
          return false;
        }
      }
    }
    return true;
  }

  std::vector<float> m_there;
  mutable std::vector<float> m_here;
  mutable std::vector<char> m_has;
  mutable std::mutex m_mutex;
  mutable std::optional<Error> m_problem;
};

}  // namespace ulp::test
