#include "app/cli/run/control_input.h"

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include "app/cli/command.h"
#include "app/cli/descriptor.h"

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

class ControlThread final : public ControlInput {
 public:
  ControlThread(int input, int wake, std::shared_ptr<worker::SkipRequests> skips)
      : m_input(input), m_wake(wake), m_skips(std::move(skips)), m_thread([this] { watch(); }) {}

  ~ControlThread() override {
    const std::uint64_t one = 1;
    // Cannot fail: the counter of an eventfd takes far more than one.
    static_cast<void>(!::write(m_wake.number(), &one, sizeof(one)));
    m_thread.join();
  }
  ControlThread(const ControlThread&) = delete;
  ControlThread& operator=(const ControlThread&) = delete;

 private:
  void watch() {
    std::array<pollfd, 2> waiting{{{m_wake.number(), POLLIN, 0}, {m_input, POLLIN, 0}}};
    while (true) {
      if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR) {
        continue;
      }
      if (waiting[0].revents != 0) {
        return;
      }
      if (waiting[1].revents != 0 && !readSome()) {
        // poll() passes over negative descriptors.
        waiting[1].fd = -1;
      }
    }
  }

  /// False at the end of the stream.
  bool readSome() {
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
  Descriptor m_wake;
  std::shared_ptr<worker::SkipRequests> m_skips;
  std::string m_line;
  std::thread m_thread;
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

Result<std::unique_ptr<ControlInput>> ControlInput::start(
    int descriptor, std::shared_ptr<worker::SkipRequests> skips) {
  const int wake = ::eventfd(0, EFD_CLOEXEC);
  if (wake < 0) {
    return fail(ErrorCode::Internal,
                "standard input: cannot watch it: " + std::generic_category().message(errno));
  }
  return std::make_unique<ControlThread>(descriptor, wake, std::move(skips));
}

}  // namespace ulp::cli
