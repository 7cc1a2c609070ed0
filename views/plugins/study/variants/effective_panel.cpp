#include "views/plugins/study/variants/effective_panel.h"

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QTableView>
#include <QtWidgets/QVBoxLayout>

#include "core/study/schema/schema.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"
#include "views/plugins/study/form/form_field.h"
#include "views/plugins/study/variants/variants_model.h"

namespace ulp::views {
namespace {

QVariant effectiveKeyCell(const study::EffectiveRow& row, int role) {
  if (role == Qt::DisplayRole || role == RawRole) {
    return QString::fromStdString(row.key);
  }
  const study::Key* key = study::findKey(row.key);
  return role == Qt::ToolTipRole && key != nullptr ? QVariant(keyToolTip(*key)) : QVariant();
}

QVariant valueCell(const study::EffectiveRow& row, std::size_t run, int role) {
  if (run >= row.cells.size()) {
    return {};
  }
  const study::Setting& cell = row.cells[run];
  const QString value =
      cell.value.empty() ? QStringLiteral("–") : QString::fromStdString(cell.value);
  const QString origin = originText(cell.origin, run == 0);
  switch (role) {
    case Qt::DisplayRole:
      return QStringLiteral("%1  · %2").arg(value, origin);
    case RawRole:
      return value;
    case DimRole:
      return cell.origin == study::Origin::Default;
    case Qt::ToolTipRole:
      return cell.position.line > 0 ? EffectivePanel::tr("%1, set by: %2, line %3")
                                          .arg(value, origin)
                                          .arg(cell.position.line)
                                    : EffectivePanel::tr("%1, set by: %2").arg(value, origin);
    default:
      return {};
  }
}

}  // namespace

EffectivePanel::EffectivePanel(const ThemeManager& themes, QWidget* parent)
    : QWidget(parent),
      m_model(new RowTableModel<study::EffectiveRow>(this)),
      m_table(new QuietTableView(this)),
      m_only(new QCheckBox(tr("Differences only"), this)),
      m_note(new QLabel(this)) {
  setUpTable(*m_table, themes);
  m_table->setModel(m_model);
  m_table->setAccessibleName(tr("Effective configuration of every run"));
  m_only->setToolTip(tr("Show only the keys in which runs differ"));
  m_note->setForegroundRole(QPalette::PlaceholderText);
  m_note->setWordWrap(true);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(12, 8, 12, 0);
  bar->setSpacing(12);
  bar->addWidget(m_only);
  bar->addWidget(m_note, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addLayout(bar);
  layout->addWidget(m_table, 1);
  connect(m_only, &QCheckBox::toggled, this, &EffectivePanel::refill);
}

void EffectivePanel::setColumns() {
  using Row = study::EffectiveRow;
  std::vector<Column<Row>> columns{
      {.title = tr("Key"), .toolTip = {}, .group = {}, .cell = effectiveKeyCell}};
  for (std::size_t run = 0; run < m_content.runs.size(); ++run) {
    columns.push_back(
        {.title = QString::fromStdString(m_content.runs[run]),
         .toolTip = tr("What this run uses, and who set it"),
         .group = {},
         .cell = [run](const Row& row, int role) { return valueCell(row, run, role); }});
  }
  m_model->setContent(std::move(columns), nullptr);
  m_shownRuns = m_content.runs;
}

void EffectivePanel::show(const study::EffectiveTable& table, bool isCurrent) {
  m_note->setText(isCurrent                ? QString()
                  : m_content.rows.empty() ? tr("Shown once the study has no problems.")
                                           : tr("As of the last text without problems."));
  if (isCurrent) {
    m_content = table;
    refill();
  }
}

void EffectivePanel::refill() {
  const bool newRuns = m_shownRuns != m_content.runs;
  if (newRuns) {
    setColumns();
  }
  auto rows = std::make_shared<std::vector<study::EffectiveRow>>();
  for (const study::EffectiveRow& row : m_content.rows) {
    if (row.differs || !m_only->isChecked()) {
      rows->push_back(row);
    }
  }
  m_model->setRows(std::move(rows));
  if (newRuns) {
    fitColumns(*m_table, 28);
  }
}

bool EffectivePanel::showsDifferencesOnly() const {
  return m_only->isChecked();
}

void EffectivePanel::setDifferencesOnly(bool only) {
  m_only->setChecked(only);
}

}  // namespace ulp::views
