#pragma once

#include <string>
#include <string_view>

#include "runner/worker/events/events.h"

namespace ulp::worker {

/// An event as a line of a log.
struct EventText {
  std::string_view level;  ///< info, warning, error; of a Message, valid as long as that
  std::string text;
};
[[nodiscard]] EventText describeEvent(const Event& event);

}  // namespace ulp::worker
