#pragma once

#include <QtCore/QObject>
#include <QtCore/QStringList>

#include "core/base/files/file_descriptor.h"

class QLocalServer;
class QLocalSocket;

namespace ulp::app {

/// Lets a second start with files hand them to the window that is open already. Both are of one
/// user: the socket lies where nobody else comes, and either side looks whose the other is.
class SingleInstance : public QObject {
  Q_OBJECT

 public:
  /// `name` tells apart what must not meet, such as tests; empty: that of the user's session.
  explicit SingleInstance(const QString& name = {}, QObject* parent = nullptr);
  ~SingleInstance() override;
  SingleInstance(const SingleInstance&) = delete;
  SingleInstance& operator=(const SingleInstance&) = delete;

  /// Asks the window that listens to open `paths`, absolute ones. False: there is none, or it does
  /// not answer within a second.
  [[nodiscard]] bool handOver(const QStringList& paths) const;
  /// From now on this window receives, until it is gone. False: another one does, or the user has
  /// no folder for sockets.
  bool listen();
  /// The socket's file; empty: there is no folder for it.
  [[nodiscard]] QString socketFile() const { return m_socketFile; }

 Q_SIGNALS:
  /// Empty: the window is only wanted in front.
  void received(const QStringList& paths);

 private:
  void answer();
  void receive(QLocalSocket& socket);

  QString m_socketFile;
  FileDescriptor m_lock;  ///< held by the window that listens
  QLocalServer* m_server;
};

}  // namespace ulp::app
