#include "core/base/text/regular_expression.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <oniguruma.h>

#include "core/base/stop_scope.h"
#include "core/base/text/elided.h"
#include "core/base/text/name_limit.h"
#include "core/base/text/utf8.h"

namespace ulp {
namespace {

using Dialect = RegularExpression::Dialect;

/// Oniguruma's texts are bytes without sign.
const OnigUChar* bytesOf(std::string_view text) {
  return reinterpret_cast<const OnigUChar*>(text.data());
}

std::string messageOf(int code, OnigErrorInfo* info) {
  std::array<OnigUChar, ONIG_MAX_ERROR_MESSAGE_LEN> buffer{};
  const int size = onig_error_code_to_str(buffer.data(), code, info);
  return {buffer.begin(), buffer.begin() + size};
}

/// ECMAScript's syntax in the library's terms. It has neither calls of groups nor callouts.
OnigSyntaxType syntaxOfNames() {
  OnigSyntaxType syntax = OnigSyntaxPerl;
  syntax.op = ONIG_SYN_OP_DOT_ANYCHAR | ONIG_SYN_OP_ASTERISK_ZERO_INF | ONIG_SYN_OP_PLUS_ONE_INF |
              ONIG_SYN_OP_QMARK_ZERO_ONE | ONIG_SYN_OP_BRACE_INTERVAL | ONIG_SYN_OP_VBAR_ALT |
              ONIG_SYN_OP_LPAREN_SUBEXP | ONIG_SYN_OP_DECIMAL_BACKREF | ONIG_SYN_OP_BRACKET_CC |
              ONIG_SYN_OP_ESC_W_WORD | ONIG_SYN_OP_ESC_B_WORD_BOUND |
              ONIG_SYN_OP_ESC_S_WHITE_SPACE | ONIG_SYN_OP_ESC_D_DIGIT | ONIG_SYN_OP_LINE_ANCHOR |
              ONIG_SYN_OP_POSIX_BRACKET | ONIG_SYN_OP_QMARK_NON_GREEDY |
              ONIG_SYN_OP_ESC_CONTROL_CHARS | ONIG_SYN_OP_ESC_C_CONTROL | ONIG_SYN_OP_ESC_X_HEX2;
  syntax.op2 = ONIG_SYN_OP2_QMARK_GROUP_EFFECT | ONIG_SYN_OP2_ESC_V_VTAB | ONIG_SYN_OP2_ESC_U_HEX4;
  syntax.options = ONIG_OPTION_SINGLELINE | ONIG_OPTION_WORD_IS_ASCII | ONIG_OPTION_DIGIT_IS_ASCII |
                   ONIG_OPTION_SPACE_IS_ASCII | ONIG_OPTION_POSIX_IS_ASCII;
  return syntax;
}

OnigSyntaxType* syntaxOf(Dialect dialect) {
  static OnigSyntaxType names = [] {
    OnigEncoding encoding = ONIG_ENCODING_UTF8;
    onig_initialize(&encoding, 1);
    return syntaxOfNames();
  }();
  return dialect == Dialect::Tokenizer ? ONIG_SYNTAX_ONIGURUMA : &names;
}

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
/// Fuzzers look at what happens where the limits are, not at how far away they are.
constexpr unsigned long kShareOfLimits = 200;
#else
constexpr unsigned long kShareOfLimits = 1;
#endif

/// What one search may take. The library counts where it goes back, and a step may take as long as
/// the text has bytes, so that a name is allowed the fewer the longer it is: about a second on the
/// worst of both.
struct Limits {
  unsigned long retriesAtPlace;
  unsigned long retries;
  unsigned int stack;

  static Limits of(Dialect dialect, std::size_t bytes) {
    // The library's default.
    constexpr unsigned long kTokenizerRetries = 10'000'000 / kShareOfLimits;
    constexpr unsigned int kTokenizerStack = 1U << 24;
    constexpr unsigned long kNameRetries = 1'000'000 / kShareOfLimits;
    constexpr std::size_t kUsualName = 1024;
    constexpr unsigned int kNameStack = 1U << 20;
    if (dialect == Dialect::Tokenizer) {
      return {kTokenizerRetries, kTokenizerRetries + 16 * bytes, kTokenizerStack};
    }
    const unsigned long retries = kNameRetries * kUsualName / std::max(kUsualName, bytes);
    return {retries, retries, kNameStack};
  }
};

/// What a thread uses for its searches, one after the other.
class Searcher {
 public:
  static Searcher& ofThread() {
    thread_local Searcher searcher;
    return searcher;
  }
  Searcher() : m_limits(onig_new_match_param()), m_region(onig_region_new()) {}
  ~Searcher() {
    onig_free_match_param(m_limits);
    onig_region_free(m_region, 1);
  }
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;

