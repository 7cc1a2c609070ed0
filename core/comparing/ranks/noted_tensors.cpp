#include "core/comparing/ranks/noted_tensors.h"

#include <string>

namespace ulp::analysis {

std::optional<Sentence> NotedTensors::note(const char* pattern) const {
  if (m_count == 0) {
    return std::nullopt;
  }
  return Sentence{pattern,
                  {std::to_string(m_count),
                   andMore(joined(ULP_TR_NOOP("%1; %2"), m_shown), m_count - m_shown.size())}};
}

}  // namespace ulp::analysis
