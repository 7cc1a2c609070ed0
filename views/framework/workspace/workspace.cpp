#include "views/framework/workspace/workspace.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QTimer>

#include "core/base/files/atomic_file.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/settings/common_settings.h"
#include "views/framework/settings/settings_store.h"
#include "views/framework/threads/background.h"

namespace ulp::views {
namespace {

const QString& reportTag() {
  static const QString kTag = QStringLiteral("open-report");
  return kTag;
}

const QString& buildTag() {
  static const QString kTag = QStringLiteral("build-document");
  return kTag;
}

const QString& studyTag() {
  static const QString kTag = QStringLiteral("open-study");
  return kTag;
}

const QString& saveStudyTag() {
  static const QString kTag = QStringLiteral("save-study");
  return kTag;
}

const Setting<QStringList>& recentFilesSetting() {
  static const Setting<QStringList> kSetting{QStringLiteral("files/recent"), {}};
  return kSetting;
}

/// Shorter work is not worth a message.
constexpr int kPatienceMs = 400;
constexpr int kUndoLimit = 1000;

QString examplePath() {
  return QStringLiteral(":/example/precision_report.json");
}

Result<report::LoadedReport> readReport(const QString& path, const std::stop_token& stop) {
  if (!path.startsWith(QLatin1Char(':'))) {
    return report::loadReport(path.toStdString(), stop);
  }
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    return fail(ErrorCode::NotFound, path.toStdString() + ": not part of this build");
  }
  const QByteArray json = file.readAll();
  auto parsed = ULP_TRY(report::parseReport(
      std::string_view(json.data(), static_cast<std::size_t>(json.size())), path.toStdString()));
  return report::LoadedReport{.report = std::make_shared<const report::Report>(std::move(parsed)),
                              .file = path.toStdString(),
                              .folder = {}};
}

}  // namespace

bool isStudyFile(const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  return suffix == QLatin1String("yaml") || suffix == QLatin1String("yml");
}

struct Workspace::Loaded {
  std::vector<Error> errors{};
  QStringList paths{};  ///< parallel to reports
  std::vector<analysis::ReportSource> reports{};
};

Workspace::Workspace(Background& background,
                     SelectionContext& selection,
                     SettingsStore& settings,
                     QObject* parent)
    : QObject(parent), m_background(background), m_selection(selection), m_settings(settings) {
  m_history.setUndoLimit(kUndoLimit);
  connect(&m_background, &Background::busyChanged, this, [this](const QString& tag) {
    if (tag == reportTag() || tag == studyTag() || tag == buildTag()) {
      Q_EMIT loadingChanged(isLoading());
    }
  });
  connect(&m_selection, &SelectionContext::selectionChanged, this, &Workspace::followBaseline);
}

bool Workspace::isLoading() const {
  return m_background.isBusy(reportTag()) || m_background.isBusy(studyTag()) ||
         (m_isNew && m_background.isBusy(buildTag()));
}

void Workspace::open(const QString& path) {
  openTogether({path});
}

void Workspace::openTogether(const QStringList& paths) {
  QStringList reports;
  for (const QString& path : paths) {
    if (isStudyFile(path)) {
      loadStudy(path);
    } else {
      reports << path;
    }
  }
  if (!reports.isEmpty()) {
    Q_EMIT reportRequested();
    loadReports(reports, Opening::New);
  }
}

void Workspace::reload() {
  if (m_document) {
    QStringList paths;
    for (const analysis::ReportSource& source : reports()) {
      if (!isUnsaved(source.loaded)) {
        paths << QString::fromStdString(source.loaded.file.string());
      }
    }
    if (paths.isEmpty()) {
      compareDumps(*reports().front().loaded.report->dumps);
      return;
    }
    loadReports(paths, Opening::Update);
  }
}

void Workspace::follow(const QString& path) {
  loadReports({path}, Opening::Update);
}

void Workspace::openExample() {
  Q_EMIT reportRequested();
  loadReports({examplePath()}, Opening::New);
}

bool Workspace::hasExample() {
  return QFile::exists(examplePath());
}

