#include "views/framework/workspace/report_set.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <QtCore/QFile>
#include <QtCore/QTimer>

#include "core/analysis/reports/rebase_dumps.h"
#include "core/base/barrier.h"
#include "views/framework/document/other_inputs.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/message.h"
#include "views/framework/workspace/bundled_example.h"
#include "views/framework/workspace/recently_opened.h"
#include "views/framework/workspace/window_requests.h"

namespace ulp::views {
namespace {

const QString kReadReportsTag = QStringLiteral("open-report");
const QString kBuildTag = QStringLiteral("build-document");
/// Shorter work is not worth a message.
constexpr int kPatienceMs = 400;

using Sources = std::vector<analysis::ReportSource>;

auto findSource(Sources& sources, const std::filesystem::path& file) {
  return std::ranges::find_if(
      sources, [&](const analysis::ReportSource& source) { return source.loaded.file == file; });
}

/// The report of the example alone, as it lies inside the program.
Result<report::LoadedReport> readPackedExample() {
  const QString& path = kExampleReport;
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    return fail(ErrorCode::NotFound, path.toStdString() + ": not part of this build");
  }
  const QByteArray json = file.readAll();
  auto parsed = ULP_TRY(report::parseReport(
      std::string_view(json.data(), static_cast<std::size_t>(json.size())), path.toStdString()));
  return report::LoadedReport{.report = std::make_shared<const report::Report>(std::move(parsed)),
                              .file = path.toStdString()};
}

}  // namespace

bool isUnsaved(const report::LoadedReport& loaded) {
  return loaded.folder.empty() && loaded.file.string().starts_with(kUnsavedPrefix);
}

struct ReportSet::Loaded {
  std::vector<Error> errors{};
  QStringList paths{};  ///< parallel to reports
  Sources reports{};
  std::optional<Error> notUnpacked{};  ///< why the example has no tensors

  /// Reads the report of a path.
  Result<report::LoadedReport> read(const QString& path, const std::stop_token& stop) {
    if (!isExample(path.toStdString())) {
      return report::loadReport(path.toStdString(), stop);
    }
    auto unpacked = unpackExample();
    if (unpacked) {
      return report::loadReport(*unpacked, stop);
    }
    notUnpacked = std::move(unpacked.error());
    return readPackedExample();
  }
};

ReportSet::ReportSet(Background& background,
                     SelectionContext& selection,
                     SettingsStore& settings,
                     Messages& messages,
                     WindowRequests& requests)
    : m_background(background),
      m_selection(selection),
      m_settings(settings),
      m_messages(messages),
      m_requests(requests) {
  connect(&m_background, &Background::busyChanged, this, [this](const QString& tag) {
    if (tag == kReadReportsTag || tag == kBuildTag) {
      Q_EMIT loadingChanged();
    }
  });
  connect(&m_selection, &SelectionContext::selectionChanged, this, &ReportSet::followBaseline);
}

bool ReportSet::isLoading() const {
  return m_background.isBusy(kReadReportsTag) || (m_isNew && m_background.isBusy(kBuildTag));
}

void ReportSet::open(const QStringList& paths) {
  Q_EMIT reportRequested();
  load(paths, Opening::New);
}

void ReportSet::openBeside(const QStringList& paths) {
  load(paths, m_document ? Opening::Beside : Opening::New);
}

void ReportSet::reload() {
  if (!m_document) {
    return;
  }
  QStringList paths;
  std::vector<report::DumpOrigin> compared;
  for (const analysis::ReportSource& source : sources()) {
    if (!isUnsaved(source.loaded)) {
      paths << QString::fromStdString(source.loaded.file.string());
    } else if (source.loaded.report->dumps) {
      compared.push_back(*source.loaded.report->dumps);
    }
  }
  if (paths.isEmpty()) {
    Q_EMIT m_requests.compareAll(compared);
  } else {
    load(paths, Opening::Update);
  }
}

void ReportSet::closeReport(std::size_t index) {
  Sources sources = m_wanted.sources;
  if (index >= sources.size()) {
    return;
  }
  if (sources.size() == 1) {
    Q_EMIT lastClosing();
    closeAll();
    return;
  }
  sources.erase(sources.begin() + static_cast<std::ptrdiff_t>(index));
  setSources(std::move(sources));
}

void ReportSet::closeAll() {
  m_background.cancel(kReadReportsTag);
  m_background.cancel(kBuildTag);
  m_document.reset();
  m_wanted = {};
  m_isNew = false;
  m_selection.reset({});
  Q_EMIT documentChanged();
  releaseUnused();
}

void ReportSet::setMapping(std::size_t index, analysis::SiteMapping mapping) {
  Sources sources = m_wanted.sources;
  if (index == 0 || index >= sources.size()) {
    return;
  }
  sources[index].mapping = std::move(mapping);
  setSources(std::move(sources));
}

void ReportSet::openUnsaved(const report::LoadedReport& loaded) {
  Q_EMIT reportRequested();
  m_background.cancel(kReadReportsTag);
  startWith({{loaded, {}}});
}

