#pragma once

#include <functional>

#include <QtCore/QObject>

class QWidget;

namespace ulp::app {

/// Calls back once the window has been painted for the first time and the event loop has come
/// round again, that is when the user sees it and it listens.
class FirstFrame : public QObject {
  Q_OBJECT

 public:
  FirstFrame(QWidget& window, std::function<void()> shown);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  std::function<void()> m_shown;
  bool m_painted = false;
};

/// Milliseconds since the kernel started this process (resolution of the kernel's clock tick, 10 ms
/// on Linux); negative where the system does not say.
[[nodiscard]] double millisecondsSinceProcessStart();
/// Resident memory of this process in bytes; 0 where the system does not say.
[[nodiscard]] std::uint64_t residentBytes();

}  // namespace ulp::app
