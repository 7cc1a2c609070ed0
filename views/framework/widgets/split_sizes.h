#pragma once

#include <QtCore/QList>

class QSplitter;

namespace ulp::views {

/// Divides a splitter as its content asks for, until the user has moved a handle of it: from then
/// on the parts stay as the user wants them.
void divideUntilMoved(QSplitter& split, const QList<int>& sizes);

}  // namespace ulp::views
