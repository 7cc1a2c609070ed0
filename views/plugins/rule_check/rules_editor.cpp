#include "views/plugins/rule_check/rules_editor.h"

#include <utility>

#include <QtCore/QFileInfo>
#include <QtCore/QRegularExpression>
#include <QtCore/QSignalBlocker>
#include <QtGui/QDoubleValidator>
#include <QtGui/QShortcut>
#include <QtGui/QTextBlock>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>

#include "core/analysis/rules/verdict_rules.h"
#include "core/base/files/atomic_file.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/file_dialog.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/message.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/widgets/text_label.h"

namespace ulp::views {
namespace {

const QString kRulesSuffix = QStringLiteral("yaml");
/// What errors of the text are said to be in.
constexpr const char* kTextOrigin = "rules";

/// The place of "rules:line:column: what" in the text; -1: it says none.
int placeOf(const QString& message, const QPlainTextEdit& text) {
  static const QRegularExpression kPlace(QStringLiteral("^rules:(\\d+):(\\d+): "));
  const QRegularExpressionMatch match = kPlace.match(message);
  const QTextBlock line = text.document()->findBlockByNumber(match.captured(1).toInt() - 1);
  if (!match.hasMatch() || !line.isValid()) {
    return -1;
  }
  const QByteArray before = line.text().toUtf8().left(match.captured(2).toInt() - 1);
  return line.position() + static_cast<int>(QString::fromUtf8(before).size());
}

/// A number, as wide as small ones are whatever the size of the text.
class ToleranceEdit : public QLineEdit {
 public:
  ToleranceEdit(const QString& name, double value, QWidget* parent)
      : QLineEdit(QString::number(value), parent) {
    auto* validator = new QDoubleValidator(0, 1e300, -1, this);
    validator->setLocale(QLocale::c());
    setValidator(validator);
    setAccessibleName(name);
    setObjectName(name);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  }
  [[nodiscard]] QSize sizeHint() const override {
    const int spare = QLineEdit::minimumSizeHint().width();
    return {spare + fontMetrics().horizontalAdvance(QStringLiteral("0.00000000")),
            QLineEdit::sizeHint().height()};
  }
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
};

}  // namespace

RulesEditor::RulesEditor(Background& background, const ThemeManager& themes, QWidget* parent)
    : QWidget(parent),
      m_background(background),
      m_themes(themes),
      m_origins(new QComboBox(this)),
      m_open(new QPushButton(tr("Open…"), this)),
      m_save(new QPushButton(tr("Save as…"), this)),
      m_rtol(new ToleranceEdit(QStringLiteral("rtol"), analysis::Tolerances().rtol, this)),
      m_atol(new ToleranceEdit(QStringLiteral("atol"), analysis::Tolerances().atol, this)),
      m_put(new QPushButton(tr("Put into the rules"), this)),
      m_text(new QPlainTextEdit(this)),
      m_state(makeTextLabel(this)),
      m_show(new QPushButton(tr("Show"), this)),
      m_revert(new QPushButton(tr("Revert"), this)),
      m_apply(new QPushButton(tr("Apply"), this)) {
  makePage();
  connect(m_origins, &QComboBox::activated, this, &RulesEditor::chooseOrigin);
  connect(m_open, &QPushButton::clicked, this, &RulesEditor::openFile);
  connect(m_save, &QPushButton::clicked, this, &RulesEditor::saveFile);
  connect(m_put, &QPushButton::clicked, this, &RulesEditor::putTolerances);
  connect(m_rtol, &QLineEdit::returnPressed, this, &RulesEditor::putTolerances);
  connect(m_atol, &QLineEdit::returnPressed, this, &RulesEditor::putTolerances);
  connect(m_text, &QPlainTextEdit::textChanged, this, &RulesEditor::check);
  connect(m_show, &QPushButton::clicked, this, &RulesEditor::goToProblem);
  connect(m_revert, &QPushButton::clicked, this, [this] { showChoice(m_inForce); });
  connect(m_apply, &QPushButton::clicked, this, [this] { Q_EMIT applied({origin(), text()}); });
  auto* apply = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return), this);
  apply->setContext(Qt::WidgetWithChildrenShortcut);
  connect(apply, &QShortcut::activated, m_apply, &QPushButton::click);
  showOrigin();
  showProblem(nullptr);
}

