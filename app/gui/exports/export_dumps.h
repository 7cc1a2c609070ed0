#pragma once

#include "views/framework/view/view.h"

class QWidget;

namespace ulp::app {

/// Asks which tensors to write for other tools, and writes them in the background. What is open is
/// filled in.
void askToExportTensors(const views::ViewContext& context, QWidget* parent);

/// Asks for two dumps and a tool, and writes the files of its comparison in the background. The
/// dumps that are open are filled in.
void askToCompareAs(const views::ViewContext& context, QWidget* parent);

}  // namespace ulp::app
