#pragma once

#include <QtWidgets/QWidget>

#include "core/study/reading/study.h"
#include "views/framework/tables/row_table_model.h"

class QCheckBox;
class QLabel;
class QTableView;

namespace ulp::views {

class ThemeManager;

/// What every run uses, key by key, and who set it; all keys or only those in which runs differ.
class EffectivePanel : public QWidget {
  Q_OBJECT

 public:
  explicit EffectivePanel(const ThemeManager& themes, QWidget* parent = nullptr);

  /// `isCurrent`: the text is valid and this is what it says; else what it said last.
  void show(const study::EffectiveTable& table, bool isCurrent);
  [[nodiscard]] QCheckBox& differencesOnly() { return *m_only; }
  [[nodiscard]] const study::EffectiveTable& content() const { return m_content; }

 private:
  void refill();

  study::EffectiveTable m_content;
  std::vector<std::string> m_shownRuns;
  RowTableModel<study::EffectiveRow>* m_model;
  QTableView* m_table;
  QCheckBox* m_only;
  QLabel* m_note;
};

}  // namespace ulp::views
