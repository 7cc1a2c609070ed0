#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace ulp::engine {

/// The rows of a step that are made again one after the other, of a step that makes them all at
/// once: it is taken when a row is asked for that the last time left none of. A row is let go of
/// when it is handed out.
class RetakenRows {
 public:
  using Take = std::function<std::vector<at::Tensor>()>;

  /// Rows of `take()` that are not in `asked` are not kept.
  RetakenRows(Take take, std::vector<std::size_t> asked)
      : m_take(std::move(take)), m_asked(std::move(asked)) {}

  [[nodiscard]] at::Tensor row(std::size_t index) {
    if (index >= m_left.size() || !m_left[index].defined()) {
      m_left.clear();
      m_left = m_take();
    }
    at::Tensor row = std::exchange(m_left.at(index), at::Tensor());
    for (std::size_t i = 0; i < m_left.size(); ++i) {
      if (std::ranges::find(m_asked, i) == m_asked.end()) {
        m_left[i].reset();
      }
    }
    return row;
  }

 private:
  Take m_take;
  std::vector<std::size_t> m_asked;
  std::vector<at::Tensor> m_left;
};

}  // namespace ulp::engine
