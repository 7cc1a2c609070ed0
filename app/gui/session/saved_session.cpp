#include "app/gui/session/saved_session.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>

#include "runner/queue/job_request_json.h"
#include "views/framework/document/selection_json.h"

namespace ulp::app {
namespace {

QString formatKey() {
  return QStringLiteral("format");
}
QString formatName() {
  return QStringLiteral("ulpscope.session/1");
}
QString geometryKey() {
  return QStringLiteral("geometry");
}
QString layoutKey() {
  return QStringLiteral("layout");
}
QString layoutVersionKey() {
  return QStringLiteral("layout_version");
}
QString viewsKey() {
  return QStringLiteral("views");
}
QString reportKey() {
  return QStringLiteral("report");
}
QString besideKey() {
  return QStringLiteral("beside");
}
QString tabsKey() {
  return QStringLiteral("tabs");
}
QString layoutsKey() {
  return QStringLiteral("layouts");
}
QString stateKey() {
  return QStringLiteral("state");
}
QString linkedKey() {
  return QStringLiteral("linked");
}
QString studyKey() {
  return QStringLiteral("study");
}
QString waitingKey() {
  return QStringLiteral("waiting");
}
QString selectionKey() {
  return QStringLiteral("selection");
}

QString toText(const QByteArray& bytes) {
  return QString::fromLatin1(bytes.toBase64());
}
QByteArray toBytes(const QJsonValue& text) {
  return QByteArray::fromBase64(text.toString().toLatin1());
}

QJsonObject toJson(const std::map<QString, SavedLayout>& layouts) {
  QJsonObject json;
  for (const auto& [name, layout] : layouts) {
    json[name] = QJsonObject{{stateKey(), toText(layout.state)},
                             {tabsKey(), QJsonArray::fromStringList(layout.tabs)}};
  }
  return json;
}

QStringList toList(const QJsonValue& json) {
  QStringList texts;
  const QJsonArray items = json.toArray();
  for (const auto& item : items) {
    texts << item.toString();
  }
  texts.removeAll(QString());
  return texts;
}

}  // namespace

QByteArray toJson(const SavedSession& session) {
  QJsonObject states;
  for (const auto& [id, state] : session.viewStates) {
    if (!state.isEmpty()) {
      states[id] = state;
    }
  }
  return QJsonDocument(QJsonObject{{formatKey(), formatName()},
                                   {geometryKey(), toText(session.geometry)},
                                   {layoutKey(), toText(session.layout)},
                                   {layoutVersionKey(), kLayoutVersion},
                                   {viewsKey(), states},
                                   {reportKey(), session.report},
                                   {besideKey(), QJsonArray::fromStringList(session.beside)},
                                   {tabsKey(), QJsonArray::fromStringList(session.tabs)},
                                   {linkedKey(), QJsonArray::fromStringList(session.linked)},
                                   {layoutsKey(), toJson(session.layouts)},
                                   {studyKey(), session.study},
                                   {waitingKey(), queue::toJson(session.waiting)},
                                   {selectionKey(), views::toJson(session.selection)}})
      .toJson();
}

Result<SavedSession> savedSessionFromJson(const QByteArray& json) {
  const QJsonDocument document = QJsonDocument::fromJson(json);
  const QJsonObject root = document.object();
  if (root[formatKey()].toString() != formatName()) {
    return fail(ErrorCode::CorruptData, "not a session of this program");
  }
  SavedSession session;
  session.geometry = toBytes(root[geometryKey()]);
  if (root[layoutVersionKey()].toInt() == kLayoutVersion) {
    session.layout = toBytes(root[layoutKey()]);
    const QJsonObject layouts = root[layoutsKey()].toObject();
    for (auto layout = layouts.begin(); layout != layouts.end(); ++layout) {
      const QJsonObject saved = layout->toObject();
      session.layouts[layout.key()] = {.state = toBytes(saved[stateKey()]),
                                       .tabs = toList(saved[tabsKey()])};
    }
  }
  const QJsonObject states = root[viewsKey()].toObject();
  for (auto state = states.begin(); state != states.end(); ++state) {
    session.viewStates[state.key()] = state->toObject();
  }
  session.report = root[reportKey()].toString();
  session.beside = toList(root[besideKey()]);
  session.tabs = toList(root[tabsKey()]);
  session.linked = toList(root[linkedKey()]);
  session.study = root[studyKey()].toString();
  session.selection = views::selectionFromJson(root[selectionKey()].toObject());
  session.waiting = queue::requestsFromJson(root[waitingKey()].toArray());
  return session;
}

QString sessionFile(const QString& settingsFile) {
  return QFileInfo(settingsFile).absolutePath() + QStringLiteral("/session.json");
}

void forgetEverything(views::SettingsStore& settings) {
  settings.clear();
  settings.sync();
  QFile::remove(sessionFile(settings.fileName()));
}

}  // namespace ulp::app
