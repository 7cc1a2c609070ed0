#include "views/plugins/study/study_forecast.h"

#include <algorithm>
#include <thread>
#include <unistd.h>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>
#include <QtCore/QStringList>

#include "core/analysis/studies/model_outline.h"
#include "core/base/list_of.h"
#include "core/report/summary/provenance_line.h"
#include "core/study/schema/device_names.h"
#include "runner/queue/cuda_numbering.h"
#include "runner/queue/resource_use.h"

namespace ulp::views {
namespace {

/// Room for all captures.
constexpr std::uint64_t kUnknownDevice = std::uint64_t{1} << 50;
constexpr std::uintmax_t kLargestReport = std::uintmax_t{64} << 20;
/// That are looked at for the time of a run.
constexpr std::size_t kMostReports = 4;

struct StudyForecastWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::StudyForecast)
};

/// Of a step; schedule.docs_per_step may take more, which the tokens decide.
std::int64_t microBatchesOf(const study::Study& study) {
  return std::max<std::int64_t>(study.step.microBatches, 1);
}

std::uint64_t samplesOf(const study::Study& study, std::int64_t sequencesOfStep) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(study.sequences / sequencesOfStep, 1));
}

bool runsOnCpu(const std::string& devices) {
  std::error_code ignored;
  return study::areCpus(devices) ||
         (devices == "auto" && (queue::CudaNumbering::ofEnvironment().hidesAll() ||
                                !std::filesystem::exists("/dev/nvidiactl", ignored)));
}

std::optional<std::uint64_t> freeBytesOf(const std::string& devices,
                                         const std::vector<std::string>& gpus) {
  const std::string device = study::firstDevice(devices);
  const std::string named = device.starts_with("cuda:") ? device : "cuda:0";
  const auto use = queue::GpuMonitor().use(queue::namedByUuid(named, gpus), ::getpid());
  return use ? std::optional(use->totalBytes - std::min(use->usedBytes, use->totalBytes))
             : std::nullopt;
}

std::size_t devicesOf(const std::string& devices) {
  if (devices == study::kAllCudaDevices) {
    return std::max<std::size_t>(queue::GpuMonitor().deviceNames().size(), 1);
  }
  const auto names = study::deviceNames(devices);
  return names ? names->size() : 1;
}

/// Each of several workers runs the reference, and its share of the others.
void shareOut(analysis::StudyEstimate& estimate, std::size_t runs, std::size_t devices) {
  const std::size_t variants = runs == 0 ? 0 : runs - 1;
  const std::size_t workers = std::clamp<std::size_t>(variants, 1, devices);
  const std::size_t most = 1 + (variants + workers - 1) / workers;
  if (estimate.seconds && runs > 0) {
    *estimate.seconds *= static_cast<double>(most) / static_cast<double>(runs);
  }
  estimate.memoryBytes *= workers;
}

QString sizeText(std::uint64_t bytes) {
  return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1);
}

Result<analysis::ModelOutline> outlineOf(const study::Study& study) {
  if (!study.modelFactory.empty()) {
    return fail(ErrorCode::Unsupported, study.modelFactory);
  }
  const auto path = ULP_TRY(study::resolveModelPath(study));
  return analysis::readModelOutline(path, study.architectureJson);
}

void match(const std::vector<Site>& sites, StudyForecast& forecast) {
  auto matches = analysis::matchPatterns(sites, forecast.include, forecast.exclude);
  if (matches) {
    forecast.matches = std::move(*matches);
  }
}

