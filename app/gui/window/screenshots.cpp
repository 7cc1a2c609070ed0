#include "app/gui/window/screenshots.h"

#include <QtCore/QBuffer>
#include <QtCore/QDir>
#include <QtCore/QEventLoop>
#include <QtGui/QAction>
#include <QtWidgets/QApplication>
#include <QtWidgets/QDialog>
#include <QtWidgets/QLineEdit>

#include "app/gui/bars/dock_title.h"
#include "app/gui/session/session.h"
#include "app/gui/window/main_window.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/folders.h"
#include "views/commands/palette_popup.h"

namespace ulp::app {
namespace {

/// Until nothing is under way any more: what arrives makes views that ask for more.
void settle(Session& session) {
  constexpr int kCalmRounds = 4;
  for (int calm = 0; calm < kCalmRounds;) {
    QApplication::processEvents(QEventLoop::AllEvents, 20);
    calm = session.background().isIdle() ? calm + 1 : 0;
  }
}

Result<QString> write(QWidget& widget, const QString& path) {
  QByteArray picture;
  QBuffer buffer(&picture);
  buffer.open(QIODevice::WriteOnly);
  if (!widget.grab().save(&buffer, "PNG")) {
    return fail(ErrorCode::OutOfMemory,
                path.toStdString() + ": the picture cannot be made; choose a smaller --size");
  }
  ULP_TRY(writeFileAtomically(path.toStdString(), picture.toStdString()));
  return path;
}

QSize sizeOf(const views::ViewDescriptor& descriptor, const QSize& window) {
  switch (descriptor.area) {
    case views::ViewArea::Right:
      return {std::max(window.width() / 3, 360), window.height()};
    case views::ViewArea::Bottom:
      return {window.width(), window.height() / 3};
    case views::ViewArea::Centre:
      break;
  }
  return window;
}

/// What opens over the window: the palette in place, dialogs on their own.
struct Extra {
  const char* action;
  const char* file;
  bool isDialog;
  const char* typed;
};
const QLatin1String kHelpName("help");
constexpr Extra kExtras[] = {{"help.commands", "command-palette", false, "open"},
                             {"help.shortcuts", "shortcuts", true, ""},
                             {"file.compare-dumps", "compare-dumps", true, ""},
                             {"file.record", "record", true, "python train.py --lr 1e-4"},
                             {"run.start-on", "run-on", true, "gpubox"},
                             {"run.submit", "submit", true, ""},
                             {"file.settings", "settings", true, ""},
                             {"file.settings", "settings-keyboard", true, "shortcuts"},
                             {"help.guide", "help", true, "noise band"},
                             {"help.metrics", "help-metrics", true, ""},
                             {"help.tour", "help-tour", true, ""}};

Result<QString> writeExtra(Session& session,
                           MainWindow& window,
                           const Extra& extra,
                           const QDir& folder) {
  window.actions()[QLatin1String(extra.action)]->trigger();
  settle(session);
  const QString path = folder.filePath(QLatin1String(extra.file) + QStringLiteral(".png"));
  QWidget* shown = &window;
  for (QWidget* other : window.findChildren<QWidget*>()) {
    const bool isOpen = other->isWindow() && other->isVisible();
    const bool isDialog = qobject_cast<QDialog*>(other) != nullptr;
    shown =
        extra.isDialog && isOpen && (isDialog || other->objectName() == kHelpName) ? other : shown;
  }
  const QWidget* searched =
      extra.isDialog ? shown : static_cast<QWidget*>(window.findChild<views::PalettePopup*>());
  if (auto* edit = searched->findChild<QLineEdit*>()) {
    edit->setText(QLatin1String(extra.typed));
  }
  settle(session);
  Result<QString> written = write(*shown, path);
  if (extra.isDialog) {
    shown->close();
    settle(session);
  }
  return written;
}

}  // namespace

Result<QStringList> writeScreenshots(Session& session,
                                     MainWindow& window,
                                     const QString& dir,
                                     const QSize& size) {
  ULP_TRY(makeFolders(dir.toStdString()));
  const QDir folder(dir);
  window.resize(size);
  window.show();
  settle(session);
  QStringList files;
  const QString whole = ULP_TRY(write(window, folder.filePath(QStringLiteral("window.png"))));
  files << whole;
  for (const views::ViewDescriptor& descriptor : session.registry().all()) {
    views::ViewHost host(descriptor, session.context());
    host.resize(sizeOf(descriptor, size));
    host.show();
    settle(session);
    const QString path = folder.filePath(descriptor.id + QStringLiteral(".png"));
    const QString file = ULP_TRY(write(host, path));
    files << file;
  }
  for (const Extra& extra : kExtras) {
    // Some need a study.
    if (!window.actions()[QLatin1String(extra.action)]->isEnabled()) {
      continue;
    }
    const QString file = ULP_TRY(writeExtra(session, window, extra, folder));
    files << file;
  }
  return files;
}

}  // namespace ulp::app
