#include "core/remote/protocol/numbers.h"

namespace ulp::remote {

std::size_t Numbers::count() {
  const std::uint64_t found = whole();
  const std::size_t left = (m_text.size() - m_next) / sizeof(std::uint64_t);
  m_isShort = m_isShort || found > left;
  return m_isShort ? 0 : static_cast<std::size_t>(found);
}

Result<> Numbers::checkWhole() const {
  return m_isShort || m_next != m_text.size()
             ? Result<>(fail(ErrorCode::CorruptData, "a host says other numbers than were asked"))
             : Result<>();
}

}  // namespace ulp::remote
