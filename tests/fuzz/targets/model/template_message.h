#pragma once

#include <cstddef>
#include <cstdint>

#include "core/text/chat/template_exchange.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// What the process that runs chat templates answers, behind its size: it may do what the template
/// wants.
inline void fuzzTemplateMessage(const std::uint8_t* data, std::size_t size) {
  const auto words = text::wordsOf(fuzzText(data, size));
  if (!words) {
    return;
  }
  const std::string message = text::asMessage(*words);
  require(message.substr(sizeof(text::MessageSize)) == fuzzText(data, size));
}

}  // namespace ulp::test
