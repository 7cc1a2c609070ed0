#pragma once

#include <functional>

#include <QtCore/QElapsedTimer>
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

}  // namespace ulp::views