  /// Where a match begins, ONIG_MISMATCH, or an error of the library.
  int search(OnigRegex code, std::string_view text, std::size_t from, const Limits& limits) {
    onig_initialize_match_param(m_limits);
    onig_set_retry_limit_in_match_of_match_param(m_limits, limits.retriesAtPlace);
    onig_set_retry_limit_in_search_of_match_param(m_limits, limits.retries);
    onig_set_match_stack_limit_size_of_match_param(m_limits, limits.stack);
    const OnigUChar* begin = bytesOf(text);
    const OnigUChar* end = begin + text.size();
    return onig_search_with_param(
        code, begin, end, begin + from, end, m_region, ONIG_OPTION_NONE, m_limits);
  }
  /// A group of the last match; 0 is all of it.
  [[nodiscard]] std::optional<RegularExpression::Match> group(std::size_t index) const {
    if (index >= static_cast<std::size_t>(m_region->num_regs) || m_region->beg[index] < 0) {
      return std::nullopt;
    }
    return RegularExpression::Match{static_cast<std::size_t>(m_region->beg[index]),
                                    static_cast<std::size_t>(m_region->end[index])};
  }

 private:
  OnigMatchParam* m_limits;
  OnigRegion* m_region;
};

/// A name as UTF-8, which a copy is made for where it is not.
class NameText {
 public:
  explicit NameText(std::string_view name)
      : m_repaired(invalidUtf8At(name) ? validUtf8(name) : std::string()),
        m_text(m_repaired.empty() ? name : m_repaired) {}
  NameText(const NameText&) = delete;
  NameText& operator=(const NameText&) = delete;
  ~NameText() = default;

  [[nodiscard]] std::string_view text() const { return m_text; }

 private:
  std::string m_repaired;
  std::string_view m_text;
};

bool isDigit(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

/// Appends what `replacement` makes of the last match.
void appendReplacement(const Searcher& searcher,
                       std::string_view name,
                       std::string_view replacement,
                       std::string& result) {
  const RegularExpression::Match match = *searcher.group(0);
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    const char next = i + 1 < replacement.size() ? replacement[i + 1] : '\0';
    if (replacement[i] != '$' || (std::string_view("$&`'").find(next) == std::string_view::npos &&
                                  !isDigit(replacement, i + 1))) {
      result += replacement[i];
      continue;
    }
    ++i;
    if (next == '$') {
      result += '$';
    } else if (next == '&') {
      result += name.substr(match.begin, match.end - match.begin);
    } else if (next == '`') {
      result += name.substr(0, match.begin);
    } else if (next == '\'') {
      result += name.substr(match.end);
    } else {
      auto index = static_cast<std::size_t>(next - '0');
      if (isDigit(replacement, i + 1)) {
        index = 10 * index + static_cast<std::size_t>(replacement[++i] - '0');
      }
      if (const auto group = searcher.group(index)) {
        result += name.substr(group->begin, group->end - group->begin);
      }
    }
  }
}

}  // namespace

constexpr std::string_view kTooManySteps =
    "it takes too many steps; repeat nothing that is repeated already, as (a+)+ does, and begin it "
    "with ^ where a name begins with it";

struct RegularExpression::Program {
  Program(std::string_view itsPattern, Dialect itsDialect)
      : pattern(itsPattern), dialect(itsDialect) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { onig_free(code); }

  OnigRegex code = nullptr;
  std::string pattern;
  Dialect dialect;

  [[nodiscard]] tl::unexpected<Error> failOn(std::string_view text, std::string_view why) const {
    return fail(
        ErrorCode::Unsupported,
        fmt::format("regular expression '{}' on '{}': {}", elided(pattern), elided(text), why));
  }

