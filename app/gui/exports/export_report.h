#pragma once

#include "views/framework/view/view.h"

class QWidget;

namespace ulp::app {

/// Asks for format and file and writes the open report in the background. Does nothing without one.
void askToExportReport(const views::ViewContext& context, QWidget* parent);

}  // namespace ulp::app
