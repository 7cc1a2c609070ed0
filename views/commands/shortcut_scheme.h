#pragma once

#include <map>
#include <vector>

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QObject>
#include <QtGui/QKeySequence>

#include "core/base/result.h"
#include "views/commands/action_catalog.h"

namespace ulp::views {

class SettingsStore;

/// Which keys trigger which command: what the program brings and what the user changed. Changes
/// hold at once for every action of that id and are kept in the settings, also for views that have
/// not been made yet.
class ShortcutScheme : public QObject {
  Q_OBJECT

 public:
  struct Row {
    QString id;
    QString group;
    QString text;
    QString scope;  ///< id of a view; empty: everywhere in the window
    QList<QKeySequence> keys;
    QList<QKeySequence> defaults;
    QList<QPointer<QAction>> actions{};  ///< more than one where a view exists twice

    [[nodiscard]] bool isChanged() const { return keys != defaults; }
  };

  explicit ShortcutScheme(SettingsStore& settings, QObject* parent = nullptr);

  /// Takes note of commands and gives them the user's keys. Known ones are left as they are.
  void adopt(const std::vector<CatalogEntry>& entries);
  /// In the order in which they were adopted.
  [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }
  [[nodiscard]] const Row* find(const QString& id) const;
  /// Other commands that could not be told from `id` if it had `keys`: those of the window and of
  /// the same view.
  [[nodiscard]] std::vector<const Row*> conflicts(const QString& id,
                                                  const QList<QKeySequence>& keys) const;

  void assign(const QString& id, const QList<QKeySequence>& keys);
  void reset(const QString& id);
  void resetAll() { setChanges({}); }

  /// The user's changes as JSON, to be carried to another machine.
  [[nodiscard]] QByteArray exported() const;
  /// Replaces the user's changes. Errors: CorruptData for other content, InvalidArgument where two
  /// commands would share keys; the scheme is then as before.
  [[nodiscard]] Result<> import(const QByteArray& json);

 Q_SIGNALS:
  void changed();

 private:
  using Changes = std::map<QString, QList<QKeySequence>>;

  [[nodiscard]] static Result<Changes> parse(const QByteArray& json);
  static void apply(const Row& row, const QList<QKeySequence>& keys);
  [[nodiscard]] Row* rowOf(const QString& id);
  void setChanges(Changes changes);
  void store();

  SettingsStore& m_settings;
  std::vector<Row> m_rows;
  Changes m_changes;
};

/// Makes the status tip of an action its tooltip, with the key behind it.
void showKeyInToolTip(QAction& action);
/// "Ctrl+O, Ctrl+F3" as the platform writes them.
[[nodiscard]] QString keysText(const QList<QKeySequence>& keys);

}  // namespace ulp::views
