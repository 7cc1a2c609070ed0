#include "views/framework/document/selection_context.h"

namespace ulp::views {

void SelectionContext::select(const Selection& selection) {
  if (selection == m_selection && !m_history.empty()) {
    return;
  }
  if (!m_history.empty()) {
    m_history.resize(m_position + 1);
  }
  m_history.push_back(selection);
  if (m_history.size() > kHistoryLimit) {
    m_history.erase(m_history.begin());
  }
  moveTo(m_history.size() - 1);
}

void SelectionContext::goTo(const Selection& selection, const std::optional<QString>& rule) {
  select(selection);
  Q_EMIT placeWanted(rule);
}

void SelectionContext::selectSite(const QString& site, Pass pass) {
  change([&](Selection& next) {
    if (site != next.site || pass != next.pass) {
      next.slice.clear();
      next.element.clear();
    }
    next.site = site;
    next.pass = pass;
  });
}

void SelectionContext::selectBaseline(const QString& run, Relation relation) {
  change([&](Selection& next) {
    next.baseline = run;
    next.relation = run.isEmpty() ? Relation::Error : relation;
  });
}

void SelectionContext::amend(const Selection& selection) {
  if (m_history.empty()) {
    reset(selection);
  } else if (selection != m_selection) {
    m_history[m_position] = selection;
    moveTo(m_position);
  }
}

void SelectionContext::setHover(const Hover& hover) {
  if (hover != m_hover) {
    m_hover = hover;
    Q_EMIT hoverChanged(m_hover);
  }
}

void SelectionContext::goBack() {
  if (canGoBack()) {
    moveTo(m_position - 1);
  }
}

void SelectionContext::goForward() {
  if (canGoForward()) {
    moveTo(m_position + 1);
  }
}

void SelectionContext::reset(const Selection& selection) {
  m_history = {selection};
  moveTo(0);
}

void SelectionContext::moveTo(std::size_t position) {
  m_position = position;
  m_selection = m_history[position];
  Q_EMIT selectionChanged(m_selection);
}

}  // namespace ulp::views
