#include "views/mapping/mapping_editor.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QtGui/QShortcut>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTableView>
#include <QtWidgets/QVBoxLayout>

#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/quiet_table_view.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/message_bar.h"

namespace ulp::views {
namespace {

constexpr int kPageMargin = 16;
constexpr int kGap = 8;
constexpr int kGroupGap = 12;
/// In characters.
constexpr int kWidth = 200;
constexpr int kHeight = 48;

QTableView* makeTable(QAbstractItemModel* model, const QString& name, const ThemeManager& themes) {
  auto* table = new QuietTableView;
  setUpTable(*table, themes);
  table->setModel(model);
  table->setAccessibleName(name);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  return table;
}

QHBoxLayout* makeRow() {
  auto* row = new QHBoxLayout;
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kGap);
  return row;
}

QVBoxLayout* makeColumn(QWidget* parent, int spacing) {
  auto* column = new QVBoxLayout(parent);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(spacing);
  return column;
}

/// Return is for the lists and fields.
QPushButton* makeButton(const QString& text, const QString& toolTip) {
  auto* button = new QPushButton(text);
  button->setAutoDefault(false);
  button->setToolTip(toolTip);
  return button;
}

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
      m_messages(new MessageBar(this)),
      m_pairs(new QComboBox(this)),
      m_headline(new QLabel(this)),
      m_rules(new NameRuleModel(this)) {
  setObjectName(QStringLiteral("mappingEditor"));
  setWindowTitle(tr("Names of %1 in the words of %2").arg(m_source.candidate, m_source.baseline));
  setAccessibleName(windowTitle());
  makePage();
  connectParts();
  showRules();
  openDumps();
}

void MappingEditor::makePage() {
  m_messages->setSeverityColors(m_themes.theme());
  m_pairs->hide();
  m_pairs->setAccessibleName(tr("Units"));
  m_pairs->setToolTip(tr("The step or rank whose names are shown; the mapping is for all of them"));
  m_headline->setWordWrap(true);
  auto* top = makeRow();
  top->addWidget(m_headline, 1);
  top->addWidget(m_pairs);
  auto* lists = new QSplitter(Qt::Horizontal, this);
  lists->addWidget(makeSide(m_baseline, OpenNamesModel::Side::Baseline, m_source.baseline));
  lists->addWidget(makeSide(m_candidate, OpenNamesModel::Side::Candidate, m_source.candidate));
  lists->setChildrenCollapsible(false);
  auto* upper = new QWidget(this);
  auto* upperColumn = makeColumn(upper, kGap);
  upperColumn->addWidget(lists, 1);
  upperColumn->addWidget(makeMatching());
  auto* parts = new QSplitter(Qt::Vertical, this);
  parts->addWidget(upper);
  parts->addWidget(makeRules());
  parts->setChildrenCollapsible(false);
  parts->setStretchFactor(0, 3);
  parts->setStretchFactor(1, 2);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
  page->setSpacing(kGroupGap);
  page->addWidget(m_messages);
  page->addLayout(top);
  page->addWidget(parts, 1);
  page->addWidget(makeEnd());
  resize(kWidth * fontMetrics().averageCharWidth(), kHeight * fontMetrics().height());
}

QWidget* MappingEditor::makeSide(List& list, OpenNamesModel::Side side, const QString& dump) {
  list.model = new OpenNamesModel(side, this);
  list.table = makeTable(list.model, tr("Only in %1").arg(dump), m_themes);
  list.title = new QLabel;
  list.title->setTextFormat(Qt::PlainText);
  list.title->setBuddy(list.table);
  list.filter = new QLineEdit;
  list.filter->setPlaceholderText(tr("Filter"));
  list.filter->setAccessibleName(tr("Filter of what is only in %1").arg(dump));
  list.filter->setToolTip(tr("Names that hold these letters in this order"));
  list.filter->setClearButtonEnabled(true);
  auto* part = new QWidget;
  auto* heading = makeRow();
  heading->addWidget(list.title, 2);
  heading->addWidget(list.filter, 1);
  auto* column = makeColumn(part, kGap / 2);
  column->addLayout(heading);
  column->addWidget(list.table, 1);
  return part;
}

QWidget* MappingEditor::makeMatching() {
  m_match = makeButton(tr("&Match the two chosen"),
                       tr("Return in a list does the same; choosing a name at the left chooses its "
                          "suggested partner at the right"));
  m_alike = makeButton(tr("Match all &like them"),
                       tr("Makes a rule of the two: the same in every layer and of every expert"));
  m_mutual =
      makeButton(QString(), tr("Matches every name whose suggested partner suggests it in turn"));
  auto* part = new QWidget;
  auto* row = makeRow();
  row->addWidget(m_match);
  row->addWidget(m_alike);
  row->addWidget(m_mutual);
  row->addStretch(1);
  part->setLayout(row);
  return part;
}

QWidget* MappingEditor::makeRules() {
  m_rules->setContent(nameRuleColumns(), nullptr);
  m_ruleTable = makeTable(m_rules, tr("Rules and pairs of names"), m_themes);
  m_ruleTable->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_from = new QLineEdit;
  m_from->setPlaceholderText(tr("Names that match, as ^h\\.(\\d+)"));
  m_from->setAccessibleName(tr("Regular expression of names"));
  m_to = new QLineEdit;
  m_to->setPlaceholderText(tr("read as, as model.layers.$1"));
  m_to->setAccessibleName(tr("What matching names read as"));
  m_effect = new QLabel;
  m_effect->setTextFormat(Qt::PlainText);
  m_effect->setAccessibleName(tr("Effect of the rule"));
  m_add = makeButton(tr("&Add rule"), tr("Adds the rule behind the others"));
  m_change = makeButton(tr("&Change rule"), tr("Puts the rule in the place of the chosen one"));
  m_remove = makeButton(tr("&Remove"), tr("Removes the chosen rules and pairs"));
  auto* heading = new QLabel(tr("Rules and pairs"));
  heading->setBuddy(m_ruleTable);
  auto* fields = makeRow();
  fields->addWidget(m_from, 1);
  fields->addWidget(m_to, 1);
  fields->addWidget(m_add);
  fields->addWidget(m_change);
  fields->addWidget(m_remove);
  auto* part = new QWidget;
  auto* column = makeColumn(part, kGap);
  column->addWidget(heading);
  column->addWidget(m_ruleTable, 1);
  column->addLayout(fields);
  column->addWidget(m_effect);
  return part;
}

QWidget* MappingEditor::makeEnd() {
  m_undo = makeButton(tr("&Undo"), tr("Take back the last change"));
  m_redo = makeButton(tr("Red&o"), tr("Make the change again that was taken back"));
  m_load = makeButton(tr("Loa&d…"), tr("Read a mapping file in place of this mapping"));
  m_save = makeButton(tr("&Save…"), tr("Write the file that ulpscope-cli compare --map reads"));
  m_apply = makeButton(tr("Compare a&gain"), tr("Compare the dumps again with this mapping"));
  auto* close = makeButton(tr("Close"), tr("Close this window"));
  connect(close, &QPushButton::clicked, this, &MappingEditor::reject);
  auto* part = new QWidget;
  auto* row = makeRow();
  for (QPushButton* button : {m_undo, m_redo, m_load, m_save}) {
    row->addWidget(button);
  }
  row->addStretch(1);
  row->addWidget(m_apply);
  row->addWidget(close);
  part->setLayout(row);
  return part;
}

void MappingEditor::connectParts() {
  connect(&m_themes, &ThemeManager::themeChanged, m_messages, &MessageBar::setSeverityColors);
  connect(m_pairs, &QComboBox::currentIndexChanged, this, &MappingEditor::openPair);
  for (const List* list : {&m_baseline, &m_candidate}) {
    connect(list->table, &QTableView::activated, this, &MappingEditor::matchChosen);
    connect(list->filter, &QLineEdit::textChanged, this, [this, list] { filter(*list); });
    connect(list->table->selectionModel(),
            &QItemSelectionModel::currentRowChanged,
            this,
            &MappingEditor::updateButtons);
  }
  connect(m_baseline.table->selectionModel(),
          &QItemSelectionModel::currentRowChanged,
          this,
          &MappingEditor::chooseSuggestion);
  connect(m_match, &QPushButton::clicked, this, &MappingEditor::matchChosen);
  connect(m_alike, &QPushButton::clicked, this, &MappingEditor::matchAlike);
  connect(m_mutual, &QPushButton::clicked, this, &MappingEditor::matchMutual);
  connect(m_ruleTable->selectionModel(),
          &QItemSelectionModel::selectionChanged,
          this,
          &MappingEditor::editChosenRule);
  for (QLineEdit* field : {m_from, m_to}) {
    connect(field, &QLineEdit::textChanged, this, &MappingEditor::showEffect);
    connect(field, &QLineEdit::returnPressed, this, [this] {
      (m_change->isEnabled() ? m_change : m_add)->click();
    });
  }
  connect(m_add, &QPushButton::clicked, this, &MappingEditor::addRule);
  connect(m_change, &QPushButton::clicked, this, &MappingEditor::changeRule);
  connect(m_remove, &QPushButton::clicked, this, &MappingEditor::removeChosen);
  auto* erase = new QShortcut(QKeySequence::Delete, m_ruleTable);
  erase->setContext(Qt::WidgetShortcut);
  connect(erase, &QShortcut::activated, this, &MappingEditor::removeChosen);
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
  connect(m_load, &QPushButton::clicked, this, &MappingEditor::askToLoad);
  connect(m_save, &QPushButton::clicked, this, &MappingEditor::askToSave);
  connect(m_apply, &QPushButton::clicked, this, &MappingEditor::apply);
  connect(m_history, &MappingHistory::changed, this, [this] {
    m_isApplied = false;
    m_isSaved = false;
    ++m_changes;
    showRules();
    match();
  });
}

QString MappingEditor::workTag(const char* what) const {
  return QStringLiteral("mapping-%1-%2")
      .arg(QLatin1String(what))
      .arg(reinterpret_cast<quintptr>(this));
}

bool MappingEditor::isSettled() const {
  constexpr std::array kWork{"open", "match", "mutual", "effect", "baseline", "candidate", "load"};
  return std::none_of(kWork.begin(), kWork.end(), [this](const char* what) {
    return m_background.isBusy(workTag(what));
  });
}

}  // namespace ulp::views
