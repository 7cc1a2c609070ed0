#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QtCore/QTimer>
#include <QtWidgets/QWidget>

#include "views/framework/exports/exhibit.h"
#include "views/framework/view/view.h"
#include "views/plugins/details/dump_record.h"

class QLabel;
class QTabWidget;
class QTableView;

namespace ulp::views {

/// What the dumps of a comparison hold of the selected tensor: what was recorded of both sides, and
/// where it was made. Read in the background; takes no room for other reports.
class DumpRecordPane : public QWidget {
  Q_OBJECT

 public:
  explicit DumpRecordPane(const ViewContext& context, QWidget* parent = nullptr);

  void showTensor(const DocumentPtr& document, const QString& run, const Site& site);
  void clear();
  /// `name`: of the tensor, behind the titles.
  [[nodiscard]] std::vector<Exhibit> exhibits(const QString& name) const;

 private:
  /// Whose record is shown, or being read.
  struct Subject {
    report::DumpOrigin origin;
    std::string run;
    std::string site;
    Pass pass = Pass::Forward;

    friend bool operator==(const Subject&, const Subject&) = default;
  };

  void showRecord(const DumpRecord& record);
  /// Nothing of the tensor before is left; the tables keep their room.
  void emptyTables();
  [[nodiscard]] QString tag() const;

  ViewContext m_context;
  RecordedModel* m_recorded;
  QTableView* m_recordedTable;
  CallModel* m_calls;
  QTableView* m_callsTable;
  QTabWidget* m_tabs;
  QLabel* m_problem;
  DumpRecord m_record;
  std::optional<Subject> m_subject;
  QTimer m_patience;
};

}  // namespace ulp::views
