#include "core/dumps/msprobe/json_stream.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <vector>

#include "core/base/files/mapped_file.h"

namespace ulp::dumps::msprobe {
namespace {

/// msprobe's own limit.
constexpr std::size_t kMaxDepth = 400;
/// Of one member, which is kept whole.
constexpr std::size_t kMaxValues = std::size_t{1} << 22;

/// As float() of Python reads it.
double toDouble(std::string_view digits) {
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    value = std::strtod(std::string(digits).c_str(), nullptr);
  }
  return value;
}

/// Makes trees of the members that RapidJSON tells it of. A function that returns false ends the
/// reading.
class MemberHandler {
 public:
  MemberHandler(std::string_view inside, const OnMember& onMember, const std::stop_token& stop)
      : m_inside(inside), m_onMember(onMember), m_stop(stop) {}

  // RapidJSON names them.
  // NOLINTBEGIN(readability-identifier-naming)
  bool Null() { return value({}); }
  bool Bool(bool flag) { return value({.kind = JsonKind::Bool, .flag = flag}); }
  bool Double(double number) { return value({.kind = JsonKind::Float, .number = number}); }
  bool RawNumber(const char* digits, rapidjson::SizeType length, bool /*copy*/) {
    const std::string_view text(digits, length);
    const bool isFloat = text.find_first_of(".eEnN") != std::string_view::npos;
    const std::string_view kept = text == "-0" ? "0" : text;
    return value({.kind = isFloat ? JsonKind::Float : JsonKind::Integer,
                  .number = toDouble(text),
                  .text = isFloat ? std::string_view() : kept});
  }
  bool String(const char* text, rapidjson::SizeType length, bool /*copy*/) {
    return value({.kind = JsonKind::Text, .text = {text, length}});
  }
  bool Key(const char* text, rapidjson::SizeType length, bool /*copy*/) {
    m_key.assign(text, length);
    if (m_open.empty()) {
      m_member = m_key;
    }
    return true;
  }
  bool StartObject() { return start(JsonKind::Object); }
  bool StartArray() { return start(JsonKind::List); }
  bool EndObject(rapidjson::SizeType /*count*/) { return end(); }
  bool EndArray(rapidjson::SizeType /*count*/) { return end(); }
  // What the reader never calls when it is asked for numbers as text.
  bool Int(int number) { return Double(number); }
  bool Uint(unsigned number) { return Double(number); }
  bool Int64(std::int64_t number) { return Double(static_cast<double>(number)); }
  bool Uint64(std::uint64_t number) { return Double(static_cast<double>(number)); }
  // NOLINTEND(readability-identifier-naming)

  [[nodiscard]] const std::string& problem() const { return m_problem; }
  [[nodiscard]] const std::string& member() const { return m_member; }
  [[nodiscard]] std::size_t count() const { return m_count; }
  [[nodiscard]] bool isStopped() const { return m_isStopped; }

 private:
  [[nodiscard]] std::size_t depth() const {
    return (m_isStarted ? 1U : 0U) + (m_isInside ? 1U : 0U) + m_open.size();
  }
  bool refuse(std::string why) {
    m_problem = std::move(why);
    return false;
  }

  bool value(const JsonNode& node) {
    if (!m_isStarted) {
      return refuse("the file does not hold an object");
    }
    if (m_open.empty()) {
      m_tree.clear();
    } else if (m_tree.size() >= kMaxValues) {
      return refuse(fmt::format("more than {} values in one member", kMaxValues));
    }
    m_tree.add(m_open.empty() ? kNoNode : m_open.back(), takeKey(), node);
    return !m_open.empty() || handOver();
  }

  bool start(JsonKind kind) {
    if (!m_isStarted) {
      m_isStarted = kind == JsonKind::Object;
      return m_isStarted || refuse("the file does not hold an object");
    }
    if (depth() >= kMaxDepth) {
      return refuse(fmt::format("nested deeper than {} levels", kMaxDepth));
    }
    if (m_open.empty() && !m_isInside && kind == JsonKind::Object && !m_inside.empty() &&
        m_key == m_inside) {
      m_isInside = true;
      return true;
    }
    if (m_open.empty()) {
      m_tree.clear();
    } else if (m_tree.size() >= kMaxValues) {
      return refuse(fmt::format("more than {} values in one member", kMaxValues));
    }
    m_open.push_back(
        m_tree.add(m_open.empty() ? kNoNode : m_open.back(), takeKey(), {.kind = kind}));
    return true;
  }

