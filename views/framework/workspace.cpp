#include "views/framework/workspace.h"

#include <cmath>
#include <optional>
#include <utility>

#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include "core/base/atomic_file.h"
#include "core/report/summary.h"
#include "views/framework/background.h"
#include "views/framework/selection_context.h"
#include "views/framework/settings_store.h"

namespace ulp::views {
namespace {

const QString& reportTag() {
  static const QString kTag = QStringLiteral("open-report");
  return kTag;
}

const QString& studyTag() {
  static const QString kTag = QStringLiteral("open-study");
  return kTag;
}

const Setting<QStringList>& recentSetting() {
  static const Setting<QStringList> kSetting{QStringLiteral("files/recent"), {}};
  return kSetting;
}

constexpr qsizetype kRecentLimit = 10;
constexpr int kUndoLimit = 1000;
constexpr std::size_t kStudyLimitBytes = std::size_t{1} << 24;

QString examplePath() {
  return QStringLiteral(":/example/precision_report.json");
}

bool isStudyFile(const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  return suffix == QLatin1String("yaml") || suffix == QLatin1String("yml");
}

Result<report::LoadedReport> readReport(const QString& path) {
  if (!path.startsWith(QLatin1Char(':'))) {
    return report::loadReport(path.toStdString());
  }
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    return fail(ErrorCode::NotFound, path.toStdString() + ": not part of this build");
  }
  const QByteArray json = file.readAll();
  auto parsed = report::parseReport(
      std::string_view(json.data(), static_cast<std::size_t>(json.size())), path.toStdString());
  if (!parsed) {
    return tl::unexpected<Error>(std::move(parsed.error()));
  }
  return report::LoadedReport{.report = std::make_shared<const report::Report>(std::move(*parsed)),
                              .file = path.toStdString(),
                              .folder = {}};
}

/// Larger is worse; NaN for a value that says nothing.
double badness(double value, const MetricInfo& metric) {
  return metric.better == numerics::Better::Lower ? value : -value;
}

}  // namespace

struct Workspace::Loaded {
  std::optional<Error> error;
  DocumentPtr document;
  Selection initial;
};

Workspace::Workspace(Background& background,
                     SelectionContext& selection,
                     SettingsStore& settings,
                     QObject* parent)
    : QObject(parent), m_background(background), m_selection(selection), m_settings(settings) {
  m_history.setUndoLimit(kUndoLimit);
  connect(&m_background, &Background::busyChanged, this, [this](const QString& tag) {
    if (tag == reportTag() || tag == studyTag()) {
      Q_EMIT loadingChanged(isLoading());
    }
  });
}

bool Workspace::isLoading() const {
  return m_background.isBusy(reportTag()) || m_background.isBusy(studyTag());
}

void Workspace::open(const QString& path) {
  if (isStudyFile(path)) {
    loadStudy(path);
  } else {
    Q_EMIT reportRequested();
    loadReport(path, Opening::New);
  }
}

void Workspace::reload() {
  if (m_document) {
    loadReport(QString::fromStdString(m_document->loaded().file.string()), Opening::Update);
  }
}

void Workspace::follow(const QString& path) {
  loadReport(path, Opening::Update);
}

void Workspace::openExample() {
  Q_EMIT reportRequested();
  loadReport(examplePath(), Opening::New);
}

bool Workspace::hasExample() {
  return QFile::exists(examplePath());
}

void Workspace::closeAll() {
  m_background.cancel(reportTag());
  m_background.cancel(studyTag());
  m_document.reset();
  m_selection.reset({});
  offerReplacedStudy();
  m_hasStudy = false;
  m_study = {};
  m_history.clear();
  Q_EMIT documentChanged();
  Q_EMIT studyChanged();
}