void ReportSet::openUnsavedBeside(const report::LoadedReport& loaded) {
  Sources sources = m_wanted.sources;
  sources.push_back({loaded, {}});
  setSources(std::move(sources));
}

bool ReportSet::updateUnsaved(const report::LoadedReport& loaded) {
  Sources sources = m_wanted.sources;
  const auto open = findSource(sources, loaded.file);
  if (open == sources.end()) {
    return false;
  }
  // A state that was never shown is destroyed where those go that were.
  keep(open->loaded.report);
  open->loaded = loaded;
  setSources(std::move(sources));
  return true;
}

void ReportSet::adoptFile(const std::filesystem::path& id, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "precision_report.json";
  Sources sources = m_wanted.sources;
  if (const auto open = findSource(sources, id); open != sources.end()) {
    rememberReport(m_settings, QString::fromStdString(file.string()), *open->loaded.report);
    open->loaded.file = file;
    open->loaded.folder = folder;
    setSources(std::move(sources));
  }
}

void ReportSet::release(report::ReportPtr report) {
  keep(std::move(report));
  releaseUnused();
}

void ReportSet::load(const QStringList& paths, Opening opening) {
  m_background.run<Loaded>(
      kReadReportsTag,
      this,
      [paths](const std::stop_token& stop) {
        Loaded result;
        for (const QString& path : paths) {
          auto loaded = behindBarrier(path.toStdString(), [&] { return result.read(path, stop); });
          if (!loaded) {
            result.errors.push_back(std::move(loaded.error()));
          } else if (!stop.stop_requested()) {
            result.paths << path;
            result.reports.push_back({std::move(*loaded), {}});
          }
        }
        return result;
      },
      [this, opening](const Loaded& loaded) { finishLoading(loaded, opening); });
}

void ReportSet::finishLoading(const Loaded& loaded, Opening opening) {
  m_messages.dismiss(kReadReportsTag);
  for (std::size_t i = 0; i < loaded.errors.size(); ++i) {
    m_messages.raise(messageOf(loaded.errors[i], i == 0 ? kReadReportsTag : QString()));
  }
  if (loaded.notUnpacked) {
    m_messages.raise({.text = tr("The example is shown without its tensors, which could not be "
                                 "unpacked: %1")
                                  .arg(QString::fromStdString(loaded.notUnpacked->message())),
                      .topic = QStringLiteral("example")});
  }
  if (loaded.reports.empty()) {
    return;
  }
  for (qsizetype i = 0; i < loaded.paths.size(); ++i) {
    rememberReport(
        m_settings, loaded.paths[i], *loaded.reports[static_cast<std::size_t>(i)].loaded.report);
  }
  Sources sources = opening == Opening::New ? Sources() : m_wanted.sources;
  for (const analysis::ReportSource& added : loaded.reports) {
    const auto same = findSource(sources, added.loaded.file);
    if (same != sources.end()) {
      same->loaded = added.loaded;
    } else if (opening != Opening::Update) {
      sources.push_back(added);
    } else {
      // A run that is followed has begun to write its report: it takes the place of what is open.
      sources = {added};
    }
  }
  if (opening == Opening::New) {
    startWith(std::move(sources));
  } else {
    setSources(std::move(sources));
  }
}

void ReportSet::startWith(Sources sources) {
  m_wanted = {};
  m_isNew = true;
  setSources(std::move(sources));
}

void ReportSet::setSources(Sources sources) {
  m_wanted.sources = std::move(sources);
  m_wanted.open = nullptr;
  m_wanted.plain = nullptr;
  rebuild();
}

void ReportSet::followBaseline() {
  const Selection& selection = m_selection.selection();
  // What is about to be shown starts at its reference, whatever is selected in what is shown still.
  if (m_wanted.sources.empty() || m_isNew ||
      (selection.baseline == m_wanted.baseline && selection.relation == m_wanted.relation)) {
    return;
  }
  if (selection.relation == Relation::Error && m_wanted.open && compareDumpsAgainst(selection)) {
    return;
  }
  m_wanted.baseline = selection.baseline;
  m_wanted.relation = selection.relation;
  rebuild();
}

bool ReportSet::compareDumpsAgainst(const Selection& wanted) {
  const std::vector<report::DumpOrigin> origins =
      analysis::comparisonsAgainst(wanted.baseline.toStdString(), m_wanted.open->joined, sources());
  if (origins.empty()) {
    return false;
  }
  const bool hadMapping = std::ranges::any_of(sources(), [](const analysis::ReportSource& source) {
    return !source.loaded.report->dumps->mapping.empty();
  });
  const QString before = QString::fromStdString(m_wanted.open->joined.report->reference);
  selectShownBaseline();
  Q_EMIT m_requests.compareAll(origins);
  if (hadMapping) {
    m_messages.raise(
        {.text = tr("Compared without the mapping file, whose names are those of %1.").arg(before),
         .topic = kBuildTag});
  }
  return true;
}

