#include "views/comparing/dump_comparer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/report/files/new_report.h"
#include "core/report/model/one_dump.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/message.h"
#include "views/framework/words/term_text.h"
#include "views/framework/workspace/recently_opened.h"
#include "views/framework/workspace/report_set.h"
#include "views/framework/workspace/window_requests.h"

namespace ulp::views {
namespace {

using Clock = RemainingTime::Clock;

constexpr int kSidesNamed = 3;

const QString kComparisonTag = QStringLiteral("compare-dumps");

/// Of one comparison: several may be closed and each is offered.
QString closedTag(const std::filesystem::path& id) {
  return QStringLiteral("closed-") + QString::fromStdString(id.string());
}

QString waitingTag(std::uint64_t number) {
  return QStringLiteral("waiting-comparison:%1").arg(number);
}

const QString kSaveComparisonTag = QStringLiteral("save-comparison");

struct OutcomeWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::DumpComparer)
};

/// What was read of a dump, and where its numbers stop being finite.
QStringList oneDumpSentences(const ComparisonOutcome& outcome) {
  QStringList sentences;
  if (outcome.culprit) {
    sentences << DumpComparer::tr("In %1 numbers stop being finite. %2.")
                     .arg(QString::fromStdString(outcome.culprit->runs.front()),
                          sentenceText(outcome.culprit->explanation));
  } else if (outcome.notFinite == 0) {
    sentences << DumpComparer::tr("Nothing of it is NaN or infinite, as far as was recorded.");
  } else {
    sentences << DumpComparer::tr(
        "%n tensor(s) hold NaN or infinity, and no call makes it of "
        "finite numbers.",
        nullptr,
        static_cast<int>(outcome.notFinite));
  }
  const QString tensors =
      DumpComparer::tr("%n tensor(s)", nullptr, static_cast<int>(outcome.tensors));
  sentences << DumpComparer::tr("Read %1 in %n unit(s).", nullptr, static_cast<int>(outcome.units))
                   .arg(tensors);
  return sentences;
}

/// Where the error starts, with why and how sure that is.
QString verdictText(const ComparisonOutcome& outcome) {
  if (!outcome.culprit) {
    return OutcomeWords::tr(
        "No operation makes a larger error than what it read and the formats account for.");
  }
  return OutcomeWords::tr("The error starts at %1. %2.")
      .arg(sentenceText(outcome.culprit->title), sentenceText(outcome.culprit->explanation));
}

/// The open ones.
std::vector<std::filesystem::path> unsavedIn(const ReportSet& reports) {
  std::vector<std::filesystem::path> open;
  for (const analysis::ReportSource& source : reports.sources()) {
    if (isUnsaved(source.loaded)) {
      open.push_back(source.loaded.file);
    }
  }
  return open;
}

/// What stands in the place of a file. The last part is what the report is called where a file
/// would be.
std::filesystem::path idOf(std::uint64_t number, const report::DumpOrigin& origin) {
  return std::filesystem::path(std::string(kUnsavedPrefix) + std::to_string(number)) /
         comparisonTitle(origin).toStdString();
}

}  // namespace

DumpComparer::DumpComparer(ReportSet& reports,
                           Messages& messages,
                           WindowRequests& requests,
                           SettingsStore& settings,
                           Background& background)
    : m_reports(reports),
      m_messages(messages),
      m_requests(requests),
      m_settings(settings),
      m_background(background) {
  connect(&requests, &WindowRequests::compareDumps, this, &DumpComparer::start);
  connect(&requests, &WindowRequests::compareAll, this, &DumpComparer::startAll);
  connect(
      &reports, &ReportSet::documentChanged, this, [this] { followOpen(unsavedIn(m_reports)); });
  connect(&reports, &ReportSet::reportRequested, this, [this] {
    m_userSwitchedAway = m_userSwitchedAway || (isRunning() && !m_isOpened);
  });
}

DumpComparer::~DumpComparer() {
  stop();
}

void DumpComparer::start(const report::DumpOrigin& origin) {
  rememberComparison(m_settings, origin);
  Waiting next{.origin = origin, .number = ++m_count, .isWanted = true};
  if (!isRunning()) {
    begin(next);
    return;
  }
  // With another mapping, or once more: the newest wish counts.
  const auto older = std::ranges::find_if(
      m_waiting, [&](const Waiting& one) { return isOfSameDumps(one.origin, origin); });
  if (older != m_waiting.end()) {
    dropWaiting(older->number);
  }
  const bool isAgain = isOfSameDumps(m_origin, origin);
  if (isAgain || isStopping()) {
    m_waiting.push_front(std::move(next));
    stop();
    return;
  }
  next.isWanted = false;
  m_waiting.push_back(std::move(next));
  postWaiting(m_waiting.back());
  Q_EMIT progressed();
}

