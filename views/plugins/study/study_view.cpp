#include "views/plugins/study/study_view.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <QtCore/QFileInfo>
#include <QtCore/QJsonArray>
#include <QtGui/QAction>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTableView>

#include "core/study/editing/study_completion.h"
#include "core/study/yaml/yaml_write.h"
#include "views/framework/look/icons.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/text_label.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/recently_opened.h"
#include "views/framework/workspace/study_history.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/study/form/study_form.h"
#include "views/plugins/study/study_tables.h"
#include "views/plugins/study/text/yaml_editor.h"
#include "views/plugins/study/variants/effective_panel.h"
#include "views/plugins/study/variants/grid_dialog.h"
#include "views/plugins/study/variants/variants_panel.h"
#include "views/studies/device_offers.h"
#include "views/studies/run_launcher.h"

namespace ulp::views {
namespace {

constexpr int kCheckDelayMs = 300;

const QString kEditTopic = QStringLiteral("study-edit");

}  // namespace

StudyView::StudyView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_title(new QLabel(this)),
      m_estimate(makeTextLabel(this)),
      m_runButton(new QPushButton(themedIcon(QStringLiteral("run")), tr("Run"), this)),
      m_copyButton(new QPushButton(tr("Edit a copy"), this)),
      m_editor(new YamlEditor(this)),
      m_keyHelp(new QLabel(this)),
      m_form(new StudyForm(this)),
      m_variants(new VariantsPanel(context.themes, this)),
      m_effective(new EffectivePanel(context.themes, this)),
      m_tabs(new QTabWidget(this)),
      m_split(new QSplitter(Qt::Horizontal, this)),
      m_problems(new RowTableModel<StudyProblem>(this)),
      m_problemsTable(makeTable(m_problems, tr("Problems"), context.themes, this)),
      m_save(
          makeTitleAction({.icon = "save", .text = tr("Save"), .toolTip = tr("Save the study")})) {
  makePage();
  keepState();
  Workspace& workspace = context.workspace;
  connect(m_save, &QAction::triggered, this, [&workspace] { workspace.requests.saveStudy({}); });
  connect(&workspace.study, &StudyDocument::changed, this, &StudyView::showStudy);
  connect(&workspace.study, &StudyDocument::edited, this, &StudyView::onStudyEdited);
  connect(&workspace.study, &StudyDocument::finishing, m_form, &StudyForm::finishEdits);
  connect(&workspace.study, &StudyDocument::finishing, m_variants, &VariantsPanel::finishEdits);
  context.themes.follow(m_editor, &YamlEditor::setTheme);
  context.themes.follow(m_form, &StudyForm::setTheme);
  m_checkTimer.setSingleShot(true);
  connect(&m_checkTimer, &QTimer::timeout, this, &StudyView::check);
  connect(m_editor, &YamlEditor::edited, this, &StudyView::onTyped);
  connect(m_editor, &QPlainTextEdit::cursorPositionChanged, this, &StudyView::showKeyHelp);
  connectForm();
  connectVariants();
  offerGpus();
  connect(&context.queue, &queue::JobQueue::gpusTold, this, &StudyView::offerGpus);
  showStudy();
}

void StudyView::offerGpus() {
  offerCudaDevices(context().background,
                   context().queue.gpus(),
                   this,
                   [this](const QString& device, const QString& text) {
                     m_form->field("device")->offer(device, text);
                   });
}

void StudyView::makePage() {
  m_tabs->setDocumentMode(true);
  m_tabs->setAccessibleName(tr("Settings, variants, effective configuration"));
  m_tabs->addTab(m_form, tr("Settings"));
  m_tabs->addTab(m_variants, tr("Variants"));
  m_tabs->addTab(m_effective, tr("Effective"));
  m_split->addWidget(m_tabs);
  m_split->addWidget(makeText());
  m_split->setStretchFactor(0, 1);
  m_split->setStretchFactor(1, 1);
  m_split->setChildrenCollapsible(false);
  // Half each, whatever the parts would like to have.
  m_split->setSizes({1000, 1000});
  connect(m_split, &QSplitter::splitterMoved, this, [this] { m_wasSplit = true; });
  m_problems->setContent(problemColumns(), nullptr);
  m_problemsTable->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_problemsTable->horizontalHeader()->setStretchLastSection(true);
  m_problemsTable->hide();
  const auto go = [this](const QModelIndex& index) { goToProblem(index.row()); };
  connect(m_problemsTable, &QTableView::clicked, this, go);
  connect(m_problemsTable, &QTableView::activated, this, go);
  auto* page = new QWidget(this);
  columnOf(page, {makeHead(), {m_split, 1}, m_problemsTable}, kTight);
  setPage(page);
  setFocusProxy(m_editor);
}

QWidget* StudyView::makeHead() {
  auto* head = new QWidget(this);
  m_title->setTextFormat(Qt::PlainText);
  QFont bold = m_title->font();
  bold.setBold(true);
  m_title->setFont(bold);
  m_runButton->setToolTip(tr("Save and run the study"));
  m_copyButton->setToolTip(tr("Make a new study of this text"));
  connect(m_copyButton, &QPushButton::clicked, this, [this] {
    context().workspace.study.openCopy(m_editor->toPlainText());
  });
  connect(m_runButton, &QPushButton::clicked, this, [this] { context().runs.launch(); });
  rowOf(head,
        {m_title, {m_estimate, 1}, m_copyButton, m_runButton},
        {.margins = QMargins(16, 8, 12, 8), .spacing = 12});
  return head;
}

QWidget* StudyView::makeText() {
  auto* side = new QWidget(m_split);
  m_keyHelp->setTextFormat(Qt::PlainText);
  m_keyHelp->setWordWrap(true);
  m_keyHelp->setContentsMargins(12, 4, 12, 8);
  m_keyHelp->setForegroundRole(QPalette::PlaceholderText);
  m_keyHelp->setMinimumHeight(fontMetrics().lineSpacing() * 2 + 12);
  m_keyHelp->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  columnOf(side, {{m_editor, 1}, m_keyHelp}, kTight);
  return side;
}

void StudyView::keepState() {
  keep(
      "tab",
      [this] { return m_tabs->currentIndex(); },
      [this](const QJsonValue& value) {
        const int tab = value.toInt(0);
        m_tabs->setCurrentIndex(tab >= 0 && tab < m_tabs->count() ? tab : 0);
      });
  keep(
      "split",
      [this] {
        QJsonArray sizes;
        for (const int size : m_wasSplit ? m_split->sizes() : QList<int>()) {
          sizes.append(size);
        }
        return sizes;
      },
      [this](const QJsonValue& value) {
        const QJsonArray sizes = value.toArray();
        const auto isWidth = [](const QJsonValue& size) { return size.toInt(0) > 0; };
        if (sizes.size() == 2 && std::all_of(sizes.begin(), sizes.end(), isWidth)) {
          m_split->setSizes({sizes[0].toInt(), sizes[1].toInt()});
          m_wasSplit = true;
        }
      });
  QCheckBox& only = m_effective->differencesOnly();
  keep(
      "differencesOnly",
      [&only] { return only.isChecked(); },
      [&only](const QJsonValue& value) { only.setChecked(value.toBool(false)); });
}

void StudyView::connectForm() {
  connect(
      m_form, &StudyForm::edited, this, [this](const QString& key, const study::YamlNode& value) {
        setKey({}, key, value, {.id = QStringLiteral("%1 %2").arg(key).arg(m_visits)});
      });
  connect(m_form, &StudyForm::cleared, this, [this](const QString& key) { clearKey({}, key); });
  connect(m_form, &StudyForm::visited, this, [this](const QString& path) {
    ++m_visits;
    if (const study::Key* key = study::findKey(path.toStdString())) {
      m_keyHelp->setText(keyHelp(*key));
    }
  });
}

void StudyView::connectVariants() {
  using Kind = study::KeyOwner::Kind;
  connect(m_variants, &VariantsPanel::addRequested, this, &StudyView::addVariant);
  connect(m_variants, &VariantsPanel::duplicateRequested, this, &StudyView::duplicateVariant);
  connect(m_variants, &VariantsPanel::gridRequested, this, &StudyView::openGrid);
  connect(m_variants,
          &VariantsPanel::renameRequested,
          this,
          [this](const QString& name, const QString& to) {
            m_variants->select(to);
            apply(
                study::renameYaml(text(), study::variantPath(name.toStdString()), to.toStdString()),
                tr("renaming of variant %1").arg(name));
          });
  connect(m_variants, &VariantsPanel::removeRequested, this, [this](const QString& name) {
    apply(study::removeYaml(text(), study::variantPath(name.toStdString()), study::Comments::Drop),
          tr("deletion of variant %1").arg(name));
  });
  connect(m_variants, &VariantsPanel::moveRequested, this, [this](const QString& name, int to) {
    apply(study::moveVariant(text(), name.toStdString(), static_cast<std::size_t>(to)),
          tr("move of variant %1").arg(name));
  });
  connect(m_variants,
          &VariantsPanel::overrideRequested,
          this,
          [this](const QString& variant, const QString& key, const QString& value) {
            const study::KeyOwner owner{variant.isEmpty() ? Kind::Reference : Kind::Variant,
                                        variant.toStdString()};
            if (value.isEmpty()) {
              clearKey(owner, key);
            } else {
              setKey(owner, key, study::scalarNode(value.toStdString()));
            }
          });
}

void StudyView::setReport(const DocumentPtr& document) {
  m_document = document;
  if (!context().workspace.study.isOpen()) {
    showStudy();
  }
}

void StudyView::showStudy() {
  const Workspace& workspace = context().workspace;
  m_isReadOnly = !workspace.study.isOpen();
  const QString made =
      m_document ? QString::fromStdString(m_document->report().studyYaml) : QString();
  if (m_isReadOnly && made.isEmpty()) {
    pages().showEmpty(tr("No study is open"),
                      tr("A study says which model runs on which input, and in which precisions."),
                      tr("New study"),
                      [this] { context().workspace.study.openNew(); });
  } else {
    pages().showPage();
  }
  m_editor->setReadOnly(m_isReadOnly);
  m_form->setReadOnly(m_isReadOnly);
  m_variants->setReadOnly(m_isReadOnly);
  const QString shown = m_isReadOnly ? made : workspace.study.content().text;
  if (m_editor->toPlainText() != asShown(shown)) {
    m_editor->showText(shown);
    m_editor->moveCursor(QTextCursor::Start);
  }
  m_save->setEnabled(!m_isReadOnly);
  m_runButton->setVisible(!m_isReadOnly);
  m_copyButton->setVisible(m_isReadOnly);
  updateTitle();
  check();
}

void StudyView::onTyped() {
  if (m_isReadOnly) {
    return;
  }
  const QString typed =
      withShownEdit(context().workspace.study.content().text, m_editor->toPlainText());
  context().workspace.study.setText(typed);
}

void StudyView::onStudyEdited() {
  const QString& now = context().workspace.study.content().text;
  // Typing comes letter by letter; what the form or the history did is shown at once.
  const bool isTyping = m_editor->toPlainText() == asShown(now);
  m_editor->showText(now);
  updateTitle();
  m_checkTimer.start(isTyping ? kCheckDelayMs : 0);
}

void StudyView::updateTitle() {
  const Workspace& workspace = context().workspace;
  if (!workspace.study.isOpen()) {
    m_title->setText(tr("The study of this report, as it was run"));
    return;
  }
  const StudyText& study = workspace.study.content();
  const QString name =
      study.path.isEmpty() ? tr("New study, not saved yet") : QFileInfo(study.path).fileName();
  m_title->setText(study.isModified() && !study.path.isEmpty() ? tr("%1, edited").arg(name) : name);
  m_title->setToolTip(study.path);
}

void StudyView::check() {
  const QString shown =
      m_isReadOnly ? m_editor->toPlainText() : context().workspace.study.content().text;
  const QString path = context().workspace.study.content().path;
  context().background.run<StudyCheckPtr>(
      QStringLiteral("study-check"),
      this,
      [shown, path, made = m_isReadOnly ? m_document : nullptr](const std::stop_token&) {
        StudyCheck check = checkStudyText(shown, path);
        if (made) {
          takeRecorded(check.effective, made->report());
        }
        return std::make_shared<const StudyCheck>(std::move(check));
      },
      [this](const StudyCheckPtr& found) { showCheck(found); });
}

void StudyView::showCheck(const StudyCheckPtr& check) {
  if (!m_isReadOnly && check->text != context().workspace.study.content().text) {
    // Of an older text; the check of the newer one is on its way.
    return;
  }
  m_check = check;
  m_form->show(check->tree.get(), check->problems);
  if (check->isValid()) {
    // Depends on the optimizer: the schema has no default.
    m_form->setFallback(QStringLiteral("optimizer.weight_decay"),
                        QString::number(check->study->optimizer.weightDecay));
  }
  m_effective->show(check->effective, check->isValid());
  m_variants->show(check->tree.get(), m_effective->content());
  m_editor->setProblems(check->problems);
  showProblems(*check);
  forecast();
}

void StudyView::showProblems(const StudyCheck& check) {
  m_problemsTable->setHidden(check.problems.empty());
  m_problems->setRows(std::make_shared<const std::vector<StudyProblem>>(check.problems));
  m_problemsTable->setColumnWidth(0,
                                  fontMetrics().horizontalAdvance(QStringLiteral("00000000")) + 12);
  const int rows = std::clamp(static_cast<int>(check.problems.size()), 1, 5);
  const int row = rowHeight(fontMetrics());
  m_problemsTable->setFixedHeight(row * rows +
                                  m_problemsTable->horizontalHeader()->sizeHint().height() + 2);
  m_estimate->setText(stateText(check, m_isReadOnly));
  m_estimate->setToolTip(check.isValid() ? tr("Results go to %1").arg(check.outputDir) : QString());
}

void StudyView::forecast() {
  const StudyCheckPtr check = m_check;
  if (!check->isValid()) {
    context().background.cancel(QStringLiteral("study-forecast"));
    return;
  }
  if (!m_isReadOnly) {
    noteRecentModel(context().settings,
                    context().workspace.study.content().path,
                    QString::fromStdString(check->study->modelPath)
                        .section(u'/', -1, -1, QString::SectionSkipEmpty));
  }
  context().background.run<StudyForecast>(
      QStringLiteral("study-forecast"),
      this,
      [check,
       sources = ForecastSources{.outputDir = check->outputDir.toStdString(),
                                 .recent = recentReports(context().settings),
                                 .open = m_document,
                                 .gpus = context().queue.gpus()},
       cache = m_cache](const std::stop_token&) {
        return forecastStudy(*check->study, sources, *cache);
      },
      [this, check](const StudyForecast& found) {
        if (check == m_check) {
          showForecast(found);
        }
      });
}

void StudyView::showForecast(const StudyForecast& forecast) {
  m_form->setRemark(QStringLiteral("capture.include"), includeText(forecast));
  m_form->setRemark(QStringLiteral("capture.exclude"), excludeText(forecast));
  if (m_isReadOnly) {
    return;
  }
  m_estimate->setText(forecastText(*m_check, forecast));
}

void StudyView::goToProblem(int row) {
  const StudyProblem& problem = m_problems->row(row);
  m_editor->goTo(problem.line, problem.column, problem.length);
}

void StudyView::showKeyHelp() {
  const QString all = m_editor->toPlainText();
  const auto offset =
      static_cast<std::size_t>(all.left(m_editor->textCursor().position()).toUtf8().size());
  const study::Key* key = study::keyAt(all.toStdString(), offset);
  m_keyHelp->setText(key == nullptr ? QString() : keyHelp(*key));
}

std::string StudyView::text() const {
  return context().workspace.study.content().text.toStdString();
}

std::vector<std::string> StudyView::names() const {
  const auto tree = study::parseYaml(text(), "study");
  return tree ? study::variantNames(*tree) : std::vector<std::string>{};
}

void StudyView::apply(const Result<std::string>& text,
                      const QString& step,
                      const EditMerge& merge) {
  Workspace& workspace = context().workspace;
  if (!text) {
    workspace.messages.raise(
        {.text = tr("The study stays as it is: %1.").arg(errorText(text.error())),
         .topic = kEditTopic});
    // The form goes back to what the text says.
    m_checkTimer.start(0);
    return;
  }
  workspace.messages.dismiss(kEditTopic);
  workspace.study.edit(QString::fromStdString(*text), step, merge);
}

void StudyView::setKey(const study::KeyOwner& owner,
                       const QString& key,
                       const study::YamlNode& value,
                       const EditMerge& merge) {
  apply(study::setStudyKey(text(), owner, key.toStdString(), value), stepText(owner, key), merge);
}

void StudyView::clearKey(const study::KeyOwner& owner, const QString& key) {
  apply(study::resetStudyKey(text(), owner, key.toStdString()), stepText(owner, key));
}

void StudyView::addVariant() {
  const std::string name = study::freeVariantName(names(), tr("variant").toStdString());
  m_variants->rename(QString::fromStdString(name));
  apply(study::addVariant(text(), name, {{"precision.compute_dtype", "bfloat16"}}),
        tr("addition of variant %1").arg(QString::fromStdString(name)));
}

void StudyView::duplicateVariant(const QString& name) {
  const std::string copy = study::freeVariantName(names(), tr("%1_copy").arg(name).toStdString());
  m_variants->select(QString::fromStdString(copy));
  apply(study::copyYaml(text(), study::variantPath(name.toStdString()), copy),
        tr("duplication of variant %1").arg(name));
}

void StudyView::openGrid() {
  auto* dialog = new GridDialog(names(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] { addGrid(dialog->variants()); });
  dialog->open();
}

void StudyView::addGrid(std::vector<study::GridVariant> variants) {
  const QString step =
      variants.size() == 1
          ? tr("addition of variant %1").arg(QString::fromStdString(variants[0].name))
          : tr("addition of %1 variants").arg(variants.size());
  const std::string before = text();
  context().background.run<Result<std::string>>(
      QStringLiteral("study-grid"),
      this,
      [before, variants = std::move(variants)](const std::stop_token& stop) {
        Result<std::string> yaml = before;
        for (const study::GridVariant& variant : variants) {
          if (!yaml || stop.stop_requested()) {
            break;
          }
          yaml = study::addVariant(*yaml, variant.name, variant.overrides);
        }
        return yaml;
      },
      [this, before, step](const Result<std::string>& yaml) {
        if (before == text()) {
          apply(yaml, step);
        } else {
          context().workspace.messages.raise(
              {.text = tr("The study was changed while the variants were made; nothing was added. "
                          "Make them again."),
               .topic = kEditTopic});
        }
      });
}

std::vector<Exhibit> StudyView::exhibits() const {
  if (m_effective->content().rows.empty()) {
    return {};
  }
  return {{.id = QStringLiteral("effective-configuration"),
           .title = tr("Effective configuration"),
           .table = [table = m_effective->content()] { return effectiveDataTable(table); }}};
}

void registerStudy(ViewRegistry& registry) {
  registry.add<StudyView>(
      {.id = QStringLiteral("study"),
       .title = StudyView::tr("Study"),
       .toolTip = StudyView::tr("Model, input and variants, as a form and as YAML"),
       .icon = QStringLiteral("study"),
       .shortcut = QKeySequence(Qt::ALT | Qt::Key_6),
       .order = 40,
       .purpose = ViewPurpose::Study,
       .layouts = {.configure = true}});
}

}  // namespace ulp::views
