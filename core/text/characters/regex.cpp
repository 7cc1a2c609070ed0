#include "core/text/characters/regex.h"

#include <array>
#include <fmt/format.h>
#include <oniguruma.h>
#include <optional>

namespace ulp::text {
namespace {

using RegionPtr =
    std::unique_ptr<OnigRegion, decltype([](OnigRegion* region) { onig_region_free(region, 1); })>;

/// Oniguruma's texts are bytes without sign.
const OnigUChar* bytesOf(std::string_view text) {
  return reinterpret_cast<const OnigUChar*>(text.data());
}

std::string messageOf(int code, OnigErrorInfo* info) {
  std::array<OnigUChar, ONIG_MAX_ERROR_MESSAGE_LEN> buffer{};
  const int size = onig_error_code_to_str(buffer.data(), code, info);
  return {buffer.begin(), buffer.begin() + size};
}

void initialiseOnce() {
  static const bool kIsDone = [] {
    OnigEncoding encoding = ONIG_ENCODING_UTF8;
    return onig_initialize(&encoding, 1) == ONIG_NORMAL;
  }();
  static_cast<void>(kIsDone);
}

}  // namespace

struct Regex::Program {
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { onig_free(code); }

  OnigRegex code = nullptr;
  std::string pattern;
};

Result<Regex> Regex::compile(std::string_view pattern) {
  initialiseOnce();
  auto program = std::make_shared<Program>();
  program->pattern = pattern;
  OnigErrorInfo info{};
  const int code = onig_new(&program->code,
                            bytesOf(pattern),
                            bytesOf(pattern) + pattern.size(),
                            ONIG_OPTION_NONE,
                            ONIG_ENCODING_UTF8,
                            ONIG_SYNTAX_DEFAULT,
                            &info);
  if (code != ONIG_NORMAL) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("regular expression '{}': {}", pattern, messageOf(code, &info)));
  }
  return Regex(std::move(program));
}

Result<Stretches> Regex::stretches(std::string_view text) const {
  Stretches found;
  const RegionPtr region(onig_region_new());
  const OnigUChar* begin = bytesOf(text);
  const OnigUChar* end = begin + text.size();
  std::size_t from = 0;
  std::size_t covered = 0;
  std::optional<std::size_t> lastEnd;
  while (from <= text.size() && !text.empty()) {
    const int code =
        onig_search(m_program->code, begin, end, begin + from, end, region.get(), ONIG_OPTION_NONE);
    if (code == ONIG_MISMATCH) {
      break;
    }
    if (code < 0) {
      return fail(
          ErrorCode::Unsupported,
          fmt::format("regular expression '{}': {}", m_program->pattern, messageOf(code, nullptr)));
    }
    const Stretch match{
        static_cast<std::size_t>(region->beg[0]), static_cast<std::size_t>(region->end[0]), true};
    if (match.begin == match.end && lastEnd == match.end) {
      from += from < text.size() ? codePointAt(text, from).size : 1;
      continue;
    }
    if (covered < match.begin) {
      found.push_back({covered, match.begin, false});
    }
    found.push_back(match);
    from = covered = match.end;
    lastEnd = match.end;
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
