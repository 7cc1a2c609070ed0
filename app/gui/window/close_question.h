#pragma once

#include <QtCore/QObject>
#include <QtCore/QString>

class QMessageBox;
class QWidget;

namespace ulp::app {

class Session;

/// Asks before the window closes over work that goes on or edits that are not saved. Each is asked
/// about once: after a yes the window closes by itself.
class CloseQuestion : public QObject {
  Q_OBJECT

 public:
  CloseQuestion(QWidget& window, Session& session);

  /// Returns whether the window may close now; otherwise a question is on the screen.
  [[nodiscard]] bool mayClose();

 private:
  /// Says what closing the window would end or lose of what runs and waits; empty: nothing.
  [[nodiscard]] QString workText() const;
  /// Says what it would lose of what the user has edited; empty: nothing.
  [[nodiscard]] QString editsText() const;
  void ask(const QString& text, const QString& proceed, bool& isConfirmed);
  void askAboutEdits(const QString& text);
  QMessageBox* makeBox(const QString& text);
  /// Tries again to close the window, once the question is gone.
  void closeSoon();

  QWidget& m_window;
  Session& m_session;
  bool m_isStopConfirmed = false;
  bool m_isDiscardConfirmed = false;
};

}  // namespace ulp::app
