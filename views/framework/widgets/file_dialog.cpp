#include "views/framework/widgets/file_dialog.h"

#include <QtWidgets/QFileDialog>

namespace ulp::views {
namespace {

QFileDialog* openFileDialog(QWidget* parent, const FileQuestion& question) {
  auto* dialog = new QFileDialog(parent, question.title);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  switch (question.wanted) {
    case FileWanted::Existing:
      dialog->setFileMode(QFileDialog::ExistingFile);
      break;
    case FileWanted::Several:
      dialog->setFileMode(QFileDialog::ExistingFiles);
      break;
    case FileWanted::Folder:
      dialog->setFileMode(QFileDialog::Directory);
      break;
    case FileWanted::New:
      dialog->setAcceptMode(QFileDialog::AcceptSave);
      dialog->setFileMode(QFileDialog::AnyFile);
      dialog->setDefaultSuffix(question.suffix);
      break;
  }
  if (!question.filters.isEmpty()) {
    dialog->setNameFilters(question.filters);
  }
  if (!question.suggested.isEmpty()) {
    dialog->selectFile(question.suggested);
  }
  dialog->open();
  return dialog;
}

}  // namespace

void askForFiles(QWidget* parent,
                 const FileQuestion& question,
                 const std::function<void(const QStringList& paths)>& chosen) {
  QObject::connect(openFileDialog(parent, question), &QFileDialog::filesSelected, parent, chosen);
}

void askForFile(QWidget* parent,
                const FileQuestion& question,
                const std::function<void(const QString& path)>& chosen) {
  QObject::connect(openFileDialog(parent, question), &QFileDialog::fileSelected, parent, chosen);
}

}  // namespace ulp::views
