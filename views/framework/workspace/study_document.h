#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtGui/QUndoStack>

#include "core/base/result.h"
#include "views/framework/workspace/study_history.h"

namespace ulp::views {

class Background;
class Messages;
class SettingsStore;

/// Goes by the name: .yaml, .yml.
[[nodiscard]] bool isStudyFile(const QString& path);
inline constexpr std::size_t kStudyLimitBytes = std::size_t{1} << 24;

/// Makes the text of a study of the bytes of its file `path`, so that writing it gives the same
/// bytes again, a byte order mark included. Error: CorruptData, where they are not UTF-8, with the
/// place.
[[nodiscard]] Result<QString> studyTextOf(std::string_view bytes, const QString& path);
/// Reads a study's file. Errors: as readTextFile() and studyTextOf().
[[nodiscard]] Result<QString> readStudyText(const QString& path);

struct StudyText {
  QString path;  ///< empty: never saved
  QString text;
  QString savedText;

  [[nodiscard]] bool isModified() const { return text != savedText; }
};

/// The study that is being edited, with the history of its edits. Files are read and written in the
/// background; everything else happens on the GUI thread.
class StudyDocument : public QObject {
  Q_OBJECT

 public:
  StudyDocument(Background& background, SettingsStore& settings, Messages& messages);

  [[nodiscard]] bool isOpen() const { return m_isOpen; }
  [[nodiscard]] const StudyText& content() const { return m_content; }
  /// The same with what is still being typed outside the text (finishing()). For whoever keeps,
  /// runs or gives up the study: what the user sees is what counts.
  const StudyText& finished();
  [[nodiscard]] bool isLoading() const;
  /// Tells whether closing it now would lose something that the user wrote.
  [[nodiscard]] bool hasUnsavedEdits() const;

  /// Opens a file in place of what is open; as below, a message can bring back a study that had
  /// unsaved edits. Errors become messages.
  void open(const QString& path);
  /// Opens the template, not saved yet.
  void openNew();
  /// Opens a study that begins as `text`, not saved yet.
  void openCopy(const QString& text) { setContent({.text = text}); }
  /// Opens a study with edits that were never saved; undo leads back to `disk`.
  void restore(const QString& path, const QString& disk, const QString& edited);
  void close();

  void setText(const QString& text);
  /// Makes one named step of the history ("change of input.seed"), unless it merges with the last.
  void edit(const QString& text, const QString& step, const EditMerge& merge = {});
  [[nodiscard]] QUndoStack& history() { return m_history; }

  /// Writes the study as it is now atomically in the background, makes `path` its file, and calls
  /// `done`. Errors: Io; InvalidArgument when the study's own file was changed by another program
  /// since it was read (conflicted()); CorruptData when what that wrote is no text.
  void save(const QString& path, const std::function<void(const Result<>&)>& done);
  /// What save() is writing: the file may hold it already. Nothing: none is being saved.
  [[nodiscard]] const std::optional<QString>& textBeingSaved() const { return m_textBeingSaved; }
  /// Takes note that the study's file holds `disk` now: the next save replaces it, and so the study
  /// counts as edited where it differs.
  void acceptDiskText(const QString& disk);

 Q_SIGNALS:
  void opened();
  void changed();    ///< another study, or it was saved
  void edited();     ///< the text was changed
  void finishing();  ///< who shows parts of the text as fields hands in what stands in them now
  void conflicted(const QString& disk);  ///< saving would overwrite what another program wrote
  void loadingChanged();

 private:
  struct Saved;

  void setContent(StudyText content);
  void applyText(const QString& text);
  void offerReplaced();
  void setSavedText(const QString& text);
  void finishSaving(const QString& path, const Saved& saved);

  Background& m_background;
  SettingsStore& m_settings;
  Messages& m_messages;
  StudyText m_content;
  bool m_isOpen = false;
  std::uint64_t m_openedCount = 0;
  std::uint64_t m_saveCount = 0;
  std::optional<QString> m_textBeingSaved;
  QUndoStack m_history;
};

}  // namespace ulp::views
