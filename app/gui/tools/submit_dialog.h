#pragma once

#include <QtCore/QStringList>
#include <QtWidgets/QDialog>

#include "runner/queue/cluster_watch.h"

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace ulp::app {

/// What a study is handed to a cluster with, as `ulpscope-cli submit` takes it; empty or 0: not
/// said.
struct SubmitWish {
  QString study{};
  QString output{};
  QString partition{};
  QString time{};
  QString gpus{};
  QString options{};  ///< for sbatch, as a shell takes them
  QString device{};
  QString variants{};  ///< names, as a shell takes them; empty: all
  QString sets{};      ///< KEY=VALUE, as a shell takes them
  int threads = 0;
  int samplesPerTask = 0;
  bool sharesReference = false;

  /// The words behind `ulpscope-cli submit`.
  [[nodiscard]] QStringList words() const;
};

/// Asks how the open study is handed to Slurm, shows the command, and hands it over; the view Runs
/// then shows how its tasks stand. Never blocks.
class SubmitDialog : public QDialog {
  Q_OBJECT

 public:
  SubmitDialog(queue::ClusterWatch& watch, const QString& study, QWidget* parent = nullptr);

  [[nodiscard]] SubmitWish wish() const;
  [[nodiscard]] QString stateText() const;

 private:
  QLineEdit* addLine(const char* id, const QString& name, const QString& placeholder);
  QSpinBox* addNumber(const char* id, const QString& name, int most, const QString& none);
  void makeFields();
  void update();

  queue::ClusterWatch& m_watch;
  QString m_study;
  QWidget* m_fields;
  QFormLayout* m_form;
  QLineEdit* m_output = nullptr;
  QLineEdit* m_partition = nullptr;
  QLineEdit* m_time = nullptr;
  QLineEdit* m_gpus = nullptr;
  QLineEdit* m_options = nullptr;
  QLineEdit* m_device = nullptr;
  QLineEdit* m_variants = nullptr;
  QLineEdit* m_sets = nullptr;
  QSpinBox* m_threads = nullptr;
  QSpinBox* m_samples = nullptr;
  QCheckBox* m_shares = nullptr;
  QPlainTextEdit* m_preview;
  QLabel* m_state;
  QPushButton* m_submit = nullptr;
};

}  // namespace ulp::app
