#include "views/framework/threads/responsive_application.h"

#include <array>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include <QtCore/QLoggingCategory>
#include <QtCore/QMetaEnum>
#include <QtCore/QThread>
#include <QtWidgets/QLabel>

#include "core/base/error.h"

namespace ulp::views {
namespace {

Q_LOGGING_CATEGORY(responsiveness, "ulpscope.responsiveness")

constexpr double kNsPerMs = 1e6;

/// Keeps a label, or a tool tip, from taking names for markup: "<b>" in a name is no bold text.
void showLiterally(QObject& shown) {
  auto* const label = qobject_cast<QLabel*>(&shown);
  if (label != nullptr && label->textFormat() == Qt::AutoText) {
    label->setTextFormat(Qt::PlainText);
  }
}

/// "MouseButtonPress of QTableView"
QString nameOf(const QMetaObject& receiver, QEvent::Type type) {
  const char* name = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
  return QStringLiteral("%1 of %2")
      .arg(name != nullptr ? QLatin1String(name) : QStringLiteral("event %1").arg(type),
           QLatin1String(receiver.className()));
}

}  // namespace

ResponsiveApplication::ResponsiveApplication(int& argc, char** argv)
    : QApplication(argc, argv),
      m_statistics(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {
  // Qt has taken over the user's locale, and with its commas printf() writes files that nobody can
  // read. QLocale does not ask the C library.
  std::setlocale(LC_NUMERIC, "C");  // NOLINT(concurrency-mt-unsafe): before there are threads
}

ResponsiveApplication::~ResponsiveApplication() {
  if (m_statistics >= 0) {
    ::close(m_statistics);
  }
}

bool ResponsiveApplication::notify(QObject* receiver, QEvent* event) {
  if (event->type() == QEvent::Polish) {
    showLiterally(*receiver);
  }
  // In this order: the limit is the GUI thread's alone.
  if (QThread::currentThread() != thread() || std::isinf(m_limitMs)) {
    return handle(receiver, event);
  }
  const int level = QThread::currentThread()->loopLevel();
  if (m_now.isActive && level == m_now.loopLevel) {
    return handle(receiver, event);
  }
  // The receiver and the event may be gone when it has been handled.
  const QMetaObject* const meta = receiver->metaObject();
  const QEvent::Type type = event->type();
  m_now.hadLoop = m_now.isActive;
  Handling outer = std::exchange(
      m_now,
      Handling{
          .start = Clock::now(), .queuedNs = queuedNs(), .loopLevel = level, .isActive = true});
  const bool result = handle(receiver, event);
  const Handling handled = std::exchange(m_now, std::move(outer));
  if (!handled.hadLoop) {
    finish(handled, *meta, type);
  }
  return result;
}

bool ResponsiveApplication::handle(QObject* receiver, QEvent* event) {
  // Both may be gone when what handles the event throws.
  const QMetaObject* const meta = receiver->metaObject();
  const QEvent::Type type = event->type();
  try {
    return QApplication::notify(receiver, event);
  } catch (...) {
    const Error error = caughtError().whileDoing(nameOf(*meta, type).toStdString());
    Q_EMIT failed(QString::fromStdString(error.message()));
    return true;
  }
}

void ResponsiveApplication::nameWork(const QString& work) {
  if (auto* const application = qobject_cast<ResponsiveApplication*>(instance())) {
    application->m_now.name = work;
  }
}

void ResponsiveApplication::finish(const Handling& handled,
                                   const QMetaObject& receiver,
                                   QEvent::Type type) {
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - handled.start).count();
  if (ms <= m_limitMs) {
    return;
  }
  const double waited = static_cast<double>(queuedNs() - handled.queuedNs) / kNsPerMs;
  QString work = nameOf(receiver, type);
  if (!handled.name.isEmpty()) {
    work = QStringLiteral("%1: %2").arg(work, handled.name);
  }
  Q_EMIT stalled({.work = work, .ms = ms, .ownMs = ms - waited});
}

std::uint64_t ResponsiveApplication::queuedNs() const {
  std::array<char, 64> text{};
  if (m_statistics < 0 || ::pread(m_statistics, text.data(), text.size() - 1, 0) <= 0) {
    return 0;
  }
  // Time on a processor, time in the queue for one, number of turns.
  char* behindFirst = nullptr;
  std::strtoull(text.data(), &behindFirst, 10);
  return std::strtoull(behindFirst, nullptr, 10);
}

void logStall(const Stall& stall) {
  qCWarning(responsiveness).noquote()
      << QStringLiteral(
             "the window did not answer for %1 ms (%2 ms without waiting for a "
             "processor) while handling: %3")
             .arg(stall.ms, 0, 'f', 0)
             .arg(stall.ownMs, 0, 'f', 0)
             .arg(stall.work);
}

}  // namespace ulp::views
