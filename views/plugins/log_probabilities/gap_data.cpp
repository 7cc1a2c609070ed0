#include "views/plugins/log_probabilities/gap_data.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "core/analysis/reports/run_pair.h"
#include "core/analysis/tokens/token_distance.h"
#include "core/report/model/effective_config.h"
#include "views/framework/document/kept_tensors.h"
#include "views/framework/look/theme.h"

namespace ulp::views {
namespace {

using report::LogProbabilities;

/// The files of the folders that the runs of a document come from, each read once.
class FolderFiles {
 public:
  /// Null where the folder has no file of log-probabilities, or the file not this run.
  Result<const LogProbabilities*> find(const CaptureOrigin& origin) {
    auto known = m_files.find(origin.folder);
    if (known == m_files.end()) {
      auto runs = report::readLogProbabilities(origin.folder);
      if (!runs && runs.error().code() != ErrorCode::NotFound) {
        return tl::unexpected<Error>(std::move(runs.error()));
      }
      known =
          m_files.emplace(origin.folder, std::move(runs).value_or(std::vector<LogProbabilities>()))
              .first;
    }
    const auto run = std::ranges::find(known->second, origin.run, &LogProbabilities::name);
    return run == known->second.end() ? nullptr : &*run;
  }

 private:
  std::map<std::filesystem::path, std::vector<LogProbabilities>> m_files;
};

Result<std::optional<LogProbabilities>> valuesOf(FolderFiles& files,
                                                 const ReportDocument& document,
                                                 const QString& run) {
  const auto origin = document.captureOrigin(run, {});
  if (!origin) {
    return std::optional<LogProbabilities>();
  }
  const auto found = ULP_TRY(files.find(*origin));
  if (found == nullptr) {
    return std::optional<LogProbabilities>();
  }
  LogProbabilities values = *found;
  values.name = run.toStdString();
  return std::optional(std::move(values));
}

void compare(GapRun& run,
             const GapData& data,
             const std::optional<LogProbabilities>& reference,
             double epsilon) {
  auto gap = report::logProbabilityGap(data.values, run.values, {.epsilon = epsilon});
  if (!gap) {
    run.problem = QString::fromStdString(gap.error().message());
    // Fails where the two are not of the same tokens.
    if (const auto error = report::logProbabilityError(data.values, run.values)) {
      run.notFinite = *error;
    }
    return;
  }
  run.gap = *std::move(gap);
  run.differences = *report::logProbabilityDifferences(data.values, run.values);
  if (reference && reference->name != data.values.name && reference->name != run.values.name) {
    run.errorCorrelation = report::errorCorrelation(*reference, data.values, run.values)
                               .value_or(std::numeric_limits<double>::quiet_NaN());
  }
}

/// Files have styles that no run has.
int firstFreeStyle(const ReportDocument& document) {
  return static_cast<int>(document.basis().open->joined.report->runs.size());
}

Result<> addRuns(GapData& data,
                 FolderFiles& files,
                 const GapRequest& request,
                 const std::optional<LogProbabilities>& reference,
                 const std::stop_token& stop) {
  for (const report::Run& each : data.document->report().runs) {
    const QString name = QString::fromStdString(each.name);
    const bool isChosen = each.role == report::RunRole::Variant &&
                          (request.chosen.isEmpty() || request.chosen.contains(name));
    if (name == data.baseline || !isChosen) {
      continue;
    }
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "stopped");
    }
    auto values = ULP_TRY(valuesOf(files, *data.document, name));
    if (values) {
      GapRun run{.name = name,
                 .style = runStyle(*data.document, name),
                 .variant = data.document->findVariant(name),
                 .values = *std::move(values)};
      compare(run, data, reference, request.epsilon);
      data.runs.push_back(std::move(run));
    }
  }
  return {};
}

void addFiles(GapData& data,
              const GapRequest& request,
              const std::optional<LogProbabilities>& reference) {
  int style = firstFreeStyle(*data.document);
  for (const QString& file : request.files) {
    auto runs = report::readLogProbabilities(file.toStdString());
    if (!runs) {
      data.unreadable.push_back(std::move(runs.error()));
      continue;
    }
    data.readable << file;
    for (LogProbabilities& values : *runs) {
      const QString name = QString::fromStdString(values.name);
      const bool isNew = data.find(name) < 0 && name != data.baseline;
      const QString folder = file.section(QLatin1Char('/'), -2, -2);
      GapRun run{.name = isNew ? name : QStringLiteral("%1 (%2)").arg(name, folder),
                 .style = style++,
                 .values = std::move(values)};
      run.values.name = run.name.toStdString();
      compare(run, data, reference, request.epsilon);
      data.runs.push_back(std::move(run));
    }
  }
}

std::int64_t sequencesBeforeTheLast(const ReportDocument& document,
                                    const std::string& run,
                                    std::int64_t sequences) {
  const report::Run* found = document.report().findRun(run);
  const auto batches = found == nullptr ? 1 : static_cast<std::int64_t>(found->step.microBatches);
  return batches < 2 || sequences % batches != 0 ? 0 : sequences - sequences / batches;
}

}  // namespace

int GapData::find(const QString& run) const {
  const auto found = std::ranges::find(runs, run, &GapRun::name);
  return found == runs.end() ? -1 : static_cast<int>(found - runs.begin());
}

