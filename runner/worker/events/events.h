#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"

/// What a running study tells its observer. One JSON object a line on standard output with
/// `--progress jsonl`, and (all but Progress and MemoryUse) the lines of `events.jsonl`; documented
/// in docs/events.md, versioned.
namespace ulp::worker {

inline constexpr std::string_view kEventSchema = "ulpscope.events/1";

struct StudyStarted {
  std::vector<std::string> runs;  ///< reference first
  std::string outputDir;
  bool resumed = false;
  std::vector<std::string> kept{};     ///< finished before, when resumed
  std::vector<std::string> skipped{};  ///< by the user before, when resumed
  std::vector<std::string> failed{};   ///< before, and not to be tried again
};
struct RunStarted {
  std::string run;
  int index = 0;  ///< from 0, among the runs on all samples
  int total = 0;
  std::string device{};  ///< "cpu", "cuda:0"; empty: the worker did not say
  int sample = 0;        ///< from 0; a run starts once on each of its samples
  int samples = 1;
  int worker = 0;  ///< which of several, each on a device of its own, makes it
  /// UUIDs of cuda:0, cuda:1, … of the worker; empty: there is none, or one is not known.
  std::vector<std::string> gpus{};
};
/// At most 20 a second. `phase` is load, choose, forward, backward or write.
struct Progress {
  std::string run;
  std::string phase;
  std::string site;
  double fraction = 0;                    ///< of the whole study, 0 … 1, never falls
  std::optional<double> etaSeconds;       ///< unknown until the first run has been timed
  std::optional<double> runFraction{};    ///< of this run, 0 … 1
  std::optional<double> runEtaSeconds{};  ///< left of this run, as etaSeconds
  int worker = 0;                         ///< as in RunStarted
};
struct RunFinished {
  std::string run;
  std::string status;  ///< finished, failed, cancelled, skipped
  double loss = 0;
  double seconds = 0;
  std::uint64_t peakBytes = 0;
  std::string error;
  std::uint64_t plannedBytes = 0;  ///< of a CUDA device, for that peak; 0: nobody could tell
  std::string errorCode{};         ///< of `error`, as toString() names it; empty: unknown
};
/// precision_report.json was replaced; it holds every finished run.
struct ReportUpdated {
  std::string path;
};
struct Message {
  std::string level;  ///< info, warning, error
  std::string text;
  std::string connection{};  ///< to the host of the study, if the message is about it: lost, made
};
inline constexpr std::string_view kConnectionLost = "lost";
inline constexpr std::string_view kConnectionMade = "made";
/// What the worker of a study on a host holds there, about once a second: who follows such a study
/// cannot look for himself.
struct MemoryUse {
  std::uint64_t residentBytes = 0;
  std::uint64_t peakBytes = 0;  ///< since the worker began
};
struct StudyFinished {
  std::string status;  ///< finished, failed, cancelled
  double seconds = 0;
  std::string report;     ///< path, empty when there is none
  std::string errorCode;  ///< toString(ErrorCode), empty when finished
  std::string error;
  bool leavesRuns = false;               ///< that this process cannot make, but another one
  std::vector<std::string> conflicts{};  ///< why the folder's results could not be resumed
};

using Event = std::variant<StudyStarted,
                           RunStarted,
                           Progress,
                           RunFinished,
                           ReportUpdated,
                           Message,
                           MemoryUse,
                           StudyFinished>;

/// One line without a newline: {"event":"progress",…,"time":"2026-01-31T12:00:00.123Z"}. The events
/// that open and close a stream also have "schema". Bytes that are not UTF-8 are replaced by
/// U+FFFD.
[[nodiscard]] std::string toJsonLine(const Event& event);
/// Errors: CorruptData (not one JSON object, missing field), Unsupported (newer schema). An unknown
/// event of this schema is a Message of level info with the line as text.
[[nodiscard]] Result<Event> parseEvent(std::string_view line);

/// An event as a line of a log.
struct EventText {
  std::string_view level;  ///< info, warning, error; of a Message, valid as long as that
  std::string text;
};
[[nodiscard]] EventText describeEvent(const Event& event);

/// "2026-01-31T12:00:00.123Z"
[[nodiscard]] std::string utcTimestamp(std::chrono::system_clock::time_point when);

}  // namespace ulp::worker
