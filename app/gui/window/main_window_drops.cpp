#include "app/gui/start/drop_overlay.h"
#include "app/gui/window/main_window.h"

namespace ulp::app {

void MainWindow::makeDropOverlay() {
  auto* overlay = new DropOverlay(
      *this, [this] { return m_session.workspace().reports.document() != nullptr; });
  connect(
      overlay, &DropOverlay::dropped, this, [this](DropAction action, const DroppedFiles& files) {
        switch (action) {
          case DropAction::Open:
          case DropAction::Edit:
            openDropped(files.all());
            break;
          case DropAction::Compare:
            compareDropped(files.reports);
            break;
          case DropAction::Enqueue:
            m_session.runs().enqueueFiles(files.studies);
            break;
        }
      });
}

}  // namespace ulp::app
