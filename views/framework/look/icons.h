#pragma once

#include <QtCore/QString>
#include <QtGui/QIcon>

class QAbstractButton;
class QToolBar;
class QAction;
class QToolButton;

namespace ulp::views {

/// One of our line drawings in resources/icons, painted in the palette's text colour at the moment
/// of painting, so that it follows the theme. An unknown name is a null icon.
[[nodiscard]] QIcon themedIcon(const QString& name);

/// Icons as high as the text beside them, also after the user has changed its size.
void growIconsWithText(QAbstractButton& button);
void growIconsWithText(QToolBar& bar);

/// What a tool button shows and is called.
struct ToolButtonFace {
  QString icon;       ///< name in resources/icons
  QString name;       ///< read aloud
  QString toolTip{};  ///< empty: the name
};

/// A flat button with an icon that grows with the text.
void setUpToolButton(QToolButton& button, const ToolButtonFace& face);
/// The same for an action, which gives the button its icon, text and tooltip, with its key behind.
void setUpToolButton(QToolButton& button, QAction& action);

}  // namespace ulp::views
