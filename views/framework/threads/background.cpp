#include "views/framework/threads/background.h"

#include <algorithm>
#include <string_view>

#include <QtCore/QMetaObject>
#include <QtCore/QRegularExpression>

#include "core/base/stop_scope.h"
#include "views/framework/threads/responsive_application.h"

namespace ulp::views {
namespace {

constexpr int kThreads = 3;

/// What the exception means that is being handled.
QString caughtProblem(std::string_view doing) {
  return QString::fromStdString(caughtError().whileDoing(doing).message());
}

}  // namespace

QString workTagOf(const void* owner, const char* what) {
  return QStringLiteral("%1-%2").arg(QLatin1String(what)).arg(reinterpret_cast<quintptr>(owner));
}

std::string Background::nameOf(const QString& tag) {
  static const QRegularExpression kOwner(QStringLiteral("[-/]\\d+$"));
  return QString(tag).remove(kOwner).toStdString();
}

Background::Background(QObject* parent) : QObject(parent) {
  m_threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    m_threads.emplace_back([this](const std::stop_token& shutdown) { loop(shutdown); });
  }
}

Background::~Background() {
  const std::scoped_lock lock(m_mutex);
  std::erase_if(m_queue, [](const Entry& entry) { return entry.kind != Kind::Saving; });
  for (auto& [ticket, running] : m_running) {
    running.second.request_stop();
  }
  for (std::jthread& thread : m_threads) {
    thread.request_stop();
  }
}

void Background::post(const QString& tag, QObject* receiver, Work work, Kind kind) {
  dropQueued(tag);
  const std::uint64_t ticket = ++m_lastTicket;
  const bool wasBusy = isBusy(tag);
  m_expected[tag] = ticket;
  {
    const std::scoped_lock lock(m_mutex);
    m_queue.push_back({tag, ticket, receiver, std::move(work), kind});
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
  for (auto& [ticket, running] : m_running) {
    if (running.first == tag) {
      running.second.request_stop();
    }
  }
}

void Background::loop(const std::stop_token& shutdown) {
  while (true) {
    Entry entry;
    std::stop_token token;
    {
      std::unique_lock lock(m_mutex);
      if (!m_wake.wait(lock, shutdown, [this] { return nextStartable() != m_queue.end(); })) {
        return;
      }
      const auto next = nextStartable();
      entry = std::move(*next);
      m_queue.erase(next);
      std::stop_source stop;
      token = stop.get_token();
      m_running.emplace(entry.ticket, std::make_pair(entry.tag, std::move(stop)));
    }
    Work work = std::exchange(entry.work, nullptr);
    Deliver deliver = outcome(entry, work, token);
    {
      const std::scoped_lock lock(m_mutex);
      m_running.erase(entry.ticket);
    }
    // What waits may have waited for this tag.
    m_wake.notify_all();
    work = nullptr;
    QMetaObject::invokeMethod(
        this,
        [this, entry = std::move(entry), deliver = std::move(deliver)] { arrive(entry, deliver); },
        Qt::QueuedConnection);
  }
}

Background::Deliver Background::outcome(const Entry& entry,
                                        const Work& work,
                                        const std::stop_token& stop) {
  const StopScope scope(stop);
  try {
    return work(stop, [this, &entry](Deliver news) { publish(entry, std::move(news)); });
  } catch (...) {
    return [this, tag = entry.tag, problem = caughtProblem(nameOf(entry.tag))] {
      Q_EMIT failed(tag, problem);
    };
  }
}

std::deque<Background::Entry>::iterator Background::nextStartable() {
  return std::ranges::find_if(m_queue, [this](const Entry& entry) {
    return std::ranges::none_of(
        m_running, [&entry](const auto& running) { return running.second.first == entry.tag; });
  });
}

bool Background::isExpected(const Entry& entry) const {
  const auto expected = m_expected.find(entry.tag);
  return expected != m_expected.end() && expected->second == entry.ticket;
}

void Background::publish(const Entry& entry, Deliver deliver) {
  QMetaObject::invokeMethod(
      this,
      [this, entry, deliver = std::move(deliver)] {
        if (isExpected(entry)) {
          show(entry, deliver);
        }
      },
      Qt::QueuedConnection);
}

void Background::arrive(const Entry& entry, const Deliver& deliver) {
  if (!isExpected(entry)) {
    return;
  }
  m_expected.erase(entry.tag);
  show(entry, deliver);
  if (!isBusy(entry.tag)) {
    Q_EMIT busyChanged(entry.tag, false);
  }
}

void Background::show(const Entry& entry, const Deliver& deliver) {
  if (entry.receiver == nullptr) {
    return;
  }
  ResponsiveApplication::nameWork(entry.tag);
  try {
    deliver();
  } catch (...) {
    Q_EMIT failed(entry.tag, caughtProblem(nameOf(entry.tag)));
  }
}

}  // namespace ulp::views
