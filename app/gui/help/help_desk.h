#pragma once

#include <functional>
#include <memory>

#include <QtCore/QObject>

#include "app/gui/help/help_library.h"

class QMainWindow;

namespace ulp::app {

class HelpWindow;
class Session;

/// Opens the documentation: at its start, at what has the keyboard, and for the tour of the
/// example. It is read in the background when it is first asked for.
class HelpDesk : public QObject {
  Q_OBJECT

 public:
  HelpDesk(QMainWindow& window, Session& session);

  /// Opens a document beside the contents.
  void openWhole(const HelpPlace& place);
  /// Opens the definition of the metric, or the section about the view, that is under the mouse or
  /// has the keyboard; else the guide.
  void openTopic();
  /// Opens the example, unless it is open, and the tour beside the window.
  void openTour();

 private:
  /// Calls `use` with the window, now or when the documentation has been read.
  void whenRead(std::function<void(HelpWindow&)> use);

  QMainWindow& m_window;
  Session& m_session;
  std::shared_ptr<const HelpLibrary> m_library;
  HelpWindow* m_help = nullptr;  ///< null: not read yet
};

}  // namespace ulp::app
