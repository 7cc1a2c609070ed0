#include "views/framework/workspace/bookmarks.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include <QtCore/QJsonDocument>
#include <QtCore/QStringList>

#include "views/framework/document/selection_context.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/message.h"
#include "views/framework/words/site_text.h"
#include "views/framework/workspace/recently_opened.h"
#include "views/framework/workspace/report_set.h"

namespace ulp::views {
namespace {

const QString kLoadBookmarksTag = QStringLiteral("load-bookmarks");
const QString kSaveBookmarksTopic = QStringLiteral("save-bookmarks");

/// Files of different reports are saved beside each other, states of one file one after the other.
QString saveTag(const std::filesystem::path& file) {
  return QStringLiteral("save-bookmarks/%1").arg(QString::fromStdString(file.string()));
}

/// What a report without a folder is called: the same two dumps, compared again, are the same.
QString placeOf(const std::filesystem::path& file, const report::Report& report) {
  return report.dumps ? comparisonPaths(*report.dumps) : QString::fromStdString(file.string());
}

/// What the bookmarks are about.
struct Place {
  std::filesystem::path file{};  ///< where they are saved; empty: nowhere
  QString subject{};
  report::ReportPtr shown{};
};

Place placeIn(const ReportSet& set) {
  const DocumentPtr& document = set.document();
  if (!document) {
    return {};
  }
  // The bundled example lies inside the program, and a comparison of dumps may be no file yet.
  const report::LoadedReport& loaded = document->loaded();
  const auto reports = set.sources();
  Place place;
  place.file = loaded.folder.empty() ? std::filesystem::path() : report::bookmarkFile(loaded.file);
  place.shown = reports.empty() ? loaded.report : reports.front().loaded.report;
  place.subject = place.file.empty() ? placeOf(loaded.file, *place.shown)
                                     : QString::fromStdString(place.file.string());
  return place;
}

}  // namespace

/// What is to be done to the file of one report. A thread that saves takes all of it, so that
/// nothing is done twice; what fails is there again for the next.
class Bookmarks::Changes {
 public:
  void add(report::BookmarkChange change) {
    const std::scoped_lock lock(m_mutex);
    m_waiting.push_back(std::move(change));
  }
  void applyTo(std::vector<report::Bookmark>& bookmarks) {
    const std::scoped_lock lock(m_mutex);
    for (const report::BookmarkChange& change : m_waiting) {
      report::apply(change, bookmarks);
    }
  }
  Result<std::vector<report::Bookmark>> saveTo(const std::filesystem::path& file) {
    std::vector<report::BookmarkChange> taken;
    {
      const std::scoped_lock lock(m_mutex);
      taken.swap(m_waiting);
    }
    auto saved = report::changeBookmarks(file, taken);
    if (!saved) {
      const std::scoped_lock lock(m_mutex);
      m_waiting.insert(m_waiting.begin(), taken.begin(), taken.end());
    }
    return saved;
  }

