#include "views/framework/view/view_host.h"

#include <utility>

#include <QtCore/QTimer>

#include "views/framework/document/selection_context.h"
#include "views/framework/view/exhibit_menu.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::views {

ViewHost::ViewHost(ViewDescriptor descriptor, const ViewContext& context, QWidget* parent)
    : QWidget(parent), m_descriptor(std::move(descriptor)), m_context(context) {
  columnOf(this, {}, {.margins = QMargins()});
  setAccessibleName(m_descriptor.title);
  connect(&m_context.workspace.reports, &ReportSet::documentChanged, this, &ViewHost::showIfSeen);
  connect(&m_context.selection, &SelectionContext::selectionChanged, this, [this] {
    m_selectionStale = true;
    showIfSeen();
  });
}

void ViewHost::setInFront(bool inFront) {
  m_isInFront = inFront;
  showIfSeen();
}

void ViewHost::setLocked(bool locked) {
  if (locked == m_isLocked) {
    return;
  }
  m_isLocked = locked;
  m_selectionStale = true;
  showIfSeen();
  Q_EMIT lockedChanged(locked);
}

void ViewHost::showIfSeen() {
  if (m_isInFront && isVisible()) {
    ensureView();
  }
}

View& ViewHost::ensureView() {
  if (m_view == nullptr) {
    m_view = m_descriptor.make(m_context).release();
    m_view->setParent(this);
    m_view->setAccessibleName(m_descriptor.title);
    layout()->addWidget(m_view);
    m_view->restoreState(m_state);
    setFocusProxy(m_view);
    new ExhibitMenu(*m_view, m_context);
    connect(m_view, &View::placeSought, this, &ViewHost::placeSought);
    Q_EMIT viewMade(m_view);
  }
  refresh();
  return *m_view;
}

void ViewHost::seekPlace() {
  QTimer::singleShot(0, &ensureView(), &View::seekPlace);
}

void ViewHost::refresh() {
  if (m_view == nullptr || (m_isLocked && m_shownDocument)) {
    return;
  }
  const DocumentPtr& document = m_context.workspace.reports.document();
  if (m_shownDocument != document) {
    m_shownDocument = document;
    m_selectionStale = true;
    m_view->setReport(document);
  }
  if (m_selectionStale) {
    m_selectionStale = false;
    m_view->setSelection(m_context.selection.selection());
  }
}

QJsonObject ViewHost::saveState() const {
  return m_view == nullptr ? m_state : m_view->saveState();
}

void ViewHost::restoreState(const QJsonObject& state) {
  m_state = state;
  if (m_view != nullptr) {
    m_view->restoreState(state);
  }
}

void ViewHost::showEvent(QShowEvent* event) {
  showIfSeen();
  QWidget::showEvent(event);
}

}  // namespace ulp::views
