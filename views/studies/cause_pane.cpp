#include "views/studies/cause_pane.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QProgressBar>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QTableView>

#include "core/analysis/depth/run_difference.h"
#include "core/base/text/format_number.h"
#include "runner/queue/job_queue.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/widgets/text_label.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/term_text.h"
#include "views/framework/workspace/workspace.h"
#include "views/studies/cause_dialog.h"
#include "views/studies/device_offers.h"

namespace ulp::views {
namespace {

using analysis::CounterfactualVerdict;

constexpr int kSteps = 1000;
/// Rows of the table that are seen without scrolling it.
constexpr int kMostRows = 8;

struct CausePaneWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::CausePane)
};

QString percentText(double percent) {
  return std::isnan(percent) ? missingText()
                             : QString::fromStdString(analysis::equalPercentText(percent / 100));
}

CellRoles<CounterfactualVerdict> shareRoles(double CounterfactualVerdict::*share) {
  return numberRoles<CounterfactualVerdict>(
      [share](const CounterfactualVerdict& verdict) { return verdict.*share * 100; }, percentText);
}

QString changeText(const CounterfactualVerdict& verdict) {
  if (verdict.name == analysis::kUnchangedRun) {
    return CausePaneWords::tr("nothing");
  }
  const QString change = sentenceText(verdict.change);
  return verdict.isWhole ? CausePaneWords::tr("%1 (leaves no difference of settings)").arg(change)
                         : change;
}

QString workText(const CauseState& state) {
  if (state.phase == CauseState::Phase::Planning) {
    return CausePaneWords::tr("Finding out what to run…");
  }
  if (state.phase == CauseState::Phase::Judging) {
    return CausePaneWords::tr("Judging the runs…");
  }
  const bool isQueued = !state.job || state.job->status == queue::JobStatus::Queued;
  if (isQueued && state.waitingBefore == 0) {
    return CausePaneWords::tr("Starting…");
  }
  if (isQueued) {
    return CausePaneWords::tr(
        "Waiting in the queue, %n study(s) before it", nullptr, state.waitingBefore);
  }
  if (state.job->status == queue::JobStatus::Cancelling) {
    return CausePaneWords::tr("Stopping…");
  }
  QString text = CausePaneWords::tr("Running again, with one change at a time: %1 %")
                     .arg(static_cast<int>(state.job->fraction * 100));
  if (state.job->etaSeconds) {
    text += QStringLiteral(", ") + CausePaneWords::tr("%1 left").arg(QString::fromStdString(
                                       formatDuration(*state.job->etaSeconds)));
  }
  return text;
}

QString lineText(const analysis::SettingPlace& place) {
  const QString text = QString::fromStdString(place.text);
  return place.line == 0
             ? QStringLiteral("%1 (%2)").arg(text, QString::fromStdString(place.run))
             : QStringLiteral("study.yaml:%1: %2 (%3)")
                   .arg(QString::number(place.line), text, QString::fromStdString(place.run));
}

/// As sentences in a window begin.
QString capitalised(QString text) {
  if (!text.isEmpty()) {
    text[0] = text[0].toUpper();
  }
  return text;
}

}  // namespace

std::vector<Column<CounterfactualVerdict>> verdictColumns(const QString& site) {
  const auto equalTensors = [](const CounterfactualVerdict& verdict) {
    return CausePaneWords::tr("%1 of %2").arg(verdict.equal).arg(verdict.tensors);
  };
  return {
      {.title = CausePaneWords::tr("Changed"),
       .toolTip = CausePaneWords::tr("What of the settings was made like the baseline's"),
       .roles = textRoles<CounterfactualVerdict>(changeText)},
      {.title = CausePaneWords::tr("First equal, %"),
       .toolTip = CausePaneWords::tr("Equal elements of %1, where the runs differ first").arg(site),
       .alignment = kNumberAlignment,
       .roles = shareRoles(&CounterfactualVerdict::siteShare)},
      {.title = CausePaneWords::tr("Logits equal, %"),
       .toolTip = CausePaneWords::tr("Equal elements of the logits"),
       .alignment = kNumberAlignment,
       .roles = shareRoles(&CounterfactualVerdict::logitsShare)},
      {.title = CausePaneWords::tr("Tensors equal"),
       .toolTip = CausePaneWords::tr("Tensors that are equal in every element"),
       .alignment = kNumberAlignment,
       .roles = {{Qt::DisplayRole, equalTensors},
                 {SortRole,
                  [](const CounterfactualVerdict& verdict) {
                    return static_cast<double>(verdict.equal);
                  }},
                 {RawRole, equalTensors}}}};
}

