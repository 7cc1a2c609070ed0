#pragma once

#include <functional>

#include <QtCore/QElapsedTimer>
#include <QtCore/QString>
#include <QtGui/QUndoCommand>

namespace ulp::views {

/// Which edits become one step of the history when they follow each other within two seconds.
struct EditMerge {
  QString id;             ///< only edits of one id; empty: never
  bool isTyping = false;  ///< and only where one continues the other's typing or deleting
};

/// One step in the history of a study's text. Texts are shared between steps.
class StudyEdit : public QUndoCommand {
 public:
  using Apply = std::function<void(const QString&)>;
  /// `step` follows "Undo": "change of input.seed".
  StudyEdit(QString before, QString after, const QString& step, EditMerge merge, Apply apply);

  void undo() override { m_apply(m_before); }
  void redo() override { m_apply(m_after); }
  [[nodiscard]] int id() const override { return m_merge.id.isEmpty() ? -1 : 1; }
  bool mergeWith(const QUndoCommand* other) override;

 private:
  QString m_before;
  QString m_after;
  EditMerge m_merge;
  Apply m_apply;
  QElapsedTimer m_age;  ///< since the last edit that is part of it
};

/// What makes one text another: at `at`, `removed` gives way to `inserted`. The smallest such
/// change, so that cursors and scroll positions outside it stay.
struct TextChange {
  qsizetype at = 0;
  QString removed;
  QString inserted;

  [[nodiscard]] bool isEmpty() const { return removed.isEmpty() && inserted.isEmpty(); }
};

[[nodiscard]] TextChange changeBetween(const QString& before, const QString& after);

/// `next` goes on with the typing or deleting of `first`: one step back should undo both.
[[nodiscard]] bool continuesTyping(const TextChange& first, const TextChange& next);

/// A text as a QPlainTextEdit gives it back: every line end is '\n', every no-break space a space.
[[nodiscard]] QString asShown(const QString& text);
/// `text` after its shown form was edited to `shown`: what the edit did not touch keeps its line
/// ends and spaces; new lines end as the text's first line does.
[[nodiscard]] QString withShownEdit(const QString& text, const QString& shown);

}  // namespace ulp::views
