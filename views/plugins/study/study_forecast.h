#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QtCore/QString>

#include "core/analysis/studies/memory/device_memory.h"
#include "core/analysis/studies/model_outline.h"
#include "core/analysis/studies/study_estimate.h"
#include "core/report/model/report.h"
#include "core/study/reading/study.h"
#include "views/framework/document/report_document.h"

namespace ulp::views {

/// What a study is going to capture and cost, as far as it can be told before it runs.
struct StudyForecast {
  QString missing;  ///< model or output folder, so that the study cannot run; empty: nothing is
  QString source;   ///< where the sites come from, or why there are none
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::optional<analysis::PatternMatches> matches;  ///< nothing: the sites are not known
  std::optional<analysis::StudyEstimate> estimate;
  QString basis;  ///< what the estimate rests on
  /// The run that takes most of a GPU's memory; nothing: they run on the CPU.
  std::optional<analysis::LargestRun> device;
  std::optional<std::uint64_t> freeOnDevice;  ///< bytes; nothing: the driver does not tell
};

/// Keeps reports that were read, so that typing does not read them again and again. Used by one
/// thread at a time.
class ForecastCache {
 public:
  /// Null: there is none, or it is too large to be read for this.
  [[nodiscard]] report::ReportPtr report(const std::filesystem::path& file);

 private:
  struct Kept {
    std::filesystem::file_time_type time;
    report::ReportPtr report;
  };
  std::map<std::filesystem::path, Kept> m_kept;
};

/// What a forecast may rest on beside the study.
struct ForecastSources {
  std::filesystem::path outputDir;
  /// Reports that were opened or made lately, newest first: the first whole one of the same model
  /// on the same kind of device tells how long a run takes, unless the output folder's does.
  std::vector<std::filesystem::path> recent{};
  DocumentPtr open{};
  std::vector<std::string> gpus{};  ///< JobQueue::gpus()
};

/// The model's configuration gives the sites; where it cannot, the open report does, which then
/// gives no estimate. Slow: for the background.
[[nodiscard]] StudyForecast forecastStudy(const study::Study& study,
                                          const ForecastSources& sources,
                                          ForecastCache& cache);

/// "about 26 s, 2.6 GB of memory, 2.7 GB on disk", with the GPU's memory where one is used; empty
/// without an estimate.
[[nodiscard]] QString estimateText(const StudyForecast& forecast);
/// Says what takes a GPU's memory in the run that takes most, and how much is free; empty: none is
/// used.
[[nodiscard]] QString deviceText(const StudyForecast& forecast);
/// Says that a GPU seems too small, and the way out; empty: it seems large enough.
[[nodiscard]] QString shortageText(const StudyForecast& forecast);
/// What capture.include captures and each of its patterns finds.
[[nodiscard]] QString includeText(const StudyForecast& forecast);
[[nodiscard]] QString excludeText(const StudyForecast& forecast);
/// "40 ms", "26 s", "3 min", "1.5 h"
[[nodiscard]] QString durationText(double seconds);

}  // namespace ulp::views
