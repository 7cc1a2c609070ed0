#pragma once

#include <QtCore/QString>

#include "core/base/site.h"

namespace ulp::views {

/// Passes in the user's language where they stand by themselves; in a sentence see passText().

/// Over the columns of a pass: "Forward", "Backward", "Parameter gradients", "Optimizer".
[[nodiscard]] QString passName(Pass pass);
/// Along the part of a depth axis that belongs to a pass; those that go through the model say in
/// which direction: "Forward →".
[[nodiscard]] QString passCaption(Pass pass);

}  // namespace ulp::views
