#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"
#include "core/remote/hosts/host.h"

namespace ulp::remote {

/// Whether what goes through is packed by ssh: text becomes small, numbers do not.
enum class Packing : std::uint8_t { Packed, AsItIs };

/// The user's own `ssh` ($ULP_SSH names another one), which runs a command on a host. It asks for
/// passwords by itself, at the terminal or by $SSH_ASKPASS, and takes no signal of the terminal:
/// Ctrl-C is for this process to answer. Ends with this object.
class SshProcess {
 public:
  /// `command` is for the shell of the host. Errors: NotFound (no ssh), Io.
  [[nodiscard]] static Result<std::unique_ptr<SshProcess>> start(const Host& host,
                                                                 const std::string& command,
                                                                 Packing packing);
  ~SshProcess();
  SshProcess(const SshProcess&) = delete;
  SshProcess& operator=(const SshProcess&) = delete;

  /// Ends of pipes to its standard streams; none of them blocks.
  [[nodiscard]] int input() const { return m_input.get(); }
  [[nodiscard]] int output() const { return m_output.get(); }
  /// Nothing more comes to its standard input.
  void closeInput() { static_cast<void>(m_input.close()); }
  /// Takes what it has written to standard error so far, of which the end is kept for problem().
  void readMessages();
  /// Ends it, and says why it, or the command, ended before: Io where another try may help, else
  /// what a user has to do something about.
  [[nodiscard]] Error problem();

  /// Arguments of ssh, for tests.
  [[nodiscard]] static std::vector<std::string> words(const Host& host,
                                                      const std::string& command,
                                                      Packing packing);

 private:
  explicit SshProcess(Host host) : m_host(std::move(host)) {}
  [[nodiscard]] int end();

  Host m_host;
  pid_t m_pid = -1;
  int m_status = 0;
  FileDescriptor m_input;
  FileDescriptor m_output;
  FileDescriptor m_errors;
  std::string m_messages;
};

/// What the end of ssh means: its exit code and what it wrote to standard error.
[[nodiscard]] Error sshProblem(const Host& host, int exitCode, std::string_view messages);

/// Of the environment of ssh: what asks for it is this program, see $ULP_ASKPASS.
inline constexpr const char* kAskingVariable = "ULP_ASKING";

/// Exit code of our command on a host that has no Ulpscope.
inline constexpr int kNoProgramCode = 91;

}  // namespace ulp::remote