void Workspace::loadReport(const QString& path, Opening opening) {
  m_background.run<Loaded>(
      reportTag(),
      this,
      [path](const std::stop_token&) -> Loaded {
        Result<report::LoadedReport> loaded = readReport(path);
        if (!loaded) {
          return {.error = std::move(loaded.error()), .document = {}, .initial = {}};
        }
        Loaded result;
        result.document = ReportDocument::build(std::move(*loaded));
        result.initial = initialSelection(*result.document);
        return result;
      },
      [this, path, opening](const Loaded& loaded) { finishLoading(loaded, path, opening); });
}

void Workspace::finishLoading(const Loaded& loaded, const QString& path, Opening opening) {
  if (loaded.error) {
    raise(messageOf(*loaded.error, reportTag()));
    return;
  }
  dismiss(reportTag());
  const bool keep = opening == Opening::Update && m_document != nullptr;
  m_document = loaded.document;
  if (keep) {
    m_selection.select(adaptSelection(m_selection.selection(), *m_document));
  } else {
    m_selection.reset(loaded.initial);
  }
  remember(path);
  Q_EMIT documentChanged();
  if (opening == Opening::New) {
    Q_EMIT reportShown();
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

Result<> Workspace::saveStudy(const QString& path) {
  if (path == m_study.path) {
    const auto disk = readTextFile(path.toStdString(), kStudyLimitBytes);
    const QString text = disk ? QString::fromStdString(*disk) : m_study.savedText;
    if (text != m_study.savedText && text != m_study.text) {
      Q_EMIT studyConflicted(text);
      return fail(ErrorCode::InvalidArgument,
                  tr("%1: changed by another program since it was read; nothing was written")
                      .arg(path)
                      .toStdString());
    }
  }
  Result<> written = writeFileAtomically(path.toStdString(), m_study.text.toStdString());
  if (written) {
    m_study.path = path;
    m_study.savedText = m_study.text;
    m_history.setClean();
    remember(path);
    Q_EMIT studyChanged();
  }
  return written;
}

QStringList Workspace::recentFiles() const {
  return m_settings.get(recentSetting());
}

void Workspace::remember(const QString& path) {
  if (path.startsWith(QLatin1Char(':'))) {
    return;
  }
  const QString absolute = QFileInfo(path).absoluteFilePath();
  QStringList files = recentFiles();
  files.removeAll(absolute);
  files.prepend(absolute);
  m_settings.set(recentSetting(), files.mid(0, kRecentLimit));
  Q_EMIT recentFilesChanged();
}

Selection initialSelection(const ReportDocument& document) {
  Selection selection;
  selection.metric = document.defaultMetric();
  const int metric = document.findMetric(selection.metric);
  if (document.variantCount() == 0 || metric < 0) {
    return selection;
  }
  selection.runs = {document.variantName(0)};
  const MetricInfo& info = document.metrics()[static_cast<std::size_t>(metric)];
  double worst = -std::numeric_limits<double>::infinity();
  for (const auto& row : report::summarise(document.report(), info.id.toStdString())) {
    for (const report::SummaryCell& cell : row.cells) {
      const double bad = badness(cell.value, info);
      if (!cell.site.name.empty() && bad > worst) {
        worst = bad;
        selection.runs = {QString::fromStdString(row.run)};
        selection.site = QString::fromStdString(cell.site.name);
        selection.pass = cell.site.pass;
      }
    }
  }
  return selection;
}

Selection adaptSelection(const Selection& selection, const ReportDocument& document) {
  Selection adapted = selection;
  adapted.runs.removeIf([&](const QString& run) { return document.findVariant(run) < 0; });
  const Selection initial = initialSelection(document);
  if (adapted.runs.isEmpty()) {
    adapted.runs = initial.runs;
  }
  if (document.findMetric(adapted.metric) < 0) {
    adapted.metric = initial.metric;
  }
  if (document.findSite(adapted.site.toStdString(), adapted.pass) < 0) {
    adapted.site = initial.site;
    adapted.pass = initial.pass;
    adapted.slice.clear();
    adapted.element.clear();
  }
  return adapted;
}

}  // namespace ulp::views