void Workspace::closeAll() {
  m_background.cancel(reportTag());
  m_background.cancel(studyTag());
  m_background.cancel(buildTag());
  m_document.reset();
  m_wanted = {};
  m_isNew = false;
  m_selection.reset({});
  offerReplacedStudy();
  m_hasStudy = false;
  ++m_studies;
  m_study = {};
  m_history.clear();
  Q_EMIT documentChanged();
  Q_EMIT studyChanged();
  releaseUnused();
}

void Workspace::openBeside(const QStringList& paths) {
  loadReports(paths, m_document ? Opening::Beside : Opening::New);
}

std::span<const analysis::ReportSource> Workspace::reports() const {
  return m_wanted.sources;
}

void Workspace::closeReport(std::size_t index) {
  std::vector<analysis::ReportSource> sources = m_wanted.sources;
  if (index >= sources.size()) {
    return;
  }
  if (sources.size() == 1) {
    closeAll();
    return;
  }
  sources.erase(sources.begin() + static_cast<std::ptrdiff_t>(index));
  setSources(std::move(sources));
}

void Workspace::setMapping(std::size_t index, analysis::SiteMapping mapping) {
  std::vector<analysis::ReportSource> sources = m_wanted.sources;
  if (index == 0 || index >= sources.size()) {
    return;
  }
  sources[index].mapping = std::move(mapping);
  setSources(std::move(sources));
}

void Workspace::cancelLoading() {
  m_background.cancel(reportTag());
}

