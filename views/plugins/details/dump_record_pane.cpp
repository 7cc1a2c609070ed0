#include "views/plugins/details/dump_record_pane.h"

#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTableView>

#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/text_label.h"

namespace ulp::views {
namespace {

/// Shorter reading is not worth a word.
constexpr int kPatienceMs = 400;

}  // namespace

DumpRecordPane::DumpRecordPane(const ViewContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_recorded(new RecordedModel(this)),
      m_recordedTable(
          makeTable(m_recorded, tr("What the dumps recorded of the tensor"), context.themes, this)),
      m_calls(new CallModel(this)),
      m_callsTable(makeTable(
          m_calls, tr("Where the tensor was made, innermost first"), context.themes, this)),
      m_tabs(new QTabWidget(this)),
      m_problem(makeTextLabel(this)) {
  m_recordedTable->setObjectName(QStringLiteral("recorded"));
  m_callsTable->setObjectName(QStringLiteral("calls"));
  m_callsTable->horizontalHeader()->setStretchLastSection(true);
  m_problem->setContentsMargins(12, 8, 12, 8);
  m_tabs->addTab(m_callsTable, tr("Where it was made"));
  m_tabs->addTab(m_recordedTable, tr("Recorded"));
  m_tabs->setDocumentMode(true);
  columnOf(this, {m_problem, {m_tabs, 1}}, {.margins = QMargins(), .spacing = 4});
  m_patience.setSingleShot(true);
  m_patience.setInterval(kPatienceMs);
  connect(&m_patience, &QTimer::timeout, this, [this] {
    m_problem->setText(tr("Reading what the dumps recorded…"));
    m_problem->show();
    // Of the first tensor the dumps are opened and matched, which takes longest.
    show();
  });
  clear();
}

QString DumpRecordPane::tag() const {
  return workTagOf(this, "dump-record");
}

void DumpRecordPane::clear() {
  m_context.background.cancel(tag());
  m_subject.reset();
  showRecord({});
}

void DumpRecordPane::emptyTables() {
  m_record = {};
  m_problem->hide();
  m_recorded->setContent(recordedColumns(), nullptr);
  m_calls->setContent(callColumns(), nullptr);
  m_patience.start();
}

void DumpRecordPane::showTensor(const DocumentPtr& document, const QString& run, const Site& site) {
  const auto place = document->captureOrigin(run, site.name);
  if (!place || !place->dumps) {
    clear();
    return;
  }
  // While dumps are compared the same tensor is shown anew every second: its record stays.
  Subject subject{place->dumps->origin(), place->run, place->site, site.pass};
  if (subject != m_subject) {
    m_subject = std::move(subject);
    emptyTables();
  }
  m_context.background.run<DumpRecord>(
      tag(),
      this,
      [place = *place, site](const std::stop_token& stop) {
        return readDumpRecord(place, site, stop);
      },
      [this](const DumpRecord& record) { showRecord(record); });
}

void DumpRecordPane::showRecord(const DumpRecord& record) {
  m_patience.stop();
  m_record = record;
  m_problem->setText(record.problem);
  m_problem->setVisible(!record.problem.isEmpty());
  m_recorded->setContent(recordedColumns(record.isOfOneDump), record.recorded);
  m_calls->setContent(callColumns(), record.calls);
  m_tabs->setVisible(record.recorded != nullptr);
  fitColumns(*m_callsTable);
  // Both sides have the same room, whatever the length of their names.
  QHeaderView& header = *m_recordedTable->horizontalHeader();
  for (int column = 0; column < m_recorded->columnCount(); ++column) {
    header.setSectionResizeMode(column,
                                column == 0 ? QHeaderView::ResizeToContents : QHeaderView::Stretch);
  }
  setVisible(record.recorded != nullptr || !record.problem.isEmpty());
}

std::vector<Exhibit> DumpRecordPane::exhibits(const QString& name) const {
  if (!m_record.recorded) {
    return {};
  }
  const auto exhibit = [&name](const QTableView& table, const auto& columns, const auto& rows) {
    const QString title = QStringLiteral("%1, %2").arg(table.accessibleName(), name);
    return Exhibit{.id = table.objectName(),
                   .title = title,
                   .table = [content = dataOf(title, columns, rows)] { return content; }};
  };
  return {exhibit(*m_recordedTable, recordedColumns(m_record.isOfOneDump), *m_record.recorded),
          exhibit(*m_callsTable, callColumns(), *m_record.calls)};
}

}  // namespace ulp::views
