#pragma once

#include <QtCore/QStringList>
#include <QtWidgets/QDialog>

class QCheckBox;
class QComboBox;
class QLabel;

namespace ulp::app {

/// Asks on which machine a study is to run: a name that ssh knows.
class HostDialog : public QDialog {
  Q_OBJECT

 public:
  /// `recent`: hosts that were chosen before, the last one first.
  explicit HostDialog(const QStringList& recent, QWidget* parent = nullptr);

  void accept() override;

 Q_SIGNALS:
  void chosen(const QString& host, bool installs);

 private:
  QComboBox* m_host;
  QCheckBox* m_installs;
  QLabel* m_problem;
};

}  // namespace ulp::app
