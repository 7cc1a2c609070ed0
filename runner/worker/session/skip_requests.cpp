#include "runner/worker/session/skip_requests.h"

#include <utility>

namespace ulp::worker {

void SkipRequests::ask(const std::string& run) {
  const std::lock_guard lock(m_mutex);
  if (!m_asked.insert(run).second) {
    return;
  }
  m_new.push_back(run);
  if (run == m_running) {
    m_stop.request_stop();
  }
}

bool SkipRequests::isAsked(std::string_view run) const {
  const std::lock_guard lock(m_mutex);
  return m_asked.contains(run);
}

std::vector<std::string> SkipRequests::takeNew() {
  const std::lock_guard lock(m_mutex);
  return std::exchange(m_new, {});
}

void SkipRequests::runBegins(const std::string& run, const std::stop_source& stop) {
  const std::lock_guard lock(m_mutex);
  m_running = run;
  m_stop = stop;
  if (m_asked.contains(run)) {
    m_stop.request_stop();
  }
}

void SkipRequests::runEnds() {
  const std::lock_guard lock(m_mutex);
  m_running.clear();
  m_stop = std::stop_source(std::nostopstate);
}

}  // namespace ulp::worker
