#include "app/gui/exports/report_part_pane.h"

#include <algorithm>

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QListWidget>

#include "core/base/site.h"
#include "views/framework/document/report_document.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"

namespace ulp::app {
namespace {

constexpr int kLinesShown = 5;

void addItem(QListWidget& list, const QString& text, const std::string& id) {
  auto* item = new QListWidgetItem(text, &list);
  item->setData(Qt::UserRole, QString::fromStdString(id));
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
  item->setCheckState(Qt::Unchecked);
}

std::vector<std::string> ticked(const QListWidget& list) {
  std::vector<std::string> ids;
  for (int row = 0; row < list.count(); ++row) {
    if (list.item(row)->checkState() == Qt::Checked) {
      ids.push_back(list.item(row)->data(Qt::UserRole).toString().toStdString());
    }
  }
  return ids;
}

}  // namespace

ReportPartPane::ReportPartPane(const views::ReportDocument& document, QWidget* parent)
    : QWidget(parent),
      m_passes(new QListWidget(this)),
      m_metrics(new QListWidget(this)),
      m_runs(new QListWidget(this)),
      m_summary(new QCheckBox(tr("S&ummary alone, without the tables of all tensors"), this)),
      m_rules(new QCheckBox(tr("What the &rules say, with a verdict on every row"), this)) {
  for (const Pass pass : kPasses) {
    if (std::ranges::any_of(document.sites(),
                            [pass](const Site& site) { return site.pass == pass; })) {
      addItem(*m_passes, views::passText(pass), std::string(toString(pass)));
    }
  }
  for (const views::MetricInfo& metric : document.metrics()) {
    addItem(*m_metrics, views::metricHeader(metric), metric.id.toStdString());
  }
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    const QString name = document.variantName(variant);
    addItem(*m_runs, name, name.toStdString());
  }
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(QMargins());
  const auto add = [&](int column, QListWidget* list, const char* id, const QString& name) {
    auto* label = new QLabel(name, this);
    label->setBuddy(list);
    list->setObjectName(QLatin1String(id));
    list->setAccessibleName(QString(name).remove(QLatin1Char('&')));
    list->setFixedHeight(fontMetrics().lineSpacing() * (kLinesShown + 1));
    grid->addWidget(label, 0, column);
    grid->addWidget(list, 1, column);
  };
  add(0, m_passes, "passes", tr("&Passes"));
  add(1, m_metrics, "metrics", tr("&Metrics"));
  add(2, m_runs, "variants", tr("&Variants"));
  auto* note = new QLabel(tr("Nothing ticked: all"), this);
  note->setForegroundRole(QPalette::PlaceholderText);
  grid->addWidget(note, 2, 0, 1, 3);
  m_summary->setObjectName(QStringLiteral("summary"));
  grid->addWidget(m_summary, 3, 0, 1, 3);
  m_rules->setObjectName(QStringLiteral("rules"));
  m_rules->setToolTip(tr("The view Rules chooses what is asked of this report"));
  m_rules->setChecked(true);
  grid->addWidget(m_rules, 4, 0, 1, 3);
}

report::ExportOptions ReportPartPane::options() const {
  report::ExportOptions options{.metrics = ticked(*m_metrics),
                                .runs = ticked(*m_runs),
                                .isSummaryOnly = m_summary->isEnabled() && m_summary->isChecked()};
  for (const std::string& name : ticked(*m_passes)) {
    if (const auto pass = parsePass(name)) {
      options.passes.push_back(*pass);
    }
  }
  return options;
}

void ReportPartPane::setHasSummary(bool hasSummary) {
  m_summary->setEnabled(hasSummary);
}

void ReportPartPane::setHasRules(bool hasRules) {
  m_rules->setEnabled(hasRules);
}

bool ReportPartPane::wantsRules() const {
  return m_rules->isEnabled() && m_rules->isChecked();
}

}  // namespace ulp::app
