#include "views/mapping/mapping_editor.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QtGui/QShortcut>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSplitter>

#include "core/analysis/mapping/site_mapping.h"
#include "core/base/files/atomic_file.h"
#include "views/comparing/mapping_dialogs.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/message_bar.h"
#include "views/framework/words/literal_text.h"
#include "views/mapping/mapping_widgets.h"
#include "views/mapping/open_names_list.h"
#include "views/mapping/rules_panel.h"

namespace ulp::views {
namespace {

constexpr int kPageMargin = 16;
constexpr int kGroupGap = 12;
/// In characters.
constexpr int kWidth = 200;
constexpr int kHeight = 48;

}  // namespace

MappingEditor::MappingEditor(MappingSource source,
                             const analysis::SiteMapping& mapping,
                             Background& background,
                             const ThemeManager& themes,
                             QWidget* parent)
    : QDialog(parent),
      m_source(std::move(source)),
      m_background(background),
      m_themes(themes),
      m_history(new MappingHistory(mapping, this)),
      m_pairs(new QComboBox(this)),
      m_headline(new QLabel(this)),
      m_baseline(
          new OpenNamesList(OpenNamesModel::Side::Baseline, m_source.baseline, background, themes)),
      m_candidate(new OpenNamesList(
          OpenNamesModel::Side::Candidate, m_source.candidate, background, themes)),
      m_rules(new RulesPanel(*m_history, background, themes)) {
  setObjectName(QStringLiteral("mappingEditor"));
  setWindowTitle(literalTitle(
      tr("Names of %1 in the words of %2").arg(m_source.candidate, m_source.baseline)));
  setAccessibleName(windowTitle());
  makePage();
  connectParts();
  m_rules->showRules(nullptr);
  openDumps();
}

void MappingEditor::makePage() {
  m_pairs->hide();
  m_pairs->setAccessibleName(tr("Units"));
  m_pairs->setToolTip(tr("The step or rank whose names are shown; the mapping is for all of them"));
  m_headline->setWordWrap(true);
  auto* lists = new QSplitter(Qt::Horizontal, this);
  lists->addWidget(m_baseline);
  lists->addWidget(m_candidate);
  lists->setChildrenCollapsible(false);
  auto* upper = new QWidget(this);
  columnOf(upper, {{lists, 1}, makeMatching()}, kMappingBox);
  auto* parts = new QSplitter(Qt::Vertical, this);
  parts->addWidget(upper);
  parts->addWidget(m_rules);
  parts->setChildrenCollapsible(false);
  parts->setStretchFactor(0, 3);
  parts->setStretchFactor(1, 2);
  columnOf(this,
           {rowOf(nullptr, {{m_headline, 1}, m_pairs}, kMappingBox), {parts, 1}, makeEnd()},
           {.margins = QMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap),
            .spacing = kGroupGap});
  // Over the lists: problems are those of rules, which are mended below.
  m_messages = new MessageBar(this, m_rules);
  m_themes.follow(m_messages, &MessageBar::setSeverityColors);
  resize(kWidth * fontMetrics().averageCharWidth(), kHeight * fontMetrics().height());
}

QWidget* MappingEditor::makeMatching() {
  m_match = makeMappingButton(
      tr("&Match the two chosen"),
      tr("Return in a list does the same; choosing a name at the left chooses its "
         "suggested partner at the right"));
  m_alike =
      makeMappingButton(tr("Match all &like them"),
                        tr("Makes a rule of the two: the same in every layer and of every expert"));
  m_mutual = makeMappingButton(
      QString(), tr("Matches every name whose suggested partner suggests it in turn"));
  auto* part = new QWidget;
  rowOf(part, {m_match, m_alike, m_mutual, BoxItem::stretch()}, kMappingBox);
  return part;
}

QWidget* MappingEditor::makeEnd() {
  m_undo = makeMappingButton(tr("&Undo"), tr("Take back the last change"));
  m_redo = makeMappingButton(tr("Red&o"), tr("Make the change again that was taken back"));
  m_load = makeMappingButton(tr("Loa&d…"), tr("Read a mapping file in place of this mapping"));
  m_save =
      makeMappingButton(tr("&Save…"), tr("Write the file that ulpscope-cli compare --map reads"));
  m_apply =
      makeMappingButton(tr("Compare a&gain"), tr("Compare the dumps again with this mapping"));
  auto* close = makeMappingButton(tr("Close"), tr("Close this window"));
  connect(close, &QPushButton::clicked, this, &MappingEditor::reject);
  auto* part = new QWidget;
  rowOf(part, {m_undo, m_redo, m_load, m_save, BoxItem::stretch(), m_apply, close}, kMappingBox);
  return part;
}

