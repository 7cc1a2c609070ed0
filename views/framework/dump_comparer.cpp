#include "views/framework/dump_comparer.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <QtCore/QStringList>

#include "core/analysis/dumps/dump_comparison.h"
#include "core/analysis/dumps/dump_sides.h"
#include "core/report/new_report.h"
#include "views/framework/background.h"
#include "views/framework/message.h"
#include "views/framework/recent_comparisons.h"
#include "views/framework/workspace.h"

namespace ulp::views {
namespace {

using Clock = std::chrono::steady_clock;

/// How often something new is shown at most; making and showing a report costs.
constexpr std::chrono::milliseconds kShowEvery{1000};
constexpr std::chrono::milliseconds kTellEvery{100};
constexpr int kSidesNamed = 3;

const QString& tag() {
  static const QString kTag = QStringLiteral("compare-dumps");
  return kTag;
}

const QString& closedTag() {
  static const QString kTag = QStringLiteral("closed-comparison");
  return kTag;
}

const QString& saveTag() {
  static const QString kTag = QStringLiteral("save-comparison");
  return kTag;
}

/// What has to be said when all is done, counted over the units.
struct Outcome {
  std::size_t paired = 0;
  std::size_t equal = 0;
  std::size_t onlyBaseline = 0;
  std::size_t onlyCandidate = 0;
  std::size_t shapes = 0;
  bool isIdentical = false;
  bool isProven = true;  ///< by elements or checksums
  QStringList problems;  ///< with what has no partner and the dumps' own notes
};

void addTo(QStringList& texts, const std::vector<std::string>& more) {
  for (const std::string& text : more) {
    texts << QString::fromStdString(text);
  }
}

Outcome outcomeOf(const analysis::DumpComparison& comparison) {
  Outcome outcome{.isIdentical = comparison.isIdentical(), .problems = {}};
  addTo(outcome.problems, comparison.unpairedUnits);
  addTo(outcome.problems, comparison.notes);
  for (const analysis::UnitOutcome& unit : comparison.units) {
    outcome.paired += unit.pairedRows;
    outcome.equal += unit.equalRows;
    outcome.onlyBaseline += unit.onlyBaseline.size();
    outcome.onlyCandidate += unit.onlyCandidate.size();
    outcome.shapes += unit.shapesDiffer.size();
    outcome.isProven = outcome.isProven && unit.rowsByStatistics == 0;
    addTo(outcome.problems, unit.problems);
    addTo(outcome.problems, unit.notes);
  }
  return outcome;
}

/// The same two dumps, compared again.
bool isOfSameDumps(const report::LoadedReport& left, const report::LoadedReport& right) {
  const auto& one = left.report->dumps;
  const auto& other = right.report->dumps;
  return one && other && one->baseline == other->baseline && one->candidate == other->candidate;
}

/// It was being compared when another comparison took its place.
bool isOfRunning(const report::Report& report) {
  return std::ranges::any_of(
      report.runs, [](const report::Run& run) { return run.status == report::RunStatus::Running; });
}

/// What was being compared when it was stopped.
report::ReportPtr asCancelled(analysis::DumpComparison comparison,
                              const report::DumpOrigin& origin) {
  for (analysis::UnitOutcome& unit : comparison.units) {
    if (unit.run.status == report::RunStatus::Running) {
      unit.run.status = report::RunStatus::Cancelled;
    }
  }
  return std::make_shared<const report::Report>(analysis::toReport(std::move(comparison), origin));
}

}  // namespace

/// How far it is, and what is finished where that is worth showing.
struct DumpComparer::News {
  double fraction = 0;
  report::ReportPtr soFar;
};

struct DumpComparer::Answer {
  report::ReportPtr report;  ///< null: nothing was finished
  std::optional<Error> error;
  report::DumpOrigin origin;
  Outcome outcome;
};

namespace {

/// One comparison, in the background.
class Work {
 public:
  using Publish = std::function<void(double fraction, report::ReportPtr soFar)>;

  Work(report::DumpOrigin origin, const std::stop_source& stop, Publish publish)
      : m_origin(std::move(origin)), m_stop(stop), m_publish(std::move(publish)) {}

