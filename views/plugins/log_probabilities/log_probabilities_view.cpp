#include "views/plugins/log_probabilities/log_probabilities_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtCore/QScopedValueRollback>
#include <QtGui/QAction>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTableView>

#include "views/charts/histogram/histogram_view.h"
#include "views/framework/document/other_inputs.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_part.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/file_dialog.h"
#include "views/framework/widgets/split_sizes.h"
#include "views/framework/widgets/text_label.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/log_probabilities/epsilon_box.h"

namespace ulp::views {
namespace {

QString logitsSite() {
  return QStringLiteral("logits");
}

/// What a table needs to be seen as a whole.
int widthOf(const QTableView& table) {
  return table.horizontalHeader()->length() + table.verticalScrollBar()->sizeHint().width() +
         2 * table.frameWidth() + 1;
}

}  // namespace

LogProbabilitiesView::LogProbabilitiesView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_gaps(new GapModel(this)),
      m_gapOrder(new NanLastProxy(this)),
      m_tokens(new TokenModel(this)),
      m_losses(new LossModel(this)),
      m_lossOrder(new NanLastProxy(this)),
      m_gapTable(makeTable(m_gapOrder,
                           tr("Log-probabilities of the runs against the baseline"),
                           context.themes,
                           this)),
      m_tokenTable(makeTable(m_tokens, tr("Log-probabilities by token"), context.themes, this)),
      m_lossTable(makeTable(m_lossOrder, tr("Losses and clip decisions"), context.themes, this)),
      m_histogram(new charts::HistogramView(this)),
      m_headline(makeTextLabel(this)),
      m_tokensOf(makeTextLabel(this)),
      m_epsilon(new EpsilonBox(GapRequest{}.epsilon, this)),
      m_progress(new QLabel(this)),
      m_stop(new QPushButton(tr("Stop"), this)),
      m_progressRow(new QWidget(this)),
      m_worstFirst(makeTitleSwitch(
          {.icon = "sort",
           .text = tr("Worst tokens first"),
           .toolTip =
               tr("Tokens by the size of their difference instead of as they stand in the text")})),
      m_logScale(makeTitleSwitch(
          {.icon = "log-scale",
           .text = tr("Logarithmic counts"),
           .toolTip =
               tr("Counts on a logarithmic axis, on which single tokens far out can be seen")},
          true)),
      m_allRuns(makeTitleSwitch({.icon = "legend",
                                 .text = tr("All runs in the chart"),
                                 .toolTip = tr("Draw every run, not the selected one alone")},
                                true)),
      m_open(makeTitleAction(
          {.icon = "open",
           .text = tr("Open the file of another engine…"),
           .toolTip = tr("Compare log-probabilities of the same tokens from another engine "
                         "(.safetensors, .npy, .pt) with the baseline")})),
      m_close(makeTitleAction({.icon = "close",
                               .text = tr("Close the files of other engines"),
                               .toolTip = tr("Take away what was opened from other engines")})),
      m_split(new QSplitter(Qt::Vertical, this)),
      m_below(new QSplitter(Qt::Horizontal, this)),
      m_gapPage(new QWidget(this)),
      m_tabs(new QTabWidget(this)) {
  makeActions();
  makeTables();
  makePage();
  context.themes.follow(m_histogram, &charts::HistogramView::setTheme);
  connect(m_histogram, &charts::HistogramView::picked, this, &LogProbabilitiesView::onBinPicked);
  setReport(nullptr);
}

LogProbabilitiesView::~LogProbabilitiesView() {
  for (const char* work : {"gaps", "tokens", "order", "logits"}) {
    context().background.cancel(workTag(work));
  }
}

void LogProbabilitiesView::setReport(const DocumentPtr& document) {
  const bool isOther =
      !document || !m_document || document->loaded().file != m_document->loaded().file;
  m_document = document;
  if (isOther) {
    m_files.clear();
    m_chosen.clear();
    m_token.reset();
    m_data.reset();
    m_logits.clear();
    m_orders = {};
    m_sorted.reset();
    m_gaps->setContent({}, nullptr);
    m_tokens->setContent({}, nullptr);
    m_histogram->setData({});
  }
  if (document) {
    showLosses();
    load();
    return;
  }
  for (const char* work : {"gaps", "tokens", "order", "logits"}) {
    context().background.cancel(workTag(work));
  }
  m_losses->setContent({}, nullptr);
  showNoReport(
      tr("Here the log-probability of every token is compared between the runs, and with other "
         "engines: the gap of trainer and sampler."));
}

void LogProbabilitiesView::setSelection(const Selection& selection) {
  const bool isOtherRun = selection.run() != m_selection.run();
  const bool isOtherSite = selection.site != m_selection.site || selection.pass != m_selection.pass;
  m_selection = selection;
  if (isOtherSite) {
    m_token.reset();
    m_tokenTable->clearSelection();
  }
  if (!m_data) {
    return;
  }
  if (isOtherRun) {
    m_chosen.clear();
    showRun();
  }
  followToken();
}

/// The token whose logit is selected; of the logits as a whole the one that is worst, which is what
/// a finding leads to.
void LogProbabilitiesView::followToken() {
  const auto run = currentRun();
  if (!run || !isOfLogits()) {
    return;
  }
  std::optional<std::size_t> token = m_token;
  if (!m_selection.element.empty()) {
    token = tokenOf(*m_data->runs[*run].baseline, m_selection.element);
  } else if (!token) {
    token = m_data->runs[*run].gap->largestPlace;
  }
  if (token && token != m_token) {
    m_token = token;
    showToken();
  }
}

bool LogProbabilitiesView::isOfLogits() const {
  return m_selection.site == logitsSite() && m_selection.pass == Pass::Forward;
}

Sight LogProbabilitiesView::bringIntoSight() {
  if (!m_document || !isOfLogits()) {
    return Sight::Absent;
  }
  for (const char* work : {"gaps", "tokens", "order"}) {
    if (context().background.isBusy(workTag(work))) {
      return Sight::Awaited;
    }
  }
  const auto run = currentRun();
  if (!run || m_data->runs[*run].name != m_selection.run() || !m_token) {
    return Sight::Absent;
  }
  m_tabs->setCurrentIndex(0);
  showToken();
  return Sight::Seen;
}

std::optional<PlaceMark> LogProbabilitiesView::placeMark() const {
  const QModelIndex row = m_tokenTable->currentIndex();
  const auto run = currentRun();
  if (!run || !isOfLogits() || !m_token || !row.isValid() ||
      m_tokens->row(row.row()).place != *m_token) {
    return std::nullopt;
  }
  const QRect area = seenOf(*m_tokenTable->viewport(), m_tokenTable->visualRect(row));
  if (area.isEmpty()) {
    return std::nullopt;
  }
  return PlaceMark{
      .site = logitsSite(), .pass = Pass::Forward, .run = m_data->runs[*run].name, .area = area};
}

void LogProbabilitiesView::load() {
  if (!m_document) {
    return;
  }
  context().background.run<Outcome>(
      workTag("gaps"),
      this,
      [request =
           GapRequest{.document = m_document, .files = m_files, .epsilon = m_epsilon->value()}](
          const std::stop_token& stop) { return readGaps(request, stop); },
      [this](const Outcome& outcome) { finishLoading(outcome); });
  if (!m_data) {
    m_gapPages->empty().setText(tr("Reading the log-probabilities"), {});
    m_gapPages->empty().hideButton();
  }
  pages().showPage();
}

void LogProbabilitiesView::finishLoading(const Outcome& outcome) {
  if (!outcome) {
    showProblem(outcome.error());
    seekFurther();
    return;
  }
  m_data = *outcome;
  m_files = m_data->readable;
  m_close->setEnabled(!m_files.isEmpty());
  for (const Error& error : m_data->unreadable) {
    context().workspace.messages.raise(messageOf(error, QStringLiteral("log-probabilities")));
  }
  if (m_data->runs.empty()) {
    m_gapPages->showEmpty(
        tr("Nothing to compare with %1 yet").arg(m_data->baseline->name),
        tr("A row appears here for each run that has finished. The file of another "
           "engine can be opened beside it."),
        tr("Open the file of another engine…"),
        [this] { askForFile(); });
    seekFurther();
    return;
  }
  m_logits.assign(m_data->runs.size(), {});
  m_gapPages->showPage();
  showGaps();
  showRun();
  shareSpace();
  compareLogits();
}

void LogProbabilitiesView::showProblem(const Error& error) {
  m_data.reset();
  if (error.code() == ErrorCode::NotFound) {
    const bool isOfDumps = m_document && m_document->report().dumps.has_value();
    m_gapPages->showEmpty(
        tr("This report kept no log-probabilities"),
        isOfDumps ? tr("Dumps have none. Studies keep those of every run, and compare them here.")
                  : tr("Every study of this version keeps them in log_probabilities.safetensors "
                       "beside its "
                       "report. Run the study again, or put the file back beside the report."));
  } else {
    m_gapPages->showEmpty(tr("The log-probabilities cannot be read"),
                          QString::fromStdString(error.message()));
  }
}

void LogProbabilitiesView::compareLogits() {
  if (!mayHaveLogits(*m_data)) {
    context().background.cancel(workTag("logits"));
    m_progressRow->hide();
    return;
  }
  m_progress->setText(tr("Comparing the kept logits"));
  m_progressRow->show();
  context().background.run<Result<>, PlacedLogitsGap>(
      workTag("logits"),
      this,
      [data = m_data](const std::stop_token& stop,
                      const std::function<void(PlacedLogitsGap)>& publish) {
        return readLogitsGaps(data, stop, publish);
      },
      [this, data = m_data](const PlacedLogitsGap& news) {
        if (data == m_data) {
          m_logits[news.first] = news.second;
          showGaps();
        }
      },
      [this](const Result<>& done) {
        m_progressRow->hide();
        if (!done) {
          context().workspace.messages.raise(
              messageOf(done.error(), QStringLiteral("log-probabilities")));
        }
      });
}

std::optional<std::size_t> LogProbabilitiesView::chosenRun() const {
  if (!m_data) {
    return std::nullopt;
  }
  for (const QString& name : {m_chosen, m_selection.run()}) {
    if (const int place = m_data->find(name); place >= 0) {
      return static_cast<std::size_t>(place);
    }
  }
  const std::vector<std::size_t> compared = comparedRuns(*m_data);
  return compared.empty() ? std::nullopt : std::optional(compared.front());
}

std::optional<std::size_t> LogProbabilitiesView::currentRun() const {
  const auto run = chosenRun();
  return run && m_data->runs[*run].gap ? run : std::nullopt;
}

void LogProbabilitiesView::showGaps() {
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  const auto rows = std::make_shared<const std::vector<GapRow>>(makeGapRows(*m_data, m_logits));
  m_gaps->setContent(gapColumns(*rows, m_epsilon->value()), rows);
  fitColumns(*m_gapTable, 24);
  showHeadline();
  markRun();
}

void LogProbabilitiesView::markRun() {
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  if (const auto run = chosenRun()) {
    m_gapTable->setCurrentIndex(
        m_gapOrder->mapFromSource(m_gaps->index(static_cast<int>(*run), 0)));
  }
}

void LogProbabilitiesView::showHeadline() {
  QString text = gapHeadline(*m_data, *m_gaps->rows(), m_epsilon->value());
  if (text.isEmpty()) {
    text = m_gaps->row(0).problem;
  }
  const QString wanted = m_selection.run();
  const auto run = currentRun();
  const bool isMissing = m_chosen.isEmpty() && !wanted.isEmpty() &&
                         wanted != m_data->baseline->name && m_data->find(wanted) < 0 && run;
  if (isMissing) {
    text = tr("%1 has no log-probabilities; the tokens are those of %2.")
               .arg(wanted, m_data->runs[*run].name) +
           QLatin1Char(' ') + text;
  }
  QStringList sentences{text, otherInputsText(*m_document)};
  sentences.removeAll(QString());
  m_headline->setText(sentences.join(QStringLiteral(" · ")));
}

void LogProbabilitiesView::showLosses() {
  auto rows = std::make_shared<const std::vector<LossRow>>(makeLossRows(*m_document));
  m_losses->setContent(lossColumns(), std::move(rows));
  fitColumns(*m_lossTable, 40);
}

void LogProbabilitiesView::showRun() {
  const auto run = currentRun();
  showHistogram();
  showHeadline();
  markRun();
  nameTokens();
  if (!run) {
    context().background.cancel(workTag("tokens"));
    m_orders = {};
    m_sorted.reset();
    m_tokens->setContent({}, nullptr);
    seekFurther();
    return;
  }
  context().background.run<TokenOrders>(
      workTag("tokens"),
      this,
      [data = m_data, run = *run](const std::stop_token&) { return makeTokenRows(*data, run); },
      [this, data = m_data, run = *run](TokenOrders orders) {
        if (data != m_data) {
          return;
        }
        const QScopedValueRollback<bool> guard(m_isFollowing, true);
        m_orders = std::move(orders);
        m_sorted.reset();
        // The same tokens of another run: the place stays.
        const bool isFirst = m_tokens->rowCount() == 0;
        const int scrolled = m_tokenTable->verticalScrollBar()->value();
        m_tokens->setContent(tokenColumns(m_data->runs[run]), tokenRows());
        fitColumns(*m_tokenTable, 12);
        m_tokenTable->verticalScrollBar()->setValue(scrolled);
        if (isFirst) {
          shareSpace();
        }
        followToken();
        showToken();
        sortTokens();
        seekFurther();
      });
}

void LogProbabilitiesView::showHistogram() {
  const auto run = currentRun();
  std::vector<std::size_t> shown;
  if (m_data && m_allRuns->isChecked()) {
    shown = comparedRuns(*m_data);
  } else if (run) {
    shown = {*run};
  }
  m_histogram->setData(shown.empty()
                           ? charts::HistogramData()
                           : differenceHistogramOf(*m_data, shown, run, m_logScale->isChecked()));
}

const TokenRows& LogProbabilitiesView::tokenRows() const {
  if (m_sorted) {
    return m_sorted;
  }
  return m_worstFirst->isChecked() ? m_orders.worstFirst : m_orders.natural;
}

void LogProbabilitiesView::showTokens() {
  if (!tokenRows()) {
    return;
  }
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  m_tokens->setRows(tokenRows());
  if (m_token) {
    showToken();
  } else {
    m_tokenTable->scrollToTop();
  }
}

/// There may be more of them than can be sorted between two frames.
void LogProbabilitiesView::sortTokens() {
  const QHeaderView& header = *m_tokenTable->horizontalHeader();
  const int column = header.sortIndicatorSection();
  const auto run = currentRun();
  const auto sorts = run ? tokenSorts(*m_data->runs[*run].baseline) : std::vector<TokenSort>{};
  if (column < 0 || column >= static_cast<int>(sorts.size()) || !m_orders.natural) {
    context().background.cancel(workTag("order"));
    if (std::exchange(m_sorted, nullptr)) {
      showTokens();
    }
    return;
  }
  context().background.run<TokenRows>(
      workTag("order"),
      this,
      [rows = m_orders.natural,
       sort = sorts[static_cast<std::size_t>(column)],
       order = header.sortIndicatorOrder()](const std::stop_token&) { return sort(rows, order); },
      [this, natural = m_orders.natural](TokenRows sorted) {
        if (natural == m_orders.natural) {
          m_sorted = std::move(sorted);
          showTokens();
          seekFurther();
        }
      });
}

void LogProbabilitiesView::showToken() {
  if (!m_token || !tokenRows()) {
    return;
  }
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  const auto row = std::ranges::find(*tokenRows(), *m_token, &TokenRow::place);
  if (row != tokenRows()->end()) {
    const auto place = static_cast<int>(row - tokenRows()->begin());
    m_tokenTable->setCurrentIndex(m_tokens->index(place, 0));
    m_tokenTable->scrollTo(m_tokens->index(place, 0), QAbstractItemView::PositionAtCenter);
  }
}

void LogProbabilitiesView::onRunChosen(const QModelIndex& index) {
  if (m_isFollowing || !index.isValid()) {
    return;
  }
  const GapRun& run = m_data->runs[static_cast<std::size_t>(m_gapOrder->mapToSource(index).row())];
  if (run.variant >= 0 && run.name != m_selection.run()) {
    context().selection.selectRun(run.name);
    return;
  }
  m_chosen = run.variant >= 0 ? QString() : run.name;
  showRun();
}

void LogProbabilitiesView::onTokenChosen(const QModelIndex& index) {
  if (!m_isFollowing && index.isValid()) {
    selectToken(m_tokens->row(index.row()));
  }
}

void LogProbabilitiesView::onBinPicked(int bin) {
  if (!m_orders.worstFirst) {
    return;
  }
  const analysis::DifferenceHistogram& bins = m_histogram->data().bins;
  const auto found = std::ranges::find_if(*m_orders.worstFirst, [&](const TokenRow& row) {
    return std::isfinite(row.difference) &&
           bins.binOf(row.difference) == static_cast<std::size_t>(bin);
  });
  if (found != m_orders.worstFirst->end()) {
    selectToken(*found);
  }
}

/// Its logit, where the report has it: the other views then show the same place.
void LogProbabilitiesView::selectToken(const TokenRow& row) {
  const auto run = currentRun();
  const auto logit = run ? logitOf(*m_data->runs[*run].baseline, row.place) : std::nullopt;
  if (!logit || m_document->findSite(logitsSite().toStdString(), Pass::Forward) < 0) {
    m_token = row.place;
    showToken();
    return;
  }
  Selection next = m_selection;
  next.site = logitsSite();
  next.pass = Pass::Forward;
  next.element = *logit;
  next.slice = logit->front() == 0 ? QString() : QStringLiteral("[%1, :, :]").arg(logit->front());
  context().selection.select(next);
}

void LogProbabilitiesView::askForFile() {
  views::askForFile(
      this,
      {.title = tr("Open log-probabilities of another engine"),
       .filters = {tr("Log-probabilities (*.safetensors *.npy *.npz *.pt *.pth *.h5)")}},
      [this](const QString& file) { addFile(file); });
}

void LogProbabilitiesView::addFile(const QString& file) {
  if (!m_files.contains(file)) {
    m_files << file;
    load();
  }
}

void LogProbabilitiesView::shareSpace() {
  divideForRows(*m_split, *m_gapTable);
  const int width = m_below->width();
  const int most = width * 2 / 5;
  const int tokens = m_tokenPages->showsPage() ? std::min(most, widthOf(*m_tokenTable)) : most;
  divideUntilMoved(*m_below, {width - tokens, tokens});
}

void LogProbabilitiesView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  layout()->activate();
  m_gapPage->layout()->activate();
  shareSpace();
}

