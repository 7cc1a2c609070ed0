#include "core/remote/ssh/ssh_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "core/base/processes/pipe.h"
#include "core/base/processes/started_program.h"
#include "core/base/text/visible_text.h"

namespace ulp::remote {
namespace {

/// Of standard error.
constexpr std::size_t kKeptMessages = 4096;
/// With which ssh ends when it could not connect, or lost the connection.
constexpr int kSshFailed = 255;

void becomeNonBlocking(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

std::string sshProgram() {
  const char* named = std::getenv("ULP_SSH");  // NOLINT(concurrency-mt-unsafe): never set by us
  return named == nullptr || *named == '\0' ? "ssh" : named;
}

/// How ssh asks for passwords and whether a host is the right one: at the terminal, or where
/// $ULP_ASKPASS names a program, by that. The window names itself so, as nobody looks at the
/// terminal that it was started from. A program of the user's own comes first.
std::vector<std::pair<std::string, std::string>> variablesOfSsh() {
  const char* ours = std::getenv("ULP_ASKPASS");    // NOLINT(concurrency-mt-unsafe): never set here
  const char* theirs = std::getenv("SSH_ASKPASS");  // NOLINT(concurrency-mt-unsafe): as above
  if (ours == nullptr || *ours == '\0') {
    return {};
  }
  if (theirs != nullptr && *theirs != '\0') {
    return {{"SSH_ASKPASS_REQUIRE", "force"}};
  }
  return {{"SSH_ASKPASS_REQUIRE", "force"}, {"SSH_ASKPASS", ours}, {kAskingVariable, "1"}};
}

struct KnownProblem {
  std::string_view said;  ///< by ssh
  ErrorCode code;         ///< Io: another try may help
  std::string_view remedy;
};

constexpr std::array kKnownProblems{
    KnownProblem{"Host key verification failed",
                 ErrorCode::InvalidArgument,
                 "connect once with `ssh {}` in a terminal and compare the key of the host with "
                 "what its administrator says, or answer yes where this is asked"},
    KnownProblem{"REMOTE HOST IDENTIFICATION HAS CHANGED",
                 ErrorCode::InvalidArgument,
                 "the key of the host is another one than before: ask its administrator, then "
                 "remove the old one with `ssh-keygen -R`"},
    KnownProblem{"Permission denied",
                 ErrorCode::Io,
                 "no key and no password was accepted: try `ssh {}` in a terminal, add the key "
                 "with ssh-add, or name it in ~/.ssh/config"},
    KnownProblem{"Too many authentication failures",
                 ErrorCode::Io,
                 "name the one key with IdentityFile and IdentitiesOnly in ~/.ssh/config"},
    KnownProblem{"Could not resolve hostname",
                 ErrorCode::Io,
                 "check the name, the network and ~/.ssh/config; try `ssh {}` in a terminal"},
    KnownProblem{"Connection refused",
                 ErrorCode::Io,
                 "nothing answers at that port: is the machine up, and its ssh server running?"},
    KnownProblem{
        "No route to host", ErrorCode::Io, "check the network and whether the machine is up"},
    KnownProblem{"timed out", ErrorCode::Io, "check the network and whether the machine is up"},
    KnownProblem{
        "Bad configuration option", ErrorCode::InvalidArgument, "correct the configuration of ssh"},
};

std::string lastLines(std::string_view messages) {
  std::string text(messages);
  std::erase(text, '\r');  // ssh ends its lines as a terminal does
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
    text.pop_back();
  }
  return visibleText(text);
}

}  // namespace

std::vector<std::string> SshProcess::words(const Host& host,
                                           const std::string& command,
                                           Packing packing) {
  return {sshProgram(),
          "-T",
          "-o",
          "RemoteCommand=none",
          "-o",
          "ClearAllForwardings=yes",
          "-o",
          "ConnectTimeout=20",
          "-o",
          "ServerAliveInterval=10",
          "-o",
          "ServerAliveCountMax=3",
          "-o",
          fmt::format("Compression={}", packing == Packing::Packed ? "yes" : "no"),
          "--",
          host.destination,
          command};
}

Result<std::unique_ptr<SshProcess>> SshProcess::start(const Host& host,
                                                      const std::string& command,
                                                      Packing packing) {
  Pipe input = ULP_TRY(makePipe("ssh"));
  Pipe output = ULP_TRY(makePipe("ssh"));
  Pipe errors = ULP_TRY(makePipe("ssh"));
  const ProgramPlan plan{.words = words(host, command, packing),
                         .variables = variablesOfSsh(),
                         .isDeafToTerminal = true,
                         .input = input.reading.get(),
                         .output = output.writing.get(),
                         .errors = errors.writing.get()};
  const auto child = startProgram(plan);
  if (!child && child.error().code() == ErrorCode::NotFound) {
    return fail(ErrorCode::NotFound,
                plan.words.front() + ": was not found; install the OpenSSH client");
  }
  std::unique_ptr<SshProcess> made(new SshProcess(host));
  made->m_pid = ULP_TRY(child);
  made->m_input = std::move(input.writing);
  made->m_output = std::move(output.reading);
  made->m_errors = std::move(errors.reading);
  for (const FileDescriptor* each : {&made->m_input, &made->m_output, &made->m_errors}) {
    becomeNonBlocking(each->get());
  }
  return made;
}

SshProcess::~SshProcess() {
  if (m_pid > 0) {
    // Whoever lets go of it may be the window, which waits for nobody.
    ::kill(m_pid, SIGKILL);
    static_cast<void>(end());
  }
}

int SshProcess::end() {
  if (m_pid <= 0) {
    return m_status;
  }
  // It may have ended by itself, which says more than our signal.
  constexpr int kGlances = 20;
  constexpr useconds_t kGlanceMicroseconds = 10'000;
  static_cast<void>(m_input.close());
  pid_t ended = 0;
  for (int i = 0; i < kGlances && ended == 0; ++i) {
    ended = ::waitpid(m_pid, &m_status, WNOHANG);
    if (ended == 0) {
      ::usleep(kGlanceMicroseconds);
    }
  }
  if (ended == 0) {
    ::kill(m_pid, SIGKILL);
    while (::waitpid(m_pid, &m_status, 0) < 0 && errno == EINTR) {
    }
  }
  m_pid = -1;
  return m_status;
}

void SshProcess::readMessages() {
  std::array<char, 4096> piece{};
  ssize_t size = 0;
  while ((size = ::read(m_errors.get(), piece.data(), piece.size())) > 0) {
    m_messages.append(piece.data(), static_cast<std::size_t>(size));
  }
  if (m_messages.size() > kKeptMessages) {
    m_messages.erase(0, m_messages.size() - kKeptMessages);
  }
}

Error SshProcess::problem() {
  readMessages();
  const int status = end();
  readMessages();
  return sshProblem(m_host, WIFEXITED(status) ? WEXITSTATUS(status) : kSshFailed, m_messages);
}

Error sshProblem(const Host& host, int exitCode, std::string_view messages) {
  const std::string said = lastLines(messages);
  const std::string& name = host.destination;
  if (exitCode == kNoProgramCode) {
    return {ErrorCode::NotFound,
            fmt::format("{}: there is no Ulpscope; copy it there with --install, or say with "
                        "--host-program where its ulpscope-cli is",
                        name)};
  }
  for (const KnownProblem& known : kKnownProblems) {
    if (exitCode == kSshFailed && said.find(known.said) != std::string::npos) {
      return {known.code,
              fmt::format("{}: {}; {}", name, said, fmt::format(fmt::runtime(known.remedy), name))};
    }
  }
  if (exitCode == kSshFailed) {
    return {ErrorCode::Io,
            fmt::format("{}: the connection was lost{}{}", name, said.empty() ? "" : ": ", said)};
  }
  return {ErrorCode::Io,
          fmt::format("{}: ulpscope-cli ended there with exit code {}{}{}",
                      name,
                      exitCode,
                      said.empty() ? "" : ": ",
                      said)};
}

}  // namespace ulp::remote