void RulesEditor::makePage() {
  m_origins->setAccessibleName(tr("Rules"));
  m_origins->setObjectName(QStringLiteral("origin"));
  m_text->setObjectName(QStringLiteral("rulesText"));
  m_text->setAccessibleName(tr("Text of the rules"));
  m_text->setFont(fixedFont(m_text->font()));
  m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_text->setTabChangesFocus(true);
  m_text->setPlaceholderText(
      QStringLiteral("rules:\n  - {metric: rms_rel, comparison: '<=', value: 0.01}"));
  m_state->setObjectName(QStringLiteral("rulesState"));
  m_apply->setToolTip(tr("Ask these rules of the report (Ctrl+Return)"));
  m_put->setToolTip(tr("|variant − reference| ≤ atol + rtol · |reference| for every element"));
  auto* allclose = new QLabel(QStringLiteral("torch.allclose"), this);
  auto* rtol = new QLabel(QStringLiteral("rtol"), this);
  auto* atol = new QLabel(QStringLiteral("atol"), this);
  constexpr BoxShape kRow{.margins = QMargins(), .spacing = 8};
  columnOf(this,
           {rowOf(nullptr, {{m_origins, 1}, m_open, m_save}, kRow),
            rowOf(nullptr, {allclose, rtol, m_rtol, atol, m_atol, m_put, BoxItem::stretch()}, kRow),
            {m_text, 1},
            rowOf(nullptr, {{m_state, 1}, m_show, m_revert, m_apply}, kRow)},
           {.margins = QMargins(12, 8, 8, 8), .spacing = 8});
}

QString RulesEditor::text() const {
  return m_text->toPlainText();
}

void RulesEditor::showChoice(const RulesChoice& choice) {
  m_inForce = choice;
  m_known = choice;
  if (text() != choice.text) {
    m_text->setPlainText(choice.text);
  }
  check();
}

void RulesEditor::showOrigin() {
  const QSignalBlocker blocker(m_origins);
  m_origins->clear();
  m_origins->addItem(tr("No rules"), QString());
  for (const std::string& name : analysis::VerdictRules::presetNames()) {
    m_origins->addItem(QString::fromStdString(name), QString::fromStdString(name));
  }
  const QString shown = origin();
  const bool isOwn = shown.isEmpty() && !text().isEmpty();
  if (isOwn) {
    m_origins->addItem(tr("Rules of your own"), QString());
    m_origins->setCurrentIndex(m_origins->count() - 1);
    return;
  }
  if (m_origins->findData(shown) < 0) {
    m_origins->addItem(QFileInfo(shown).fileName(), shown);
    m_origins->setItemData(m_origins->count() - 1, shown, Qt::ToolTipRole);
  }
  m_origins->setCurrentIndex(m_origins->findData(shown));
}

void RulesEditor::chooseOrigin(int index) {
  const QString chosen = m_origins->itemData(index).toString();
  const auto preset = analysis::VerdictRules::presetText(chosen.toStdString());
  if (preset) {
    Q_EMIT applied({chosen, QString::fromStdString(*preset)});
  } else if (index == 0) {
    Q_EMIT applied({});
  } else if (!chosen.isEmpty()) {
    readFile(chosen);
  }
}

void RulesEditor::openFile() {
  askForFile(
      this,
      {.title = tr("Open rules"), .filters = {tr("Rules (*.yaml *.yml)"), tr("All files (*)")}},
      [this](const QString& path) { readFile(path); });
}

void RulesEditor::readFile(const QString& path) {
  m_background.run<Result<std::string>>(
      workTagOf(this, "read-rules"),
      this,
      [path](const std::stop_token& /*stop*/) { return readTextFile(path.toStdString()); },
      [this, path](const Result<std::string>& read) {
        if (read) {
          Q_EMIT applied({path, QString::fromStdString(*read)});
        } else {
          Q_EMIT failed(read.error());
        }
      });
}

