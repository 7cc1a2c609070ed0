#pragma once

#include <vector>

#include <QtWidgets/QWidget>

#include "app/gui/dumps/dump_side_pane.h"
#include "core/report/model/dump_origin.h"

class QListWidget;
class QPushButton;

namespace ulp::app {

/// One candidate of a comparison, or a list of them, of which the selected one is edited above it.
class CandidatesPane : public QWidget {
  Q_OBJECT

 public:
  explicit CandidatesPane(views::Background& background, QWidget* parent = nullptr);

  /// The one that is edited.
  [[nodiscard]] DumpSidePane& current() { return *m_pane; }
  /// In the place of all.
  void setSide(const report::DumpSide& side);
  /// In the order of the list; never empty.
  [[nodiscard]] const std::vector<report::DumpSide>& sides() const { return m_sides; }
  /// Each has a path, and that of the selected one was recognised.
  [[nodiscard]] bool isReady() const;

 Q_SIGNALS:
  void changed();

 private:
  void add();
  void remove();
  /// Edits the one of this row.
  void edit(int row);
  void keepEdited();
  void updateList();

  DumpSidePane* m_pane;
  QListWidget* m_list;
  QPushButton* m_add;
  QPushButton* m_remove;
  std::vector<report::DumpSide> m_sides{1};
  std::size_t m_current = 0;
};

}  // namespace ulp::app
