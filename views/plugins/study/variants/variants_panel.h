#pragma once

#include <functional>

#include <QtWidgets/QWidget>

#include "views/plugins/study/variants/variants_model.h"

class QTableView;
class QToolButton;

namespace ulp::views {

class ThemeManager;

/// The variants as a table of what they override, and everything that can be done to them. It asks
/// for changes; the text answers.
class VariantsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit VariantsPanel(const ThemeManager& themes, QWidget* parent = nullptr);

  /// Keeps the selected variant where it still exists. Null: the text is no YAML.
  void show(const study::YamlNode* tree, const study::EffectiveTable& effective);
  void setReadOnly(bool readOnly);
  /// Takes over what stands in a cell that is being edited, as Enter does.
  void finishEdits();
  /// Selects a variant, once it is there.
  void select(const QString& variant);
  /// Selects a variant and opens its name for editing, once it is there.
  void rename(const QString& variant);
  [[nodiscard]] QTableView& table() { return *m_table; }

 Q_SIGNALS:
  void addRequested();
  void duplicateRequested(const QString& variant);
  void renameRequested(const QString& variant, const QString& to);
  void removeRequested(const QString& variant);
  void moveRequested(const QString& variant, int to);
  /// An empty variant is the reference; an empty value takes the override away.
  void overrideRequested(const QString& variant, const QString& key, const QString& value);
  void gridRequested();

 private:
  QToolButton* addButton(const QString& text,
                         const QString& toolTip,
                         const std::function<void()>& clicked = {});
  void makeButtons();
  void fillOverrideMenu();
  void requestOverride(int row, const QString& key, const QString& value);
  void updateButtons();
  [[nodiscard]] int currentRow() const;

  VariantsModel* m_model;
  QTableView* m_table;
  QWidget* m_bar;
  QToolButton* m_add = nullptr;
  QToolButton* m_duplicate = nullptr;
  QToolButton* m_rename = nullptr;
  QToolButton* m_remove = nullptr;
  QToolButton* m_up = nullptr;
  QToolButton* m_down = nullptr;
  QToolButton* m_override = nullptr;
  QToolButton* m_grid = nullptr;
  QString m_wanted;             ///< to be selected, once it is there
  bool m_isNameWanted = false;  ///< its name is to be edited then
  bool m_isReadOnly = false;
  bool m_isYaml = true;
};

}  // namespace ulp::views
