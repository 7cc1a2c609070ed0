#pragma once

#include <QtWidgets/QWidget>

#include "core/base/error.h"
#include "views/framework/workspace/report_rules.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace ulp::views {

class ThemeManager;

/// Chooses rules that ship or a file of them, and edits their text, which is checked while it is
/// typed. Nothing is asked of the report before applied().
class RulesEditor : public QWidget {
  Q_OBJECT

 public:
  /// `background` and `themes` outlive the editor.
  RulesEditor(Background& background, const ThemeManager& themes, QWidget* parent = nullptr);

  /// Shows rules that are in force; what was typed is gone.
  void showChoice(const RulesChoice& choice);

 Q_SIGNALS:
  /// The user wants these rules to be asked.
  void applied(const ulp::views::RulesChoice& choice);
  /// A file could not be read or written.
  void failed(const ulp::Error& error);

 private:
  void makePage();
  void chooseOrigin(int index);
  void openFile();
  void readFile(const QString& path);
  void saveFile();
  void putTolerances();
  void check();
  [[nodiscard]] QString origin() const {
    return text() == m_known.text ? m_known.origin : QString();
  }
  void showProblem(const Error* problem);
  void goToProblem();
  void updateButtons();
  /// Names the origin in the list, a file behind the rules that ship.
  void showOrigin();
  [[nodiscard]] QString text() const;

  Background& m_background;
  const ThemeManager& m_themes;
  RulesChoice m_inForce;
  RulesChoice m_known;  ///< as it was read or saved last: its origin holds what is shown
  bool m_isValid = true;
  int m_problemPlace = -1;  ///< in the text
  QComboBox* m_origins;
  QPushButton* m_open;
  QPushButton* m_save;
  QLineEdit* m_rtol;
  QLineEdit* m_atol;
  QPushButton* m_put;
  QPlainTextEdit* m_text;
  QLabel* m_state;
  QPushButton* m_show;  ///< goes to what is wrong
  QPushButton* m_revert;
  QPushButton* m_apply;
};

}  // namespace ulp::views
