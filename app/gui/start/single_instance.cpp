#include "app/gui/start/single_instance.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QtCore/QCryptographicHash>
#include <QtCore/QDeadlineTimer>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QTimer>
#include <QtNetwork/QLocalServer>
#include <QtNetwork/QLocalSocket>

#include "app/gui/start/runtime_folder.h"

namespace ulp::app {
namespace {

constexpr int kPatienceMs = 1000;
constexpr qint64 kMessageLimit = 1 << 20;
constexpr char kDone[] = "ok\n";

/// One user may have several homes, each with settings of its own.
QString nameOfHome() {
  const QByteArray home = QDir::homePath().toUtf8();
  const QByteArray digest = QCryptographicHash::hash(home, QCryptographicHash::Sha256).toHex();
  return QStringLiteral("ulpscope-") + QString::fromLatin1(digest.left(16));
}

QString fileOf(const QString& name) {
  const auto folder = runtimeFolder();
  if (!folder) {
    qWarning("%s", folder.error().message().c_str());
    return {};
  }
  return QFile::decodeName((*folder / name.toStdString()).c_str());
}

bool isOfThisUser(const QLocalSocket& socket) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  const auto descriptor = static_cast<int>(socket.socketDescriptor());
  return ::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == ::geteuid();
}

}  // namespace

SingleInstance::SingleInstance(const QString& name, QObject* parent)
    : QObject(parent),
      m_socketFile(fileOf(name.isEmpty() ? nameOfHome() : name)),
      m_server(new QLocalServer(this)) {
  m_server->setSocketOptions(QLocalServer::UserAccessOption);
  connect(m_server, &QLocalServer::newConnection, this, &SingleInstance::answer);
}

SingleInstance::~SingleInstance() {
  // It takes its file away, which is another window's once the lock is given back.
  m_server->close();
}

bool SingleInstance::handOver(const QStringList& paths) const {
  if (m_socketFile.isEmpty()) {
    return false;
  }
  const QDeadlineTimer end(kPatienceMs);
  const auto left = [&end] { return static_cast<int>(end.remainingTime()); };
  QLocalSocket socket;
  socket.connectToServer(m_socketFile);
  if (!socket.waitForConnected(left()) || !isOfThisUser(socket)) {
    return false;
  }
  socket.write(QJsonDocument(QJsonArray::fromStringList(paths)).toJson(QJsonDocument::Compact) +
               '\n');
  while (socket.bytesToWrite() > 0) {
    if (!socket.waitForBytesWritten(left())) {
      return false;
    }
  }
  while (!socket.canReadLine()) {
    if (!socket.waitForReadyRead(left())) {
      return false;
    }
  }
  return socket.readLine() == kDone;
}

bool SingleInstance::listen() {
  if (m_socketFile.isEmpty()) {
    return false;
  }
  // The lock ends with its holder, however that ends; whoever gets it may take the socket away that
  // a window left behind when it crashed.
  const QByteArray lockFile = QFile::encodeName(m_socketFile) + ".lock";
  m_lock =
      FileDescriptor(::open(lockFile.constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!m_lock || ::flock(m_lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return false;
  }
  QLocalServer::removeServer(m_socketFile);
  if (!m_server->listen(m_socketFile)) {
    qWarning("%s: %s", qUtf8Printable(m_socketFile), qUtf8Printable(m_server->errorString()));
    m_lock = FileDescriptor();
    return false;
  }
  return true;
}

void SingleInstance::answer() {
  while (QLocalSocket* socket = m_server->nextPendingConnection()) {
    connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
    if (!isOfThisUser(*socket)) {
      socket->abort();
      continue;
    }
    socket->setReadBufferSize(kMessageLimit);
    connect(socket, &QLocalSocket::readyRead, this, [this, socket] { receive(*socket); });
    // Whoever says nothing is not waited for.
    QTimer::singleShot(kPatienceMs, socket, [socket] { socket->abort(); });
  }
}

void SingleInstance::receive(QLocalSocket& socket) {
  if (!socket.canReadLine()) {
    if (socket.bytesAvailable() >= kMessageLimit) {
      socket.abort();
    }
    return;
  }
  socket.disconnect(this);
  const QJsonDocument message = QJsonDocument::fromJson(socket.readLine());
  if (!message.isArray()) {
    socket.abort();
    return;
  }
  socket.write(kDone);
  socket.disconnectFromServer();
  QStringList paths;
  const QJsonArray items = message.array();
  for (const auto& item : items) {
    if (!item.toString().isEmpty()) {
      paths << item.toString();
    }
  }
  Q_EMIT received(paths);
}

}  // namespace ulp::app
