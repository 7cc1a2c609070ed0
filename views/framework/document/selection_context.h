#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <QtCore/QObject>

#include "views/framework/document/selection.h"

namespace ulp::views {

/// The one selection of the window with its history. Lives on the GUI thread.
class SelectionContext : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  [[nodiscard]] const Selection& selection() const { return m_selection; }
  [[nodiscard]] const Hover& hover() const { return m_hover; }
  [[nodiscard]] bool canGoBack() const { return m_position > 0; }
  [[nodiscard]] bool canGoForward() const { return m_position + 1 < m_history.size(); }

  /// Makes `selection` current and adds it to the history, dropping what lay ahead.
  void select(const Selection& selection);
  /// Selects a place that somebody asked to see: whatever views show, they have to show it now.
  /// `rule`: of a finding, in the view that shows the proof of its findings; nothing: in the views
  /// that are in front.
  void goTo(const Selection& selection, const std::optional<QString>& rule = std::nullopt);
  /// Another tensor; slice and element belong to the one before.
  void selectSite(const QString& site, Pass pass);
  /// A position in the current tensor.
  void selectElement(const std::vector<std::int64_t>& element) {
    change([&](Selection& next) { next.element = element; });
  }
  void selectSlice(const QString& slice) {
    change([&](Selection& next) { next.slice = slice; });
  }
  /// Empty: the reference of the report, against which only errors exist.
  void selectBaseline(const QString& run, Relation relation);
  void selectRun(const QString& run) {
    change([&](Selection& next) { next.runs = QStringList{run}; });
  }
  /// Empty: none.
  void selectNoise(const QString& run) {
    change([&](Selection& next) { next.noise = run; });
  }
  void selectMetric(const QString& metric) {
    change([&](Selection& next) { next.metric = metric; });
  }
  void selectPasses(PassFilter shown) {
    change([&](Selection& next) { next.shown = shown; });
  }
  /// Makes `selection` current in place of the one that is, as when a report has changed.
  void amend(const Selection& selection);
  void setHover(const Hover& hover);
  void goBack();
  void goForward();
  /// Starts a new history, as for another report.
  void reset(const Selection& selection);

 Q_SIGNALS:
  void selectionChanged(const ulp::views::Selection& selection);
  void hoverChanged(const ulp::views::Hover& hover);
  /// The selected place is to be shown: goTo().
  void placeWanted(const std::optional<QString>& rule);

 private:
  template <class Change>
  void change(const Change& apply) {
    Selection next = m_selection;
    apply(next);
    select(next);
  }
  void moveTo(std::size_t position);

  static constexpr std::size_t kHistoryLimit = 500;

  Selection m_selection;
  Hover m_hover;
  std::vector<Selection> m_history;
  std::size_t m_position = 0;
};

}  // namespace ulp::views
