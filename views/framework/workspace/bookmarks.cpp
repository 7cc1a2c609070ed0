#include "views/framework/workspace/bookmarks.h"

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
  return report.dumps ? QStringLiteral("%1\n%2").arg(sideText(report.dumps->baseline),
                                                     sideText(report.dumps->candidate))
                      : QString::fromStdString(file.string());
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
  m_isUnreadable = false;
  m_background.cancel(kLoadBookmarksTag);
  m_messages.dismiss(kLoadBookmarksTag);
  if (isSavedNow) {
    // They belong to what has become a file.
    if (!m_bookmarks.empty()) {
      save();
    }
    return;
  }
  m_isLoading = !file.empty();
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
      [this](const Result<std::vector<report::Bookmark>>& loaded) {
        m_isLoading = false;
        if (!loaded) {
          m_isUnreadable = true;
          Message message = messageOf(loaded.error(), kLoadBookmarksTag);
          message.text = tr("%1. The file is left as it is; bookmarks of this session are not "
                            "saved until it is repaired or moved away.")
                             .arg(message.text);
          m_messages.raise(message);
          return;
        }
        const bool hasNew = !m_bookmarks.empty();
        m_bookmarks.insert(m_bookmarks.begin(), loaded->begin(), loaded->end());
        if (hasNew) {
          save();
        } else {
          Q_EMIT changed();
        }
      });
}

void Bookmarks::addCurrent() {
  const Selection& selection = m_selection.selection();
  if (!m_reports.document() || selection.site.isEmpty()) {
    return;
  }
  const QByteArray json = QJsonDocument(toJson(selection)).toJson(QJsonDocument::Compact);
  m_bookmarks.push_back(
      {.title = selectionPath(selection).toStdString(), .selectionJson = json.toStdString()});
  save();
}

void Bookmarks::remove(std::size_t index) {
  if (index < m_bookmarks.size()) {
    m_bookmarks.erase(m_bookmarks.begin() + static_cast<std::ptrdiff_t>(index));
    save();
  }
}

void Bookmarks::setTitle(std::size_t index, const QString& title) {
  m_bookmarks.at(index).title = title.toStdString();
  save();
}

void Bookmarks::setNote(std::size_t index, const QString& note) {
  m_bookmarks.at(index).note = note.toStdString();
  save();
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
  m_selection.select(isShown ? adaptSelection(wanted, *m_reports.document()) : wanted);
}

void Bookmarks::save() {
  Q_EMIT changed();
  // Those in the file are not known yet; once they are, all are saved.
  if (m_file.empty() || m_isUnreadable || m_isLoading) {
    return;
  }
  m_background.save<Result<>>(
      saveTag(m_file),
      this,
      [file = m_file, bookmarks = m_bookmarks] { return report::saveBookmarks(file, bookmarks); },
      [this](const Result<>& saved) {
        if (saved) {
          m_messages.dismiss(kSaveBookmarksTopic);
          return;
        }
        Message message = messageOf(saved.error(), kSaveBookmarksTopic);
        message.text = tr("%1. The bookmarks stay in this window; they are saved with the next "
                          "change, or with “Try again”.")
                           .arg(message.text);
        message.actions = {{tr("Try again"), [this] { save(); }}};
        m_messages.raise(message);
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
