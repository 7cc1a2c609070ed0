#pragma once

#include <vector>

#include <QtWidgets/QDialog>

class QLabel;
class QLineEdit;
class QTreeWidget;

namespace ulp::views {

class ShortcutScheme;

/// A line of the sheet.
struct ShortcutLine {
  QString group;
  QString text;
  QString keys;

  friend bool operator==(const ShortcutLine&, const ShortcutLine&) = default;
};

/// Every command that has keys, grouped as in the menus, and what the keys do in every chart.
[[nodiscard]] std::vector<ShortcutLine> shortcutLines(const ShortcutScheme& scheme);
/// Those whose group, text or keys contain every word of `query`, without regard to case.
[[nodiscard]] std::vector<ShortcutLine> filterLines(const std::vector<ShortcutLine>& lines,
                                                    const QString& query);
/// The sheet as one HTML document for paper.
[[nodiscard]] QString sheetHtml(const std::vector<ShortcutLine>& lines);

/// A tree with a column of commands and one of their keys.
[[nodiscard]] QTreeWidget* makeCommandTree(QWidget* parent);

/// All keys at a glance: searchable, printable, made from the commands themselves.
class ShortcutSheet : public QDialog {
  Q_OBJECT

 public:
  explicit ShortcutSheet(const ShortcutScheme& scheme, QWidget* parent = nullptr);

 private:
  void refill();
  void print();

  const ShortcutScheme& m_scheme;
  QLineEdit* m_filter;
  QTreeWidget* m_tree;
  QLabel* m_nothing;
};

}  // namespace ulp::views
