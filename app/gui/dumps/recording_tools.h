#pragma once

#include <QtCore/QString>

namespace ulp::app {

/// Lists the tools whose dumps are recognised, for texts: "msprobe, msit, Fast-LLM, SGLang".
[[nodiscard]] QString recordingTools();

}  // namespace ulp::app
