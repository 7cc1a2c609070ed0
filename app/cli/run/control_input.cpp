#include "app/cli/run/control_input.h"

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "app/cli/command.h"

namespace ulp::cli {
namespace {

/// Far beyond any name; a longer line is no command.
constexpr std::size_t kLongestLine = 4096;
/// Of a line that is not understood, that much is shown.
constexpr std::size_t kLongestQuote = 100;
constexpr std::string_view kSkip = "skip";
constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

/// Bytes of a descriptor, as lines that ask something of a study.
class ControlLines {
 public:
  ControlLines(int input, std::shared_ptr<worker::SkipRequests> skips)
      : m_input(input), m_skips(std::move(skips)) {}

  /// Reads some; false at the end of the stream.
  bool operator()() {
    std::array<char, 1024> bytes{};
    const ssize_t count = ::read(m_input, bytes.data(), bytes.size());
    if (count <= 0) {
      return count < 0 && (errno == EINTR || errno == EAGAIN);
    }
    for (const char byte : std::string_view(bytes.data(), static_cast<std::size_t>(count))) {
      if (byte == '\n') {
        takeLine(std::exchange(m_line, {}));
      } else if (m_line.size() < kLongestLine) {
        m_line += byte;
      }
    }
    return true;
  }

 private:
  void takeLine(const std::string& line) {
    if (trimmed(line).empty()) {
      return;
    }
    const auto variant = parseControlLine(line);
    if (variant) {
      m_skips->ask(*variant);
      return;
    }
    const std::string text = fmt::format("{}: {}\n", kProgramName, variant.error().message());
    static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
  }

  int m_input;
  std::shared_ptr<worker::SkipRequests> m_skips;
  std::string m_line;
};

}  // namespace

Result<std::string> parseControlLine(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (text.starts_with(kSkip)) {
    const std::string_view rest = text.substr(kSkip.size());
    const std::string_view name = trimmed(rest);
    if (!name.empty() && name.size() < rest.size()) {
      return std::string(name);
    }
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("standard input: '{}' is no command; 'skip VARIANT' is one",
                          text.substr(0, kLongestQuote)));
}

Result<std::unique_ptr<DescriptorWatch>> readControlInput(
    int descriptor, std::shared_ptr<worker::SkipRequests> skips) {
  return DescriptorWatch::start(
      descriptor, "standard input: cannot watch it", ControlLines(descriptor, std::move(skips)));
}

}  // namespace ulp::cli
