#include "core/text/characters/regex.h"

#include <fmt/format.h>
#include <optional>

#include "core/base/text/elided.h"

namespace ulp::text {

Result<Regex> Regex::compile(std::string_view pattern) {
  auto compiled = ULP_TRY(
      whileDoing(fmt::format("regular expression '{}'", elided(pattern)),
                 RegularExpression::compile(pattern, RegularExpression::Dialect::Tokenizer)));
  return Regex(std::move(compiled));
}

Result<Stretches> Regex::stretches(std::string_view text) const {
  Stretches found;
  std::size_t from = 0;
  std::size_t covered = 0;
  std::optional<std::size_t> lastEnd;
  while (from <= text.size() && !text.empty()) {
    const auto match = ULP_TRY(m_expression.find(text, from));
    if (!match) {
      break;
    }
    if (match->begin == match->end && lastEnd == match->end) {
      from += from < text.size() ? codePointAt(text, from).size : 1;
      continue;
    }
    if (covered < match->begin) {
      found.push_back({covered, match->begin, false});
    }
    found.push_back({match->begin, match->end, true});
    from = covered = match->end;
    lastEnd = match->end;
  }
  if (covered < text.size()) {
    found.push_back({covered, text.size(), false});
  }
  return found;
}

std::string escapedForRegex(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view(R"(\.+*?()|[]{}^$#&-~)").find(c) != std::string_view::npos) {
      escaped += '\\';
    }
    escaped += c;
  }
  return escaped;
}

}  // namespace ulp::text
