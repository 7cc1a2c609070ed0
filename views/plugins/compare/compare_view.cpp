#include "views/plugins/compare/compare_view.h"

#include <algorithm>
#include <utility>

#include <QtGui/QAction>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTableView>

#include "core/analysis/mapping/site_mapping.h"
#include "core/base/files/atomic_file.h"
#include "views/comparing/mapping_dialogs.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::views {
namespace {

QString mappingTopic() {
  return QStringLiteral("compare-mapping");
}

report::DataTable tableOf(const QString& title, const TensorListModel& model) {
  report::DataTable table = model.rows() ? dataOf(title, model.columns(), *model.rows())
                                         : report::DataTable{.title = title.toStdString()};
  table.columns = report::columnsOf("Tensor; Pass; Shape");
  return table;
}

}  // namespace

CompareView::CompareView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_reports(new ReportModel(this)),
      m_onlyFirst(new TensorListModel(this)),
      m_onlyOther(new TensorListModel(this)),
      m_mapping(new MappingModel(this)),
      m_reportTable(makeTable(m_reports, tr("Open reports"), context.themes)),
      m_firstTable(makeTable(m_onlyFirst, tr("Tensors only in the first report"), context.themes)),
      m_otherTable(makeTable(m_onlyOther, tr("Tensors only in the other report"), context.themes)),
      m_mappingTable(makeTable(m_mapping, tr("Rules and pairs of names"), context.themes)),
      m_headline(new QLabel),
      m_firstTitle(new QLabel),
      m_otherTitle(new QLabel),
      m_match(new QLineEdit),
      m_replace(new QLineEdit),
      m_addRule(new QPushButton(tr("Add rule"))),
      m_pair(new QPushButton(tr("Pair the two chosen"))),
      m_accept(new QPushButton),
      m_remove(new QPushButton(tr("Remove"))),
      m_add(makeTitleAction({.icon = "new", .text = tr("Add a report…")})),
      m_close(makeTitleAction({.icon = "close", .text = tr("Close this report")})),
      m_load(makeTitleAction({.icon = "open", .text = tr("Load a mapping…")})),
      m_save(makeTitleAction({.icon = "save", .text = tr("Save the mapping…")})),
      m_details(new QWidget),
      m_alone(new EmptyState) {
  m_headline->setContentsMargins(12, 0, 12, 0);
  m_headline->setWordWrap(true);
  m_reports->setContent(reportColumns(), nullptr);
  columnOf(m_details,
           {m_headline, {makeLists(), 3}, {makeMapping(), 2}},
           {.margins = QMargins(), .spacing = 8});
  auto* page = new QWidget(this);
  columnOf(page,
           {{m_reportTable, 1}, {m_details, 5}, {m_alone, 5}},
           {.margins = QMargins(), .spacing = 12});
  setPage(page);
  connectParts();
  updateButtons();
}

QWidget* CompareView::makeLists() {
  auto* split = new QSplitter(Qt::Horizontal);
  const auto add = [&](QLabel* title, QTableView* table, TensorListModel* model) {
    model->setContent(tensorListColumns(), nullptr);
    auto* side = new QWidget;
    columnOf(side, {title, {table, 1}}, {.margins = QMargins(), .spacing = 4});
    title->setContentsMargins(12, 0, 12, 0);
    title->setBuddy(table);
    split->addWidget(side);
  };
  add(m_firstTitle, m_firstTable, m_onlyFirst);
  add(m_otherTitle, m_otherTable, m_onlyOther);
  split->setChildrenCollapsible(false);
  return split;
}

QWidget* CompareView::makeMapping() {
  m_mapping->setContent(mappingColumns(), nullptr);
  m_match->setPlaceholderText(tr("Names that match, as ^h\\.(\\d+)"));
  m_match->setAccessibleName(tr("Regular expression of names"));
  m_replace->setPlaceholderText(tr("read as, as model.layers.$1"));
  m_replace->setAccessibleName(tr("What matching names read as"));
  auto* pairing = rowOf(nullptr,
                        {m_pair, m_accept, BoxItem::stretch(), m_remove},
                        {.margins = QMargins(12, 0, 12, 0), .spacing = 8});
  auto* rule = rowOf(nullptr,
                     {{m_match, 1}, {m_replace, 1}, m_addRule},
                     {.margins = QMargins(12, 0, 12, 8), .spacing = 8});
  auto* part = new QWidget;
  columnOf(part, {pairing, {m_mappingTable, 1}, rule}, {.margins = QMargins(), .spacing = 8});
  return part;
}

