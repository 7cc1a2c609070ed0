#include <cstdio>
#include <memory>

#include <QtGui/QFontDatabase>
#include <QtGui/QFontInfo>
#include <QtWidgets/QApplication>

#include "core/pictures/pictures_abi.h"
#include "views/framework/threads/responsive_application.h"
#include "views/printing/report_pictures.h"

namespace {

using ulp::pictures::PictureRequest;

/// Qt misses the runtime folder of a login, which a batch job does not have and nothing here needs.
void printMessage(QtMsgType /*type*/, const QMessageLogContext& /*context*/, const QString& text) {
  if (!text.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR"))) {
    std::fprintf(stderr, "ulpscope-cli: %s\n", text.toLocal8Bit().constData());
  }
}

/// Draws with an application object of its own, on the platform that needs no display.
class LibraryPictures final : public ulp::pictures::Pictures {
 public:
  LibraryPictures() {
    if (QCoreApplication::instance() != nullptr) {
      return;
    }
    qInstallMessageHandler(&printMessage);
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
      qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    // Qt Charts are items of a graphics scene, which needs more than a QGuiApplication.
    m_application =
        std::make_unique<ulp::views::ResponsiveApplication>(m_argumentCount, m_arguments);
  }

  ulp::pictures::PictureFacts facts() override {
    return {.qtVersion = qVersion(),
            .fontFamilies = static_cast<int>(QFontDatabase::families().size()),
            .font = QFontInfo(QApplication::font()).family().toStdString()};
  }

  ulp::Result<std::string> draw(const ulp::report::LoadedReport& loaded,
                                const PictureRequest& request) override {
    return ulp::views::drawPicture(loaded, request);
  }

 private:
  // Qt keeps references to both.
  int m_argumentCount = 1;
  char m_name[9] = "ulpscope";
  char* m_arguments[2] = {m_name, nullptr};
  std::unique_ptr<ulp::views::ResponsiveApplication> m_application;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) bool ulpscopeCreatePictures(
    std::uint64_t fingerprint, std::unique_ptr<ulp::pictures::Pictures>* pictures) {
  if (fingerprint != ulp::pictures::picturesFingerprint()) {
    return false;
  }
  *pictures = std::make_unique<LibraryPictures>();
  return true;
}
