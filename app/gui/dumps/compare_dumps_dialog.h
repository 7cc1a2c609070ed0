#pragma once

#include <vector>

#include <QtCore/QTimer>
#include <QtWidgets/QDialog>

#include "app/gui/dumps/candidates_pane.h"
#include "app/gui/dumps/dump_side_pane.h"
#include "core/analysis/mapping/site_mapping.h"
#include "core/base/result.h"
#include "core/report/model/dump_origin.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace ulp::app {

class PathLine;

/// Asks which dumps to compare with a baseline, and how.
class CompareDumpsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit CompareDumpsDialog(views::Background& background, QWidget* parent = nullptr);

  /// Pairs that were compared before, newest first.
  void setRecent(const std::vector<report::DumpOrigin>& recent);
  /// What the dialog begins with; paths may be empty. A mapping is asked for: it is none of it.
  void setOrigin(const report::DumpOrigin& origin);
  /// One of each candidate.
  [[nodiscard]] std::vector<report::DumpOrigin> origins() const;

  [[nodiscard]] DumpSidePane& baseline() { return *m_baseline; }
  [[nodiscard]] DumpSidePane& candidate() { return m_candidates->current(); }

  void swapSides();
  void accept() override;

 Q_SIGNALS:
  void compareRequested(const std::vector<ulp::report::DumpOrigin>& origins);

 private:
  [[nodiscard]] QWidget* makeMapping();
  void mappingEdited();
  void readMapping();
  void showMapping(const Result<analysis::MappingFile>& file);
  void showSwappedMapping();
  void updateButtons();

  views::Background& m_background;
  QString m_mappingTag;  ///< of reading the mapping
  DumpSidePane* m_baseline;
  CandidatesPane* m_candidates;
  PathLine* m_mappingPath;
  QLabel* m_mappingState;
  QTimer m_mappingDelay;
  std::string
      m_mapping;  ///< as it is used: content of the file, and that calls are paired in order
  bool m_isMappingReady = true;
  bool m_isMappingSwapped = false;  ///< the sides were swapped since it was chosen
  QCheckBox* m_elements;
  QCheckBox* m_fuzzy;
  QPushButton* m_swap = nullptr;
  QPushButton* m_compare = nullptr;
};

}  // namespace ulp::app
