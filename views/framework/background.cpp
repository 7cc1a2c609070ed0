#include "views/framework/background.h"

#include <QtCore/QMetaObject>

namespace ulp::views {

Background::Background(QObject* parent)
    : QObject(parent), m_thread([this](const std::stop_token& shutdown) { loop(shutdown); }) {}

Background::~Background() {
  const std::scoped_lock lock(m_mutex);
  m_queue.clear();
  m_running.request_stop();
  m_thread.request_stop();
}

void Background::post(const QString& tag, QObject* receiver, Work work) {
  dropQueued(tag);
  const std::uint64_t ticket = ++m_lastTicket;
  const bool wasBusy = isBusy(tag);
  m_expected[tag] = ticket;
  {
    const std::scoped_lock lock(m_mutex);
    m_queue.push_back({tag, ticket, receiver, std::move(work)});
  }
  m_wake.notify_one();
  if (!wasBusy) {
    Q_EMIT busyChanged(tag, true);
  }
}

void Background::cancel(const QString& tag) {
  dropQueued(tag);
  if (m_expected.erase(tag) > 0) {
    Q_EMIT busyChanged(tag, false);
  }
}

void Background::dropQueued(const QString& tag) {
  const std::scoped_lock lock(m_mutex);
  std::erase_if(m_queue, [&tag](const Entry& entry) { return entry.tag == tag; });
  if (m_runningTag == tag) {
    m_running.request_stop();
  }
}

void Background::loop(const std::stop_token& shutdown) {
  while (true) {
    Entry entry;
    std::stop_token token;
    {
      std::unique_lock lock(m_mutex);
      if (!m_wake.wait(lock, shutdown, [this] { return !m_queue.empty(); })) {
        return;
      }
      entry = std::move(m_queue.front());
      m_queue.pop_front();
      m_runningTag = entry.tag;
      m_running = std::stop_source();
      token = m_running.get_token();
    }
    Deliver deliver = entry.work(token);
    {
      const std::scoped_lock lock(m_mutex);
      m_runningTag.clear();
    }
    entry.work = nullptr;
    QMetaObject::invokeMethod(
        this,
        [this, entry = std::move(entry), deliver = std::move(deliver)] { arrive(entry, deliver); },
        Qt::QueuedConnection);
  }
}

void Background::arrive(const Entry& entry, const Deliver& deliver) {
  const auto expected = m_expected.find(entry.tag);
  if (expected == m_expected.end() || expected->second != entry.ticket) {
    return;
  }
  m_expected.erase(expected);
  if (entry.receiver != nullptr) {
    deliver();
  }
  if (!isBusy(entry.tag)) {
    Q_EMIT busyChanged(entry.tag, false);
  }
}

}  // namespace ulp::views
