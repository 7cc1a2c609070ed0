#pragma once

#include <vector>

#include <QtCore/QTimer>
#include <QtWidgets/QDialog>

#include "app/gui/dumps/dump_side_pane.h"
#include "core/analysis/mapping/site_mapping.h"
#include "core/base/result.h"
#include "core/report/model/dump_origin.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace ulp::app {

/// Asks which two dumps to compare, and how.
class CompareDumpsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit CompareDumpsDialog(views::Background& background, QWidget* parent = nullptr);

  /// Pairs that were compared before, newest first.
  void setRecent(const std::vector<report::DumpOrigin>& recent);
  /// What the dialog begins with; paths may be empty. A mapping is asked for: it is none of it.
  void setOrigin(const report::DumpOrigin& origin);
  [[nodiscard]] report::DumpOrigin origin() const;

  [[nodiscard]] DumpSidePane& baseline() { return *m_baseline; }
  [[nodiscard]] DumpSidePane& candidate() { return *m_candidate; }

  void swapSides();
  void accept() override;

 Q_SIGNALS:
  void compareRequested(const ulp::report::DumpOrigin& origin);

 private:
  [[nodiscard]] QWidget* makeMapping();
  void chooseMapping();
  void mappingEdited();
  void readMapping();
  void showMapping(const Result<analysis::MappingFile>& file);
  void showSwappedMapping();
  void updateButtons();

  views::Background& m_background;
  QString m_mappingTag;  ///< of reading the mapping
  DumpSidePane* m_baseline;
  DumpSidePane* m_candidate;
  QLineEdit* m_mappingPath;
  QLabel* m_mappingState;
  QTimer m_mappingDelay;
  std::string m_mapping;  ///< content of the file
  bool m_isMappingReady = true;
  bool m_isMappingSwapped = false;  ///< the sides were swapped since it was chosen
  QCheckBox* m_elements;
  QPushButton* m_compare = nullptr;
};

}  // namespace ulp::app