void DumpComparer::startAll(const std::vector<report::DumpOrigin>& origins) {
  if (origins.empty()) {
    return;
  }
  start(origins.front());
  const std::filesystem::path first = idOf(m_count, origins.front());
  for (std::size_t i = 1; i < origins.size(); ++i) {
    rememberComparison(m_settings, origins[i]);
    m_waiting.push_back({.origin = origins[i], .number = ++m_count, .beside = first});
  }
  Q_EMIT progressed();
}

bool DumpComparer::isOpen(const std::filesystem::path& id) const {
  return !id.empty() && std::ranges::find(m_open, id) != m_open.end();
}

void DumpComparer::postWaiting(const Waiting& waiting) {
  const bool isOne = report::isOneDump(waiting.origin);
  const QString text =
      isOne ? tr("%1 will be opened once %2 is done.") : tr("%1 will be compared once %2 is done.");
  m_messages.raise({.text = text.arg(comparisonTitle(waiting.origin), m_title),
                    .topic = waitingTag(waiting.number),
                    .actions = {{isOne ? tr("Open it now") : tr("Compare it now"),
                                 [this, number = waiting.number] { cancelRunningToStart(number); }},
                                {isOne ? tr("Do not open it") : tr("Do not compare it"),
                                 [this, number = waiting.number] { dropWaiting(number); }}}});
}

void DumpComparer::cancelRunningToStart(std::uint64_t number) {
  const auto found = std::ranges::find(m_waiting, number, &Waiting::number);
  if (found == m_waiting.end()) {
    return;
  }
  found->isWanted = true;
  std::rotate(m_waiting.begin(), found, std::next(found));
  stop();
}

void DumpComparer::dropWaiting(std::uint64_t number) {
  m_messages.dismiss(waitingTag(number));
  std::erase_if(m_waiting, [number](const Waiting& one) { return one.number == number; });
  Q_EMIT progressed();
}

void DumpComparer::beginNext() {
  const Waiting next = std::move(m_waiting.front());
  m_waiting.pop_front();
  m_messages.dismiss(waitingTag(next.number));
  begin(next);
}

void DumpComparer::begin(const Waiting& next) {
  m_stop = std::make_shared<std::stop_source>();
  m_origin = next.origin;
  m_title = comparisonTitle(next.origin);
  m_fraction = 0;
  m_time = {};
  m_isOpened = false;
  // What begins by itself takes nothing off the screen that the user may be reading.
  m_beside = isOpen(next.beside) ? next.beside : std::filesystem::path();
  m_userSwitchedAway = !next.isWanted && m_beside.empty() && !m_reports.sources().empty();
  m_isToldHidden = false;
  m_id = idOf(next.number, next.origin);
  m_messages.dismiss(kComparisonTag);
  m_background.run<ComparisonAnswer, ComparisonNews>(
      kComparisonTag,
      this,
      [origin = next.origin, threads = m_settings.get(kComparisonThreads), own = m_stop](
          const std::stop_token& stop, const std::function<void(ComparisonNews)>& publish) {
        const std::stop_callback replaced(stop, [&own] { own->request_stop(); });
        return compareInBackground(origin, threads, *own, publish);
      },
      [this](const ComparisonNews& news) {
        m_fraction = news.fraction;
        m_time.progressed(news.fraction, Clock::now());
        if (news.soFar) {
          showIfStillWanted(news.soFar);
        }
        Q_EMIT progressed();
      },
      [this](const ComparisonAnswer& answer) { finish(answer); });
  Q_EMIT progressed();
}

void DumpComparer::stop() {
  if (m_stop) {
    m_stop->request_stop();
    Q_EMIT progressed();
  }
}

void DumpComparer::stopAll() {
  while (!m_waiting.empty()) {
    dropWaiting(m_waiting.back().number);
  }
  stop();
}

std::optional<double> DumpComparer::secondsLeft() const {
  return isRunning() ? m_time.secondsLeft(Clock::now()) : std::nullopt;
}

bool DumpComparer::showIfStillWanted(const report::ReportPtr& report) {
  const report::LoadedReport loaded{.report = report, .file = m_id};
  release(m_kept.put(loaded, m_open));
  if (m_isOpened && m_reports.updateUnsaved(loaded)) {
    if (std::exchange(m_isToldHidden, false)) {
      m_messages.dismiss(kComparisonTag);
    }
    return true;
  }
  if (!m_isOpened && !m_userSwitchedAway) {
    m_isOpened = true;
    open(loaded);
    return true;
  }
  if (isRunning() && !m_isToldHidden) {
    postStillRunning();
  }
  return false;
}