void Workspace::loadReports(const QStringList& paths, Opening opening) {
  m_background.run<Loaded>(
      reportTag(),
      this,
      [paths](const std::stop_token& stop) {
        Loaded result;
        for (const QString& path : paths) {
          Result<report::LoadedReport> loaded = readReport(path, stop);
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

void Workspace::finishLoading(const Loaded& loaded, Opening opening) {
  dismiss(reportTag());
  for (std::size_t i = 0; i < loaded.errors.size(); ++i) {
    raise(messageOf(loaded.errors[i], i == 0 ? reportTag() : QString()));
  }
  if (loaded.reports.empty()) {
    return;
  }
  for (const QString& path : loaded.paths) {
    remember(path);
  }
  if (opening == Opening::New) {
    m_wanted = {};
    m_isNew = true;
  }
  std::vector<analysis::ReportSource> sources = m_wanted.sources;
  for (const analysis::ReportSource& added : loaded.reports) {
    const auto same = std::ranges::find_if(sources, [&](const analysis::ReportSource& source) {
      return source.loaded.file == added.loaded.file;
    });
    if (same != sources.end()) {
      same->loaded = added.loaded;
    } else if (opening != Opening::Update) {
      sources.push_back(added);
    } else {
      // A run that is followed has begun to write its report: it takes the place of what is open.
      sources = {added};
    }
  }
  setSources(std::move(sources));
}

void Workspace::setSources(std::vector<analysis::ReportSource> sources) {
  m_wanted.sources = std::move(sources);
  m_wanted.open = nullptr;
  m_wanted.plain = nullptr;
  rebuild();
}

void Workspace::followBaseline() {
  const Selection& selection = m_selection.selection();
  // What is about to be shown starts at its reference, whatever is selected in what is shown still.
  if (m_wanted.sources.empty() || m_isNew ||
      (selection.baseline == m_wanted.baseline && selection.relation == m_wanted.relation)) {
    return;
  }
  m_wanted.baseline = selection.baseline;
  m_wanted.relation = selection.relation;
  rebuild();
}

void Workspace::rebuild() {
  dismiss(buildTag());
  m_background.run<Result<BuiltDocument>, DocumentPtr>(
      buildTag(),
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
      if (m_background.isBusy(buildTag()) && m_wanted.baseline == baseline) {
        showStopMessage(baseline);
      }
    });
  }
}

void Workspace::showStopMessage(const QString& baseline) {
  raise({.severity = Severity::Fine,
         .text = tr("Comparing the kept tensors of every run with those of %1…").arg(baseline),
         .topic = buildTag(),
         .actions = {{tr("Stop"), [this] {
                        m_background.cancel(buildTag());
                        dismiss(buildTag());
                        m_selection.selectBaseline({}, Relation::Error);
                      }}}});
}

void Workspace::finishBuilding(const Result<BuiltDocument>& built, const DocumentRequest& request) {
  dismiss(buildTag());
  if (!built) {
    Message message = messageOf(built.error(), buildTag());
    if (request.relation == Relation::Error) {
      message.actions.push_back(
          {tr("Show errors as multiples of its errors"), [this, baseline = request.baseline] {
             m_selection.selectBaseline(baseline, Relation::Ratio);
           }});
    }
    if (m_document != nullptr) {
      // What is shown is still in relation to the baseline before.
      followDocument();
      Selection selection = m_selection.selection();
      selection.baseline = m_wanted.baseline;
      selection.relation = m_wanted.relation;
      m_selection.amend(selection);
    }
    raise(message);
    return;
  }
  show(*built);
  if (built->unmatched > 0 || !built->problems.isEmpty()) {
    QStringList sentences;
    if (built->unmatched > 0) {
      sentences << tr(
          "%n tensor(s) could not be compared: kept by one of two runs only, or in "
          "another shape.",
          nullptr,
          static_cast<int>(built->unmatched));
    }
    sentences << built->problems;
    raise({.severity = Severity::Look,
           .text = sentences.join(QLatin1Char(' ')),
           .topic = buildTag(),
           .actions = {}});
  }
}

void Workspace::followDocument() {
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

void Workspace::show(const BuiltDocument& built) {
  const bool isFirst = m_document == nullptr;
  const bool isNew = std::exchange(m_isNew, false);
  m_document = built.document;
  keepAlive(*m_document);
  followDocument();
  if (isNew || isFirst) {
    m_selection.reset(built.initial);
  } else {
    m_selection.amend(adaptSelection(m_selection.selection(), *m_document));
  }
  Q_EMIT documentChanged();
  if (isNew) {
    Q_EMIT reportShown();
  }
  releaseUnused();
}

void Workspace::keepAlive(const ReportDocument& document) {
  const auto keep = [this](const report::ReportPtr& report) {
    if (std::ranges::find(m_shownReports, report) == m_shownReports.end()) {
      m_shownReports.push_back(report);
    }
  };
  keep(document.loaded().report);
  for (const analysis::ReportSource& source : document.basis().open->sources) {
    keep(source.loaded.report);
  }
}

void Workspace::releaseUnused() {
  std::vector<report::ReportPtr> unused;
  for (report::ReportPtr& report : m_shownReports) {
    if (report.use_count() == 1) {
      unused.push_back(std::move(report));
    }
  }
  std::erase(m_shownReports, nullptr);
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

void Workspace::loadStudy(const QString& path) {
  m_background.run<Result<std::string>>(
      studyTag(),
      this,
      [path](const std::stop_token&) { return readTextFile(path.toStdString(), kStudyLimitBytes); },
      [this, path](const Result<std::string>& text) {
        if (!text) {
          raise(messageOf(text.error(), studyTag()));
          return;
        }
        dismiss(studyTag());
        const QString content = QString::fromStdString(*text);
        remember(path);
        setStudy({.path = path, .text = content, .savedText = content});
      });
}

void Workspace::newStudy() {
  QFile file(QStringLiteral(":/templates/study.yaml"));
  QString content;
  if (file.open(QIODevice::ReadOnly)) {
    content = QString::fromUtf8(file.readAll());
  }
  copyStudy(content);
}

void Workspace::copyStudy(const QString& text) {
  setStudy({.path = {}, .text = text, .savedText = {}});
}

void Workspace::setStudy(StudyText study) {
  offerReplacedStudy();
  ++m_studies;
  m_study = std::move(study);
  m_hasStudy = true;
  m_history.clear();
  Q_EMIT studyChanged();
  Q_EMIT studyOpened();
}

bool Workspace::hasUnsavedEdits() const {
  const bool isUntouchedTemplate = m_study.path.isEmpty() && m_history.isClean();
  return m_hasStudy && m_study.isModified() && !isUntouchedTemplate;
}

void Workspace::offerReplacedStudy() {
  if (!hasUnsavedEdits()) {
    return;
  }
  const StudyText old = m_study;
  const QString name = old.path.isEmpty() ? tr("The new study") : old.path;
  raise({.severity = Severity::Look,
         .text = tr("%1 was closed with edits that are not saved.").arg(name),
         .topic = QStringLiteral("replaced-study"),
         .actions = {{tr("Bring it back"),
                      [this, old] { restoreStudy(old.path, old.savedText, old.text); }}}});
}

void Workspace::restoreStudy(const QString& path, const QString& disk, const QString& edited) {
  setStudy({.path = path, .text = disk, .savedText = disk});
  editStudy(edited, tr("recovery"));
}

void Workspace::applyStudyText(const QString& text) {
  if (text != m_study.text) {
    m_study.text = text;
    Q_EMIT studyEdited();
  }
}

void Workspace::setStudyText(const QString& text) {
  editStudy(text, tr("typing"), {.id = QStringLiteral("typing"), .isTyping = true});
}

void Workspace::editStudy(const QString& text, const QString& step, const EditMerge& merge) {
  if (text != m_study.text) {
    m_history.push(new StudyEdit(
        m_study.text, text, step, merge, [this](const QString& to) { applyStudyText(to); }));
  }
}

void Workspace::acceptDiskText(const QString& disk) {
  m_study.savedText = disk;
  if (m_study.isModified()) {
    m_history.resetClean();
  } else {
    m_history.setClean();
  }
  Q_EMIT studyEdited();
}

struct Workspace::Saved {
  QString text;
  std::optional<QString> conflict{};  ///< what another program wrote
  Result<> result{};
};

void Workspace::saveStudy(const QString& path, const std::function<void(const Result<>&)>& done) {
  const StudyText study = m_study;
  m_textBeingSaved = study.text;
  m_background.save<Saved>(
      saveStudyTag(),
      this,
      [study, path] {
        Saved saved{.text = study.text};
        if (path == study.path) {
          const auto disk = readTextFile(path.toStdString(), kStudyLimitBytes);
          const QString text = disk ? QString::fromStdString(*disk) : study.savedText;
          if (text != study.savedText && text != study.text) {
            saved.conflict = text;
            saved.result =
                fail(ErrorCode::InvalidArgument,
                     tr("%1: changed by another program since it was read; nothing was written")
                         .arg(path)
                         .toStdString());
            return saved;
          }
        }
        saved.result = writeFileAtomically(path.toStdString(), study.text.toStdString());
        return saved;
      },
      [this, path, done, opened = m_studies](const Saved& saved) {
        m_textBeingSaved.reset();
        // Another study may have been opened meanwhile.
        if (opened == m_studies) {
          takeSaved(path, saved);
        }
        done(saved.result);
      });
}

void Workspace::takeSaved(const QString& path, const Saved& saved) {
  if (saved.conflict) {
    Q_EMIT studyConflicted(*saved.conflict);
  }
  if (!saved.result) {
    return;
  }
  m_study.path = path;
  m_study.savedText = saved.text;
  if (m_study.isModified()) {
    m_history.resetClean();
  } else {
    m_history.setClean();
  }
  remember(path);
  Q_EMIT studyChanged();
}

QStringList Workspace::recentFiles() const {
  return m_settings.get(recentFilesSetting());
}

void Workspace::remember(const QString& path) {
  if (path.startsWith(QLatin1Char(':'))) {
    return;
  }
  const QString absolute = QFileInfo(path).absoluteFilePath();
  QStringList files = recentFiles();
  files.removeAll(absolute);
  files.prepend(absolute);
  m_settings.set(recentFilesSetting(),
                 files.mid(0, std::clamp(m_settings.get(kRecentLimit), 0, 50)));
  Q_EMIT recentFilesChanged();
}

}  // namespace ulp::views
