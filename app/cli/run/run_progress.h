#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string_view>

#include "runner/worker/events/events.h"

namespace ulp::cli {

/// How `run` shows what happens: a display that is redrawn in place, lines, the events themselves,
/// or warnings and errors alone.
enum class ProgressMode : std::uint8_t { Live, Plain, JsonLines, None };

/// auto (a terminal: live, else plain), plain, jsonl or none.
[[nodiscard]] std::optional<ProgressMode> parseProgressMode(std::string_view name,
                                                            bool errIsTerminal);
/// The name that parseProgressMode() understands so.
[[nodiscard]] std::string_view nameOf(ProgressMode mode);

/// Where and how progress is written.
struct ProgressStreams {
  std::ostream& out;  ///< jsonl
  std::ostream& err;  ///< everything else
  bool hasColour = false;
  int width = 80;  ///< columns of the terminal
};

/// Shows what happens; ends the display when it goes.
using RunProgress = std::function<void(const worker::Event& event)>;

[[nodiscard]] RunProgress makeRunProgress(ProgressMode mode, ProgressStreams streams);

/// Columns of the terminal behind standard error; 80 when it says none.
[[nodiscard]] int terminalWidth();

}  // namespace ulp::cli
