#pragma once

#include <QtWidgets/QWidget>

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace ulp::views {

class Background;
class ShortcutScheme;

/// Gives commands other keys: a list to search, one field to press the keys in, which says at once
/// who has them already, and the scheme as a file.
class ShortcutEditor : public QWidget {
  Q_OBJECT

 public:
  ShortcutEditor(ShortcutScheme& scheme, Background& background, QWidget* parent = nullptr);

 private:
  void makeLayout();
  void refill();
  void showCurrent();
  void judge();
  void importFile();
  void exportFile();
  void readFile(const QString& path);
  void writeFile(const QString& path);
  [[nodiscard]] QString currentId() const;

  ShortcutScheme& m_scheme;
  Background& m_background;
  QLineEdit* m_filter;
  QTreeWidget* m_tree;
  QKeySequenceEdit* m_keys;
  QPushButton* m_assign;
  QPushButton* m_clear;
  QPushButton* m_reset;
  QPushButton* m_resetAll;
  QLabel* m_verdict;
};

}  // namespace ulp::views