  /// Whether there is a match at `from` or behind it, which the thread's searcher then knows.
  [[nodiscard]] Result<bool> search(std::string_view text, std::size_t from) const {
    if (currentStop().stop_requested()) {
      return fail(ErrorCode::Cancelled, "matching was cancelled");
    }
    if (dialect != Dialect::Tokenizer && text.size() > kLongestRowName) {
      return failOn(text, fmt::format("the name has more than {} bytes", kLongestRowName));
    }
    if (text.size() > std::numeric_limits<int>::max()) {
      return failOn(text, "the text has 2 GiB or more; divide it");
    }
    const int found =
        Searcher::ofThread().search(code, text, from, Limits::of(dialect, text.size()));
    if (found >= 0 || found == ONIG_MISMATCH) {
      return found >= 0;
    }
    const bool isLimit = found == ONIGERR_RETRY_LIMIT_IN_MATCH_OVER ||
                         found == ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER ||
                         found == ONIGERR_MATCH_STACK_LIMIT_OVER;
    return failOn(text, isLimit ? std::string(kTooManySteps) : messageOf(found, nullptr));
  }
};

Result<RegularExpression> RegularExpression::compile(std::string_view pattern, Dialect dialect) {
  constexpr std::size_t kLongest = 4096;
  constexpr std::ptrdiff_t kMostGroups = 200;
  const bool isForNames = dialect != Dialect::Tokenizer;
  if (isForNames &&
      (pattern.size() >= kLongest || std::ranges::count(pattern, '(') >= kMostGroups)) {
    return fail(ErrorCode::InvalidArgument,
                "it has 4096 characters or 200 groups or more; divide it into several");
  }
  if (invalidUtf8At(pattern)) {
    return fail(ErrorCode::InvalidArgument, "it is not UTF-8");
  }
  auto program = std::make_shared<Program>(pattern, dialect);
  OnigSyntaxType* const syntax = syntaxOf(dialect);
  OnigErrorInfo info{};
  const int code =
      onig_new(&program->code,
               bytesOf(pattern),
               bytesOf(pattern) + pattern.size(),
               dialect == Dialect::NamesInAnyCase ? ONIG_OPTION_IGNORECASE : ONIG_OPTION_NONE,
               ONIG_ENCODING_UTF8,
               syntax,
               &info);
  if (code != ONIG_NORMAL) {
    return fail(ErrorCode::InvalidArgument, messageOf(code, &info));
  }
  return RegularExpression(std::move(program));
}

Result<bool> RegularExpression::isFoundIn(std::string_view name) const {
  return m_program->search(NameText(name).text(), 0);
}

Result<std::string> RegularExpression::replaced(std::string_view name,
                                                std::string_view replacement) const {
  const NameText repaired(name);
  const std::string_view text = repaired.text();
  std::string result;
  std::size_t copied = 0;
  bool isAny = false;
  // Each search has limits of its own, and there may be as many as characters.
  constexpr std::chrono::seconds kPatience{2};
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (std::size_t from = 0; from <= text.size();) {
    if (std::chrono::steady_clock::now() > end) {
      return m_program->failOn(text, kTooManySteps);
    }
    const bool isFound = ULP_TRY(m_program->search(text, from));
    if (!isFound) {
      break;
    }
    const Searcher& searcher = Searcher::ofThread();
    const Match match = *searcher.group(0);
    isAny = true;
    result += text.substr(copied, match.begin - copied);
    appendReplacement(searcher, text, replacement, result);
    if (result.size() > kLongestRowName) {
      return m_program->failOn(
          text, fmt::format("what it makes of the name has more than {} bytes", kLongestRowName));
    }
    copied = match.end;
    from = match.end;
    if (match.begin == match.end) {
      from += match.end < text.size() ? codePointAt(text, match.end).size : 1;
    }
  }
  return isAny ? result + std::string(text.substr(copied)) : std::string(name);
}

Result<std::optional<RegularExpression::Match>> RegularExpression::find(std::string_view text,
                                                                        std::size_t from) const {
  const bool isFound = ULP_TRY(m_program->search(text, from));
  return isFound ? Searcher::ofThread().group(0) : std::nullopt;
}

Result<std::vector<RegularExpression>> compileExpressions(const std::vector<std::string>& texts) {
  std::vector<RegularExpression> all;
  for (const std::string& text : texts) {
    auto compiled = RegularExpression::compile(text);
    if (!compiled) {
      return failWhile("'" + elided(text) + "' is not a regular expression", std::move(compiled));
    }
    all.push_back(std::move(*compiled));
  }
  return all;
}

Result<bool> isAnyFoundIn(const std::vector<RegularExpression>& expressions,
                          std::string_view name) {
  for (const RegularExpression& each : expressions) {
    const bool isFound = ULP_TRY(each.isFoundIn(name));
    if (isFound) {
      return true;
    }
  }
  return false;
}

}  // namespace ulp
