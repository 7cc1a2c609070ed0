#include "views/framework/document/selection_context.h"

#include <utility>

namespace ulp::views {

bool accepts(PassFilter filter, Pass pass) {
  switch (filter) {
    case PassFilter::ForwardBackward:
      return !isOfParameters(pass);
    case PassFilter::Forward:
      return pass == Pass::Forward;
    case PassFilter::Backward:
      return pass == Pass::Backward;
    case PassFilter::ParameterGradient:
      return pass == Pass::ParameterGradient;
    case PassFilter::Optimizer:
      return pass == Pass::Optimizer;
  }
  return false;
}

PassFilter filterOf(Pass pass) {
  switch (pass) {
    case Pass::Forward:
    case Pass::Backward:
      break;
    case Pass::ParameterGradient:
      return PassFilter::ParameterGradient;
    case Pass::Optimizer:
      return PassFilter::Optimizer;
  }
  return PassFilter::ForwardBackward;
}

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

void SelectionContext::selectSite(const QString& site, Pass pass) {
  Selection next = m_selection;
  if (site != next.site || pass != next.pass) {
    next.slice.clear();
    next.element.clear();
  }
  next.site = site;
  next.pass = pass;
  select(next);
}

void SelectionContext::selectElement(const std::vector<std::int64_t>& element) {
  Selection next = m_selection;
  next.element = element;
  select(next);
}

void SelectionContext::selectSlice(const QString& slice) {
  Selection next = m_selection;
  next.slice = slice;
  select(next);
}

void SelectionContext::selectBaseline(const QString& run, Relation relation) {
  Selection next = m_selection;
  next.baseline = run;
  next.relation = run.isEmpty() ? Relation::Error : relation;
  select(next);
}

void SelectionContext::selectRun(const QString& run) {
  Selection next = m_selection;
  next.runs = QStringList{run};
  select(next);
}

void SelectionContext::selectNoise(const QString& run) {
  Selection next = m_selection;
  next.noise = run;
  select(next);
}

void SelectionContext::selectMetric(const QString& metric) {
  Selection next = m_selection;
  next.metric = metric;
  select(next);
}

void SelectionContext::selectPasses(PassFilter shown) {
  Selection next = m_selection;
  next.shown = shown;
  select(next);
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