void RulesEditor::saveFile() {
  askForFile(this,
             {.title = tr("Save the rules"),
              .wanted = FileWanted::New,
              .filters = {tr("Rules (*.yaml *.yml)")},
              .suggested = QStringLiteral("rules.yaml"),
              .suffix = kRulesSuffix},
             [this](const QString& path) {
               m_background.save<Result<>>(
                   workTagOf(this, "save-rules"),
                   this,
                   [path, written = text().toStdString()] {
                     return writeFileAtomically(path.toStdString(), written);
                   },
                   [this, choice = RulesChoice{path, text()}](const Result<>& saved) {
                     if (saved) {
                       m_known = choice;
                       showOrigin();
                     } else {
                       Q_EMIT failed(saved.error());
                     }
                   });
             });
}

void RulesEditor::putTolerances() {
  if (!m_rtol->hasAcceptableInput() || !m_atol->hasAcceptableInput()) {
    return;
  }
  const QString changed = QString::fromStdString(analysis::withAllclose(
      text().toStdString(), {m_rtol->text().toDouble(), m_atol->text().toDouble()}));
  // As an edit, so that it can be undone.
  QTextCursor all(m_text->document());
  all.select(QTextCursor::Document);
  all.insertText(changed);
}

void RulesEditor::check() {
  showOrigin();
  updateButtons();
  if (text().trimmed().isEmpty()) {
    m_background.cancel(workTagOf(this, "check-rules"));
    showProblem(nullptr);
    return;
  }
  m_background.run<Result<analysis::VerdictRules>>(
      workTagOf(this, "check-rules"),
      this,
      [text = text().toStdString()](const std::stop_token& /*stop*/) {
        return analysis::VerdictRules::parse(text, kTextOrigin);
      },
      [this](const Result<analysis::VerdictRules>& rules) {
        showProblem(rules ? nullptr : &rules.error());
      });
}

void RulesEditor::showProblem(const Error* problem) {
  m_isValid = problem == nullptr;
  m_problemPlace = -1;
  QList<QTextEdit::ExtraSelection> marks;
  if (problem != nullptr) {
    const QString message = errorText(*problem);
    m_problemPlace = placeOf(message, *m_text);
    if (m_problemPlace >= 0) {
      QTextEdit::ExtraSelection mark;
      mark.cursor = QTextCursor(m_text->document());
      mark.cursor.setPosition(m_problemPlace);
      mark.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
      mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
      mark.format.setUnderlineColor(m_themes.theme().severityColor(Severity::Broken));
      marks << mark;
    }
    const QTextBlock line = m_text->document()->findBlock(m_problemPlace);
    const QString what = message.section(QStringLiteral(": "), 1);
    const QString said = m_problemPlace < 0 ? message
                                            : tr("Line %1, column %2: %3")
                                                  .arg(line.blockNumber() + 1)
                                                  .arg(m_problemPlace - line.position() + 1)
                                                  .arg(what);
    m_state->setText(severityGlyph(Severity::Broken) + QLatin1Char(' ') + said);
  }
  m_text->setExtraSelections(marks);
  m_show->setVisible(m_problemPlace >= 0);
  updateButtons();
}

void RulesEditor::goToProblem() {
  QTextCursor cursor(m_text->document());
  cursor.setPosition(m_problemPlace);
  m_text->setTextCursor(cursor);
  m_text->setFocus();
}

void RulesEditor::updateButtons() {
  const bool isChanged = text() != m_inForce.text;
  m_apply->setEnabled(m_isValid && isChanged);
  m_revert->setEnabled(isChanged);
  m_save->setEnabled(m_isValid && !text().isEmpty());
  if (m_isValid) {
    m_state->setText(isChanged                  ? tr("Changed, not applied")
                     : m_inForce.text.isEmpty() ? tr("No rules are asked")
                                                : tr("These rules are asked"));
  }
}

}  // namespace ulp::views
