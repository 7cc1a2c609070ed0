#pragma once

class QAbstractButton;
class QToolBar;

namespace ulp::views {

/// Icons as high as the text beside them, also after the user has changed its size.
void growIconsWithText(QAbstractButton& button);
void growIconsWithText(QToolBar& bar);

}  // namespace ulp::views