void CompareView::connectParts() {
  connect(m_add,
          &QAction::triggered,
          &context().workspace.requests,
          &WindowRequests::askForReportBeside);
  connect(m_close, &QAction::triggered, this, [this] {
    context().workspace.reports.closeReport(
        static_cast<std::size_t>(std::max(0, m_reportTable->currentIndex().row())));
  });
  connect(m_load, &QAction::triggered, this, &CompareView::askToLoad);
  connect(m_save, &QAction::triggered, this, &CompareView::askToSave);
  connect(m_reportTable->selectionModel(),
          &QItemSelectionModel::currentRowChanged,
          this,
          &CompareView::refresh);
  for (QTableView* table : {m_firstTable, m_otherTable, m_mappingTable}) {
    connect(table->selectionModel(),
            &QItemSelectionModel::currentRowChanged,
            this,
            &CompareView::updateButtons);
  }
  for (QLineEdit* edit : {m_match, m_replace}) {
    connect(edit, &QLineEdit::textChanged, this, &CompareView::updateButtons);
    connect(edit, &QLineEdit::returnPressed, this, &CompareView::addRule);
  }
  connect(m_addRule, &QPushButton::clicked, this, &CompareView::addRule);
  connect(m_pair, &QPushButton::clicked, this, &CompareView::pairChosen);
  connect(m_accept, &QPushButton::clicked, this, &CompareView::acceptSuggestions);
  connect(m_remove, &QPushButton::clicked, this, &CompareView::removeRow);
}

void CompareView::setReport(const DocumentPtr& document) {
  m_document = document;
  if (!document) {
    m_shown = nullptr;
    m_listed.clear();
    forgetCorrespondence();
    updateButtons();
    showNoReport(tr("Here any number of reports are compared with each other."));
    return;
  }
  pages().showPage();
  if (document->basis().open != m_shown) {
    m_shown = document->basis().open;
    showReports();
  }
}

void CompareView::showReports() {
  const int before = m_reportTable->currentIndex().row();
  const auto rows = reportRows(*m_shown);
  m_reports->setContent(reportColumns(), rows);
  fitColumns(*m_reportTable);
  const int last = static_cast<int>(rows->size()) - 1;
  const int row = before > 0 && before <= last ? before : last;
  m_reportTable->setCurrentIndex(m_reports->index(row, 0));
  refresh();
}

std::size_t CompareView::chosen() const {
  const int row = m_reportTable->currentIndex().row();
  return row < 0 ? 0 : static_cast<std::size_t>(row);
}

const analysis::SiteMapping& CompareView::mapping() const {
  return m_shown->sources[chosen()].mapping;
}

void CompareView::refresh() {
  if (!m_shown) {
    return;
  }
  const std::size_t index = chosen();
  // What is listed of one report must not be paired in the mapping of another.
  if (const auto& file = m_shown->sources[index].loaded.file; file != m_listed) {
    m_listed = file;
    forgetCorrespondence();
  }
  m_details->setVisible(index > 0);
  m_alone->setVisible(index == 0);
  if (index == 0) {
    sayWhatIsMissing();
    updateButtons();
    return;
  }
  m_mapping->setContent(mappingColumns(), mappingRows(mapping()));
  fitColumns(*m_mappingTable);
  m_headline->setText(tr("Matching tensors by name…"));
  context().background.run<Result<Correspondence>>(
      workTag("compare-correspondence"),
      this,
      [open = m_shown, index](const std::stop_token&) { return correspond(*open, index); },
      [this](Result<Correspondence> found) {
        if (found) {
          showCorrespondence(std::move(*found));
        } else {
          m_headline->setText(QString::fromStdString(found.error().message()));
        }
      });
  updateButtons();
}

void CompareView::sayWhatIsMissing() {
  if (m_shown->sources.size() > 1) {
    m_alone->setText(tr("The others are compared with this report"),
                     tr("Choose one of them to see which tensors belong together."));
    m_alone->hideButton();
    return;
  }
  m_alone->setText(tr("One report is open"),
                   tr("Here the tensors of another one are matched with those of this report."));
  m_alone->setButton(m_add->text(), [this] { m_add->trigger(); });
}

void CompareView::forgetCorrespondence() {
  context().background.cancel(workTag("compare-correspondence"));
  m_found = {};
  m_onlyFirst->setContent(tensorListColumns(), nullptr);
  m_onlyOther->setContent(tensorListColumns(), nullptr);
}

void CompareView::showCorrespondence(Correspondence found) {
  m_found = std::move(found);
  const QString first = m_reports->row(0).name;
  const QString other = m_reports->row(static_cast<int>(chosen())).name;
  m_headline->setText(correspondenceText(m_found, first, other));
  m_firstTitle->setText(tr("Only in %1").arg(first));
  m_otherTitle->setText(tr("Only in %1").arg(other));
  const auto fill = [](TensorListModel& model,
                       QTableView& table,
                       const std::vector<analysis::SiteShape>& tensors) {
    model.setContent(tensorListColumns(),
                     std::make_shared<const std::vector<analysis::SiteShape>>(tensors));
    fitColumns(table);
  };
  fill(*m_onlyFirst, *m_firstTable, m_found.diff.onlyInBaseline);
  fill(*m_onlyOther, *m_otherTable, m_found.diff.onlyInOther);
  updateButtons();
}