/// Sites and estimate from the shapes of the model.
void useOutline(const study::Study& study,
                const analysis::ModelOutline& model,
                const report::Report* earlier,
                const std::vector<std::string>& gpus,
                StudyForecast& forecast) {
  const std::int64_t length = study.positions() > 0 ? study.positions() : 128;
  const std::int64_t batch = study.microBatchSize > 0 ? study.microBatchSize : 1;
  const auto reference = study::effectiveSettings(study, study::kReferenceName);
  const bool isEager = reference && reference->at("attention.implementation").value == "eager";
  const auto all = analysis::outlineSites(model,
                                          {.level = study.captureLevel,
                                           .isEager = isEager,
                                           .backward = study.captureBackward,
                                           .parameterGradients = study.captureParameterGradients,
                                           .optimizer = study.optimizer.rows(),
                                           .batch = batch,
                                           .length = length});
  match(listOf(all, &analysis::OutlineSite::site), forecast);
  forecast.source = StudyForecastWords::tr("Sites as the model's configuration tells.");
  // The tokens of a file are counted when it is read, not before.
  const bool hasSize = study.sequenceLength > 0 && study.microBatchSize > 0;
  if (!forecast.matches || !hasSize) {
    forecast.basis = StudyForecastWords::tr("The token file decides how much is computed.");
    return;
  }
  const bool onCpu = runsOnCpu(study.device);
  analysis::PlannedStudy plan{.parameters = analysis::parameterCount(model),
                              .tokens = length * batch,
                              .microBatches = static_cast<std::uint64_t>(microBatchesOf(study)),
                              .samples = samplesOf(study, batch * microBatchesOf(study)),
                              .backward = study.captureBackward,
                              .kept = study.captureTensors,
                              .runs = analysis::runFormats(study, !onCpu),
                              .onCpu = onCpu,
                              .threads = static_cast<int>(std::thread::hardware_concurrency())};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (forecast.matches->captured[i]) {
      plan.sites.push_back(all[i]);
    }
  }
  forecast.estimate = analysis::estimateStudy(plan, earlier);
  shareOut(*forecast.estimate, plan.runs.size(), devicesOf(study.device));
  if (!plan.onCpu && study.engine != "python") {
    forecast.freeOnDevice = freeBytesOf(study.device, gpus);
    const std::uint64_t room = forecast.freeOnDevice.value_or(kUnknownDevice);
    forecast.device = analysis::largestOf(
        analysis::deviceMemory(model, study, room - std::min(room, analysis::kCudaOwnBytes)));
  }
  forecast.basis =
      forecast.estimate->isCalibrated
          ? StudyForecastWords::tr("from the run of %1 on %2, scaled to what is captured now")
                .arg(QString::fromStdString(earlier->provenance.startedAt).left(10),
                     QString::fromStdString(earlier->provenance.device))
          : StudyForecastWords::tr("rough: from shapes and assumed speeds; cores: %1")
                .arg(std::max(1, plan.threads));
}

/// Why results cannot be written to a folder; empty: they can, as far as is known before.
QString folderProblem(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::path above = std::filesystem::absolute(folder, ignored).lexically_normal();
  while (!above.empty() && !std::filesystem::exists(above, ignored) &&
         above != above.parent_path()) {
    above = above.parent_path();
  }
  const QString shown = QString::fromStdString(above.string());
  if (!std::filesystem::is_directory(above, ignored)) {
    return StudyForecastWords::tr("%1 is no folder, and output_dir lies there").arg(shown);
  }
  if (::access(above.c_str(), W_OK | X_OK) != 0) {
    return StudyForecastWords::tr("output_dir cannot be made: nothing may be written to %1")
        .arg(shown);
  }
  return {};
}

bool isOfSameModel(const report::Report& report,
                   const analysis::ModelOutline& model,
                   bool isOnCpu) {
  return report.model.parameters == analysis::parameterCount(model) &&
         study::areCpus(report::deviceId(report.provenance)) == isOnCpu &&
         analysis::tellsTimeOfRuns(report);
}

/// Null: there is none.
report::ReportPtr earlierRun(const study::Study& study,
                             const analysis::ModelOutline& model,
                             const ForecastSources& sources,
                             ForecastCache& cache) {
  std::vector<std::filesystem::path> files{sources.outputDir / "precision_report.json"};
  files.insert(files.end(), sources.recent.begin(), sources.recent.end());
  files.resize(std::min(files.size(), kMostReports));
  for (const std::filesystem::path& file : files) {
    const report::ReportPtr report = cache.report(file);
    if (report && isOfSameModel(*report, model, runsOnCpu(study.device))) {
      return report;
    }
  }
  return nullptr;
}

QString countsText(const std::vector<std::string>& patterns,
                   const std::vector<std::size_t>& counts) {
  QStringList parts;
  for (std::size_t i = 0; i < patterns.size() && i < counts.size(); ++i) {
    parts << QStringLiteral("%1: %2").arg(QString::fromStdString(patterns[i]),
                                          QString::number(counts[i]));
  }
  return parts.join(QStringLiteral(",  "));
}

}  // namespace

report::ReportPtr ForecastCache::report(const std::filesystem::path& file) {
  std::error_code missing;
  const auto time = std::filesystem::last_write_time(file, missing);
  if (missing || std::filesystem::file_size(file, missing) > kLargestReport) {
    return nullptr;
  }
  const auto kept = m_kept.find(file);
  if (kept != m_kept.end() && kept->second.time == time) {
    return kept->second.report;
  }
  if (m_kept.size() > kMostReports) {
    m_kept.clear();
  }
  const auto loaded = report::loadReport(file);
  return m_kept.insert_or_assign(file, Kept{time, loaded ? loaded->report : nullptr})
      .first->second.report;
}