  /// Errors: those of the comparison, with what was finished in finished().
  [[nodiscard]] Result<report::ReportPtr> run() {
    auto sides = analysis::openSides(m_origin, m_stop.get_token());
    if (!sides) {
      return tl::unexpected<Error>(std::move(sides.error()));
    }
    m_origin = sides->origin;
    analysis::DumpCompareOptions options{.mapping = std::move(sides->mapping),
                                         .readsElements = m_origin.readsElements};
    options.soFar = [this](const analysis::DumpComparison& soFar) { take(soFar); };
    options.stopped = [this](const analysis::DumpComparison& soFar) { takeLast(soFar); };
    auto comparison = analysis::compareDumps(
        *sides->baseline,
        *sides->candidate,
        std::move(options),
        {},
        m_stop.get_token(),
        [this](std::uint64_t done, std::uint64_t total) { tell(done, total); });
    if (!comparison) {
      return tl::unexpected<Error>(std::move(comparison.error()));
    }
    m_outcome = outcomeOf(*comparison);
    return std::make_shared<const report::Report>(
        analysis::toReport(std::move(*comparison), m_origin));
  }

  [[nodiscard]] const report::ReportPtr& finished() const { return m_finished; }
  [[nodiscard]] const report::DumpOrigin& origin() const { return m_origin; }
  [[nodiscard]] const Outcome& outcome() const { return m_outcome; }

 private:
  void take(const analysis::DumpComparison& soFar) {
    const Clock::time_point begin = Clock::now();
    if (begin < m_nextShow) {
      return;
    }
    m_isPublished = true;
    m_publish(m_fraction,
              std::make_shared<const report::Report>(analysis::toReport(soFar, m_origin)));
    constexpr int kShare = 10;
    const auto cost = (Clock::now() - begin) * kShare;
    m_nextShow = Clock::now() + std::max<Clock::duration>(kShowEvery, cost);
  }

  void takeLast(const analysis::DumpComparison& soFar) {
    const bool hasRows = std::ranges::any_of(soFar.units, [](const analysis::UnitOutcome& unit) {
      return !unit.run.comparisons.empty();
    });
    // What is shown already must not say for ever that it is being compared.
    if (hasRows || m_isPublished) {
      m_outcome = outcomeOf(soFar);
      m_finished = asCancelled(soFar, m_origin);
    }
  }

  void tell(std::uint64_t done, std::uint64_t total) {
    m_fraction = static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(total, 1));
    const Clock::time_point now = Clock::now();
    if (now >= m_nextTell) {
      m_nextTell = now + kTellEvery;
      m_publish(m_fraction, nullptr);
    }
  }

  report::DumpOrigin m_origin;
  const std::stop_source& m_stop;
  Publish m_publish;
  double m_fraction = 0;
  Clock::time_point m_nextShow;
  Clock::time_point m_nextTell;
  bool m_isPublished = false;
  report::ReportPtr m_finished;
  Outcome m_outcome;
};

}  // namespace

DumpComparer::DumpComparer(Workspace& workspace,
                           SettingsStore& settings,
                           Background& background,
                           QObject* parent)
    : QObject(parent), m_workspace(workspace), m_settings(settings), m_background(background) {
  connect(&workspace, &Workspace::comparisonRequested, this, &DumpComparer::start);
  connect(&workspace, &Workspace::documentChanged, this, &DumpComparer::followDocument);
  connect(&workspace, &Workspace::reportRequested, this, [this] {
    m_isOtherWanted = m_isOtherWanted || (isRunning() && !m_isOpened);
  });
}

DumpComparer::~DumpComparer() {
  stop();
}

