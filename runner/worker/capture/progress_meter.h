#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/site.h"
#include "runner/worker/events/events.h"

namespace ulp::worker {

/// Which of its samples a run is at, or which of its micro-batches a step.
struct PartIndex {
  std::size_t index = 0;
  std::size_t count = 1;

  [[nodiscard]] bool isLast() const { return index + 1 == count; }
};

/// Turns where a study is into Progress events: at most 20 a second, a fraction that never falls,
/// and a time left as soon as one run has been timed. How a run's time is spread over its sites is
/// taken from the last run that was finished, how long a variant takes from the variants so far. A
/// run on one of several samples counts as a run of its own; the fraction and the time left of a
/// run are over all of its samples.
class ProgressMeter {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = std::function<Clock::time_point()>;
  using Emit = std::function<void(const Event&)>;

  static constexpr std::chrono::milliseconds kInterval{50};

  /// `runs`: how many will run in this study, the reference included, on each sample.
  ProgressMeter(int runs, Emit emit, Now now = Clock::now);

  /// Reports a phase outside of the sites of a run: load, write.
  void phase(std::string_view run, std::string_view name);
  /// Before the runs the reference chooses the tokens of `all` positions; so many are `chosen`. The
  /// fraction counts this as one more run, and the time left of the run is that of choosing.
  void choosing(std::string_view run, std::int64_t chosen, std::int64_t all);
  void beginRun(std::string_view run, const std::vector<Site>& sites, const PartIndex& sample = {});
  /// The run passes its sites once for each micro-batch; one begins.
  void microBatch(const PartIndex& part);
  /// `site` is a row's name or a module path; an unknown one keeps the place.
  void at(Pass pass, std::string_view site);
  /// Ends a run. Only one that finished teaches how long the next will take.
  void endRun(bool finished);
  /// So many of the runs that have not begun will not run.
  void dropRuns(int count);

  [[nodiscard]] double fraction() const { return m_fraction; }
  [[nodiscard]] std::optional<double> etaSeconds() const;

 private:
  /// Of the run that goes on; 0 where none does.
  [[nodiscard]] double secondsSince(Clock::time_point start) const;
  [[nodiscard]] double positionInRun() const;
  [[nodiscard]] double expectedSeconds() const;
  [[nodiscard]] double samplesDone() const;
  [[nodiscard]] std::optional<double> runEtaSeconds() const;
  [[nodiscard]] std::optional<double> choiceEtaSeconds() const;
  void report(std::string_view phase, std::string_view site);

  int m_runs;
  Emit m_emit;
  Now m_now;
  std::string m_run;
  PartIndex m_sample;
  bool m_inRun = false;
  int m_done = 0;
  Clock::time_point m_runStart;
  Clock::time_point m_lastEmit;
  bool m_emitted = false;
  double m_fraction = 0;

  std::int64_t m_chosen = 0;
  std::int64_t m_toChoose = 0;  ///< 0: nothing is chosen
  Clock::time_point m_choiceStart;
  double m_choiceSeconds = 0;

  std::unordered_map<std::string, std::size_t> m_positions;
  PartIndex m_microBatch;
  Clock::time_point m_passStart;  ///< of the current micro-batch
  /// Seconds after which the current micro-batch reached a site; -1: not yet.
  std::vector<double> m_reached;
  std::size_t m_place = 0;
  std::vector<double> m_profile;  ///< share of a micro-batch's time at which it reaches a site

  double m_doneSeconds = 0;
  std::optional<double> m_firstSeconds;
  double m_variantSeconds = 0;
  int m_variantsTimed = 0;
};

}  // namespace ulp::worker