StudyForecast forecastStudy(const study::Study& study,
                            const ForecastSources& sources,
                            ForecastCache& cache) {
  StudyForecast forecast{.include = study.include, .exclude = study.exclude};
  forecast.missing = folderProblem(sources.outputDir);
  const auto model = outlineOf(study);
  if (model) {
    const report::ReportPtr earlier = earlierRun(study, *model, sources, cache);
    useOutline(study, *model, earlier.get(), sources.gpus, forecast);
    return forecast;
  }
  forecast.basis = QString::fromStdString(model.error().message());
  if (model.error().code() == ErrorCode::Unsupported && study.engine != "native") {
    forecast.basis = StudyForecastWords::tr("the model runs in Python (%1)").arg(forecast.basis);
  }
  if (model.error().code() == ErrorCode::NotFound) {
    forecast.missing = forecast.basis;
  }
  if (sources.open && !sources.open->sites().empty()) {
    match(sources.open->sites(), forecast);
    forecast.source =
        StudyForecastWords::tr("Sites of the open report; the model's could not be read.");
  } else {
    forecast.source =
        StudyForecastWords::tr("Which sites there are is known once the model can be read.");
  }
  return forecast;
}

QString durationText(double seconds) {
  const QLocale locale;
  if (seconds < 1) {
    return StudyForecastWords::tr("%1 ms").arg(
        locale.toString(std::max(1.0, seconds * 1000), 'f', 0));
  }
  if (seconds < 90) {
    return StudyForecastWords::tr("%1 s").arg(locale.toString(seconds, 'f', 0));
  }
  if (seconds < 90 * 60) {
    return StudyForecastWords::tr("%1 min").arg(locale.toString(seconds / 60, 'f', 0));
  }
  return StudyForecastWords::tr("%1 h").arg(locale.toString(seconds / 3600, 'f', 1));
}

QString estimateText(const StudyForecast& forecast) {
  if (!forecast.estimate) {
    return {};
  }
  const analysis::StudyEstimate& estimate = *forecast.estimate;
  const QString time = estimate.seconds
                           ? StudyForecastWords::tr("about %1").arg(durationText(*estimate.seconds))
                           : StudyForecastWords::tr("time not known");
  const QString memory = sizeText(estimate.memoryBytes);
  const QString disk = sizeText(estimate.diskBytes);
  if (forecast.device) {
    return StudyForecastWords::tr("%1, %2 of memory, %3 of the GPU's, %4 on disk")
        .arg(time, memory, sizeText(forecast.device->memory.total()), disk);
  }
  return StudyForecastWords::tr("%1, %2 of memory, %3 on disk").arg(time, memory, disk);
}

QString deviceText(const StudyForecast& forecast) {
  if (!forecast.device) {
    return {};
  }
  const MemoryParts& need = forecast.device->memory;
  QStringList parts;
  const auto add = [&parts](std::uint64_t bytes, const QString& words) {
    if (bytes > 0) {
      parts << words.arg(sizeText(bytes));
    }
  };
  add(need.weights, StudyForecastWords::tr("weights %1"));
  add(need.gradients, StudyForecastWords::tr("their gradients %1"));
  add(need.activations, StudyForecastWords::tr("activations %1"));
  add(need.captures, StudyForecastWords::tr("captures %1"));
  add(need.workspace, StudyForecastWords::tr("operations %1"));
  const QString text =
      StudyForecastWords::tr("The GPU's memory at the peak of %1: %2")
          .arg(QString::fromStdString(forecast.device->run), parts.join(QStringLiteral(", ")));
  return forecast.freeOnDevice
             ? StudyForecastWords::tr("%1; %2 are free").arg(text, sizeText(*forecast.freeOnDevice))
             : text;
}

QString shortageText(const StudyForecast& forecast) {
  if (!forecast.device || !forecast.freeOnDevice) {
    return {};
  }
  const std::uint64_t need = forecast.device->memory.total();
  if (need + analysis::kCudaOwnBytes <= *forecast.freeOnDevice) {
    return {};
  }
  return StudyForecastWords::tr(
             "The GPU may be too small: %1 are needed, and about %2 for CUDA itself. A shorter "
             "sequence, a smaller micro-batch or the forward pass alone takes less.")
      .arg(sizeText(need), sizeText(analysis::kCudaOwnBytes));
}

QString includeText(const StudyForecast& forecast) {
  if (!forecast.matches) {
    return forecast.source;
  }
  const QString counts = countsText(forecast.include, forecast.matches->perInclude);
  QString text = StudyForecastWords::tr("%1 of %2 sites are captured.")
                     .arg(forecast.matches->kept())
                     .arg(forecast.matches->sites);
  if (!counts.isEmpty()) {
    text += QLatin1Char('\n') + counts;
  }
  return text + QLatin1Char('\n') + forecast.source;
}

QString excludeText(const StudyForecast& forecast) {
  if (!forecast.matches || forecast.exclude.empty()) {
    return {};
  }
  return StudyForecastWords::tr("Takes %1 of %2 sites away.")
             .arg(forecast.matches->excluded)
             .arg(forecast.matches->included) +
         QLatin1Char('\n') + countsText(forecast.exclude, forecast.matches->perExclude);
}

}  // namespace ulp::views
