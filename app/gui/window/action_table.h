#pragma once

#include <functional>
#include <initializer_list>
#include <map>

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtGui/QKeySequence>

class QAction;
class QWidget;

namespace ulp::app {

/// A command of the window. `id` is stable; texts are translated.
struct ActionSpec {
  QString id;
  QString text;  ///< with mnemonic
  QString toolTip{};
  QString icon{};  ///< name in resources/icons; empty: none
  QList<QKeySequence> shortcuts{};
  std::function<void()> handler;
};

/// The commands of the window as QActions, made from specs.
class ActionTable {
 public:
  explicit ActionTable(QWidget& owner) : m_owner(owner) {}

  QAction* add(const ActionSpec& spec);
  /// The actions must exist.
  [[nodiscard]] QAction* operator[](const QString& id) const { return m_actions.at(id); }
  void setEnabled(std::initializer_list<const char*> ids, bool isEnabled) const;
  /// Puts actions into a menu or a tool bar; an empty id is a separator.
  void addTo(QWidget& bar, std::initializer_list<const char*> ids) const;
  [[nodiscard]] const std::map<QString, QAction*>& all() const { return m_actions; }

 private:
  QWidget& m_owner;
  std::map<QString, QAction*> m_actions;
};

}  // namespace ulp::app
