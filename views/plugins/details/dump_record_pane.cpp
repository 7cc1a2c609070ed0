#include "views/plugins/details/dump_record_pane.h"

#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTableView>
#include <QtWidgets/QVBoxLayout>

#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"

namespace ulp::views {
namespace {

/// Shorter reading is not worth a word.
constexpr int kPatienceMs = 400;

}  // namespace

DumpRecordPane::DumpRecordPane(const ViewContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_recorded(new RecordedModel(this)),
      m_recordedTable(new QuietTableView(this)),
      m_calls(new CallModel(this)),
      m_callsTable(new QuietTableView(this)),
      m_tabs(new QTabWidget(this)),
      m_problem(new QLabel(this)) {
  setUp(*m_recordedTable, tr("What the dumps recorded of the tensor"), QStringLiteral("recorded"));
  m_recordedTable->setModel(m_recorded);
  setUp(*m_callsTable, tr("Where the tensor was made, innermost first"), QStringLiteral("calls"));
  m_callsTable->setModel(m_calls);
  m_callsTable->horizontalHeader()->setStretchLastSection(true);
  m_recordedTable->setTextElideMode(Qt::ElideMiddle);
  m_problem->setTextFormat(Qt::PlainText);
  m_problem->setWordWrap(true);
  m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_problem->setContentsMargins(12, 8, 12, 8);
  m_tabs->addTab(m_callsTable, tr("Where it was made"));
  m_tabs->addTab(m_recordedTable, tr("Recorded"));
  m_tabs->setDocumentMode(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(m_problem);
  layout->addWidget(m_tabs, 1);
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

void DumpRecordPane::setUp(QTableView& table,
                           const QString& name,
                           const QString& objectName) const {
  setUpTable(table, m_context.themes);
  table.setAccessibleName(name);
  table.setObjectName(objectName);
}

QString DumpRecordPane::tag() const {
  return QStringLiteral("dump-record/%1").arg(reinterpret_cast<quintptr>(this));
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
  const auto place = document->dumpPlace(run, site.name);
  if (!place) {
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
  m_recorded->setContent(recordedColumns(), record.recorded);
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
  const auto exhibit = [&name](const QTableView& table, report::DataTable content) {
    const QString title = QStringLiteral("%1, %2").arg(table.accessibleName(), name);
    content.title = title.toStdString();
    return Exhibit{.id = table.objectName(),
                   .title = title,
                   .paint = {},
                   .table = [content = std::move(content)] { return content; }};
  };
  return {exhibit(*m_recordedTable, recordedTable(*m_record.recorded)),
          exhibit(*m_callsTable, callTable(*m_record.calls))};
}

}  // namespace ulp::views
