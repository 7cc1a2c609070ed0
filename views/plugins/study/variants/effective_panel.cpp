#include "views/plugins/study/variants/effective_panel.h"

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QTableView>

#include "core/study/schema/schema.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/widgets/layouts.h"
#include "views/plugins/study/form/key_names.h"
#include "views/plugins/study/variants/variants_model.h"

namespace ulp::views {
namespace {

QVariant valueCell(const study::EffectiveRow& row, std::size_t run, int role) {
  if (run >= row.cells.size()) {
    return {};
  }
  const study::Setting& cell = row.cells[run];
  const QString value = cell.value.empty() ? missingText() : QString::fromStdString(cell.value);
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
                                          .arg(value, origin, QString::number(cell.position.line))
                                    : EffectivePanel::tr("%1, set by: %2").arg(value, origin);
    default:
      return {};
  }
}

std::vector<Column<study::EffectiveRow>> effectiveColumns(const std::vector<std::string>& runs) {
  using Row = study::EffectiveRow;
  const auto key = [](const Row& row) { return QString::fromStdString(row.key); };
  // Every row is of a key of the schema (effectiveTable()).
  const auto help = [](const Row& row) { return keyToolTip(*study::findKey(row.key)); };
  std::vector<Column<Row>> columns{{.title = EffectivePanel::tr("Key"),
                                    .roles = {{Qt::DisplayRole, key}, {Qt::ToolTipRole, help}}}};
  for (std::size_t run = 0; run < runs.size(); ++run) {
    columns.push_back(
        {.title = QString::fromStdString(runs[run]),
         .toolTip = EffectivePanel::tr("What this run uses, and who set it"),
         .cell = [run](const Row& row, int role) { return valueCell(row, run, role); }});
  }
  return columns;
}

}  // namespace

EffectivePanel::EffectivePanel(const ThemeManager& themes, QWidget* parent)
    : QWidget(parent),
      m_model(new RowTableModel<study::EffectiveRow>(this)),
      m_table(makeTable(m_model, tr("Effective configuration of every run"), themes, this)),
      m_only(new QCheckBox(tr("Differences only"), this)),
      m_note(new QLabel(this)) {
  m_only->setToolTip(tr("Show only the keys in which runs differ"));
  m_note->setForegroundRole(QPalette::PlaceholderText);
  m_note->setWordWrap(true);
  auto* bar =
      rowOf(nullptr, {m_only, {m_note, 1}}, {.margins = QMargins(12, 8, 12, 0), .spacing = 12});
  columnOf(this, {bar, {m_table, 1}}, {.margins = QMargins(), .spacing = 8});
  connect(m_only, &QCheckBox::toggled, this, &EffectivePanel::refill);
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
  auto rows = std::make_shared<std::vector<study::EffectiveRow>>();
  for (const study::EffectiveRow& row : m_content.rows) {
    if (row.differs || !m_only->isChecked()) {
      rows->push_back(row);
    }
  }
  if (m_shownRuns == m_content.runs) {
    m_model->setRows(std::move(rows));
    return;
  }
  m_shownRuns = m_content.runs;
  m_model->setContent(effectiveColumns(m_shownRuns), std::move(rows));
  fitColumns(*m_table, 28);
}

}  // namespace ulp::views
