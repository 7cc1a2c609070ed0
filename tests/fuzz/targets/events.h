#pragma once

#include <cstddef>
#include <cstdint>

#include "runner/worker/events/events.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// A line that a worker writes. One that is read and written again says the same: times apart,
/// which stand at the end.
inline void fuzzEvents(const std::uint8_t* data, std::size_t size) {
  const auto event = worker::parseEvent(fuzzText(data, size));
  if (!event) {
    require(!event.error().message().empty());
    return;
  }
  static_cast<void>(worker::describeEvent(*event));
  const auto again = worker::parseEvent(worker::toJsonLine(*event));
  require(again && again->index() == event->index());
}

}  // namespace ulp::test
