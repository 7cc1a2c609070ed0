#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/remote/hosts/host.h"
#include "core/remote/protocol/frame.h"
#include "core/remote/ssh/ssh_process.h"

namespace ulp::remote {

struct ConnectOptions {
  std::string program{};  ///< ulpscope-cli on the host; empty: looked for
  Packing packing = Packing::Packed;
  int wake = -1;  ///< a descriptor: once it can be read, waiting ends with Cancelled
};

/// The command for the shell of a host that becomes its side of a connection.
[[nodiscard]] std::string serveCommand(const std::string& program);

/// Speaks with the `ulpscope-cli serve` of a host. For one thread, which may be told to stop
/// (currentStop()). Errors of all: Io, the connection is lost and another may succeed; others of
/// SshProcess::problem(); Cancelled.
class Connection {
 public:
  /// Waits for what ssh asks the user, and for the host's greeting. Errors: those above; NotFound,
  /// the host has no Ulpscope; Unsupported, one of another protocol.
  [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const Host& host,
                                                                ConnectOptions options = {});

  /// Sends a question and waits for its answer, which may be an error of the host.
  [[nodiscard]] Result<Frame> ask(Frame question);
  /// Waits for something that the host says by itself; nothing: the time is over.
  [[nodiscard]] Result<std::optional<Frame>> receive(std::chrono::milliseconds patience);

  [[nodiscard]] const Host& host() const { return m_host; }
  /// Of Ulpscope on the host.
  [[nodiscard]] const std::string& version() const { return m_version; }
  /// The name that the host gives itself.
  [[nodiscard]] const std::string& machine() const { return m_machine; }

 private:
  Connection(Host host, ConnectOptions options)
      : m_host(std::move(host)), m_options(std::move(options)) {}
  [[nodiscard]] Result<> start();
  /// Writes what waits and reads what comes, for so long at most.
  [[nodiscard]] Result<> exchange(std::chrono::milliseconds patience);
  [[nodiscard]] Result<> readOutput();
  [[nodiscard]] Result<> writeInput();
  [[nodiscard]] Result<bool> takeGreeting();

  Host m_host;
  ConnectOptions m_options;
  std::unique_ptr<SshProcess> m_ssh;
  std::string m_before;  ///< what came before the greeting
  bool m_isGreeted = false;
  FrameReader m_reader;
  std::deque<Frame> m_said;  ///< by the host by itself
  std::string m_waiting;     ///< bytes to be written
  std::uint64_t m_questions = 0;
  std::string m_version;
  std::string m_machine;
};

}  // namespace ulp::remote
