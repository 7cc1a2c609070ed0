#include "app/gui/tools/form_rows.h"

#include <algorithm>

#include <QtGui/QFontMetrics>
#include <QtGui/QScreen>
#include <QtWidgets/QLineEdit>

namespace ulp::app {

int widthForPlaceholders(const QDialog& dialog) {
  int lack = 0;
  for (const QLineEdit* line : dialog.findChildren<QLineEdit*>()) {
    // The usual width is that of 17 letters, and what stands around them.
    constexpr int kUsual = 17;
    const QFontMetrics metrics(line->font());
    const int usual = kUsual * metrics.horizontalAdvance(QLatin1Char('x'));
    lack = std::max(lack, metrics.horizontalAdvance(line->placeholderText()) - usual);
  }
  const int wanted = dialog.sizeHint().width() + lack;
  const QScreen* screen = dialog.screen();
  return screen == nullptr ? wanted : std::min(wanted, screen->availableGeometry().width());
}

}  // namespace ulp::app
