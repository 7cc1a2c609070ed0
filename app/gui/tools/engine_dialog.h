#pragma once

#include <QtCore/QProcess>
#include <QtCore/QStringList>
#include <QtWidgets/QDialog>

class QPlainTextEdit;

namespace ulp::app {

/// Shows what there is on this machine, its devices among it, and the families of models. The
/// worker program is asked, since the window has no engine; closing the dialog ends it.
class EngineDialog : public QDialog {
  Q_OBJECT

 public:
  /// `worker`: the ulpscope-cli to ask.
  explicit EngineDialog(QString worker, QWidget* parent = nullptr);
  ~EngineDialog() override;

  [[nodiscard]] QString text() const;
  /// Everything was asked.
  [[nodiscard]] bool isDone() const { return m_waiting.isEmpty() && !m_isAsking; }

 private:
  void askNext();
  void append(const QString& text);

  QString m_worker;
  QStringList m_waiting;  ///< commands that have not been asked yet
  bool m_isAsking = false;
  QProcess* m_process;  ///< outlives the dialog while it ends
  QPlainTextEdit* m_text;
};

}  // namespace ulp::app