std::vector<Exhibit> LogProbabilitiesView::exhibits() const {
  std::vector<Exhibit> shown;
  if (m_document && m_data && m_gaps->rowCount() > 0) {
    shown.push_back(gapsExhibit(*m_data, shownRows(*m_gaps, *m_gapOrder), m_epsilon->value()));
    if (!m_histogram->data().isEmpty()) {
      shown.push_back(differencesExhibit(*m_data, m_histogram->data(), m_histogram->seen()));
    }
    if (const auto run = currentRun(); run && tokenRows()) {
      shown.push_back(tokensExhibit(m_data, *run, tokenRows()));
    }
  }
  if (m_document && m_losses->rowCount() > 0) {
    shown.push_back(lossesExhibit(m_document->baselineNames().join(QStringLiteral(", ")),
                                  shownRows(*m_losses, *m_lossOrder)));
  }
  return shown;
}

void registerLogProbabilities(ViewRegistry& registry) {
  registry.add<LogProbabilitiesView>(
      {.id = QStringLiteral("log_probabilities"),
       .title = LogProbabilitiesView::tr("Log-probabilities"),
       .toolTip = LogProbabilitiesView::tr(
           "How far the runs are apart in the log-probabilities of the tokens, their "
           "losses and clip decisions"),
       .icon = QStringLiteral("log-probabilities"),
       .shortcut = QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_P),
       .order = 37,
       .proves = {QStringLiteral("clip_flips"), QStringLiteral("log_probability_gap")},
       .subjects = {gapsId(), differencesId(), tokensId(), lossesId()},
       .printed = {gapsId(), differencesId(), lossesId()},
       .draw = drawLogProbabilities});
}

}  // namespace ulp::views
