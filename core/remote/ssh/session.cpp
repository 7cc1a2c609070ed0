#include "core/remote/ssh/session.h"

#include <chrono>
#include <map>
#include <utility>

#include "core/base/stop_pace.h"

namespace ulp::remote {

Result<Frame> Session::ask(const Frame& question) {
  // Who asked before may be waiting for what takes long to compute.
  constexpr std::chrono::milliseconds kLook{50};
  std::unique_lock lock(m_mutex, std::defer_lock);
  while (!lock.try_lock_for(kLook)) {
    if (currentStop().stop_requested()) {
      return stopped();
    }
  }
  constexpr int kTries = 2;
  for (int i = 1;; ++i) {
    const bool isNew = m_connection == nullptr;
    if (isNew) {
      // Numbers do not become smaller, and of text there is little.
      m_connection =
          ULP_TRY(Connection::open(m_host, {.program = m_program, .packing = Packing::AsItIs}));
    }
    auto answer = m_connection->ask(question);
    if (answer || answer.error().code() != ErrorCode::Io) {
      return answer;
    }
    // The connection may have been lost since it was used last; a host that cannot read a file says
    // the same as before.
    m_connection.reset();
    if (isNew || i == kTries) {
      return answer;
    }
  }
}

std::shared_ptr<Session> sharedSession(const Host& host, const std::string& program) {
  struct Sessions {
    std::mutex mutex;
    std::map<std::pair<std::string, std::string>, std::shared_ptr<Session>> all;
  };
  // Never taken down: ssh ends when this process does, and threads may ask until then.
  static Sessions& sessions = *new Sessions;
  const std::scoped_lock lock(sessions.mutex);
  std::shared_ptr<Session>& session = sessions.all[{host.destination, program}];
  if (session == nullptr) {
    session = std::make_shared<Session>(host, program);
  }
  return session;
}

}  // namespace ulp::remote
