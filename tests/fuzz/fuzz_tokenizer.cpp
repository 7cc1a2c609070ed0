#include <cstdint>
#include <cstdlib>

#include "core/text/tokenizer.h"
#include "core/text/tokenizer_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ulp::text;
  constexpr std::string_view kText = "ab 12\tÉé\u4e00 \U0001F600<s>  don't";
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  const auto tokenizer = parseTokenizerJson(file, "input");
  if (!tokenizer) {
    return 0;
  }
  if (const auto tokens = (*tokenizer)->encode(kText)) {
    for (const Token& token : *tokens) {
      // Every token lies within the text, and the vocabulary knows it.
      if (token.begin > token.end || token.end > kText.size() || token.id < 0 ||
          token.id >= (*tokenizer)->size()) {
        std::abort();
      }
      static_cast<void>((*tokenizer)->bytes(token.id));
    }
  }
  return 0;
}