void DumpComparer::open(const report::LoadedReport& loaded) {
  if (loaded.file == m_id && isOpen(m_beside)) {
    m_reports.openUnsavedBeside(loaded);
  } else {
    m_reports.openUnsaved(loaded);
  }
  followOpen(unsavedIn(m_reports));
}

void DumpComparer::release(std::vector<report::LoadedReport> gone) {
  for (report::LoadedReport& one : gone) {
    if (m_kept.find(one.file) == nullptr) {
      m_messages.dismiss(closedTag(one.file));
    }
    m_reports.release(std::move(one.report));
  }
}

std::vector<DumpComparer::Closed> DumpComparer::closed() const {
  std::vector<Closed> found;
  for (const KeptComparison& one : m_kept.all()) {
    // One dump is opened again in the same time.
    if (!isOpen(one.newest.file) && !report::isOfOneDump(*one.newest.report)) {
      const auto& dumps = one.newest.report->dumps;
      found.insert(found.begin(),
                   Closed{.id = one.newest.file, .origin = dumps.value_or(report::DumpOrigin())});
    }
  }
  return found;
}

void DumpComparer::show(const std::filesystem::path& id) {
  m_messages.dismiss(closedTag(id));
  if (id == m_id) {
    m_messages.dismiss(kComparisonTag);
    m_isToldHidden = false;
  }
  KeptComparison* kept = m_kept.find(id);
  if (kept == nullptr || isOpen(id)) {
    return;
  }
  kept->isOffered = false;
  m_isOpened = m_isOpened || id == m_id;
  open(kept->newest);
}

void DumpComparer::followOpen(std::vector<std::filesystem::path> ids) {
  const std::vector<std::filesystem::path> before = std::exchange(m_open, std::move(ids));
  for (const std::filesystem::path& id : before) {
    KeptComparison* gone = isOpen(id) ? nullptr : m_kept.find(id);
    if (gone == nullptr) {
      continue;
    }
    if (id == m_id && isRunning()) {
      if (!m_isToldHidden) {
        postStillRunning();
      }
      continue;
    }
    const bool isComparedAgain =
        std::ranges::any_of(m_open, [&](const std::filesystem::path& open) {
          const KeptComparison* now = m_kept.find(open);
          return now != nullptr && isSameComparison(now->newest, gone->newest);
        });
    if (!isComparedAgain && !gone->isOffered && !report::isOfOneDump(*gone->newest.report)) {
      postClosed(*gone);
    }
  }
}

MessageAction DumpComparer::backTo(const std::filesystem::path& id) {
  KeptComparison* kept = m_kept.find(id);
  const bool isOne = kept != nullptr && report::isOfOneDump(*kept->newest.report);
  return {isOne ? tr("Show the dump") : tr("Show the comparison"), [this, id] { show(id); }};
}

void DumpComparer::postStillRunning() {
  m_isToldHidden = true;
  const QString text = report::isOneDump(m_origin)
                           ? tr("%1 is still being read, and not shown.")
                           : tr("%1 is still being compared, and not shown.");
  m_messages.raise({.text = text.arg(m_title),
                    .topic = kComparisonTag,
                    .actions = {backTo(m_id), {tr("Stop"), [this] { stop(); }}}});
}

void DumpComparer::postClosed(KeptComparison& closed) {
  closed.isOffered = true;
  const report::LoadedReport& loaded = closed.newest;
  const auto& dumps = loaded.report->dumps;
  const QString title =
      dumps ? comparisonTitle(*dumps) : QString::fromStdString(loaded.file.filename().string());
  m_messages.raise({.text = tr("The comparison %1 was closed and is not saved.").arg(title),
                    .topic = closedTag(closed.newest.file),
                    .actions = {backTo(closed.newest.file)}});
}

void DumpComparer::finish(const ComparisonAnswer& answer) {
  m_stop = nullptr;
  const bool isComparedAgain = !m_waiting.empty() && m_waiting.front().origin == m_origin;
  const bool makesRoom = !m_waiting.empty() && m_waiting.front().isWanted;
  std::vector<MessageAction> back;
  if (answer.report) {
    // What nobody has seen need not flash up before it is compared again.
    m_userSwitchedAway = m_userSwitchedAway || (makesRoom && !m_isOpened);
    if (!showIfStillWanted(answer.report) || makesRoom) {
      back.push_back(backTo(m_id));
      // The message leads back: it need not be said again when it is closed.
      m_kept.find(m_id)->isOffered = !isComparedAgain;
    }
  }
  if (!answer.error) {
    release(m_kept.removeOlder(m_id, m_open));
  }
  if (!isComparedAgain) {
    postEnd(answer, std::move(back));
  }
  if (!m_waiting.empty()) {
    beginNext();
    return;
  }
  Q_EMIT progressed();
}