void DumpComparer::start(const report::DumpOrigin& origin) {
  stop();
  m_stop = std::make_shared<std::stop_source>();
  m_title = comparisonTitle(origin);
  m_fraction = 0;
  m_time = {};
  m_isOpened = false;
  m_isOtherWanted = false;
  m_isToldHidden = false;
  forgetNewest();
  // The last part is what the report is called where a file would be.
  m_id = std::filesystem::path("comparison:" + std::to_string(++m_count)) / m_title.toStdString();
  m_workspace.dismiss(tag());
  rememberComparison(m_settings, origin);
  m_background.run<Answer, News>(
      tag(),
      this,
      [origin, own = m_stop](const std::stop_token& stop,
                             const std::function<void(News)>& publish) {
        const std::stop_callback replaced(stop, [&own] { own->request_stop(); });
        Work work(origin, *own, [&publish](double fraction, report::ReportPtr soFar) {
          publish({fraction, std::move(soFar)});
        });
        auto report = work.run();
        Answer answer{.report = work.finished(),
                      .error = {},
                      .origin = work.origin(),
                      .outcome = work.outcome()};
        if (report) {
          answer.report = std::move(*report);
        } else {
          answer.error = std::move(report.error());
        }
        return answer;
      },
      [this](const News& news) {
        m_fraction = news.fraction;
        m_time.progressed(news.fraction, Clock::now());
        if (news.soFar) {
          take(news.soFar);
        }
        Q_EMIT progressed();
      },
      [this](const Answer& answer) { finish(answer); });
  Q_EMIT progressed();
}

void DumpComparer::stop() {
  if (m_stop) {
    m_stop->request_stop();
    Q_EMIT progressed();
  }
}

std::optional<double> DumpComparer::secondsLeft() const {
  return isRunning() ? m_time.secondsLeft(Clock::now()) : std::nullopt;
}

bool DumpComparer::take(const report::ReportPtr& report) {
  const report::LoadedReport loaded{.report = report, .file = m_id, .folder = {}};
  if (m_isOpened && m_workspace.updateUnsaved(loaded)) {
    if (std::exchange(m_isToldHidden, false)) {
      m_workspace.dismiss(tag());
    }
    return true;
  }
  if (!m_isOpened && !m_isOtherWanted) {
    m_isOpened = true;
    m_workspace.openUnsaved(loaded);
    return true;
  }
  forgetNewest();
  m_newest = loaded;
  if (isRunning() && !m_isToldHidden) {
    sayItGoesOn();
  }
  return false;
}

void DumpComparer::forgetNewest() {
  if (m_newest) {
    m_workspace.release(std::move(m_newest->report));
    m_newest.reset();
  }
}

void DumpComparer::showNewest() {
  m_workspace.dismiss(tag());
  m_isToldHidden = false;
  if (m_newest) {
    m_isOpened = true;
    m_workspace.openUnsaved(*m_newest);
  }
}

void DumpComparer::followDocument() {
  const auto reports = m_workspace.reports();
  const auto open = std::ranges::find_if(
      reports, [](const analysis::ReportSource& source) { return isUnsaved(source.loaded); });
  const auto before =
      std::exchange(m_open, open == reports.end() ? std::nullopt : std::optional(open->loaded));
  if (m_open && m_newest && m_open->report == m_newest->report) {
    forgetNewest();
  }
  // Of what runs or ran last, the newest state may not have been shown yet.
  const bool isLast = !before || before->file == m_id;
  const auto gone = isLast && m_newest ? m_newest : before;
  if (!gone || (m_open && (m_open->file == gone->file || isOfSameDumps(*m_open, *gone)))) {
    return;
  }
  if (isLast && isRunning()) {
    m_newest = gone;
    if (!m_isToldHidden) {
      sayItGoesOn();
    }
    return;
  }
  if (isLast) {
    m_newest.reset();
  }
  if (!isOfRunning(*gone->report)) {
    sayItWasClosed(*gone);
  }
}

void DumpComparer::sayItGoesOn() {
  m_isToldHidden = true;
  m_workspace.raise({.severity = Severity::Look,
                     .text = tr("%1 is still being compared, and not shown.").arg(m_title),
                     .topic = tag(),
                     .actions = {{tr("Show the comparison"), [this] { showNewest(); }},
                                 {tr("Stop"), [this] { stop(); }}}});
}

void DumpComparer::sayItWasClosed(const report::LoadedReport& closed) {
  const auto& dumps = closed.report->dumps;
  const QString name =
      dumps ? comparisonTitle(*dumps) : QString::fromStdString(closed.file.filename().string());
  m_workspace.raise({.severity = Severity::Look,
                     .text = tr("The comparison %1 was closed and is not saved.").arg(name),
                     .topic = closedTag(),
                     .actions = {{tr("Show the comparison"), [this, closed] {
                                    m_workspace.dismiss(closedTag());
                                    m_workspace.openUnsaved(closed);
                                  }}}});
}