QString gapBaseline(const ReportDocument& document) {
  return document.basis().baseline.isEmpty() ? QString::fromStdString(document.report().reference)
                                             : document.basis().baseline;
}

int runStyle(const ReportDocument& document, const QString& run) {
  const int variant = document.findVariant(run);
  return variant < 0 ? kReferenceStyle : document.styleOf(variant);
}

Result<GapDataPtr> readGaps(const GapRequest& request, const std::stop_token& stop) {
  auto data = std::make_shared<GapData>();
  data->document = request.document;
  data->baseline = gapBaseline(*request.document);
  FolderFiles files;
  auto baseline = ULP_TRY(valuesOf(files, *request.document, data->baseline));
  if (!baseline) {
    return fail(ErrorCode::NotFound,
                fmt::format("no log-probabilities of '{}'", data->baseline.toStdString()));
  }
  data->values = *std::move(baseline);
  const std::string referenceName = request.document->basis().open->joined.report->reference;
  auto reference =
      ULP_TRY(valuesOf(files, *request.document, QString::fromStdString(referenceName)));
  ULP_TRY(addRuns(*data, files, request, reference, stop));
  addFiles(*data, request, reference);
  const auto origin = request.document->captureOrigin(data->baseline, {});
  auto tokens = ULP_TRY(report::readTokenTexts(origin->folder));
  const bool fits = tokens && tokens->sequences == data->values.sequences &&
                    tokens->length == data->values.length;
  if (fits) {
    data->tokens = *std::move(tokens);
  }
  data->firstCaptured =
      sequencesBeforeTheLast(*request.document, referenceName, data->values.sequences);
  return GapDataPtr(std::move(data));
}

std::optional<std::vector<std::int64_t>> logitOf(const GapData& data, std::size_t place) {
  const auto at = static_cast<std::int64_t>(place);
  const std::int64_t sequence = at / data.values.length;
  const std::int64_t position = at % data.values.length;
  if (!data.tokens || sequence < data.firstCaptured) {
    return std::nullopt;
  }
  return std::vector<std::int64_t>{
      sequence - data.firstCaptured, position, data.tokens->predicted(sequence, position)};
}

std::optional<std::size_t> tokenOf(const GapData& data, const std::vector<std::int64_t>& element) {
  if (element.size() != 3 || element[0] < 0 || element[1] < 0 || element[1] >= data.values.length) {
    return std::nullopt;
  }
  const std::int64_t sequence = element[0] + data.firstCaptured;
  if (sequence >= data.values.sequences) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(sequence * data.values.length + element[1]);
}

namespace {

constexpr std::string_view kLogits = "logits";

const Site* logitsSite(const ReportDocument& document) {
  const int site = document.findSite(kLogits, Pass::Forward);
  return site < 0 ? nullptr : &document.sites()[static_cast<std::size_t>(site)];
}

double scaleOf(const ReportDocument& document, const QString& run) {
  const OpenReports& open = *document.basis().open;
  const auto named = analysis::namedRun(open.joined, open.sources, run.toStdString());
  if (!named) {
    return 1;
  }
  const auto config = report::effectiveConfig(*named->loaded.report);
  return config ? report::logitsScaleIn(report::keysOf(*config, named->run)) : 1;
}

/// Nothing where they were not kept whole.
Result<std::optional<tensors::Tensor>> readLogits(KeptTensors& kept,
                                                  const QString& run,
                                                  const Site& site) {
  const auto found = kept.find(run, site);
  if (!found) {
    return found.error().code() == ErrorCode::NotFound
               ? Result<std::optional<tensors::Tensor>>(std::nullopt)
               : tl::unexpected<Error>(found.error());
  }
  if (!*found || (*found)->capture->sampleStride != 1) {
    return std::optional<tensors::Tensor>();
  }
  auto tensor = ULP_TRY((*found)->reader->look(*(*found)->capture));
  return std::optional(std::move(tensor));
}

}  // namespace

bool mayHaveLogits(const GapData& data) {
  const auto origin = data.document->captureOrigin(data.baseline, {});
  return origin && logitsSite(*data.document) != nullptr && keepsTensors(origin->folder);
}

Result<> readLogitsGaps(const GapDataPtr& data,
                        const std::stop_token& stop,
                        const std::function<void(PlacedLogitsGap)>& publish) {
  const Site* site = logitsSite(*data->document);
  if (site == nullptr) {
    return {};
  }
  KeptTensors kept(data->document);
  const auto baseline = ULP_TRY(readLogits(kept, data->baseline, *site));
  for (std::size_t i = 0; baseline && i < data->runs.size(); ++i) {
    const GapRun& run = data->runs[i];
    if (run.variant < 0 || run.notFinite) {
      continue;
    }
    const auto logits = ULP_TRY(readLogits(kept, run.name, *site));
    if (!logits) {
      continue;
    }
    auto gap = analysis::distributionGap(
        *baseline,
        *logits,
        {.a = scaleOf(*data->document, data->baseline), .b = scaleOf(*data->document, run.name)},
        stop);
    if (!gap) {
      return failWhile(run.name.toStdString(), std::move(gap));
    }
    ULP_TRY(tensors::checkIntact(*logits));
    publish({i,
             {.tokens = static_cast<double>(gap->tokens),
              .meanKl = gap->meanKl,
              .largestKl = gap->largestKl,
              .topAgreement = gap->topAgreement}});
  }
  return {};
}

}  // namespace ulp::views
