#pragma once

#include "views/framework/view/view.h"

class QStackedLayout;
class QTableView;

namespace ulp::views {

class BookmarkModel;
class EmptyState;

/// Places in the open report that somebody wants to come back to, with notes.
class BookmarksView : public View {
  Q_OBJECT

 public:
  explicit BookmarksView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& /*selection*/) override {}
  [[nodiscard]] QList<QAction*> viewActions() const override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;

 private:
  void refresh();

  BookmarkModel* m_model;
  QTableView* m_table;
  EmptyState* m_empty;
  QStackedLayout* m_pages;
  QAction* m_add;
  QAction* m_remove;
  bool m_hasReport = false;
};

}  // namespace ulp::views
