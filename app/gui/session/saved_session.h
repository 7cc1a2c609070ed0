#pragma once

#include <map>
#include <vector>

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/base/result.h"
#include "runner/queue/job_state.h"
#include "views/framework/document/selection.h"
#include "views/framework/settings/settings_store.h"

namespace ulp::app {

/// Raised when docks are renamed or moved to other areas: an older layout is then not restored.
inline constexpr int kLayoutVersion = 1;

/// An arrangement of docks that the user has named.
struct SavedLayout {
  QByteArray state;
  QStringList tabs{};  ///< as SavedSession::tabs

  friend bool operator==(const SavedLayout&, const SavedLayout&) = default;
};

/// What a window comes back to at the next start.
struct SavedSession {
  QByteArray geometry;
  QByteArray layout;                          ///< of docks and tool bars; empty: as they come
  std::map<QString, QJsonObject> viewStates;  ///< state by view id
  QString report;                             ///< file or folder; empty: none was open
  QStringList beside;                         ///< reports that were open with it
  QStringList tabs;                           ///< that the user added: "depth#2"
  QStringList linked;                         ///< tabs whose zoom is linked
  std::map<QString, SavedLayout> layouts;     ///< by name
  QString study;
  views::Selection selection;              ///< in the report
  std::vector<queue::JobRequest> waiting;  ///< studies that waited in the queue, first one first
  QStringList clusters;                    ///< folders of runs that a cluster has
};

[[nodiscard]] QByteArray toJson(const SavedSession& session);
/// Errors: CorruptData for anything that toJson() did not write. A layout of another version is
/// left out.
[[nodiscard]] Result<SavedSession> savedSessionFromJson(const QByteArray& json);

/// What is left behind by two windows at once: `mine`, with the named layouts, waiting studies
/// and runs on clusters that another one has written since (`theirs`). What this window has changed
/// of these since `before` is done to them.
[[nodiscard]] SavedSession merged(const SavedSession& before,
                                  SavedSession mine,
                                  const SavedSession& theirs);

/// The session's file, beside the settings file `settingsFile`.
[[nodiscard]] QString sessionFile(const QString& settingsFile);

/// Settings and session back to what the program brings, also on disk.
void forgetEverything(views::SettingsStore& settings);

}  // namespace ulp::app
