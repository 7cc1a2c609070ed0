#pragma once

#include <QtCore/QObject>
#include <QtCore/QStringList>

class QLocalServer;

namespace ulp::app {

/// Lets a second start with files hand them to the window that is open already. Only the same user
/// can reach it.
class SingleInstance : public QObject {
  Q_OBJECT

 public:
  /// `name` tells apart what must not meet, such as tests; empty: that of the user's session.
  explicit SingleInstance(const QString& name = {}, QObject* parent = nullptr);

  /// Asks the window that listens to open `paths`, absolute ones. False: there is none, or it does
  /// not answer within a second.
  [[nodiscard]] bool handOver(const QStringList& paths) const;
  /// From now on this window receives. False: another one does.
  bool listen();

 Q_SIGNALS:
  /// Empty: the window is only wanted in front.
  void received(const QStringList& paths);

 private:
  void answer();

  QString m_name;
  QLocalServer* m_server;
};

}  // namespace ulp::app
