#include "app/gui/tools/record_dialog.h"

#include <algorithm>

#include <QtCore/QLocale>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QProgressBar>
#include <QtWidgets/QPushButton>

#include "app/gui/dumps/path_line.h"
#include "app/gui/tools/form_rows.h"
#include "core/base/text/format_number.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/widgets/text_label.h"

namespace ulp::app {
namespace {

/// Lines of the program's output that are kept.
constexpr int kLongestLog = 2000;
constexpr int kSecondMs = 1000;

QString sizeText(std::int64_t bytes) {
  return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(std::max(bytes, {}))));
}

/// "a, b" as two texts.
QStringList textsIn(const QLineEdit& line) {
  QStringList texts;
  for (const QString& each : line.text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    texts << each.trimmed();
  }
  return texts;
}

}  // namespace

RecordDialog::RecordDialog(const QString& worker, QWidget* parent)
    : QDialog(parent),
      m_job(worker),
      m_fields(new QWidget(this)),
      m_form(new QFormLayout(m_fields)),
      m_state(views::makeTextLabel(this)),
      m_bar(new QProgressBar(this)),
      m_log(new QPlainTextEdit(this)) {
  setObjectName(QStringLiteral("record"));
  setWindowTitle(tr("Record a program"));
  m_form->setContentsMargins({});
  makeFields();
  makeProgress();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  m_record = buttons->addButton(tr("&Record"), QDialogButtonBox::ActionRole);
  m_record->setDefault(true);
  m_stop = buttons->addButton(tr("&Stop"), QDialogButtonBox::ActionRole);
  m_stop->setToolTip(tr("End the program; what was recorded until then is kept"));
  connect(buttons, &QDialogButtonBox::rejected, this, &RecordDialog::reject);
  connect(m_record, &QPushButton::clicked, this, &RecordDialog::record);
  connect(m_stop, &QPushButton::clicked, this, [this] {
    m_job.stop();
    updateButtons();
  });
  connect(&m_job, &RecordJob::progressed, this, &RecordDialog::show);
  connect(&m_job, &RecordJob::said, m_log, &QPlainTextEdit::appendPlainText);
  connect(&m_job, &RecordJob::ended, this, &RecordDialog::showEnd);
  m_second.setInterval(kSecondMs);
  connect(&m_second, &QTimer::timeout, this, &RecordDialog::showTime);
  views::columnOf(this, {m_fields, m_state, m_bar, {m_log, 1}, buttons}, {.spacing = 8});
  m_state->setText(tr("Nothing recorded yet."));
  updateButtons();
  resize(std::max(widthForPlaceholders(*this), fontMetrics().averageCharWidth() * 100),
         sizeHint().height());
}

void RecordDialog::makeFields() {
  m_command = addLine("command", tr("Pro&gram"), tr("python train.py --lr 1e-4; or torchrun …"));
  m_folder = addPath(
      "out",
      tr("Write &to"),
      tr("Folder of the recording"),
      tr("A folder without a recording; made where it is missing"),
      {.title = tr("Choose a folder for the recording"), .wanted = views::FileWanted::Folder});
  m_level = addChoice("level",
                      tr("&Level"),
                      {{tr("modules (L0), or as configured"), ""},
                       {tr("modules (L0)"), "L0"},
                       {tr("calls of torch's functions (L1)"), "L1"},
                       {tr("both (mix)"), "mix"}});
  m_task = addChoice("task",
                     tr("&Keep"),
                     {{tr("elements, or as configured"), ""},
                      {tr("elements"), "tensor"},
                      {tr("statistics alone"), "statistics"},
                      {tr("statistics and checksums"), "checksum"}});
  m_dataMode = addChoice("data-mode",
                         tr("&Of every call"),
                         {{tr("everything"), ""},
                          {tr("what goes forward"), "forward"},
                          {tr("gradients"), "backward"},
                          {tr("what it reads"), "input"},
                          {tr("what it makes"), "output"}});
  m_steps = addLine("steps", tr("St&eps"), tr("All; or 0,2-5"));
  m_stepsBy = addChoice("steps-by",
                        tr("A step e&nds"),
                        {{tr("found by itself"), ""},
                         {tr("with the optimizer's step"), "optimizer"},
                         {tr("with each call of the model"), "call"}});
  m_tokens =
      addLine("tokens", tr("To&kens"), tr("Of a model that generates: 0:3 are the first three"));
  m_ranks = addLine("ranks", tr("R&anks"), tr("All; or 0,2-3"));
  m_modules = addLine("modules", tr("&Modules"), tr("All; or a regular expression"));
  m_list = addLine("list", tr("Calls &with"), tr("All; or parts of their names, with commas"));
  m_scope = addLine("scope", tr("&From, to"), tr("Everything; or the first and the last call"));
  m_config = addPath("config",
                     tr("&Configuration"),
                     tr("Configuration of msprobe"),
                     tr("A config.json of msprobe; what stands above comes first"),
                     {.title = tr("Choose a configuration of msprobe"),
                      .filters = {tr("Configurations (*.json)"), tr("All files (*)")}});
  m_stack = new QCheckBox(tr("Record from w&here each call comes"), this);
  m_stack->setObjectName(QStringLiteral("stack"));
  m_form->addRow(QString(), m_stack);
  m_weights = new QCheckBox(tr("Record the &parameters of modules, too"), this);
  m_weights->setObjectName(QStringLiteral("weights"));
  m_form->addRow(QString(), m_weights);
}

