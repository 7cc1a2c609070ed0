#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QString>

#include "core/report/model/bookmarks.h"
#include "core/report/model/report.h"
#include "views/framework/document/selection.h"

namespace ulp::views {

class Background;
class Messages;
class ReportSet;
class SelectionContext;

/// The bookmarks of the first open report, kept beside it; those of a comparison of dumps that is
/// no file until the program ends, or with it once it is saved. A bookmark brings back the
/// selection that it was made at, baseline included. What other windows add to the same file stays,
/// and is seen here with the next change. Lives on the GUI thread; files are read and written in
/// the background.
class Bookmarks : public QObject {
  Q_OBJECT

 public:
  Bookmarks(ReportSet& reports,
            Messages& messages,
            SelectionContext& selection,
            Background& background);

  [[nodiscard]] const std::vector<report::Bookmark>& all() const { return m_bookmarks; }
  /// Marks the current selection; nothing happens while no report is open.
  void addCurrent();
  void remove(std::size_t index);
  void setTitle(std::size_t index, const QString& title);
  void setNote(std::size_t index, const QString& note);
  /// Selects what the bookmark was made at; an index beyond the last does nothing.
  void goTo(std::size_t index);

 Q_SIGNALS:
  void changed();

 private:
  class Changes;

  void follow();
  void load();
  void change(const report::BookmarkChange& change);
  /// Puts `after` in place of one bookmark; nothing: removes it.
  void replace(std::size_t index, std::optional<report::Bookmark> after);
  /// Writes what `changes` holds to `file`, which may belong to a report that was closed since.
  void save(const std::filesystem::path& file, const std::shared_ptr<Changes>& changes);

  ReportSet& m_reports;
  Messages& m_messages;
  SelectionContext& m_selection;
  Background& m_background;
  std::filesystem::path m_file;  ///< empty: the report has no place of its own
  QString m_subject;             ///< what they are of; empty: nothing is open
  std::weak_ptr<const report::Report> m_report;
  std::map<QString, std::vector<report::Bookmark>> m_unsaved;  ///< by subject without a file
  std::vector<report::Bookmark> m_bookmarks;
  /// What is not saved yet, also of reports that are not shown any more.
  std::map<std::filesystem::path, std::shared_ptr<Changes>> m_changesOf;
  std::shared_ptr<Changes> m_changes;  ///< to m_file
};

/// "bf16 › backward › decoder.11 › [0, 3, 511]".
[[nodiscard]] QString selectionPath(const Selection& selection);

}  // namespace ulp::views
