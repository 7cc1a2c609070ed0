#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "core/base/result.h"
#include "core/remote/ssh/connection.h"

namespace ulp::remote {

/// Asks a host again and again, through one connection that is made when it is needed, and again
/// after it was lost. Thread-safe; who asks waits for who asked before.
class Session {
 public:
  explicit Session(Host host, std::string program = {})
      : m_host(std::move(host)), m_program(std::move(program)) {}

  /// Errors: those of Connection::open() and ask(); Cancelled (currentStop()).
  [[nodiscard]] Result<Frame> ask(const Frame& question);
  [[nodiscard]] const Host& host() const { return m_host; }

 private:
  Host m_host;
  std::string m_program;
  std::timed_mutex m_mutex;
  std::unique_ptr<Connection> m_connection;
};

/// The one of this process for a host. It stays open, so that a password is asked for once.
[[nodiscard]] std::shared_ptr<Session> sharedSession(const Host& host,
                                                     const std::string& program = {});

}  // namespace ulp::remote
