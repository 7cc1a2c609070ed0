#include "core/text/characters/quoted.h"

#include <fmt/format.h>

#include "core/base/text/utf8.h"

namespace ulp::text {

std::string quoted(std::string_view bytes) {
  const bool isUtf8 = !invalidUtf8At(bytes);
  std::string shown = "'";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      shown += "\\n";
    } else if (c == '\t') {
      shown += "\\t";
    } else if (byte < 0x20 || byte == 0x7F || (byte > 0x7F && !isUtf8)) {
      shown += fmt::format("\\x{:02x}", byte);
    } else {
      shown += c;
    }
  }
  return shown + "'";
}

}  // namespace ulp::text
