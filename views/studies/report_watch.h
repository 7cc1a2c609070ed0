#pragma once

#include <functional>
#include <map>

#include <QtCore/QFileSystemWatcher>
#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QTimer>

namespace ulp::views {

class Background;
class Messages;
class ReportSet;

/// Follows the files of the open reports. A report whose runs are not all finished is read again
/// whenever it has changed; for a complete one a message offers that. Lives on the GUI thread;
/// files are looked at in the background.
class ReportWatch : public QObject {
  Q_OBJECT

 public:
  /// While `isFollowed` holds, somebody else reads the newest state of what is open.
  ReportWatch(ReportSet& reports,
              Messages& messages,
              Background& background,
              std::function<bool()> isFollowed);

 private:
  /// File → size and time.
  using Stamps = std::map<QString, QString>;

  void follow();
  void sayWhatIsMissing();
  void look();
  void compare(const Stamps& stamps);

  ReportSet& m_reports;
  Messages& m_messages;
  Background& m_background;
  std::function<bool()> m_isFollowed;
  QFileSystemWatcher m_watcher;
  QTimer m_delay;
  QStringList m_files;
  Stamps m_stamps;  ///< of what is shown; a file without one has not been looked at yet
};

}  // namespace ulp::views