void ReportSet::selectShownBaseline() {
  Selection selection = m_selection.selection();
  selection.baseline = m_wanted.baseline;
  selection.relation = m_wanted.relation;
  m_selection.amend(selection);
}

void ReportSet::rebuild() {
  m_messages.dismiss(kBuildTag);
  m_background.run<Result<BuiltDocument>, DocumentPtr>(
      kBuildTag,
      this,
      [request = m_wanted](const std::stop_token& stop,
                           const std::function<void(DocumentPtr)>& news) {
        return buildDocument(request, stop, news);
      },
      [this](const DocumentPtr& soFar) { show({.document = soFar}); },
      [this, request = m_wanted](const Result<BuiltDocument>& built) {
        finishBuilding(built, request);
      });
  if (!m_wanted.baseline.isEmpty() && m_wanted.relation == Relation::Error) {
    QTimer::singleShot(kPatienceMs, this, [this, baseline = m_wanted.baseline] {
      if (m_background.isBusy(kBuildTag) && m_wanted.baseline == baseline) {
        showStopMessage(baseline);
      }
    });
  }
}

void ReportSet::showStopMessage(const QString& baseline) {
  m_messages.raise(
      {.severity = Severity::Fine,
       .text = tr("Comparing the kept tensors of every run with those of %1…").arg(baseline),
       .topic = kBuildTag,
       .actions = {{tr("Stop"),
                    [this] {
                      m_background.cancel(kBuildTag);
                      m_messages.dismiss(kBuildTag);
                      m_selection.selectBaseline({}, Relation::Error);
                    }}},
       .stays = true});
}

void ReportSet::finishBuilding(const Result<BuiltDocument>& built, const DocumentRequest& request) {
  m_messages.dismiss(kBuildTag);
  if (!built) {
    Message message = messageOf(built.error(), kBuildTag);
    if (request.relation == Relation::Error) {
      message.actions.push_back(
          {tr("Show errors as multiples of its errors"), [this, baseline = request.baseline] {
             m_selection.selectBaseline(baseline, Relation::Ratio);
           }});
    }
    if (m_document != nullptr) {
      // What is shown is still in relation to the baseline before.
      followDocument();
      selectShownBaseline();
    }
    m_messages.raise(message);
    return;
  }
  show(*built);
  QStringList sentences;
  if (built->unmatched > 0) {
    sentences << tr(
        "%n tensor(s) could not be compared: kept by one of two runs only, or in "
        "another shape.",
        nullptr,
        static_cast<int>(built->unmatched));
  }
  sentences << otherInputsText(*built->document) << built->problems;
  sentences.removeAll(QString());
  if (!sentences.isEmpty()) {
    m_messages.raise({.text = sentences.join(QLatin1Char(' ')), .topic = kBuildTag});
  }
}

void ReportSet::followDocument() {
  const DocumentBasis& basis = m_document->basis();
  const bool isPlain = basis.baseline.isEmpty() && basis.relation == Relation::Error;
  const bool isSameOpen = m_wanted.plain && m_wanted.plain->basis().open == basis.open;
  DocumentPtr plain = isPlain ? m_document : isSameOpen ? m_wanted.plain : nullptr;
  m_wanted = {.sources = basis.open->sources,
              .open = basis.open,
              .plain = std::move(plain),
              .baseline = basis.baseline,
              .relation = basis.relation};
}

void ReportSet::show(const BuiltDocument& built) {
  const bool isFirst = m_document == nullptr;
  const bool isNew = std::exchange(m_isNew, false);
  m_document = built.document;
  keep(m_document->loaded().report);
  for (const analysis::ReportSource& source : m_document->basis().open->sources) {
    keep(source.loaded.report);
  }
  followDocument();
  if (isNew || isFirst) {
    m_asked = m_adapted = built.initial;
    m_selection.reset(built.initial);
  } else {
    m_asked = restoredSelection(m_selection.selection(), m_asked, m_adapted);
    m_adapted = adaptSelection(m_asked, *m_document);
    m_selection.amend(m_adapted);
  }
  Q_EMIT documentChanged();
  if (isNew) {
    Q_EMIT reportShown();
  }
  releaseUnused();
}

void ReportSet::keep(report::ReportPtr report) {
  if (std::ranges::find(m_kept, report) == m_kept.end()) {
    m_kept.push_back(std::move(report));
  }
}

void ReportSet::releaseUnused() {
  std::vector<report::ReportPtr> unused;
  for (report::ReportPtr& report : m_kept) {
    if (report.use_count() == 1) {
      unused.push_back(std::move(report));
    }
  }
  std::erase(m_kept, nullptr);
  if (!unused.empty()) {
    // A tag of its own: a task that replaced another would destroy here what that one held.
    m_background.run<bool>(
        QStringLiteral("release-%1").arg(++m_releases),
        this,
        [unused = std::move(unused)](const std::stop_token& /*stop*/) mutable {
          unused.clear();
          return true;
        },
        [](bool) {});
  }
}

}  // namespace ulp::views
