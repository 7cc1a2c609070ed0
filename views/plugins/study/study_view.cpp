#include "views/plugins/study/study_view.h"

#include <memory>
#include <utility>

#include <QtCore/QFileInfo>
#include <QtCore/QScopedValueRollback>
#include <QtGui/QAction>
#include <QtGui/QTextBlock>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QStackedLayout>
#include <QtWidgets/QTableView>
#include <QtWidgets/QVBoxLayout>

#include "views/framework/background.h"
#include "views/framework/empty_state.h"
#include "views/framework/icons.h"
#include "views/framework/run_launcher.h"
#include "views/framework/severity.h"
#include "views/framework/table_tools.h"
#include "views/framework/theme_manager.h"
#include "views/framework/view_registry.h"
#include "views/framework/workspace.h"
#include "views/plugins/study/yaml_highlighter.h"

namespace ulp::views {
namespace {

constexpr int kCheckDelayMs = 300;

template <class Row>
Column<Row> textColumn(const QString& title, QString (*text)(const Row&)) {
  return {.title = title,
          .toolTip = {},
          .group = {},
          .cell = [text](const Row& row, int role) -> QVariant {
            const bool shown =
                role == Qt::DisplayRole || role == Qt::ToolTipRole || role == RawRole;
            return shown ? QVariant(text(row)) : QVariant();
          }};
}

void setUpList(QTableView& table, const ThemeManager& themes, const QString& name) {
  setUpTable(table, themes);
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.horizontalHeader()->setStretchLastSection(true);
  table.setAccessibleName(name);
}

}  // namespace

StudyView::StudyView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_title(new QLabel(this)),
      m_editor(new QPlainTextEdit(this)),
      m_highlighter(new YamlHighlighter(m_editor->document())),
      m_status(new QLabel(this)),
      m_problems(new RowTableModel<StudyProblem>(this)),
      m_problemsTable(new QTableView(this)),
      m_variants(new RowTableModel<StudyVariant>(this)),
      m_variantsTable(new QTableView(this)),
      m_empty(new EmptyState(this)),
      m_page(new QWidget(this)),
      m_pages(new QStackedLayout(this)) {
  makeActions();
  makePage();
  m_empty->setText(tr("No study is open"),
                   tr("A study says which model runs on which input, and in which precisions."));
  m_pages->addWidget(m_empty);
  m_pages->addWidget(m_page);
  Workspace& workspace = context.workspace;
  m_empty->setButton(tr("New study"), [&workspace] { workspace.newStudy(); });
  connect(&workspace, &Workspace::studyChanged, this, &StudyView::showStudy);
  connect(&context.themes, &ThemeManager::themeChanged, m_highlighter, &YamlHighlighter::setTheme);
  m_highlighter->setTheme(context.themes.theme());
  m_checkTimer.setSingleShot(true);
  m_checkTimer.setInterval(kCheckDelayMs);
  connect(&m_checkTimer, &QTimer::timeout, this, &StudyView::check);
  connect(m_editor, &QPlainTextEdit::textChanged, this, &StudyView::onEdited);
  showStudy();
}

void StudyView::makeActions() {
  m_save = new QAction(themedIcon(QStringLiteral("save")), tr("Save"), this);
  m_save->setToolTip(tr("Save the study"));
  addAction(m_save);
  m_run = new QAction(themedIcon(QStringLiteral("run")), tr("Run"), this);
  m_run->setToolTip(tr("Save and run the study"));
  connect(m_save, &QAction::triggered, this, [this] { context().workspace.askToSaveStudy(); });
  connect(m_run, &QAction::triggered, this, [this] { context().runs.launch(); });
}

void StudyView::makePage() {
  m_editor->setFont(fixedFont(font()));
  m_editor->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_editor->setFrameShape(QFrame::NoFrame);
  m_editor->setTabStopDistance(m_editor->fontMetrics().horizontalAdvance(QLatin1Char(' ')) * 2);
  m_editor->setAccessibleName(tr("Study as YAML"));
  m_title->setTextFormat(Qt::PlainText);
  m_title->setContentsMargins(12, 8, 12, 4);
  auto* left = new QWidget(m_page);
  auto* leftLayout = new QVBoxLayout(left);
  leftLayout->setContentsMargins(0, 0, 0, 0);
  leftLayout->setSpacing(0);
  leftLayout->addWidget(m_title);
  leftLayout->addWidget(m_editor, 1);
  auto* split = new QSplitter(Qt::Horizontal, m_page);
  split->addWidget(left);
  split->addWidget(makeSide());
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  auto* layout = new QVBoxLayout(m_page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(split);
  setFocusProxy(m_editor);
}

QWidget* StudyView::makeSide() {
  auto* side = new QWidget(m_page);
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(0, 8, 0, 0);
  layout->setSpacing(8);
  m_status->setWordWrap(true);
  m_status->setTextFormat(Qt::PlainText);
  m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_problems->setContent(
      {textColumn<StudyProblem>(tr("Line"),
                                [](const StudyProblem& problem) {
                                  return problem.line > 0 ? QString::number(problem.line)
                                                          : QString();
                                }),
       textColumn<StudyProblem>(tr("Problem"),
                                [](const StudyProblem& problem) { return problem.text; })},
      nullptr);
  m_variants->setContent(
      {textColumn<StudyVariant>(tr("Variant"), [](const StudyVariant& v) { return v.name; }),
       textColumn<StudyVariant>(tr("Overrides"),
                                [](const StudyVariant& v) { return v.overrides; })},
      nullptr);
  setUpList(*m_problemsTable, context().themes, tr("Problems"));
  setUpList(*m_variantsTable, context().themes, tr("Variants of the study"));
  m_problemsTable->setModel(m_problems);
  m_problemsTable->setWordWrap(true);
  m_variantsTable->setModel(m_variants);
  auto* run = new QPushButton(m_run->icon(), m_run->text(), side);
  run->setToolTip(m_run->toolTip());
  connect(run, &QPushButton::clicked, m_run, &QAction::trigger);
  connect(m_run, &QAction::changed, run, [this, run] { run->setEnabled(m_run->isEnabled()); });
  auto* head = new QHBoxLayout;
  head->setContentsMargins(12, 0, 12, 0);
  head->setSpacing(12);
  head->addWidget(m_status, 1);
  head->addWidget(run, 0, Qt::AlignTop);
  layout->addLayout(head);
  layout->addWidget(m_problemsTable, 1);
  layout->addWidget(m_variantsTable, 1);
  connect(m_problemsTable, &QTableView::clicked, this, [this](const QModelIndex& index) {
    goToLine(m_problems->row(index.row()).line);
  });
  return side;
}

void StudyView::setReport(const DocumentPtr& document) {
  m_document = document;
  if (!context().workspace.hasStudy()) {
    showStudy();
  }
}

void StudyView::setSelection(const Selection& /*selection*/) {}

void StudyView::showStudy() {
  const Workspace& workspace = context().workspace;
  const bool readOnly = !workspace.hasStudy();
  const QString made =
      m_document ? QString::fromStdString(m_document->report().studyYaml) : QString();
  m_pages->setCurrentWidget(readOnly && made.isEmpty() ? static_cast<QWidget*>(m_empty) : m_page);
  m_editor->setReadOnly(readOnly);
  showText(readOnly ? made : workspace.study().text);
  m_save->setEnabled(!readOnly);
  m_run->setEnabled(!readOnly);
  updateTitle();
  check();
}

void StudyView::showText(const QString& text) {
  if (m_editor->toPlainText() != text) {
    const QScopedValueRollback<bool> guard(m_isShowing, true);
    m_editor->setPlainText(text);
  }
}

void StudyView::onEdited() {
  if (m_isShowing || m_editor->isReadOnly()) {
    return;
  }
  context().workspace.setStudyText(m_editor->toPlainText());
  updateTitle();
  m_checkTimer.start();
}

void StudyView::updateTitle() {
  const Workspace& workspace = context().workspace;
  if (!workspace.hasStudy()) {
    m_title->setText(tr("The study of this report, as it was run"));
    return;
  }
  const StudyText& study = workspace.study();
  const QString name =
      study.path.isEmpty() ? tr("New study, not saved yet") : QFileInfo(study.path).fileName();
  m_title->setText(study.isModified() && !study.path.isEmpty() ? tr("%1, edited").arg(name) : name);
  m_title->setToolTip(study.path);
}

void StudyView::check() {
  const QString text = m_editor->toPlainText();
  const QString path = context().workspace.study().path;
  context().background.run<StudyCheck>(
      QStringLiteral("study-check"),
      this,
      [text, path](const std::stop_token&) { return checkStudyText(text, path); },
      [this](const StudyCheck& found) { showCheck(found); });
}

void StudyView::showCheck(const StudyCheck& check) {
  const bool good = check.problems.empty();
  m_problemsTable->setHidden(good);
  m_variantsTable->setHidden(!good);
  if (good) {
    m_status->setText(m_editor->isReadOnly()
                          ? tr("%1 variants").arg(check.variants.size())
                          : tr("%1 Ready to run. Results go to %2")
                                .arg(severityGlyph(Severity::Fine), check.outputDir));
    m_variants->setRows(std::make_shared<const std::vector<StudyVariant>>(check.variants));
    fitColumns(*m_variantsTable, 24);
  } else {
    m_status->setText(
        tr("%1 Problems: %2").arg(severityGlyph(Severity::Broken)).arg(check.problems.size()));
    m_problems->setRows(std::make_shared<const std::vector<StudyProblem>>(check.problems));
    m_problemsTable->setColumnWidth(0,
                                    fontMetrics().horizontalAdvance(QStringLiteral("00000")) + 12);
    m_problemsTable->resizeRowsToContents();
  }
}

void StudyView::goToLine(int line) {
  if (line > 0) {
    m_editor->setTextCursor(QTextCursor(m_editor->document()->findBlockByNumber(line - 1)));
    m_editor->setFocus();
  }
}

QList<QAction*> StudyView::viewActions() const {
  return {m_run, m_save};
}

void registerStudy(ViewRegistry& registry);

void registerStudy(ViewRegistry& registry) {
  registry.add(
      {.id = QStringLiteral("study"),
       .title = StudyView::tr("Study"),
       .toolTip = StudyView::tr("Model, input and variants as YAML"),
       .icon = QStringLiteral("study"),
       .shortcut = QKeySequence(Qt::ALT | Qt::Key_6),
       .area = ViewArea::Centre,
       .order = 40,
       .purpose = ViewPurpose::Study,
       .drillLevel = 0,
       .make = [](const ViewContext& context) { return std::make_unique<StudyView>(context); }});
}

}  // namespace ulp::views
