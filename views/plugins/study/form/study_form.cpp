#include "views/plugins/study/form/study_form.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include <QtCore/QEvent>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QToolButton>

#include "core/study/editing/study_edit.h"
#include "views/framework/look/icons.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/words/utf8_text.h"
#include "views/plugins/study/form/key_names.h"

namespace ulp::views {

StudyForm::StudyForm(QWidget* parent) : QScrollArea(parent), m_theme(lightTheme()) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Settings of the study"));
  setFocusPolicy(Qt::NoFocus);
  auto* page = new QWidget(this);
  m_grid = new QGridLayout(page);
  m_grid->setContentsMargins(16, 8, 16, 16);
  m_grid->setHorizontalSpacing(8);
  m_grid->setVerticalSpacing(4);
  m_grid->setColumnStretch(1, 1);
  for (const KeySection& section : keySections()) {
    addSection(section.title, section.hint);
    for (const study::Key* key : section.keys) {
      addRow(*key);
    }
  }
  m_grid->setRowStretch(m_grid->rowCount(), 1);
  setWidget(page);
}

void StudyForm::addSection(const QString& title, const QString& hint) {
  auto* heading = new QLabel(title, this);
  QFont bold = heading->font();
  bold.setBold(true);
  heading->setFont(bold);
  heading->setContentsMargins(0, m_rows.empty() ? 0 : 12, 0, 0);
  m_grid->addWidget(heading, m_grid->rowCount(), 0, 1, 3);
  if (!hint.isEmpty()) {
    auto* line = new QLabel(hint, this);
    line->setForegroundRole(QPalette::PlaceholderText);
    line->setWordWrap(true);
    m_grid->addWidget(line, m_grid->rowCount(), 0, 1, 3);
  }
}

void StudyForm::addRow(const study::Key& key) {
  Row row;
  row.field = FormField::make(key, this);
  row.name = new QLabel(keyName(key), this);
  row.name->setToolTip(keyToolTip(key));
  row.name->setBuddy(row.field);
  row.name->setContentsMargins(0, 4, 0, 0);
  row.field->setToolTip(keyToolTip(key));
  row.problem = new QLabel(this);
  row.problem->setWordWrap(true);
  row.problem->setTextFormat(Qt::PlainText);
  row.problem->hide();
  row.reset = new QToolButton(this);
  setUpToolButton(*row.reset,
                  {.icon = QStringLiteral("reset"),
                   .name = tr("Back to the default of %1").arg(utf8Text(key.path))});
  QSizePolicy keepsPlace = row.reset->sizePolicy();
  keepsPlace.setRetainSizeWhenHidden(true);
  row.reset->setSizePolicy(keepsPlace);
  row.reset->hide();
  const QString path = utf8Text(key.path);
  connect(row.field, &FormField::edited, this, [this, path](const study::YamlNode& value) {
    Q_EMIT edited(path, value);
  });
  connect(row.field, &FormField::cleared, this, [this, path] { Q_EMIT cleared(path); });
  connect(row.reset, &QToolButton::clicked, this, [this, path] { Q_EMIT cleared(path); });
  if (QWidget* control = row.field->focusProxy()) {
    control->installEventFilter(this);
    control->setProperty("studyKey", path);
  }
  row.line = m_grid->rowCount();
  m_grid->addWidget(row.reset, row.line + 1, 2, Qt::AlignTop);
  place(row);
  m_rows.push_back(row);
}

void StudyForm::place(const Row& row) {
  for (QWidget* widget : std::initializer_list<QWidget*>{row.name, row.field, row.problem}) {
    m_grid->removeWidget(widget);
  }
  if (m_isNarrow) {
    m_grid->addWidget(row.name, row.line, 0, 1, 3);
    m_grid->addWidget(row.field, row.line + 1, 0, 1, 2);
    m_grid->addWidget(row.problem, row.line + 2, 0, 1, 3);
  } else {
    m_grid->addWidget(row.name, row.line + 1, 0, Qt::AlignTop);
    m_grid->addWidget(row.field, row.line + 1, 1);
    m_grid->addWidget(row.problem, row.line + 2, 1, 1, 2);
  }
}

int StudyForm::wideWidth() const {
  int name = 0;
  int field = 0;
  for (const Row& row : m_rows) {
    name = std::max(name, row.name->sizeHint().width());
    field = std::max(field, row.field->minimumSizeHint().width());
  }
  const QMargins margins = m_grid->contentsMargins();
  return margins.left() + name + field + m_rows.front().reset->sizeHint().width() +
         2 * m_grid->horizontalSpacing() + margins.right();
}

void StudyForm::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  const bool isNarrow = viewport()->width() < wideWidth();
  if (std::exchange(m_isNarrow, isNarrow) != isNarrow) {
    for (const Row& row : m_rows) {
      place(row);
    }
  }
}

void StudyForm::show(const study::YamlNode* tree, const std::vector<StudyProblem>& problems) {
  m_isYaml = tree != nullptr;
  enable();
  for (const Row& row : m_rows) {
    const QString path = utf8Text(row.field->key().path);
    const auto problem = std::ranges::find_if(
        problems, [&](const StudyProblem& each) { return each.key == path && !each.isOverride; });
    const bool isWrong = problem != problems.end();
    row.problem->setVisible(isWrong);
    if (isWrong) {
      row.problem->setText(severityGlyph(problem->severity) + QLatin1Char(' ') + problem->text);
      QPalette colors = row.problem->palette();
      colors.setColor(QPalette::WindowText, m_theme.severityColor(problem->severity));
      row.problem->setPalette(colors);
    }
    if (tree == nullptr) {
      continue;
    }
    const study::YamlNode* value = study::writtenValue(*tree, {}, row.field->key().path);
    row.field->show(value);
    row.name->setForegroundRole(value != nullptr ? QPalette::WindowText
                                                 : QPalette::PlaceholderText);
    row.reset->setVisible(value != nullptr && !m_isReadOnly);
  }
}

void StudyForm::setReadOnly(bool readOnly) {
  m_isReadOnly = readOnly;
  enable();
}

void StudyForm::enable() {
  for (const Row& row : m_rows) {
    row.field->setReadOnly(m_isReadOnly || !m_isYaml);
  }
}

void StudyForm::setTheme(const Theme& theme) {
  m_theme = theme;
}

void StudyForm::setRemark(const QString& key, const QString& remark) {
  if (FormField* found = field(key.toStdString())) {
    found->setRemark(remark);
  }
}

void StudyForm::setFallback(const QString& key, const QString& value) {
  if (FormField* found = field(key.toStdString())) {
    found->setFallback(value);
  }
}

void StudyForm::finishEdits() {
  for (const Row& row : m_rows) {
    row.field->finish();
  }
}

FormField* StudyForm::field(std::string_view key) {
  const auto found =
      std::ranges::find_if(m_rows, [&](const Row& row) { return row.field->key().path == key; });
  return found == m_rows.end() ? nullptr : found->field;
}

bool StudyForm::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::FocusIn) {
    Q_EMIT visited(object->property("studyKey").toString());
  }
  return QScrollArea::eventFilter(object, event);
}

}  // namespace ulp::views
