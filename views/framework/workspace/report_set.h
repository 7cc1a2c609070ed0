#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/base/result.h"
#include "views/framework/document/document_builder.h"
#include "views/framework/document/report_document.h"

namespace ulp::views {

class Background;
class Messages;
class SelectionContext;
class SettingsStore;
class WindowRequests;

/// What stands before the name of a report that is no file: the result of a comparison of dumps.
inline constexpr std::string_view kUnsavedPrefix = "comparison:";
/// Tells whether it is such a report: open, and never written.
[[nodiscard]] bool isUnsaved(const report::LoadedReport& loaded);

/// A report inside the program, where it was built with one.
inline const QString kExampleReport = QStringLiteral(":/example/precision_report.json");

/// The reports that are open, and the document that is made of them for the baseline of the
/// selection. Files are read and tensors compared in the background; everything else happens on the
/// GUI thread. Errors become messages.
class ReportSet : public QObject {
  Q_OBJECT

 public:
  ReportSet(Background& background,
            SelectionContext& selection,
            SettingsStore& settings,
            Messages& messages,
            WindowRequests& requests);

  /// All open reports in relation to the baseline. Null: no report is open.
  [[nodiscard]] const DocumentPtr& document() const { return m_document; }
  /// The open reports, those of the title, model and provenance first; empty: none.
  [[nodiscard]] std::span<const analysis::ReportSource> sources() const { return m_wanted.sources; }
  /// Tells whether files are being read, or what was opened is not shown yet.
  [[nodiscard]] bool isLoading() const;

  /// Opens run folders or report files in place of what is open.
  void open(const QStringList& paths);
  /// Adds the runs of other reports to those that are open.
  void openBeside(const QStringList& paths);
  /// Reads the open reports again, or compares their dumps anew where they are no files; selection
  /// and views stay where they are.
  void reload();
  /// Replaces the open report by the newest state of `path` as a run makes it.
  void follow(const QString& path) { load({path}, Opening::Update); }
  /// Closes one of several reports; the only one with whatever listens to lastClosing().
  void closeReport(std::size_t index);
  void closeAll();
  /// Says how the names of a report other than the first one read in those of the first one.
  void setMapping(std::size_t index, analysis::SiteMapping mapping);

  /// Shows a report that is no file, as open() does; its `file` is kUnsavedPrefix and a name that
  /// no other has, its folder empty.
  void openUnsaved(const report::LoadedReport& loaded);
  /// Adds one to those that are open.
  void openUnsavedBeside(const report::LoadedReport& loaded);
  /// Shows a newer state of it. False: it is not open any more.
  [[nodiscard]] bool updateUnsaved(const report::LoadedReport& loaded);
  /// Makes the unsaved report `id`, which was written into a run folder, that one.
  void adoptFile(const std::filesystem::path& id, const std::filesystem::path& folder);
  /// Destroys a report off the GUI thread, once nothing else holds it: it may be made of a million
  /// pieces.
  void release(report::ReportPtr report);

 Q_SIGNALS:
  void documentChanged();
  void reportRequested();  ///< the user opens another report
  void reportShown();      ///< and it has been read; not emitted for updates of what is open
  void lastClosing();      ///< closeReport() is about to close the only one
  void loadingChanged();

 private:
  enum class Opening { New, Update, Beside };
  struct Loaded;

  void load(const QStringList& paths, Opening opening);
  void finishLoading(const Loaded& loaded, Opening opening);
  /// Shows `sources` from their reference on, as something new.
  void startWith(std::vector<analysis::ReportSource> sources);
  void setSources(std::vector<analysis::ReportSource> sources);
  /// Makes the document anew if it is not the one that the selection asks for.
  void followBaseline();
  /// Asks for the open dumps to be compared anew, with one of them as the baseline; what is shown
  /// stays until then. False: they are no dumps that this can be asked of.
  bool compareDumpsAgainst(const Selection& wanted);
  /// Takes a choice back that is not what m_wanted has.
  void selectShownBaseline();
  /// Copies sources and baseline of the shown document into m_wanted.
  void followDocument();
  void rebuild();
  void finishBuilding(const Result<BuiltDocument>& built, const DocumentRequest& request);
  void show(const BuiltDocument& built);
  void showStopMessage(const QString& baseline);
  /// Holds a report until releaseUnused() finds that nobody else does.
  void keep(report::ReportPtr report);
  void releaseUnused();

  Background& m_background;
  SelectionContext& m_selection;
  SettingsStore& m_settings;
  Messages& m_messages;
  WindowRequests& m_requests;
  DocumentPtr m_document;
  std::vector<report::ReportPtr> m_kept;
  std::uint64_t m_releases = 0;
  DocumentRequest m_wanted;  ///< of the document that is shown or being made; no sources: none
  bool m_isNew = false;      ///< that was opened by the user and is not shown yet
  /// What was selected last, and what is in its place while the document lacks a part of it: the
  /// baseline, or a run that is still being compared.
  Selection m_asked;
  Selection m_adapted;
};

}  // namespace ulp::views
