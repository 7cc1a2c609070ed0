#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/worker/parts/study_part.h"
#include "runner/worker/session/memory_forecast.h"

namespace ulp::report {
struct Report;
}

namespace ulp::worker {

class SkipRequests;

/// What to do with results that the run folder holds already.
enum class ExistingResults : std::uint8_t {
  Refuse,
  Resume,    ///< keep finished runs, make those that are missing; a folder without results is fine
  Overwrite  ///< remove what Ulpscope made, once the new study is known to be able to start
};

struct RunOptions {
  std::filesystem::path outputDir{};    ///< empty: the study's
  std::vector<std::string> variants{};  ///< empty: all
  std::string device{};                 ///< empty: the study's
  int threads = 0;                      ///< 0: one a core
  ExistingResults existing = ExistingResults::Refuse;
  /// With Resume: variants that failed, and skipped ones although they are named, stay as they are.
  bool keepsFailed = false;
  /// Called with the report after every run, before it is written: adds conclusions. Empty: none.
  std::function<void(report::Report&)> conclude{};
  /// Called with the bytes that are free on the CUDA device of the study, before its first run.
  /// Empty: nobody asks.
  std::function<MemoryForecast(std::uint64_t freeBytes)> forecastMemory{};
  /// Called with true before work that may see a stop late and of which nothing is kept where the
  /// process ends, with false behind it. Empty: nobody asks.
  std::function<void(bool)> computes{};
  /// Variants that are skipped on the way. Null: none can be.
  std::shared_ptr<SkipRequests> skips{};
  /// What of the study is made, where that is not all of it; `variants` are then those of the whole
  /// study.
  std::optional<StudyPart> part{};
};

}  // namespace ulp::worker