void DumpComparer::postEnd(const ComparisonAnswer& answer, std::vector<MessageAction> back) {
  // Of the comparison that runs; what is said now may have another topic.
  m_messages.dismiss(kComparisonTag);
  if (!answer.error || answer.error->code() == ErrorCode::Cancelled) {
    postOutcome(answer, std::move(back));
    return;
  }
  Message message = messageOf(*answer.error, outcomeTopic(!back.empty()));
  message.actions = std::move(back);
  m_messages.raise(message);
}

QString DumpComparer::outcomeTopic(bool leadsBack) const {
  return m_waiting.empty() && !leadsBack ? kComparisonTag : closedTag(m_id);
}

std::vector<MessageAction> DumpComparer::actionsOf(const ComparisonOutcome& outcome) {
  std::vector<MessageAction> actions;
  if (outcome.culprit) {
    actions.push_back(
        {tr("Show me"), [this, culprit = *outcome.culprit] { m_requests.showFinding(culprit); }});
  }
  if (outcome.onlyBaseline + outcome.onlyCandidate > 0) {
    actions.push_back({tr("Match the names…"), [this] { m_requests.editMapping(); }});
  }
  return actions;
}

void DumpComparer::postOutcome(const ComparisonAnswer& answer, std::vector<MessageAction> back) {
  const ComparisonOutcome& outcome = answer.outcome;
  QStringList sentences;
  const bool isOne = report::isOneDump(m_origin);
  if (answer.error && isOne) {
    sentences << (answer.report ? tr("Reading was stopped; the rest of the dump is not shown.")
                                : tr("Reading was stopped before anything was read."));
  } else if (isOne) {
    sentences << oneDumpSentences(outcome);
  } else if (answer.error) {
    sentences << (!answer.report ? tr("The comparison was stopped before anything was compared.")
                  : back.empty() ? tr("The comparison was stopped; what was finished is shown.")
                                 : tr("The comparison was stopped; what was finished is kept."));
  } else if (outcome.isIdentical) {
    sentences << tr("The two dumps are identical: %n tensor(s), every one equal.",
                    nullptr,
                    static_cast<int>(outcome.paired));
  } else {
    if (outcome.paired > 0) {
      sentences << verdictText(outcome);
    }
    const QString counts =
        outcome.isProven ? tr("Compared %1 tensors, %2 of them are equal.")
                         : tr("Compared %1 tensors; as far as recorded statistics tell, %2 of them "
                              "are equal.");
    sentences << counts.arg(outcome.paired).arg(outcome.equal);
  }
  const qsizetype told = sentences.size();
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
  const QString topic = outcomeTopic(!back.empty());
  const bool isWhole = sentences.size() == told && !outcome.culprit && !answer.error;
  if (back.empty() && !answer.error) {
    back = actionsOf(outcome);
  }
  if (topic != kComparisonTag) {
    // Which one: others are compared and shown while this can be read.
    sentences.prepend(m_title);
  }
  m_messages.raise({.severity = isWhole ? Severity::Fine : Severity::Look,
                    .text = sentences.join(QLatin1Char('\n')),
                    .topic = topic,
                    .actions = std::move(back)});
}

std::vector<std::filesystem::path> DumpComparer::savable() const {
  std::vector<std::filesystem::path> open = unsavedIn(m_reports);
  const bool isUnfinished = isRunning() && std::ranges::find(open, m_id) != open.end();
  return isUnfinished || m_reports.document() == nullptr ? std::vector<std::filesystem::path>()
                                                         : open;
}

void DumpComparer::saveAs(const std::filesystem::path& id, const QString& path) {
  const KeptComparison* kept = m_kept.find(id);
  if (kept == nullptr) {
    m_messages.raise({.severity = Severity::Broken,
                      .text = tr("Nothing was saved: this comparison is not kept any more. It was "
                                 "saved before, made again, or newer ones took its place."),
                      .topic = kSaveComparisonTag});
    return;
  }
  const std::filesystem::path folder = path.toStdString();
  m_background.save<Result<>>(
      kSaveComparisonTag + QString::fromStdString(id.string()),
      this,
      [report = kept->newest.report, folder] { return report::saveNewReport(*report, folder); },
      [this, id, folder](const Result<>& written) {
        if (m_messages.settle(written, kSaveComparisonTag)) {
          release(m_kept.remove(id));
          m_reports.adoptFile(id, folder);
        }
      });
}

}  // namespace ulp::views
