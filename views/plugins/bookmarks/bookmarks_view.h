#pragma once

#include "views/framework/view/view.h"

class QTableView;

namespace ulp::views {

class BookmarkModel;

/// Places in the open report that somebody wants to come back to, with notes.
class BookmarksView : public View {
  Q_OBJECT

 public:
  explicit BookmarksView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& /*selection*/) override {}
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;

 private:
  void refresh();

  BookmarkModel* m_model;
  QTableView* m_table;
  QAction* m_add;
  QAction* m_remove;
  bool m_hasReport = false;
};

}  // namespace ulp::views
