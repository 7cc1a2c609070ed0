#pragma once

#include <QtCore/QElapsedTimer>
#include <QtCore/QTimer>
#include <QtWidgets/QDialog>

#include "app/gui/tools/record_job.h"
#include "views/framework/widgets/file_dialog.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace ulp::app {

class PathLine;

/// Asks for a program and what of it is recorded, runs it and shows how far it is. Closing it while
/// the program runs hides it: the recording goes on.
class RecordDialog : public QDialog {
  Q_OBJECT

 public:
  explicit RecordDialog(const QString& worker, QWidget* parent = nullptr);

  [[nodiscard]] RecordWish wish() const;
  [[nodiscard]] bool isRecording() const { return m_job.isRunning(); }
  [[nodiscard]] QString stateText() const;

  void reject() override;

 Q_SIGNALS:
  /// A recording is there, whole or in part.
  void recorded(const QString& folder);

 private:
  QLineEdit* addLine(const char* id, const QString& name, const QString& placeholder);
  QComboBox* addChoice(const char* id,
                       const QString& name,
                       std::initializer_list<std::pair<QString, const char*>> items);
  PathLine* addPath(const char* id,
                    const QString& name,
                    const QString& spoken,
                    const QString& placeholder,
                    const views::FileQuestion& question);
  void makeFields();
  void makeProgress();
  void record();
  void show(const RecordProgress& progress);
  void showTime();
  void showEnd(const RecordEnd& end);
  void updateButtons();

  RecordJob m_job;
  RecordProgress m_progress;
  QElapsedTimer m_elapsed;
  QTimer m_second;
  QWidget* m_fields;
  QFormLayout* m_form;
  QLineEdit* m_command = nullptr;
  PathLine* m_folder = nullptr;
  PathLine* m_config = nullptr;
  QComboBox* m_level = nullptr;
  QComboBox* m_task = nullptr;
  QComboBox* m_dataMode = nullptr;
  QLineEdit* m_modules = nullptr;
  QLineEdit* m_list = nullptr;
  QLineEdit* m_scope = nullptr;
  QLineEdit* m_ranks = nullptr;
  QLineEdit* m_steps = nullptr;
  QComboBox* m_stepsBy = nullptr;
  QLineEdit* m_tokens = nullptr;
  QCheckBox* m_stack = nullptr;
  QCheckBox* m_weights = nullptr;
  QLabel* m_state;
  QProgressBar* m_bar;
  QPlainTextEdit* m_log;
  QPushButton* m_record = nullptr;
  QPushButton* m_stop = nullptr;
};

}  // namespace ulp::app