CausePane::CausePane(const ViewContext& context, QWidget* parent)
    : QWidget(parent),
      m_background(context.background),
      m_queue(context.queue),
      m_reports(context.workspace.reports),
      m_prover(CauseProver::of(context.workspace, context.queue, context.background)),
      m_prove(new QPushButton(tr("Prove the cause"), this)),
      m_newFolder(new QPushButton(tr("New folder"), this)),
      m_options(new QPushButton(tr("Options…"), this)),
      m_hint(makeTextLabel(this)),
      m_work(new QWidget(this)),
      m_progress(makeTextLabel(this)),
      m_bar(new QProgressBar(this)),
      m_stop(new QPushButton(tr("Stop"), this)),
      m_found(new QWidget(this)),
      m_cause(makeTextLabel(this)),
      m_proved(makeTextLabel(this)),
      m_model(new VerdictModel(this)),
      m_table(makeTable(m_model, tr("Runs with one change at a time"), context.themes, this)),
      m_linesTitle(new QLabel(tr("Lines of the study that matter"), this)),
      m_lines(makeTextLabel(this)),
      m_open(new QPushButton(tr("Open these runs"), this)) {
  makePage();
  setFocusProxy(m_prove);
  connect(&m_prover, &CauseProver::changed, this, &CausePane::refresh);
  connect(m_prove, &QPushButton::clicked, this, [this] {
    if (m_question) {
      m_prover.prove(*m_question, m_prover.state(*m_question).settings);
    }
  });
  connect(m_newFolder, &QPushButton::clicked, this, [this] {
    if (m_question) {
      CauseSettings settings = m_prover.state(*m_question).settings;
      settings.results = CauseResults::NewFolder;
      m_prover.prove(*m_question, settings);
    }
  });
  connect(m_options, &QPushButton::clicked, this, &CausePane::openOptions);
  connect(m_stop, &QPushButton::clicked, this, [this] {
    if (m_question) {
      m_prover.stop(*m_question);
    }
  });
  connect(m_open, &QPushButton::clicked, this, [this] {
    if (m_answer) {
      m_reports.open({QString::fromStdString(m_answer->proof.report)});
    }
  });
  setQuestion(std::nullopt);
}

void CausePane::makePage() {
  m_prove->setObjectName(QStringLiteral("proveCause"));
  m_newFolder->setObjectName(QStringLiteral("proveInNewFolder"));
  m_newFolder->setToolTip(tr("Keep what the folder holds, and prove it in a free one beside it"));
  m_options->setObjectName(QStringLiteral("proofOptions"));
  m_stop->setObjectName(QStringLiteral("stopProof"));
  m_cause->setObjectName(QStringLiteral("cause"));
  m_proved->setObjectName(QStringLiteral("causeProof"));
  m_hint->setObjectName(QStringLiteral("causeHint"));
  m_lines->setObjectName(QStringLiteral("causeLines"));
  m_table->setObjectName(QStringLiteral("cause"));
  m_open->setObjectName(QStringLiteral("openProof"));
  m_hint->setForegroundRole(QPalette::PlaceholderText);
  QFont bold = font();
  bold.setBold(true);
  m_cause->setFont(bold);
  m_linesTitle->setForegroundRole(QPalette::PlaceholderText);
  m_lines->setFont(fixedFont(font()));
  m_bar->setRange(0, kSteps);
  m_bar->setTextVisible(false);
  m_bar->setMaximumHeight(fontMetrics().height());
  m_bar->setAccessibleName(tr("Progress of the proof"));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_open->setToolTip(tr("Open the report of these runs in place of this one"));
  columnOf(
      m_work,
      {m_progress, rowOf(nullptr, {{m_bar, 1}, m_stop}, {.margins = QMargins(), .spacing = 8})},
      {.margins = QMargins(), .spacing = 4});
  columnOf(m_found,
           {m_cause,
            m_proved,
            m_linesTitle,
            m_lines,
            m_table,
            rowOf(nullptr, {m_open, BoxItem::stretch()}, {.margins = QMargins()})},
           {.margins = QMargins(), .spacing = 8});
  columnOf(this,
           {m_found,
            m_work,
            m_hint,
            rowOf(nullptr,
                  {m_prove, m_newFolder, m_options, BoxItem::stretch()},
                  {.margins = QMargins(), .spacing = 8})},
           {.margins = QMargins(), .spacing = 8});
}

void CausePane::setQuestion(const std::optional<CauseQuestion>& question) {
  m_question = question;
  if (m_question) {
    m_prover.look(*m_question);
  }
  refresh();
}

