#include "views/framework/threads/background.h"

#include <algorithm>
#include <string_view>

#include <QtCore/QMetaObject>

#include "core/base/handed_over.h"
#include "core/base/result.h"
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
  return QStringLiteral("%1#%2").arg(QLatin1String(what)).arg(reinterpret_cast<quintptr>(owner));
}

std::string Background::nameOf(const QString& tag) {
  return tag.section(QLatin1Char('#'), 0, 0).toStdString();
}

Background::Background(QObject* parent, std::chrono::milliseconds patience)
    : QObject(parent), m_patience(patience), m_shared(std::make_shared<Shared>()) {
  m_shared->owner = this;
  for (int i = 0; i < kThreads; ++i) {
    addThread();
  }
}

void Background::addThread() {
  m_threads.emplace_back(
      [shared = m_shared](const std::stop_token& shutdown) { Shared::loop(shared, shutdown); });
}

Background::~Background() {
  const auto end = std::chrono::steady_clock::now() + m_patience;
  std::unique_lock lock(m_shared->mutex);
  m_shared->owner = nullptr;
  std::erase_if(m_shared->queue, [](const Entry& entry) { return entry.kind != Kind::Saving; });
  for (auto& [ticket, running] : m_shared->running) {
    if (running.first.kind != Kind::Saving) {
      running.second.request_stop();
    }
  }
  if (m_shared->isSaving()) {
    // All threads may be held up by what hangs.
    static_cast<void>(guarded([this] { addThread(); }));
  }
  m_shared->ended.wait(lock, [this] { return !m_shared->isSaving(); });
  const bool isOver =
      m_shared->ended.wait_until(lock, end, [this] { return m_shared->running.empty(); });
  lock.unlock();
  for (std::jthread& thread : m_threads) {
    thread.request_stop();
    if (!isOver) {
      thread.detach();
    }
  }
}

void Background::post(const QString& tag, QObject* receiver, Work work, Kind kind) {
  dropQueued(tag);
  const std::uint64_t ticket = ++m_lastTicket;
  const bool wasBusy = isBusy(tag);
  m_expected[tag] = {ticket, receiver};
  {
    const std::scoped_lock lock(m_shared->mutex);
    m_shared->queue.push_back({tag, ticket, std::move(work), kind});
  }
  m_shared->wake.notify_one();
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
  const std::scoped_lock lock(m_shared->mutex);
  std::erase_if(m_shared->queue, [&tag](const Entry& entry) { return entry.tag == tag; });
  for (auto& [ticket, running] : m_shared->running) {
    if (running.first.tag == tag) {
      running.second.request_stop();
    }
  }
}

void Background::Shared::loop(const std::shared_ptr<Shared>& shared,
                              const std::stop_token& shutdown) {
  while (true) {
    Entry entry;
    Work work;
    std::stop_token token;
    {
      std::unique_lock lock(shared->mutex);
      const auto hasWork = [&] { return shared->nextStartable() != shared->queue.end(); };
      if (!shared->wake.wait(lock, shutdown, hasWork)) {
        return;
      }
      const auto next = shared->nextStartable();
      entry = std::move(*next);
      shared->queue.erase(next);
      work = std::exchange(entry.work, nullptr);
      std::stop_source stop;
      token = stop.get_token();
      shared->running.emplace(entry.ticket, std::make_pair(entry, std::move(stop)));
    }
    Deliver deliver = shared->outcome(entry, work, token);
    {
      const std::scoped_lock lock(shared->mutex);
      shared->running.erase(entry.ticket);
    }
    // What waits may have waited for this tag.
    shared->wake.notify_all();
    shared->ended.notify_all();
    work = nullptr;
    shared->toOwner([entry = std::move(entry), deliver = std::move(deliver)](Background& owner) {
      owner.arrive(entry, deliver);
    });
  }
}

Background::Deliver Background::Shared::outcome(const Entry& entry,
                                                const Work& work,
                                                const std::stop_token& stop) {
  const StopScope scope(stop);
  try {
    return work(stop, [&](Deliver news) {
      toOwner([entry, news = std::move(news)](Background& to) {
        if (const Expected* expected = to.findExpected(entry)) {
          to.show(entry, expected->receiver, news);
        }
      });
    });
  } catch (...) {
    return [this, tag = entry.tag, problem = caughtProblem(nameOf(entry.tag))] {
      Q_EMIT owner->failed(tag, problem);
    };
  }
}

std::deque<Background::Entry>::iterator Background::Shared::nextStartable() {
  return std::ranges::find_if(queue, [this](const Entry& entry) {
    return std::ranges::none_of(
        running, [&entry](const auto& other) { return other.second.first.tag == entry.tag; });
  });
}

bool Background::Shared::isSaving() const {
  const auto saves = [](const Entry& entry) { return entry.kind == Kind::Saving; };
  return std::ranges::any_of(queue, saves) || std::ranges::any_of(running, [&](const auto& one) {
           const auto& [entry, stop] = one.second;
           return saves(entry) && !stop.stop_requested();
         });
}

void Background::Shared::toOwner(std::function<void(Background&)> arrived) {
  const std::scoped_lock lock(mutex);
  if (owner != nullptr) {
    QMetaObject::invokeMethod(
        owner,
        HandedOver([to = owner, arrived = std::move(arrived)] { arrived(*to); }),
        Qt::QueuedConnection);
  }
}

const Background::Expected* Background::findExpected(const Entry& entry) const {
  const auto found = m_expected.find(entry.tag);
  return found != m_expected.end() && found->second.ticket == entry.ticket ? &found->second
                                                                           : nullptr;
}

void Background::arrive(const Entry& entry, const Deliver& deliver) {
  const Expected* expected = findExpected(entry);
  if (expected == nullptr) {
    return;
  }
  const QPointer<QObject> receiver = expected->receiver;
  m_expected.erase(entry.tag);
  show(entry, receiver, deliver);
  if (!isBusy(entry.tag)) {
    Q_EMIT busyChanged(entry.tag, false);
  }
}

void Background::show(const Entry& entry, const QObject* receiver, const Deliver& deliver) {
  if (receiver == nullptr) {
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
