#include "app/gui/start/first_frame.h"

#include <ctime>
#include <unistd.h>
#include <utility>

#include <QtCore/QEvent>
#include <QtCore/QFile>
#include <QtCore/QTimer>
#include <QtWidgets/QWidget>

namespace ulp::app {
namespace {

/// Fields of /proc/self/stat behind the command, which may hold spaces; the first is field 3.
QList<QByteArray> statFields() {
  QFile file(QStringLiteral("/proc/self/stat"));
  if (!file.open(QIODevice::ReadOnly)) {
    return {};
  }
  const QByteArray text = file.readAll();
  return text.mid(text.lastIndexOf(')') + 2).split(' ');
}

}  // namespace

FirstFrame::FirstFrame(QWidget& window, std::function<void()> shown)
    : QObject(&window), m_shown(std::move(shown)) {
  window.installEventFilter(this);
}

bool FirstFrame::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Paint && !m_painted) {
    m_painted = true;
    QTimer::singleShot(0, this, [this] { m_shown(); });
  }
  return QObject::eventFilter(watched, event);
}

double millisecondsSinceProcessStart() {
  constexpr int kStartTime = 22 - 3;
  const QList<QByteArray> fields = statFields();
  timespec now{};
  if (fields.size() <= kStartTime || clock_gettime(CLOCK_BOOTTIME, &now) != 0) {
    return -1;
  }
  const double started = fields[kStartTime].toDouble() / static_cast<double>(sysconf(_SC_CLK_TCK));
  return (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - started) *
         1000;
}

std::uint64_t residentBytes() {
  constexpr int kResident = 24 - 3;
  const QList<QByteArray> fields = statFields();
  return fields.size() <= kResident
             ? 0
             : fields[kResident].toULongLong() * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace ulp::app
