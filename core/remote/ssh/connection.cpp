#include "core/remote/ssh/connection.h"

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include "core/base/stop_pace.h"
#include "core/base/text/shell_quoted.h"

namespace ulp::remote {
namespace {

using Clock = std::chrono::steady_clock;

/// After which a stop is seen.
constexpr std::chrono::milliseconds kGlance{50};
/// What shells may say before the greeting.
constexpr std::size_t kMostBefore = std::size_t{1} << 20;
/// For which a host may keep silent while it is asked something.
constexpr std::chrono::seconds kAnswerPatience{120};
constexpr std::size_t kReadAtOnce = std::size_t{1} << 18;

}  // namespace

std::string serveCommand(const std::string& program) {
  std::string script;
  if (!program.empty()) {
    script = fmt::format("[ -x {0} ] && exec {0} serve; ", shellQuoted(program));
  } else {
    // Of several the one of our version first; of others the one that was installed last.
    script = fmt::format(
        "d=${{XDG_DATA_HOME:-$HOME/.local/share}}/ulpscope; "
        "for p in \"$d/{0}/bin/ulpscope-cli\"; do [ -x \"$p\" ] && exec \"$p\" serve; done; "
        "command -v ulpscope-cli >/dev/null 2>&1 && exec ulpscope-cli serve; "
        "for p in \"$HOME/.local/bin/ulpscope-cli\" $(ls -td \"$d\"/*/bin/ulpscope-cli "
        "2>/dev/null); do [ -x \"$p\" ] && exec \"$p\" serve; done; ",
        ULP_VERSION);
  }
  script += fmt::format("exit {}", kNoProgramCode);
  return "exec sh -c " + shellQuoted(script);
}

Result<std::unique_ptr<Connection>> Connection::open(const Host& host, ConnectOptions options) {
  std::unique_ptr<Connection> made(new Connection(host, std::move(options)));
  ULP_TRY(made->start());
  return made;
}

Result<> Connection::start() {
  m_ssh = ULP_TRY(SshProcess::start(m_host, serveCommand(m_options.program), m_options.packing));
  while (!m_isGreeted) {
    ULP_TRY(exchange(kGlance));
    m_isGreeted = ULP_TRY(takeGreeting());
  }
  Frame hello = ULP_TRY(ask({.head = json::Object{{"ask", "hello"}, {"protocol", kProtocol}}}));
  if (hello.head.at("protocol").integer() != kProtocol) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{}: Ulpscope {} there speaks another protocol than {} here; bring "
                            "both to one version (--install copies ours there)",
                            m_host.destination,
                            hello.head.at("version").text(),
                            ULP_VERSION));
  }
  m_version = hello.head.at("version").text();
  m_machine = hello.head.at("machine").text();
  return {};
}

Result<bool> Connection::takeGreeting() {
  const std::size_t at = m_before.find(kGreeting);
  if (at == std::string::npos) {
    if (m_before.size() > kMostBefore) {
      return fail(ErrorCode::Unsupported,
                  fmt::format("{}: its shell writes more than ulpscope-cli does; what starts with "
                              "every shell there must not write without end",
                              m_host.destination));
    }
    return false;
  }
  m_reader.feed(std::string_view(m_before).substr(at + kGreeting.size()));
  m_before.clear();
  return true;
}

Result<> Connection::exchange(std::chrono::milliseconds patience) {
  if (currentStop().stop_requested()) {
    return stopped();
  }
  std::array<pollfd, 3> waiting{{{m_ssh->output(), POLLIN, 0},
                                 {m_waiting.empty() ? -1 : m_ssh->input(), POLLOUT, 0},
                                 {m_options.wake, POLLIN, 0}}};
  if (::poll(waiting.data(), waiting.size(), static_cast<int>(patience.count())) < 0 &&
      errno != EINTR) {
    return fail(systemError("ssh", "cannot be waited for", errno));
  }
  m_ssh->readMessages();
  if (waiting[1].revents != 0) {
    ULP_TRY(writeInput());
  }
  if (waiting[0].revents != 0) {
    ULP_TRY(readOutput());
  }
  return waiting[2].revents != 0 ? Result<>(stopped()) : Result<>();
}

Result<> Connection::readOutput() {
  std::string piece(kReadAtOnce, '\0');
  const ssize_t size = ::read(m_ssh->output(), piece.data(), piece.size());
  if (size < 0) {
    return errno == EAGAIN || errno == EINTR ? Result<>()
                                             : fail(systemError("ssh", "cannot be read", errno));
  }
  if (size == 0) {
    return tl::unexpected(m_ssh->problem());
  }
  const std::string_view got = std::string_view(piece).substr(0, static_cast<std::size_t>(size));
  if (!m_isGreeted) {
    m_before += got;
    return {};
  }
  m_reader.feed(got);
  return {};
}

Result<> Connection::writeInput() {
  const ssize_t size = ::write(m_ssh->input(), m_waiting.data(), m_waiting.size());
  if (size >= 0) {
    m_waiting.erase(0, static_cast<std::size_t>(size));
    return {};
  }
  return errno == EAGAIN || errno == EINTR ? Result<>()
                                           : Result<>(tl::unexpected(m_ssh->problem()));
}

Result<Frame> Connection::ask(Frame question) {
  const std::uint64_t number = ++m_questions;
  question.head["number"] = number;
  m_waiting += encoded(question);
  auto last = Clock::now();
  while (true) {
    while (auto frame = ULP_TRY(m_reader.next())) {
      last = Clock::now();
      if (!frame->head.contains("number")) {
        m_said.push_back(std::move(*frame));
      } else if (static_cast<std::uint64_t>(frame->head.at("number").integer()) == number) {
        if (auto error = errorOf(*frame)) {
          return tl::unexpected(Error(error->code(), m_host.destination + ": " + error->message()));
        }
        return std::move(*frame);
      }
    }
    if (m_waiting.empty() && Clock::now() - last > kAnswerPatience) {
      return fail(ErrorCode::Io, m_host.destination + ": does not answer");
    }
    ULP_TRY(exchange(kGlance));
  }
}

Result<std::optional<Frame>> Connection::receive(std::chrono::milliseconds patience) {
  const auto end = Clock::now() + patience;
  while (true) {
    if (!m_said.empty()) {
      std::optional<Frame> said(std::move(m_said.front()));
      m_said.pop_front();
      return said;
    }
    if (auto frame = ULP_TRY(m_reader.next())) {
      if (!frame->head.contains("number")) {
        return std::optional<Frame>(std::move(*frame));
      }
      continue;  // answers that nobody waits for any more
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) {
      return std::optional<Frame>();
    }
    ULP_TRY(exchange(std::min(left, kGlance)));
  }
}

}  // namespace ulp::remote
