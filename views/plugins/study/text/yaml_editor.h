#pragma once

#include <vector>

#include <QtWidgets/QPlainTextEdit>

#include "views/framework/look/theme.h"
#include "views/plugins/study/text/study_check.h"

class QCompleter;
class QStandardItemModel;

namespace ulp::views {

/// The text of a study: coloured, with line numbers, problems at their place, and completion (while
/// typing, and on Ctrl+Space). It has no history of its own: undo and redo are the window's.
class YamlEditor : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit YamlEditor(QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  /// Changes only what differs, so that cursor and scroll position stay; textChanged() is not
  /// emitted.
  void showText(const QString& text);
  void setProblems(std::vector<StudyProblem> problems);
  /// The first problem of the line; null: none.
  [[nodiscard]] const StudyProblem* problemAt(int line) const;
  /// Lines count from 1; a column of 0 is the line's start.
  void goTo(int line, int column, int length = 0);
  /// What completion offers now; null while it is closed.
  [[nodiscard]] QCompleter* completer() const { return m_completer; }

 Q_SIGNALS:
  void edited();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  class Margin;
  class Highlighter;

  [[nodiscard]] int marginWidth() const;
  /// Says what is wrong in the line at `inText`, a point of the viewport.
  void showProblem(const QPoint& inText, const QPoint& global);
  bool takeOffer(QKeyEvent* event);
  bool editKey(const QKeyEvent& event);
  void complete(bool asked);
  void insertCompletion(const QString& text);
  void newLine();
  void highlight();
  [[nodiscard]] QList<QTextEdit::ExtraSelection> problemMarks() const;

  Theme m_theme;
  bool m_isShowing = false;
  QString m_known;  ///< the text as it was shown or typed last
  std::vector<StudyProblem> m_problems;
  Margin* m_margin;
  Highlighter* m_highlighter;
  QStandardItemModel* m_offers;
  QCompleter* m_completer;
  int m_wordStart = 0;
};

/// Where the comment of a line begins (a '#' outside quotes, at the start or behind a space), or
/// the line's length.
[[nodiscard]] qsizetype commentStart(const QString& line);

}  // namespace ulp::views
