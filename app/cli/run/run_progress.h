#pragma once

#include <iosfwd>
#include <memory>
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

/// Where and how progress is written.
struct ProgressStreams {
  std::ostream& out;  ///< jsonl
  std::ostream& err;  ///< everything else
  bool hasColour = false;
  int width = 80;  ///< columns of the terminal
};

class RunProgress {
 public:
  virtual ~RunProgress() = default;
  virtual void show(const worker::Event& event) = 0;

 protected:
  RunProgress() = default;
  RunProgress(const RunProgress&) = default;
  RunProgress& operator=(const RunProgress&) = default;
};

[[nodiscard]] std::unique_ptr<RunProgress> makeRunProgress(ProgressMode mode,
                                                           ProgressStreams streams);

/// Columns of the terminal behind standard error; 80 when it says none.
[[nodiscard]] int terminalWidth();

}  // namespace ulp::cli
