#pragma once

#include <string>
#include <vector>

#include "core/study/reading/study.h"

namespace ulp::study {

/// Names the code that running a study executes beside Ulpscope's own: "mine.py:make" of
/// model.factory, "changes.py:halve" of python.prepare, "code that comes with MODEL" with
/// python.trust_code; each once. A study of somebody else may do anything by it.
[[nodiscard]] std::vector<std::string> foreignCode(const Study& study);

}  // namespace ulp::study
