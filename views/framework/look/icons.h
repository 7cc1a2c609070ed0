#pragma once

#include <QtCore/QString>
#include <QtGui/QIcon>

namespace ulp::views {

/// One of our line drawings in resources/icons, painted in the palette's text colour at the moment
/// of painting, so that it follows the theme. An unknown name is a null icon.
[[nodiscard]] QIcon themedIcon(const QString& name);

}  // namespace ulp::views
