#pragma once

#include <QtWidgets/QDialog>

#include "core/base/result.h"
#include "core/report/tables/data_table.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableView;

namespace ulp::views {
class Background;
class ThemeManager;
}  // namespace ulp::views

namespace ulp::app {

class PathLine;

/// Shows the tokens that a model's tokenizer makes of a text.
class TokenizeDialog : public QDialog {
  Q_OBJECT

 public:
  TokenizeDialog(views::Background& background,
                 const views::ThemeManager& themes,
                 QWidget* parent = nullptr);

  [[nodiscard]] QTableView& table() { return *m_table; }
  [[nodiscard]] QString stateText() const;

 private:
  void readFile(const QString& path);
  void tokenize();
  void showTokens(const Result<report::DataTable>& tokens);
  void say(const QString& text, bool isProblem);

  views::Background& m_background;
  PathLine* m_model;
  QPlainTextEdit* m_text;
  QTableView* m_table;
  QLabel* m_state;
  QPushButton* m_go = nullptr;
};

}  // namespace ulp::app
