#include "views/framework/widgets/tool_button.h"

#include <QtGui/QAction>
#include <QtWidgets/QToolButton>

#include "views/framework/look/icons.h"

namespace ulp::views {

void setUpToolButton(QToolButton& button, const ToolButtonFace& face) {
  button.setIcon(themedIcon(face.icon));
  button.setAutoRaise(true);
  growIconsWithText(button);
  button.setToolTip(face.toolTip.isEmpty() ? face.name : face.toolTip);
  button.setAccessibleName(face.name);
}

void setUpToolButton(QToolButton& button, QAction& action) {
  button.setDefaultAction(&action);
  button.setAutoRaise(true);
  growIconsWithText(button);
  button.setAccessibleName(action.text());
}

}  // namespace ulp::views