void CompareView::updateButtons() {
  const bool isOther = m_shown && chosen() > 0;
  m_close->setEnabled(m_shown != nullptr);
  m_load->setEnabled(isOther);
  m_save->setEnabled(isOther && !mapping().isEmpty());
  m_addRule->setEnabled(isOther && !m_match->text().isEmpty());
  m_pair->setEnabled(isOther && m_firstTable->currentIndex().isValid() &&
                     m_otherTable->currentIndex().isValid());
  m_accept->setEnabled(isOther && !m_found.suggestions.empty());
  m_accept->setText(tr("Pair %n alike", nullptr, static_cast<int>(m_found.suggestions.size())));
  m_accept->setToolTip(
      tr("Pairs tensors of equal shape, pass and layer whose names have most in common"));
  m_remove->setEnabled(m_mappingTable->currentIndex().isValid());
}

void CompareView::setMapping(analysis::SiteMapping mapping) {
  context().workspace.reports.setMapping(chosen(), std::move(mapping));
}

void CompareView::addRule() {
  if (!m_addRule->isEnabled()) {
    return;
  }
  auto rules = mapping().rules();
  rules.push_back({m_match->text().toStdString(), m_replace->text().toStdString()});
  auto changed =
      analysis::SiteMapping::make(std::move(rules), mapping().pairs(), mapping().dumps());
  if (!context().workspace.messages.settle(changed, mappingTopic())) {
    return;
  }
  m_match->clear();
  m_replace->clear();
  setMapping(std::move(*changed));
}

void CompareView::pairChosen() {
  const analysis::SiteShape& first = m_onlyFirst->row(m_firstTable->currentIndex().row());
  const analysis::SiteShape& other = m_onlyOther->row(m_otherTable->currentIndex().row());
  setMapping(withPairs(mapping(), {{other.site.name, first.site.name}}));
}

void CompareView::acceptSuggestions() {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const analysis::SuggestedPair& suggestion : m_found.suggestions) {
    pairs.emplace_back(m_found.diff.onlyInOther[suggestion.other].site.name,
                       m_found.diff.onlyInBaseline[suggestion.baseline].site.name);
  }
  setMapping(withPairs(mapping(), pairs));
}

void CompareView::removeRow() {
  setMapping(without(mapping(), m_mapping->row(m_mappingTable->currentIndex().row())));
}

void CompareView::setMappingOf(const std::filesystem::path& file, analysis::SiteMapping mapping) {
  const auto reports = context().workspace.reports.sources();
  const auto found = std::ranges::find_if(
      reports, [&](const analysis::ReportSource& source) { return source.loaded.file == file; });
  if (found != reports.end()) {
    context().workspace.reports.setMapping(static_cast<std::size_t>(found - reports.begin()),
                                           std::move(mapping));
  }
}

void CompareView::askToLoad() {
  askForMapping(this, [this, of = m_listed](const QString& path) { load(path, of); });
}

void CompareView::load(const QString& path, const std::filesystem::path& of) {
  using Read = Result<analysis::MappingFile>;
  context().background.run<Read>(
      workTag("compare-load"),
      this,
      [file = path.toStdString()](const std::stop_token&) {
        return analysis::readMappingFile(file);
      },
      [this, of](Read read) {
        if (context().workspace.messages.settle(read, mappingTopic())) {
          setMappingOf(of, std::move(read->mapping));
        }
      });
}

void CompareView::askToSave() {
  askWhereToSaveMapping(
      this, [this, yaml = mapping().toYaml()](const QString& path) { save(path, yaml); });
}

void CompareView::save(const QString& path, const std::string& yaml) {
  context().background.save<Result<>>(
      workTag("compare-save") + QLatin1Char('/') + path,
      this,
      [file = path.toStdString(), yaml] {
        return writeFileAtomically(file, yaml, LinkPolicy::Follow);
      },
      [this](const Result<>& saved) {
        context().workspace.messages.settle(saved, mappingTopic());
      });
}

std::vector<Exhibit> CompareView::exhibits() const {
  if (!m_shown || chosen() == 0) {
    return {};
  }
  const auto exhibit = [](const QString& id, const QString& title, const TensorListModel* model) {
    return Exhibit{
        .id = id, .title = title, .table = [title, model] { return tableOf(title, *model); }};
  };
  return {exhibit(QStringLiteral("only-in-first"), m_firstTitle->text(), m_onlyFirst),
          exhibit(QStringLiteral("only-in-other"), m_otherTitle->text(), m_onlyOther)};
}

void registerCompare(ViewRegistry& registry) {
  registry.add<CompareView>(
      {.id = QStringLiteral("compare"),
       .title = CompareView::tr("Compare"),
       .toolTip = CompareView::tr("Open reports and how their tensors correspond"),
       .icon = QStringLiteral("compare"),
       .shortcut = QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_C),
       .order = 60,
       .purpose = ViewPurpose::Reports,
       .shownAtStart = false});
}

}  // namespace ulp::views
