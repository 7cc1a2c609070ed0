#include <QtWidgets/QFileDialog>

#include "app/gui/drop_overlay.h"
#include "app/gui/main_window.h"

namespace ulp::app {

void MainWindow::makeDropOverlay() {
  auto* overlay =
      new DropOverlay(*this, [this] { return m_session.workspace().document() != nullptr; });
  connect(
      overlay, &DropOverlay::dropped, this, [this](DropAction action, const DroppedFiles& files) {
        switch (action) {
          case DropAction::Open:
          case DropAction::Edit:
            open(files.all());
            break;
          case DropAction::Compare:
            m_session.workspace().openBeside(files.reports);
            break;
          case DropAction::Enqueue:
            for (const QString& study : files.studies) {
              m_session.runs().enqueueFile(study);
            }
            break;
        }
      });
}

void MainWindow::askForStudyToRun() {
  auto* dialog = new QFileDialog(this, tr("Add a study to the queue"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  dialog->setNameFilters({tr("Studies (*.yaml *.yml)"), tr("All files (*)")});
  connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& paths) {
    for (const QString& path : paths) {
      m_session.runs().enqueueFile(path);
    }
  });
  dialog->open();
}

}  // namespace ulp::app
