#pragma once

class QMainWindow;

namespace ulp::app {

/// Moves the keyboard focus to the next (1) or previous (-1) dock that can be seen, in reading
/// order, and around the end. Without docks the focus stays where it is.
void moveFocusBetweenDocks(QMainWindow& window, int direction);

}  // namespace ulp::app
