#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtGui/QUndoStack>

#include "core/base/result.h"
#include "views/framework/document/document_builder.h"
#include "views/framework/document/report_document.h"
#include "views/framework/document/selection.h"
#include "views/framework/widgets/message.h"
#include "views/framework/workspace/study_history.h"

namespace ulp::views {

class Background;
class SelectionContext;
class SettingsStore;

/// By its name: .yaml, .yml.
[[nodiscard]] bool isStudyFile(const QString& path);
inline constexpr std::size_t kStudyLimitBytes = std::size_t{1} << 24;

/// What stands before the name of a report that is no file: the result of a comparison of dumps.
inline constexpr std::string_view kUnsavedPrefix = "comparison:";
/// It is open and was never written.
[[nodiscard]] bool isUnsaved(const report::LoadedReport& loaded);

/// A study being edited.
struct StudyText {
  QString path;  ///< empty: never saved
  QString text;
  QString savedText;

  [[nodiscard]] bool isModified() const { return text != savedText; }
};

/// What is open in the window: reports that are compared with each other, one study, and what went
/// wrong. The document follows the baseline of the selection. Files are read and tensors compared
/// in the background; everything else happens on the GUI thread.
class Workspace : public QObject {
  Q_OBJECT

 public:
  Workspace(Background& background,
            SelectionContext& selection,
            SettingsStore& settings,
            QObject* parent = nullptr);

  /// All open reports in relation to the baseline. Null: no report is open.
  [[nodiscard]] const DocumentPtr& document() const { return m_document; }
  [[nodiscard]] bool hasStudy() const { return m_hasStudy; }
  [[nodiscard]] const StudyText& study() const { return m_study; }
  [[nodiscard]] bool isLoading() const;

  /// A run folder, a report, or a study (.yaml, .yml). Errors go to messageRaised().
  void open(const QString& path);
  /// The first report as open() does, the others beside it.
  void openTogether(const QStringList& paths);
  /// Reads the open report again; selection and views stay where they are.
  void reload();
  /// Replaces the open report by the newest state of `path` as a run makes it.
  void follow(const QString& path);
  /// Shows a report that is no file, as open() does; its `file` is kUnsavedPrefix and a name that
  /// no other has, its folder empty.
  void openUnsaved(const report::LoadedReport& loaded);
  /// A newer state of it. False: it is not open any more.
  [[nodiscard]] bool updateUnsaved(const report::LoadedReport& loaded);
  /// Destroys a report off the GUI thread, once nothing else holds it.
  void release(report::ReportPtr report);
  /// The unsaved report `id` was written into a run folder and is now that one.
  void adoptFile(const std::filesystem::path& id, const std::filesystem::path& folder);
  /// Adds the runs of other reports to those that are open.
  void openBeside(const QStringList& paths);
  /// Closes one of several reports; the first one is that of the title, model and provenance.
  void closeReport(std::size_t index);
  /// How the names of a report other than the first one read in those of the first one.
  void setMapping(std::size_t index, analysis::SiteMapping mapping);
  /// The open reports; empty: none.
  [[nodiscard]] std::span<const analysis::ReportSource> reports() const;
  void openExample();
  [[nodiscard]] static bool hasExample();
  void closeAll();

  /// A study from the template, not saved yet.
  void newStudy();
  /// One that begins as a copy of `text`, not saved yet.
  void copyStudy(const QString& text);
  void setStudyText(const QString& text);
  /// One named step of the history ("change of input.seed"), unless it merges with the last.
  void editStudy(const QString& text, const QString& step, const EditMerge& merge = {});
  [[nodiscard]] QUndoStack& studyHistory() { return m_history; }
  [[nodiscard]] const QUndoStack& studyHistory() const { return m_history; }
  /// Closing it now would lose something that the user wrote.
  [[nodiscard]] bool hasUnsavedEdits() const;
  /// Writes the study as it is now atomically in the background, makes `path` its file, and calls
  /// `done`. Errors: Io; InvalidArgument when the study's own file was changed by another program
  /// since it was read (studyConflicted()).
  void saveStudy(const QString& path, const std::function<void(const Result<>&)>& done);
  /// What saveStudy() is writing: the file may hold it already. Nothing: none is being saved.
  [[nodiscard]] const std::optional<QString>& textBeingSaved() const { return m_textBeingSaved; }
  /// The study's file holds `disk` now: the next save replaces it, and so the study counts as
  /// edited where it differs.
  void acceptDiskText(const QString& disk);
  /// Opens a study with edits that were never saved; undo leads back to `disk`.
  void restoreStudy(const QString& path, const QString& disk, const QString& edited);

