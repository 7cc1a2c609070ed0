#include "app/gui/session/saved_session.h"

#include <utility>

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>

#include "runner/queue/job_request_json.h"

namespace ulp::app {
namespace {

const QString kFormatKey = QStringLiteral("format");
const QString kSessionFormat = QStringLiteral("ulpscope.session/1");
const QString kGeometryKey = QStringLiteral("geometry");
const QString kLayoutKey = QStringLiteral("layout");
const QString kLayoutVersionKey = QStringLiteral("layout_version");
const QString kViewsKey = QStringLiteral("views");
const QString kReportKey = QStringLiteral("report");
const QString kBesideKey = QStringLiteral("beside");
const QString kTabsKey = QStringLiteral("tabs");
const QString kLayoutsKey = QStringLiteral("layouts");
const QString kStateKey = QStringLiteral("state");
const QString kLinkedKey = QStringLiteral("linked");
const QString kStudyKey = QStringLiteral("study");
const QString kWaitingKey = QStringLiteral("waiting");
const QString kClustersKey = QStringLiteral("clusters");
const QString kSelectionKey = QStringLiteral("selection");

/// Whether it is this format with a higher number: a later version of the program wrote it.
bool isNewer(const QString& format) {
  const qsizetype name = kSessionFormat.indexOf(QLatin1Char('/')) + 1;
  return format.startsWith(kSessionFormat.left(name)) &&
         format.mid(name).toUInt() > kSessionFormat.mid(name).toUInt();
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
    json[name] = QJsonObject{{kStateKey, toText(layout.state)},
                             {kTabsKey, QJsonArray::fromStringList(layout.tabs)}};
  }
  return json;
}

QStringList toList(const QJsonValue& json) {
  QStringList texts = json.toVariant().toStringList();
  texts.removeAll(QString());
  return texts;
}

/// Takes the first that is like `wanted` away; false: there is none.
bool takeFirst(QJsonArray& values, const QJsonValue& wanted) {
  for (qsizetype i = 0; i < values.size(); ++i) {
    if (values.at(i) == wanted) {
      values.removeAt(i);
      return true;
    }
  }
  return false;
}

}  // namespace

QByteArray toJson(const SavedSession& session) {
  QJsonObject states;
  for (const auto& [id, state] : session.viewStates) {
    if (!state.isEmpty()) {
      states[id] = state;
    }
  }
  return QJsonDocument(QJsonObject{{kFormatKey, kSessionFormat},
                                   {kGeometryKey, toText(session.geometry)},
                                   {kLayoutKey, toText(session.layout)},
                                   {kLayoutVersionKey, kLayoutVersion},
                                   {kViewsKey, states},
                                   {kReportKey, session.report},
                                   {kBesideKey, QJsonArray::fromStringList(session.beside)},
                                   {kTabsKey, QJsonArray::fromStringList(session.tabs)},
                                   {kLinkedKey, QJsonArray::fromStringList(session.linked)},
                                   {kLayoutsKey, toJson(session.layouts)},
                                   {kStudyKey, session.study},
                                   {kWaitingKey, queue::toJson(session.waiting)},
                                   {kClustersKey, QJsonArray::fromStringList(session.clusters)},
                                   {kSelectionKey, views::toJson(session.selection)}})
      .toJson();
}

Result<SavedSession> savedSessionFromJson(const QByteArray& json) {
  const QJsonDocument document = QJsonDocument::fromJson(json);
  const QJsonObject root = document.object();
  const QString format = root[kFormatKey].toString();
  if (isNewer(format)) {
    return fail(ErrorCode::Unsupported,
                "a session of the newer format '" + format.toStdString() +
                    "'; this version reads '" + kSessionFormat.toStdString() + "'");
  }
  if (format != kSessionFormat) {
    return fail(ErrorCode::CorruptData, "not a session of this program");
  }
  SavedSession session;
  session.geometry = toBytes(root[kGeometryKey]);
  if (root[kLayoutVersionKey].toInt() == kLayoutVersion) {
    session.layout = toBytes(root[kLayoutKey]);
    const QJsonObject layouts = root[kLayoutsKey].toObject();
    for (auto layout = layouts.begin(); layout != layouts.end(); ++layout) {
      const QJsonObject saved = layout->toObject();
      session.layouts[layout.key()] = {.state = toBytes(saved[kStateKey]),
                                       .tabs = toList(saved[kTabsKey])};
    }
  }
  const QJsonObject states = root[kViewsKey].toObject();
  for (auto state = states.begin(); state != states.end(); ++state) {
    session.viewStates[state.key()] = state->toObject();
  }
  session.report = root[kReportKey].toString();
  session.beside = toList(root[kBesideKey]);
  session.tabs = toList(root[kTabsKey]);
  session.linked = toList(root[kLinkedKey]);
  session.study = root[kStudyKey].toString();
  session.selection = views::selectionFromJson(root[kSelectionKey].toObject());
  session.waiting = queue::requestsFromJson(root[kWaitingKey].toArray());
  session.clusters = toList(root[kClustersKey]);
  return session;
}

SavedSession merged(const SavedSession& before, SavedSession mine, const SavedSession& theirs) {
  std::map<QString, SavedLayout> layouts = theirs.layouts;
  for (const auto& [name, layout] : before.layouts) {
    if (!mine.layouts.contains(name)) {
      layouts.erase(name);
    }
  }
  for (const auto& [name, layout] : mine.layouts) {
    const auto old = before.layouts.find(name);
    if (old == before.layouts.end() || old->second != layout) {
      layouts[name] = layout;
    }
  }
  mine.layouts = std::move(layouts);
  QJsonArray waiting = queue::toJson(theirs.waiting);
  QJsonArray added = queue::toJson(mine.waiting);
  for (const auto& request : queue::toJson(before.waiting)) {
    if (!takeFirst(added, request)) {
      takeFirst(waiting, request);
    }
  }
  for (const auto& request : added) {
    waiting.append(request);
  }
  mine.waiting = queue::requestsFromJson(waiting);
  QStringList clusters = theirs.clusters;
  clusters.removeIf([&](const QString& folder) {
    return before.clusters.contains(folder) && !mine.clusters.contains(folder);
  });
  for (const QString& folder : mine.clusters) {
    if (!before.clusters.contains(folder) && !clusters.contains(folder)) {
      clusters << folder;
    }
  }
  mine.clusters = std::move(clusters);
  return mine;
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
