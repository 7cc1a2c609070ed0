#pragma once

#include <optional>

#include <QtCore/QJsonObject>
#include <QtWidgets/QWidget>

#include "views/framework/view/view_registry.h"

class QHBoxLayout;

namespace ulp::views {

/// The place of one view in the window: makes it when it is first shown and brings it up to date
/// only while it can be seen, so that a report opens at the cost of the visible views.
class ViewHost : public QWidget {
  Q_OBJECT

 public:
  ViewHost(ViewDescriptor descriptor, const ViewContext& context, QWidget* parent = nullptr);

  [[nodiscard]] const ViewDescriptor& descriptor() const { return m_descriptor; }
  /// Null until it has been shown.
  [[nodiscard]] View* view() const { return m_view; }
  /// Makes the view now, as showing it would, and brings it up to date.
  View& ensureView();
  /// Has the view show the selected tensor, once the window has its layout.
  void seekPlace();
  /// In a dock: whether its tab is in front. Behind another tab a widget counts as visible for Qt,
  /// but nobody sees it. In front unless told otherwise.
  void setInFront(bool inFront);
  /// A locked view stays with the report and the selection that it shows.
  void setLocked(bool locked);
  [[nodiscard]] bool isLocked() const { return m_isLocked; }
  [[nodiscard]] bool isInFront() const { return m_isInFront; }
  [[nodiscard]] QJsonObject saveState() const;
  void restoreState(const QJsonObject& state);

 Q_SIGNALS:
  void viewMade(ulp::views::View* view);
  void lockedChanged(bool locked);
  void placeSought(ulp::views::Sight sight);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void showIfSeen();

  ViewDescriptor m_descriptor;
  ViewContext m_context;
  View* m_view = nullptr;
  QJsonObject m_state;                         ///< to be restored once the view exists
  std::optional<DocumentPtr> m_shownDocument;  ///< nothing: the view has been given none
  bool m_isInFront = true;
  bool m_isLocked = false;
  bool m_selectionStale = true;
};

}  // namespace ulp::views
