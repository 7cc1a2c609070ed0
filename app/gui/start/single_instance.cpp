#include "app/gui/start/single_instance.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QDir>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtNetwork/QLocalServer>
#include <QtNetwork/QLocalSocket>

namespace ulp::app {
namespace {

constexpr int kPatienceMs = 1000;
constexpr qint64 kMessageLimit = 1 << 20;
constexpr char kDone[] = "ok\n";

/// Sockets share one folder with those of other users; the home tells them apart.
QString usersName() {
  const QByteArray home = QDir::homePath().toUtf8();
  const QByteArray digest = QCryptographicHash::hash(home, QCryptographicHash::Sha256).toHex();
  return QStringLiteral("ulpscope-") + QString::fromLatin1(digest.left(16));
}

}  // namespace

SingleInstance::SingleInstance(const QString& name, QObject* parent)
    : QObject(parent),
      m_name(name.isEmpty() ? usersName() : name),
      m_server(new QLocalServer(this)) {
  m_server->setSocketOptions(QLocalServer::UserAccessOption);
  connect(m_server, &QLocalServer::newConnection, this, &SingleInstance::answer);
}

bool SingleInstance::handOver(const QStringList& paths) const {
  QLocalSocket socket;
  socket.connectToServer(m_name);
  if (!socket.waitForConnected(kPatienceMs)) {
    return false;
  }
  socket.write(QJsonDocument(QJsonArray::fromStringList(paths)).toJson(QJsonDocument::Compact) +
               '\n');
  if (!socket.waitForBytesWritten(kPatienceMs)) {
    return false;
  }
  while (!socket.canReadLine()) {
    if (!socket.waitForReadyRead(kPatienceMs)) {
      return false;
    }
  }
  return socket.readLine() == kDone;
}

bool SingleInstance::listen() {
  // Listening would take the name from whoever has it.
  QLocalSocket probe;
  probe.connectToServer(m_name);
  if (probe.waitForConnected(kPatienceMs)) {
    return false;
  }
  // A window that crashed leaves its socket behind.
  QLocalServer::removeServer(m_name);
  return m_server->listen(m_name);
}

void SingleInstance::answer() {
  QLocalSocket* socket = m_server->nextPendingConnection();
  socket->setReadBufferSize(kMessageLimit);
  connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
  connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
    if (!socket->canReadLine()) {
      if (socket->bytesAvailable() >= kMessageLimit) {
        socket->abort();
      }
      return;
    }
    const QJsonDocument message = QJsonDocument::fromJson(socket->readLine());
    if (!message.isArray()) {
      socket->abort();
      return;
    }
    socket->write(kDone);
    socket->disconnectFromServer();
    QStringList paths;
    const QJsonArray items = message.array();
    for (const auto& item : items) {
      if (!item.toString().isEmpty()) {
        paths << item.toString();
      }
    }
    Q_EMIT received(paths);
  });
}

}  // namespace ulp::app
