#include "core/base/text/valid_utf8.h"

#include <cstddef>

#include "core/base/text/utf8.h"

namespace ulp {

std::string validUtf8(std::string_view text) {
  std::string valid;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = wellFormedSizeAt(text, at);
    if (size == 0) {
      appendUtf8(valid, 0xFFFD);
      ++at;
    } else {
      valid += text.substr(at, size);
      at += size;
    }
  }
  return valid;
}

}  // namespace ulp
