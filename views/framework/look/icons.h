#pragma once

#include <QtCore/QString>
#include <QtGui/QIcon>

class QAbstractButton;
class QToolBar;

namespace ulp::views {

/// One of our line drawings in resources/icons, painted in the palette's text colour at the moment
/// of painting, so that it follows the theme. An unknown name is a null icon.
[[nodiscard]] QIcon themedIcon(const QString& name);

/// Icons as high as the text beside them, also after the user has changed its size.
void growIconsWithText(QAbstractButton& button);
void growIconsWithText(QToolBar& bar);

}  // namespace ulp::views