  bool end() {
    if (m_open.empty()) {
      m_isInside = false;  // or the whole object, where it was false before
      m_member.clear();
      return true;
    }
    const std::uint32_t closed = m_open.back();
    if (m_tree[closed].kind == JsonKind::Object) {
      m_tree.mergeDuplicates(closed);
    }
    m_open.pop_back();
    return !m_open.empty() || handOver();
  }

  /// The elements of a list have no key.
  std::string_view takeKey() {
    const bool hasKey = m_open.empty() || m_tree[m_open.back()].kind == JsonKind::Object;
    return hasKey ? std::string_view(m_key) : std::string_view();
  }

  bool handOver() {
    ++m_count;
    if (m_stop.stop_requested() || !m_onMember(m_isInside, m_member, m_tree)) {
      m_isStopped = true;
      return false;
    }
    m_member.clear();
    return true;
  }

  std::string_view m_inside;
  const OnMember& m_onMember;
  const std::stop_token& m_stop;
  JsonTree m_tree;
  std::vector<std::uint32_t> m_open;  ///< lists and objects of the member that are not yet closed
  std::string m_key;
  std::string m_member;
  std::string m_problem;
  std::size_t m_count = 0;
  bool m_isStarted = false;
  bool m_isInside = false;
  bool m_isStopped = false;
};

std::string placeIn(std::string_view bytes, std::size_t offset) {
  const std::size_t end = std::min(offset, bytes.size());
  const auto lines =
      std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  return fmt::format("line {}", lines + 1);
}

}  // namespace

JsonEnd streamMembers(std::string_view bytes,
                      std::string_view inside,
                      const OnMember& onMember,
                      const std::stop_token& stop,
                      const ReadProgress& progress) {
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseNanAndInfFlag |
                              rapidjson::kParseNumbersAsStringsFlag |
                              rapidjson::kParseStopWhenDoneFlag;
  rapidjson::MemoryStream stream(bytes.data(), bytes.size());
  std::size_t reported = 0;
  const OnMember counted = [&](bool isInside, std::string_view key, const JsonTree& value) {
    constexpr std::size_t kStep = std::size_t{1} << 20;
    if (progress && stream.Tell() >= reported + kStep) {
      reported = stream.Tell();
      progress(reported, bytes.size());
    }
    return onMember(isInside, key, value);
  };
  MemberHandler handler(inside, counted, stop);
  rapidjson::Reader reader;
  const rapidjson::ParseResult parsed = reader.Parse<kFlags>(stream, handler);
  JsonEnd end{.openMember = handler.member(), .memberCount = handler.count()};
  if (parsed.IsError() && !handler.isStopped()) {
    end.isCut = handler.problem().empty() && stream.Tell() >= bytes.size();
    const std::string what = !handler.problem().empty() ? handler.problem()
                             : end.isCut                ? std::string("the file ends here")
                                         : std::string(rapidjson::GetParseError_En(parsed.Code()));
    end.problem = fmt::format("{}: {}", placeIn(bytes, parsed.Offset()), what);
  }
  return end;
}

Result<JsonEnd> streamMembers(const std::filesystem::path& file,
                              std::string_view inside,
                              const OnMember& onMember,
                              const std::stop_token& stop,
                              const ReadProgress& progress) {
  auto mapped = ULP_TRY(MappedFile::open(file, WhenShortened::ReadOnes));
  const std::span<const std::byte> bytes = mapped->bytes();
  JsonEnd end = streamMembers({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                              inside,
                              onMember,
                              stop,
                              progress);
  if (stop.stop_requested()) {
    return fail(ErrorCode::Cancelled, fmt::format("{}: reading was stopped", file.string()));
  }
  if (!mapped->isIntact()) {
    return fail(ErrorCode::Io, fmt::format("{}: became shorter while it was read", file.string()));
  }
  return end;
}

}  // namespace ulp::dumps::msprobe