void CausePane::refresh() {
  setVisible(m_question.has_value());
  if (!m_question) {
    return;
  }
  const CauseState state = m_prover.state(*m_question);
  const QString whyNot = m_prover.whyNot();
  const bool isFailed = state.phase == CauseState::Phase::Failed;
  const bool isAnswered = state.phase == CauseState::Phase::Answered;
  m_prove->setVisible(!state.isAtWork() && !isAnswered);
  m_prove->setEnabled(whyNot.isEmpty());
  m_prove->setText(state.isFolderTaken ? tr("Replace")
                   : isFailed          ? tr("Prove again")
                                       : tr("Prove the cause"));
  m_prove->setToolTip(
      !whyNot.isEmpty() ? whyNot
      : state.isFolderTaken
          ? tr("Remove what Ulpscope wrote into the folder, and prove the cause there")
          : tr("Run %1 and %2 again in the background, and once more for each difference of their "
               "settings, with that one taken back")
                .arg(m_question->baseline, m_question->candidate));
  m_newFolder->setVisible(state.isFolderTaken);
  m_options->setVisible(!state.isAtWork());
  m_options->setEnabled(whyNot.isEmpty());
  m_options->setToolTip(
      !whyNot.isEmpty()
          ? whyNot
          : tr("Choose the folder, device, threads and settings of these runs, and prove the "
               "cause"));
  m_options->setText(isAnswered ? tr("Prove again…") : tr("Options…"));
  m_hint->setVisible(isFailed);
  m_hint->setText(isFailed ? severityGlyph(Severity::Broken) + QLatin1Char(' ') + state.problem
                           : QString());
  showWork(state);
  showAnswer(isAnswered ? state.answer.get() : nullptr);
  m_answer = state.answer;
  // Behind another tab it counts as visible for Qt.
  if (isFailed && !visibleRegion().isEmpty()) {
    m_prover.noteSeen(*m_question);
  }
  Q_EMIT resized();
}

void CausePane::openOptions() {
  if (!m_question) {
    return;
  }
  const CauseQuestion question = *m_question;
  auto* dialog =
      new CauseDialog(question, m_prover.usual(question), m_prover.state(question).settings, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  offerCudaDevices(
      m_background, m_queue.gpus(), dialog, [dialog](const QString& device, const QString& text) {
        dialog->offerDevice(device, text);
      });
  connect(dialog, &QDialog::accepted, this, [this, dialog, question] {
    m_prover.prove(question, dialog->settings());
  });
  dialog->open();
}

void CausePane::showWork(const CauseState& state) {
  m_work->setVisible(state.isAtWork());
  if (!state.isAtWork()) {
    return;
  }
  m_progress->setText(workText(state));
  const bool isRunning = state.phase == CauseState::Phase::Running;
  m_bar->setValue(isRunning && state.job ? static_cast<int>(state.job->fraction * kSteps) : 0);
  m_stop->setEnabled(!isRunning || !state.job || state.job->status != queue::JobStatus::Cancelling);
}

void CausePane::showAnswer(const CauseAnswer* answer) {
  m_found->setVisible(answer != nullptr);
  if (answer == m_answer.get()) {
    return;
  }
  if (answer == nullptr) {
    m_model->setContent({}, nullptr);
    return;
  }
  QStringList sentences;
  for (const report::Sentence& sentence : analysis::proofSentences(answer->proof)) {
    sentences << capitalised(sentenceText(sentence));
  }
  m_cause->setText(sentences.isEmpty() ? QString() : sentences.takeFirst());
  m_proved->setText(sentences.join(QLatin1Char('\n')));
  m_proved->setVisible(!m_proved->text().isEmpty());
  auto rows = std::make_shared<std::vector<CounterfactualVerdict>>();
  rows->push_back(answer->proof.control);
  rows->insert(rows->end(), answer->proof.verdicts.begin(), answer->proof.verdicts.end());
  m_model->setContent(verdictColumns(QString::fromStdString(answer->proof.site)), std::move(rows));
  fitTable();
  QStringList lines;
  for (const analysis::SettingPlace& place : answer->places) {
    lines << lineText(place);
  }
  m_lines->setText(lines.join(QLatin1Char('\n')));
  m_lines->setToolTip(answer->studyFile);
  m_linesTitle->setVisible(!lines.isEmpty());
  m_lines->setVisible(!lines.isEmpty());
}

void CausePane::fitTable() {
  fitColumns(*m_table, 28);
  const int rows = std::min(m_model->rowCount(), kMostRows);
  const int height = m_table->horizontalHeader()->sizeHint().height() +
                     rows * rowHeight(m_table->fontMetrics()) + 2 * m_table->frameWidth();
  m_table->setFixedHeight(height + m_table->horizontalScrollBar()->sizeHint().height());
}

std::optional<Exhibit> CausePane::exhibit() const {
  if (!m_answer || isHidden()) {
    return std::nullopt;
  }
  const QString title = tr("%1 once more, with one change at a time")
                            .arg(QString::fromStdString(m_answer->proof.candidate));
  return Exhibit{.id = QStringLiteral("cause"),
                 .title = title,
                 .table = [title, columns = m_model->columns(), rows = m_model->rows()] {
                   return dataOf(title, columns, *rows);
                 }};
}

}  // namespace ulp::views
