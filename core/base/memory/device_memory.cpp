#include "core/base/memory/device_memory.h"

#include <array>
#include <string_view>
#include <utility>

#include "core/base/text/format_number.h"

namespace ulp {

std::string describe(const MemoryParts& parts) {
  using Part = std::pair<std::string_view, std::uint64_t>;
  const std::array<Part, 5> all{Part{"weights", parts.weights},
                                Part{"gradients", parts.gradients},
                                Part{"activations", parts.activations},
                                Part{"captures", parts.captures},
                                Part{"operations", parts.workspace}};
  std::string text;
  for (const auto& [name, bytes] : all) {
    if (bytes > 0) {
      text += (text.empty() ? "" : ", ") + std::string(name) + " " + formatBytes(bytes);
    }
  }
  return formatBytes(parts.total()) + " (" + text + ")";
}

}  // namespace ulp
