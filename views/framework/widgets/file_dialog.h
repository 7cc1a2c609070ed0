#pragma once

#include <cstdint>
#include <functional>

#include <QtCore/QString>
#include <QtCore/QStringList>

class QWidget;

namespace ulp::views {

enum class FileWanted : std::uint8_t { Existing, Several, Folder, New };

/// What a file dialog asks for.
struct FileQuestion {
  QString title;
  FileWanted wanted = FileWanted::Existing;
  QStringList filters{};  ///< "Reports (*.json)"; empty: all files
  QString suggested{};    ///< name of a new file
  QString suffix{};       ///< that a new file gets where none is typed
};

/// Asks without blocking; `chosen` gets the paths, unless the dialog is dismissed or `parent` goes
/// first.
void askForFiles(QWidget* parent,
                 const FileQuestion& question,
                 const std::function<void(const QStringList& paths)>& chosen);
/// Does the same for one path; `question` wants no more.
void askForFile(QWidget* parent,
                const FileQuestion& question,
                const std::function<void(const QString& path)>& chosen);

}  // namespace ulp::views