  /// Newest first; files that are gone are still listed.
  [[nodiscard]] QStringList recentFiles() const;

  void raise(const Message& message) { Q_EMIT messageRaised(message); }
  void dismiss(const QString& topic) { Q_EMIT messageDismissed(topic); }
  /// Enter in a view: show the same selection in the view behind it.
  void goDeeper(int drillLevel) { Q_EMIT deeperRequested(drillLevel); }
  /// Shows the proof of a finding of this rule, which is selected.
  void showProof(const QString& rule) { Q_EMIT proofRequested(rule); }
  /// A view asks for a file dialog.
  void askForReport() { Q_EMIT openRequested(); }
  void askForReportBeside() { Q_EMIT besideRequested(); }
  void askForStudies() { Q_EMIT studiesRequested(); }
  /// Compares two dumps and shows the result in place of what is open.
  void compareDumps(const report::DumpOrigin& origin) { Q_EMIT comparisonRequested(origin); }
  /// `saved` is called once the user has given it a file, not when they think better of it.
  void askToSaveStudy(const std::function<void()>& saved = {}) { Q_EMIT saveStudyRequested(saved); }

 Q_SIGNALS:
  void documentChanged();
  void reportRequested();  ///< the user opens another report
  void reportShown();      ///< and it has been read; not emitted for updates of what is open
  void studyOpened();
  void studyChanged();                        ///< another study, or it was saved
  void studyEdited();                         ///< the text was changed
  void studyConflicted(const QString& disk);  ///< saving would overwrite what another program wrote
  void loadingChanged(bool loading);
  void messageRaised(const ulp::views::Message& message);
  void messageDismissed(const QString& topic);
  void deeperRequested(int drillLevel);
  void proofRequested(const QString& rule);
  void openRequested();
  void besideRequested();
  void studiesRequested();
  void comparisonRequested(const ulp::report::DumpOrigin& origin);
  void saveStudyRequested(const std::function<void()>& saved);
  void recentFilesChanged();

 private:
  enum class Opening { New, Update, Beside };
  struct Loaded;
  struct Saved;

  void loadReports(const QStringList& paths, Opening opening);
  void cancelLoading();
  void loadStudy(const QString& path);
  void finishLoading(const Loaded& loaded, Opening opening);
  void setSources(std::vector<analysis::ReportSource> sources);
  /// Makes the document anew if it is not the one that the selection asks for.
  void followBaseline();
  /// What is wanted is what is shown.
  void followDocument();
  void rebuild();
  void finishBuilding(const Result<BuiltDocument>& built, const DocumentRequest& request);
  void show(const BuiltDocument& built);
  void showStopMessage(const QString& baseline);
  void keepAlive(const ReportDocument& document);
  /// Destroys the reports that nothing shows any more, off the GUI thread: they are made of a
  /// million pieces.
  void releaseUnused();
  void setStudy(StudyText study);
  void applyStudyText(const QString& text);
  void offerReplacedStudy();
  void takeSaved(const QString& path, const Saved& saved);
  void remember(const QString& path);

  Background& m_background;
  SelectionContext& m_selection;
  SettingsStore& m_settings;
  DocumentPtr m_document;
  std::vector<report::ReportPtr> m_shownReports;  ///< until releaseUnused() finds them unused
  std::uint64_t m_releases = 0;
  DocumentRequest m_wanted;  ///< of the document that is shown or being made; no sources: none
  bool m_isNew = false;      ///< that was opened by the user and is not shown yet
  StudyText m_study;
  bool m_hasStudy = false;
  std::uint64_t m_studies = 0;  ///< opened until now
  std::optional<QString> m_textBeingSaved;
  QUndoStack m_history;
};

}  // namespace ulp::views