void RecordDialog::makeProgress() {
  m_bar->setObjectName(QStringLiteral("progress"));
  m_bar->setAccessibleName(tr("Progress"));
  m_bar->setRange(0, 0);
  m_bar->setTextVisible(false);
  m_bar->hide();
  m_log->setObjectName(QStringLiteral("log"));
  m_log->setAccessibleName(tr("Output of the program"));
  m_log->setPlaceholderText(tr("What the program writes"));
  m_log->setReadOnly(true);
  m_log->setMaximumBlockCount(kLongestLog);
  m_log->setFont(views::fixedFont(font()));
  m_log->setMinimumHeight(fontMetrics().lineSpacing() * 5);
}

QLineEdit* RecordDialog::addLine(const char* id, const QString& name, const QString& placeholder) {
  auto* line = addRow<QLineEdit>(*m_form, id, name);
  line->setPlaceholderText(placeholder);
  connect(line, &QLineEdit::textChanged, this, &RecordDialog::updateButtons);
  return line;
}

QComboBox* RecordDialog::addChoice(const char* id,
                                   const QString& name,
                                   std::initializer_list<std::pair<QString, const char*>> items) {
  auto* choice = addRow<QComboBox>(*m_form, id, name);
  for (const auto& [text, value] : items) {
    choice->addItem(text, QLatin1String(value));
  }
  return choice;
}

PathLine* RecordDialog::addPath(const char* id,
                                const QString& name,
                                const QString& spoken,
                                const QString& placeholder,
                                const views::FileQuestion& question) {
  auto* line = new PathLine(QLatin1String(id), spoken, {{tr("Browse…"), question}}, this);
  line->line().setPlaceholderText(placeholder);
  auto* label = new QLabel(name, this);
  label->setBuddy(line);
  m_form->addRow(label, line);
  connect(line, &PathLine::changed, this, &RecordDialog::updateButtons);
  return line;
}

RecordWish RecordDialog::wish() const {
  const auto chosen = [](const QComboBox* choice) { return choice->currentData().toString(); };
  const QString mode = chosen(m_dataMode);
  return {.command = wordsOf(m_command->text()),
          .folder = m_folder->text(),
          .config = m_config->text(),
          .level = chosen(m_level),
          .task = chosen(m_task),
          .modules = m_modules->text().trimmed(),
          .list = textsIn(*m_list),
          .scope = textsIn(*m_scope),
          .dataMode = mode.isEmpty() ? QStringList() : QStringList{mode},
          .ranks = m_ranks->text().trimmed(),
          .steps = m_steps->text().trimmed(),
          .stepsBy = m_tokens->text().trimmed().isEmpty() ? chosen(m_stepsBy) : QString(),
          .tokens = m_tokens->text().trimmed(),
          .hasStack = m_stack->isChecked(),
          .hasWeights = m_weights->isChecked()};
}

QString RecordDialog::stateText() const {
  return m_state->text();
}

void RecordDialog::record() {
  m_log->clear();
  m_progress = {};
  m_elapsed.start();
  m_second.start();
  m_job.start(wish());
  showTime();
  updateButtons();
}

void RecordDialog::show(const RecordProgress& progress) {
  m_progress = progress;
  showTime();
}

void RecordDialog::showTime() {
  if (!m_job.isRunning()) {
    return;
  }
  const auto seconds = m_elapsed.elapsed() / kSecondMs;
  const QString time =
      QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
  if (m_progress.ranks == 0) {
    m_state->setText(tr("Waiting for the first call of a model; %1").arg(time));
    return;
  }
  m_state->setText(
      tr("%n step(s), %1 tensors, %2; %3", nullptr, static_cast<int>(m_progress.steps))
          .arg(QLocale().toString(m_progress.tensors), sizeText(m_progress.bytes), time));
}

void RecordDialog::showEnd(const RecordEnd& end) {
  m_second.stop();
  updateButtons();
  const auto problem = [this](const QString& text) {
    m_state->setText(views::severityGlyph(views::Severity::Broken) + QLatin1Char(' ') + text);
    QDialog::show();
  };
  if (!end.problem.isEmpty() && !(end.wasStopped && end.folder.isEmpty())) {
    problem(end.problem);
  } else if (end.folder.isEmpty()) {
    m_state->setText(tr("Stopped before anything was recorded."));
  } else if (end.exitCode != 0 && !end.wasStopped) {
    problem(tr("The program ended with exit code %1; what it recorded until then is open.")
                .arg(end.exitCode));
  } else {
    m_state->setText(
        tr("Recorded %n step(s), %1 tensors, %2: %3", nullptr, static_cast<int>(m_progress.steps))
            .arg(QLocale().toString(m_progress.tensors), sizeText(m_progress.bytes), end.folder));
  }
  if (!end.folder.isEmpty()) {
    Q_EMIT recorded(end.folder);
  }
}

void RecordDialog::updateButtons() {
  const bool isRunning = m_job.isRunning();
  const bool hasFolder = !m_folder->text().isEmpty() || !m_config->text().isEmpty();
  m_fields->setEnabled(!isRunning);
  m_bar->setVisible(isRunning);
  m_stepsBy->setEnabled(m_tokens->text().trimmed().isEmpty());
  if (m_record != nullptr) {
    m_record->setEnabled(!isRunning && !m_command->text().trimmed().isEmpty() && hasFolder);
    m_stop->setEnabled(isRunning);
  }
}

void RecordDialog::reject() {
  if (m_job.isRunning()) {
    hide();
  } else {
    QDialog::reject();
    deleteLater();
  }
}

}  // namespace ulp::app
