#include "views/plugins/runs/cluster_pane.h"

#include <algorithm>
#include <map>

#include <QtCore/QDir>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/widgets/text_label.h"

namespace ulp::views {

namespace {

/// Why a task waits, as squeue says it; what it says rarely stays as it is.
QString reasonText(const QString& reason) {
  static const std::map<QString, QString> kKnown{
      {QStringLiteral("Resources"), ClusterPane::tr("nodes are busy")},
      {QStringLiteral("Priority"), ClusterPane::tr("others come first")},
      {QStringLiteral("Dependency"), ClusterPane::tr("waits for other tasks")},
      {QStringLiteral("JobArrayTaskLimit"), ClusterPane::tr("as many run as may at once")},
      {QStringLiteral("BeginTime"), ClusterPane::tr("its time has not come")},
      {QStringLiteral("QOSMaxJobsPerUserLimit"), ClusterPane::tr("you may not run more at once")},
      {QStringLiteral("PartitionTimeLimit"), ClusterPane::tr("asks for more time than it may")},
      {QStringLiteral("PartitionNodeLimit"), ClusterPane::tr("asks for more nodes than there are")},
      {QStringLiteral("ReqNodeNotAvail"), ClusterPane::tr("the node is not available")},
      {QStringLiteral("JobHeldUser"), ClusterPane::tr("held back by you")},
      {QStringLiteral("JobHeldAdmin"), ClusterPane::tr("held back by an administrator")},
      {QStringLiteral("Slurm does not answer"), ClusterPane::tr("Slurm does not answer")}};
  const auto found = kKnown.find(reason);
  return found == kKnown.end() ? reason : found->second;
}

}  // namespace

QString clusterText(const queue::ClusterState& state) {
  QStringList parts;
  const auto add = [&parts](int count, const QString& text) {
    if (count > 0) {
      parts << text;
    }
  };
  QStringList reasons;
  for (const QString& reason : state.reasons) {
    reasons << reasonText(reason);
  }
  QString pending = ClusterPane::tr("%n pending", nullptr, state.pending);
  if (!reasons.isEmpty()) {
    pending = ClusterPane::tr("%1 (%2)").arg(pending, reasons.join(QStringLiteral(", ")));
  }
  add(state.running, ClusterPane::tr("%n running", nullptr, state.running));
  add(state.pending, pending);
  add(state.waiting, ClusterPane::tr("%n not submitted", nullptr, state.waiting));
  add(state.failed, ClusterPane::tr("%n failed", nullptr, state.failed));
  add(state.done, ClusterPane::tr("%n done", nullptr, state.done));
  return parts.isEmpty() ? ClusterPane::tr("Asking the cluster…")
                         : parts.join(QStringLiteral(" · "));
}

ClusterPane::ClusterPane(queue::ClusterWatch& watch, QWidget* parent)
    : QWidget(parent), m_watch(watch), m_lines(columnOf(this, {}, {.spacing = 2})) {
  setObjectName(QStringLiteral("cluster"));
  m_lines->setContentsMargins(8, 4, 8, 4);
  connect(&watch, &queue::ClusterWatch::changed, this, &ClusterPane::refresh);
  refresh();
}

void ClusterPane::refresh() {
  while (QLayoutItem* item = m_lines->takeAt(0)) {
    if (QWidget* line = item->widget()) {
      line->hide();
      line->deleteLater();
    }
    delete item;
  }
  for (const queue::ClusterState& state : m_watch.states()) {
    addLine(state);
  }
  setVisible(!m_watch.states().empty());
}

int ClusterPane::nameWidth() const {
  int widest = 0;
  for (const queue::ClusterState& state : m_watch.states()) {
    widest = std::max(widest, fontMetrics().horizontalAdvance(QDir(state.folder).dirName()));
  }
  return std::min(widest, fontMetrics().averageCharWidth() * 40) + fontMetrics().averageCharWidth();
}

void ClusterPane::addLine(const queue::ClusterState& state) {
  auto* line = new QWidget(this);
  auto* name = makeTextLabel(line);
  name->setText(QDir(state.folder).dirName());
  name->setToolTip(state.folder);
  name->setMinimumWidth(nameWidth());
  auto* text = makeTextLabel(line);
  text->setObjectName(QStringLiteral("state"));
  text->setWordWrap(true);
  QString words = clusterText(state);
  if (!state.problem.isEmpty()) {
    words = severityGlyph(Severity::Broken) + QLatin1Char(' ') + state.problem;
  }
  text->setText(words);
  const QString folder = state.folder;
  const auto button = [&](const QString& label, const QString& toolTip, auto act, bool enabled) {
    auto* each = new QPushButton(label, line);
    each->setToolTip(toolTip);
    each->setEnabled(enabled);
    connect(each, &QPushButton::clicked, &m_watch, [this, folder, act] { (m_watch.*act)(folder); });
    return each;
  };
  auto* show = button(tr("Show results"),
                      tr("Put together what the tasks have given so far, and open it"),
                      &queue::ClusterWatch::merge,
                      state.done > 0);
  auto* again = button(tr("Again"),
                       tr("Submit the tasks again that failed"),
                       &queue::ClusterWatch::again,
                       state.failed + state.waiting > 0);
  auto* cancel = button(tr("Cancel"),
                        tr("Take back the tasks that wait or run"),
                        &queue::ClusterWatch::cancel,
                        state.pending + state.running > 0);
  auto* forget = button(tr("Remove"),
                        tr("Remove the study from this list; its tasks go on, its files stay"),
                        &queue::ClusterWatch::forget,
                        true);
  rowOf(line, {name, {text, 1}, show, again, cancel, forget}, {.margins = QMargins()});
  m_lines->addWidget(line);
}

}  // namespace ulp::views
