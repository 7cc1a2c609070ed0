#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

#include <QtCore/QEvent>
#include <QtCore/QString>
#include <QtWidgets/QApplication>

namespace ulp::views {

/// One event that took long: until it was handled, the window answered to nothing else.
struct Stall {
  QString work;      ///< "MouseButtonPress of QTableView", "Background result load-bookmarks"
  double ms = 0;     ///< until the GUI thread came back to its event loop
  double ownMs = 0;  ///< the same without the time that it waited for a processor
};

/// The application object of every program that shows or draws something. Whatever the user's
/// locale, the C library writes and reads numbers with points. Labels, message boxes and tool tips
/// show text as it is, unless they were told that it is rich.
///
/// It times every event that the GUI thread handles. Events inside an
/// event belong to it; an event that runs an event loop of its own (a modal dialog, dragging) is
/// not timed, those of that loop are. What is called without an event (before exec(), in the body
/// of a test) is not seen. What handling an event throws, in whichever thread, ends the handling of
/// that event alone.
class ResponsiveApplication : public QApplication {
  Q_OBJECT

 public:
  ResponsiveApplication(int& argc, char** argv);
  ~ResponsiveApplication() override;
  ResponsiveApplication(const ResponsiveApplication&) = delete;
  ResponsiveApplication& operator=(const ResponsiveApplication&) = delete;

  /// From now on stalled() follows every event of more than `limitMs` (Stall::ms).
  void watch(double limitMs) { m_limitMs = limitMs; }
  bool notify(QObject* receiver, QEvent* event) override;
  /// Says what the event that is handled now is about, where the receiver does not tell. Does
  /// nothing in a program with another application object. GUI thread only.
  static void nameWork(const QString& work);

 Q_SIGNALS:
  void stalled(const ulp::views::Stall& stall);
  /// Handling an event threw; emitted in the thread that handled it. `problem` names the event.
  void failed(const QString& problem);

 private:
  using Clock = std::chrono::steady_clock;
  struct Handling {
    Clock::time_point start;
    std::uint64_t queuedNs = 0;  ///< that the thread had waited for a processor by then
    int loopLevel = 0;
    bool isActive = false;
    bool hadLoop = false;
    QString name;
  };

  /// QApplication::notify() behind a barrier.
  bool handle(QObject* receiver, QEvent* event);
  void finish(const Handling& handled, const QMetaObject& receiver, QEvent::Type type);
  [[nodiscard]] std::uint64_t queuedNs() const;

  double m_limitMs = std::numeric_limits<double>::infinity();
  Handling m_now;
  int m_statistics = -1;  ///< file descriptor of the scheduler's counts; -1: the system has none
};

/// Writes stalls to the log (category "ulpscope.responsiveness").
void logStall(const Stall& stall);

}  // namespace ulp::views