 private:
  std::mutex m_mutex;
  std::vector<report::BookmarkChange> m_waiting;
};

Bookmarks::Bookmarks(ReportSet& reports,
                     Messages& messages,
                     SelectionContext& selection,
                     Background& background)
    : m_reports(reports), m_messages(messages), m_selection(selection), m_background(background) {
  connect(&m_reports, &ReportSet::documentChanged, this, &Bookmarks::follow);
}

void Bookmarks::follow() {
  const auto [file, subject, shown] = placeIn(m_reports);
  const bool isSavedNow = m_file.empty() && !file.empty() && shown && shown == m_report.lock();
  m_report = shown;
  if (shown && subject == m_subject) {
    return;
  }
  if (isSavedNow) {
    m_unsaved.erase(m_subject);
  } else if (m_file.empty() && !m_subject.isEmpty()) {
    m_unsaved[m_subject] = m_bookmarks;
  }
  m_subject = subject;
  m_file = file;
  std::shared_ptr<Changes>& changes = m_changesOf[file];
  if (!changes) {
    changes = std::make_shared<Changes>();
  }
  m_changes = changes;
  m_background.cancel(kLoadBookmarksTag);
  m_messages.dismiss(kLoadBookmarksTag);
  if (isSavedNow) {
    // They belong to what has become a file.
    for (const report::Bookmark& bookmark : m_bookmarks) {
      m_changes->add({.after = bookmark});
    }
    if (!m_bookmarks.empty()) {
      save(m_file, m_changes);
    }
    return;
  }
  const auto kept = m_unsaved.find(subject);
  m_bookmarks =
      file.empty() && kept != m_unsaved.end() ? kept->second : std::vector<report::Bookmark>();
  Q_EMIT changed();
  if (!file.empty()) {
    load();
  }
}

void Bookmarks::load() {
  m_background.run<Result<std::vector<report::Bookmark>>>(
      kLoadBookmarksTag,
      this,
      [file = m_file](const std::stop_token&) { return report::loadBookmarks(file); },
      [this](Result<std::vector<report::Bookmark>> loaded) {
        if (!loaded) {
          Message message = messageOf(loaded.error(), kLoadBookmarksTag);
          message.text = tr("%1. The file is left as it is; bookmarks of this session are not "
                            "saved until it is repaired or moved away.")
                             .arg(message.text);
          m_messages.raise(message);
          return;
        }
        m_bookmarks = *std::move(loaded);
        m_changes->applyTo(m_bookmarks);
        Q_EMIT changed();
      });
}

void Bookmarks::addCurrent() {
  const Selection& selection = m_selection.selection();
  if (!m_reports.document() || selection.site.isEmpty()) {
    return;
  }
  const QByteArray json = QJsonDocument(toJson(selection)).toJson(QJsonDocument::Compact);
  change(report::BookmarkChange{
      .after = report::Bookmark{.title = selectionPath(selection).toStdString(),
                                .selectionJson = json.toStdString()}});
}

void Bookmarks::remove(std::size_t index) {
  if (index < m_bookmarks.size()) {
    replace(index, std::nullopt);
  }
}

void Bookmarks::setTitle(std::size_t index, const QString& title) {
  report::Bookmark edited = m_bookmarks.at(index);
  edited.title = title.toStdString();
  replace(index, std::move(edited));
}

void Bookmarks::setNote(std::size_t index, const QString& note) {
  report::Bookmark edited = m_bookmarks.at(index);
  edited.note = note.toStdString();
  replace(index, std::move(edited));
}

void Bookmarks::goTo(std::size_t index) {
  if (index >= m_bookmarks.size() || !m_reports.document()) {
    return;
  }
  const QByteArray json = QByteArray::fromStdString(m_bookmarks[index].selectionJson);
  const Selection wanted = selectionFromJson(QJsonDocument::fromJson(json).object());
  const Selection& now = m_selection.selection();
  const bool isShown = wanted.baseline == now.baseline && wanted.relation == now.relation;
  // With another baseline comes another document, to which the selection is adapted then.
  m_selection.goTo(isShown ? adaptSelection(wanted, *m_reports.document()) : wanted);
}

void Bookmarks::replace(std::size_t index, std::optional<report::Bookmark> after) {
  const report::Bookmark& before = m_bookmarks.at(index);
  const auto place = m_bookmarks.begin() + static_cast<std::ptrdiff_t>(index);
  const auto which = static_cast<std::size_t>(std::count(m_bookmarks.begin(), place, before));
  change(report::BookmarkChange{.before = before, .after = std::move(after), .which = which});
}

void Bookmarks::change(const report::BookmarkChange& change) {
  report::apply(change, m_bookmarks);
  Q_EMIT changed();
  if (!m_file.empty()) {
    m_changes->add(change);
    save(m_file, m_changes);
  }
}

void Bookmarks::save(const std::filesystem::path& file, const std::shared_ptr<Changes>& changes) {
  m_background.save<Result<std::vector<report::Bookmark>>>(
      saveTag(file),
      this,
      [file, changes] { return changes->saveTo(file); },
      [this, file, changes](Result<std::vector<report::Bookmark>> saved) {
        if (!saved) {
          Message message = messageOf(saved.error(), kSaveBookmarksTopic);
          message.text = tr("%1. The bookmarks stay in this window; they are saved with the next "
                            "change, or with “Try again”.")
                             .arg(message.text);
          message.actions = {{tr("Try again"), [this, file, changes] { save(file, changes); }}};
          m_messages.raise(message);
          return;
        }
        m_messages.dismiss(kSaveBookmarksTopic);
        if (changes != m_changes) {
          return;
        }
        // What is being read is older.
        m_background.cancel(kLoadBookmarksTag);
        m_messages.dismiss(kLoadBookmarksTag);
        m_changes->applyTo(*saved);
        if (*saved != m_bookmarks) {
          m_bookmarks = *std::move(saved);
          Q_EMIT changed();
        }
      });
}

QString selectionPath(const Selection& selection) {
  QStringList parts;
  if (!selection.baseline.isEmpty()) {
    parts << QStringLiteral("÷ %1").arg(selection.baseline);
  }
  parts << selection.run() << passText(selection.pass) << selection.site;
  if (!selection.element.empty()) {
    parts << elementText(selection.element);
  }
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" › "));
}

}  // namespace ulp::views