void DumpComparer::finish(const Answer& answer) {
  m_stop = nullptr;
  const bool isCancelled = answer.error && answer.error->code() == ErrorCode::Cancelled;
  std::vector<MessageAction> back;
  if (answer.report && take(answer.report)) {
    m_newest = {.report = answer.report, .file = m_id, .folder = {}};
  } else if (answer.report) {
    back.push_back({tr("Show the comparison"), [this, kept = *m_newest] {
                      m_workspace.dismiss(tag());
                      m_workspace.openUnsaved(kept);
                    }});
    forgetNewest();
    // The message leads back: it need not be said again when it is closed.
    m_open = m_open && m_open->file == m_id ? std::nullopt : m_open;
  }
  if (answer.error && !isCancelled) {
    Message message = messageOf(*answer.error, tag());
    message.actions = std::move(back);
    m_workspace.raise(message);
  } else {
    sayOutcome(answer, std::move(back));
  }
  Q_EMIT progressed();
  Q_EMIT ended();
}

void DumpComparer::sayOutcome(const Answer& answer, std::vector<MessageAction> back) {
  const Outcome& outcome = answer.outcome;
  QStringList sentences;
  if (answer.error) {
    sentences << (!answer.report ? tr("The comparison was stopped before anything was compared.")
                  : back.empty() ? tr("The comparison was stopped; what was finished is shown.")
                                 : tr("The comparison was stopped; what was finished is kept."));
  } else if (outcome.isIdentical) {
    sentences << tr("The two dumps are identical: %n tensor(s), every one equal.",
                    nullptr,
                    static_cast<int>(outcome.paired));
  } else {
    const QString counts =
        outcome.isProven ? tr("Compared %1 tensors, %2 of them are equal.")
                         : tr("Compared %1 tensors; as far as recorded statistics tell, %2 of them "
                              "are equal.");
    sentences << counts.arg(outcome.paired).arg(outcome.equal);
  }
  const auto count = [&](std::size_t number, const QString& text) {
    if (number > 0) {
      sentences << text;
    }
  };
  count(outcome.onlyBaseline,
        tr("%n tensor(s) in the baseline alone.", nullptr, static_cast<int>(outcome.onlyBaseline)));
  count(
      outcome.onlyCandidate,
      tr("%n tensor(s) in the candidate alone.", nullptr, static_cast<int>(outcome.onlyCandidate)));
  count(outcome.shapes,
        tr("%n tensor(s) of different shapes.", nullptr, static_cast<int>(outcome.shapes)));
  const auto problems = static_cast<int>(outcome.problems.size());
  sentences << outcome.problems.mid(0, kSidesNamed);
  if (problems > kSidesNamed) {
    sentences << tr("… and %n more note(s).", nullptr, problems - kSidesNamed);
  }
  const bool isWhole = sentences.size() == 1 && !answer.error;
  m_workspace.raise({.severity = isWhole ? Severity::Fine : Severity::Look,
                     .text = sentences.join(QLatin1Char('\n')),
                     .topic = tag(),
                     .actions = std::move(back)});
}

bool DumpComparer::canSave() const {
  const auto reports = m_workspace.reports();
  return !isRunning() && m_workspace.document() != nullptr &&
         std::ranges::any_of(reports, [](const analysis::ReportSource& source) {
           return isUnsaved(source.loaded);
         });
}

void DumpComparer::saveAs(const QString& path) {
  const auto reports = m_workspace.reports();
  const auto unsaved = std::ranges::find_if(
      reports, [](const analysis::ReportSource& source) { return isUnsaved(source.loaded); });
  if (unsaved == reports.end()) {
    return;
  }
  const std::filesystem::path folder = path.toStdString();
  m_background.save<Result<>>(
      saveTag(),
      this,
      [report = unsaved->loaded.report, folder] { return report::saveNewReport(*report, folder); },
      [this, id = unsaved->loaded.file, folder](const Result<>& written) {
        if (!written) {
          m_workspace.raise(messageOf(written.error(), saveTag()));
          return;
        }
        m_workspace.dismiss(saveTag());
        if (m_open && m_open->file == id) {
          m_open.reset();
        }
        m_workspace.adoptFile(id, folder);
      });
}

}  // namespace ulp::views