void MappingEditor::connectParts() {
  connect(m_pairs, &QComboBox::currentIndexChanged, this, &MappingEditor::openPair);
  for (const OpenNamesList* list : {m_baseline, m_candidate}) {
    connect(list, &OpenNamesList::activated, this, &MappingEditor::matchChosen);
    connect(list, &OpenNamesList::chosenChanged, this, &MappingEditor::updateButtons);
    connect(list, &OpenNamesList::filtered, m_baseline, &OpenNamesList::chooseAgain);
  }
  connect(m_baseline, &OpenNamesList::chosenChanged, this, &MappingEditor::chooseSuggestion);
  connect(m_rules, &RulesPanel::tried, this, [this](const Error* problem) {
    m_messages->dismiss(topicOf("rule"));
    if (problem != nullptr) {
      showError(*problem, "rule");
    }
  });
  connect(m_match, &QPushButton::clicked, this, &MappingEditor::matchChosen);
  connect(m_alike, &QPushButton::clicked, this, &MappingEditor::matchAlike);
  connect(m_mutual, &QPushButton::clicked, this, &MappingEditor::matchMutual);
  // A shortcut of the button itself would press it for a tenth of a second first.
  const auto setKey = [this](QPushButton* button, const QKeySequence& key) {
    auto* shortcut = new QShortcut(key, this);
    connect(shortcut, &QShortcut::activated, button, &QPushButton::click);
    button->setToolTip(
        QStringLiteral("%1 (%2)").arg(button->toolTip(), key.toString(QKeySequence::NativeText)));
  };
  setKey(m_undo, QKeySequence(Qt::CTRL | Qt::Key_Z));
  setKey(m_redo, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
  connect(m_undo, &QPushButton::clicked, &m_history->steps(), &QUndoStack::undo);
  connect(m_redo, &QPushButton::clicked, &m_history->steps(), &QUndoStack::redo);
  connect(m_load, &QPushButton::clicked, this, [this] {
    askForMapping(this, [this](const QString& path) { load(path); });
  });
  connect(m_save, &QPushButton::clicked, this, [this] {
    askWhereToSaveMapping(this, [this](const QString& path) { save(path); });
  });
  connect(m_apply, &QPushButton::clicked, this, &MappingEditor::apply);
  connect(m_history, &MappingHistory::changed, this, [this] {
    m_isApplied = false;
    m_isSaved = false;
    ++m_changes;
    m_rules->showRules(m_picture);
    match();
  });
}

bool MappingEditor::isSettled() const {
  constexpr std::array kWork{"mapping-open", "mapping-match", "mapping-mutual", "mapping-load"};
  return !m_baseline->isFiltering() && !m_candidate->isFiltering() && !m_rules->isCounting() &&
         std::ranges::none_of(kWork, [this](const char* what) {
           return m_background.isBusy(workTagOf(this, what));
         });
}

void MappingEditor::load(const QString& path) {
  using Read = Result<analysis::MappingFile>;
  m_background.run<Read>(
      workTagOf(this, "mapping-load"),
      this,
      [file = path.toStdString()](const std::stop_token&) {
        return analysis::readMappingFile(file);
      },
      [this](const Read& read) {
        if (m_messages->settle(read, topicOf("file"))) {
          m_history->replace(read->mapping);
        }
      });
}

void MappingEditor::save(const QString& path) {
  m_background.save<Result<>>(
      // What is saved is never replaced by other work, but for newer content of the same file.
      workTagOf(this, "mapping-save") + QLatin1Char('/') + path,
      this,
      [file = path.toStdString(), yaml = mapping().toYaml()] {
        return writeFileAtomically(file, yaml, LinkPolicy::Follow);
      },
      [this, changes = m_changes](const Result<>& saved) {
        if (m_messages->settle(saved, topicOf("file"))) {
          // What has been changed since is not in the file.
          m_isSaved = m_isSaved || changes == m_changes;
        }
      });
}

QString MappingEditor::topicOf(const char* what) {
  return QStringLiteral("mapping-%1").arg(QLatin1String(what));
}

void MappingEditor::showError(const Error& error, const char* topic) {
  m_messages->show(messageOf(error, topicOf(topic)));
}

void MappingEditor::apply() {
  m_isApplied = true;
  updateButtons();
  Q_EMIT applied();
}

void MappingEditor::reject() {
  if (!hasUnsavedEdits()) {
    QDialog::reject();
    return;
  }
  auto* question = new QMessageBox(QMessageBox::NoIcon,
                                   tr("Close the mapping"),
                                   tr("The mapping was changed and neither applied nor saved."),
                                   QMessageBox::NoButton,
                                   this);
  question->setAttribute(Qt::WA_DeleteOnClose);
  QPushButton* discard = question->addButton(tr("Discard"), QMessageBox::DestructiveRole);
  question->setDefaultButton(question->addButton(tr("Keep editing"), QMessageBox::RejectRole));
  connect(discard, &QPushButton::clicked, this, [this] { QDialog::reject(); });
  question->open();
}

}  // namespace ulp::views
