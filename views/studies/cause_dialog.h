#pragma once

#include <QtWidgets/QDialog>

#include "views/studies/cause_study.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace ulp::views {

/// Asks where, on which device and with which settings a cause is proved.
class CauseDialog : public QDialog {
  Q_OBJECT

 public:
  /// `usual`: what is left empty stands for; `asked`: what it begins with.
  CauseDialog(const CauseQuestion& question,
              const CauseSettings& usual,
              const CauseSettings& asked,
              QWidget* parent = nullptr);

  /// Adds a device to choose: its name in studies, and what the list says of it.
  void offerDevice(const QString& device, const QString& text);
  [[nodiscard]] CauseSettings settings() const;

 private:
  [[nodiscard]] QWidget* makeFolder(const CauseSettings& usual, const CauseSettings& asked);
  void setUpRuns(const CauseSettings& usual, const CauseSettings& asked);

  QLineEdit* m_folder;
  QCheckBox* m_replaces;
  QComboBox* m_device;
  QSpinBox* m_threads;
  QPlainTextEdit* m_sets;
};

}  // namespace ulp::views
