#pragma once

#include <vector>

#include <QtWidgets/QDialog>

#include "core/dumps/exporters/tensor_export.h"
#include "core/report/model/dump_origin.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace ulp::views {
class Background;
}

namespace ulp::app {

class DumpSidePane;
class PathLine;

/// Asks which tensors to write for other tools, in which format, and where.
class ExportTensorsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit ExportTensorsDialog(views::Background& background, QWidget* parent = nullptr);

  /// What the dialog begins with; the path may be empty.
  void setSource(const report::DumpSide& source);
  [[nodiscard]] DumpSidePane& source() { return *m_source; }
  [[nodiscard]] dumps::TensorExport wanted() const;

  void accept() override;

 Q_SIGNALS:
  void exportRequested(const ulp::dumps::TensorExport& wanted);

 private:
  void makeOptions(QFormLayout& form);
  void makeTarget(QFormLayout& form);
  /// As the format has them, and the target allows.
  void updateButtons();

  std::vector<dumps::DumpExporter> m_exporters;
  DumpSidePane* m_source;
  QComboBox* m_format;
  QLineEdit* m_match;
  QCheckBox* m_statistics;
  QDoubleSpinBox* m_shards;  ///< GB; 0: what is usual
  PathLine* m_target;
  QCheckBox* m_overwrite;
  QLabel* m_state;
  QPushButton* m_export = nullptr;
};

}  // namespace ulp::app
