#pragma once

#include <QtCore/QString>

class QAction;
class QToolButton;

namespace ulp::views {

/// What a tool button shows and is called.
struct ToolButtonFace {
  QString icon;       ///< name in resources/icons
  QString name;       ///< read aloud
  QString toolTip{};  ///< empty: the name
};

/// A flat button with an icon that grows with the text.
void setUpToolButton(QToolButton& button, const ToolButtonFace& face);
/// The same for an action, which gives the button its icon, text and tooltip.
void setUpToolButton(QToolButton& button, QAction& action);

}  // namespace ulp::views
