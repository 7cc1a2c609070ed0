#include "views/plugins/log_probabilities/gap_data.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <utility>

#include <QtCore/QCoreApplication>

#include "core/analysis/reports/run_pair.h"
#include "core/analysis/tokens/token_distance.h"
#include "core/report/model/effective_config.h"
#include "core/report/summary/told_apart.h"
#include "views/framework/document/kept_tensors.h"
#include "views/framework/look/theme.h"

namespace ulp::views {
namespace {

using report::LogProbabilities;

struct GapDataWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::LogProbabilities)
};

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

/// `beside`: as ReportDocument::captureOrigin().
Result<std::optional<LogProbabilities>> valuesOf(FolderFiles& files,
                                                 const ReportDocument& document,
                                                 const QString& run,
                                                 const QString& beside = {}) {
  const auto origin = document.captureOrigin(run, {}, beside);
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

std::int64_t sequencesBeforeTheLast(const report::Run* run, std::int64_t sequences) {
  const auto batches = run == nullptr ? 1 : static_cast<std::int64_t>(run->step.microBatches);
  return batches < 2 || sequences % batches != 0 ? 0 : sequences - sequences / batches;
}

/// Null where the baseline has no log-probabilities. `beside`: the run that is compared with it.
Result<GapBaselinePtr> readBaseline(FolderFiles& files,
                                    const ReportDocument& document,
                                    const QString& name,
                                    const QString& beside) {
  auto values = ULP_TRY(valuesOf(files, document, name, beside));
  if (!values) {
    return GapBaselinePtr();
  }
  auto baseline = std::make_shared<GapBaseline>();
  baseline->name = name;
  baseline->values = *std::move(values);
  const report::Report& joined = *document.basis().open->joined.report;
  const report::Run* run = joined.findRun(name.toStdString());
  const report::Run* reference = run == nullptr ? nullptr : joined.referenceOf(*run);
  if (reference != nullptr) {
    baseline->reference =
        ULP_TRY(valuesOf(files, document, QString::fromStdString(reference->name), name));
  }
  baseline->firstCaptured = sequencesBeforeTheLast(reference, baseline->values.sequences);
  const auto origin = document.captureOrigin(name, {}, beside);
  auto tokens = ULP_TRY(report::readTokenTexts(origin->folder));
  const bool fits = tokens && tokens->sequences == baseline->values.sequences &&
                    tokens->length == baseline->values.length;
  if (fits) {
    baseline->tokens = *std::move(tokens);
  }
  return GapBaselinePtr(std::move(baseline));
}

/// The baselines of the runs of a document, each read once.
class GapBaselines {
 public:
  GapBaselines(FolderFiles& files, const ReportDocument& document)
      : m_files(files), m_document(document) {}

  /// Null where it has no log-probabilities.
  Result<GapBaselinePtr> of(const QString& run) {
    const QString name = gapBaseline(m_document, run);
    const auto origin = m_document.captureOrigin(name, {}, run);
    if (!origin) {
      return GapBaselinePtr();
    }
    const std::pair key{origin->folder, name};
    auto known = m_baselines.find(key);
    if (known == m_baselines.end()) {
      auto baseline = ULP_TRY(readBaseline(m_files, m_document, name, run));
      known = m_baselines.emplace(key, std::move(baseline)).first;
    }
    return known->second;
  }

 private:
  FolderFiles& m_files;
  const ReportDocument& m_document;
  std::map<std::pair<std::filesystem::path, QString>, GapBaselinePtr> m_baselines;
};

void compare(GapRun& run, double epsilon) {
  const LogProbabilities& baseline = run.baseline->values;
  auto gap = report::logProbabilityGap(baseline, run.values, {.epsilon = epsilon});
  if (!gap) {
    run.problem = QString::fromStdString(gap.error().message());
    return;
  }
  if (gap->tokens == 0) {
    run.notFinite = *gap;
    return;
  }
  run.gap = *std::move(gap);
  run.differences = *report::logProbabilityDifferences(baseline, run.values);
  const std::optional<LogProbabilities>& reference = run.baseline->reference;
  if (reference && reference->name != baseline.name && reference->name != run.values.name) {
    run.errorCorrelation = report::errorCorrelation(*reference, baseline, run.values)
                               .value_or(std::numeric_limits<double>::quiet_NaN());
  }
}

/// Whether the studies of a run and of its baseline say that they are of other tokens.
bool isOfOtherTokens(const ReportDocument& document, const GapRun& run) {
  const OpenReports& open = *document.basis().open;
  const auto a = analysis::namedRun(open.joined, open.sources, run.baseline->name.toStdString());
  const auto b = analysis::namedRun(open.joined, open.sources, run.name.toStdString());
  return a && b &&
         report::areToldApart(a->loaded.report->provenance.tokenDigest,
                              b->loaded.report->provenance.tokenDigest);
}

/// Files have styles that no run has.
int firstFreeStyle(const ReportDocument& document) {
  return static_cast<int>(document.basis().open->joined.report->runs.size());
}

Result<> addRuns(GapData& data,
                 FolderFiles& files,
                 GapBaselines& baselines,
                 const GapRequest& request,
                 const std::stop_token& stop) {
  const ReportDocument& document = *data.document;
  for (const report::Run& each : document.report().runs) {
    const QString name = QString::fromStdString(each.name);
    const bool isChosen = each.role == report::RunRole::Variant &&
                          (request.chosen.isEmpty() || request.chosen.contains(name));
    if (name == data.baseline->name || !isChosen) {
      continue;
    }
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "stopped");
    }
    auto values = ULP_TRY(valuesOf(files, document, name));
    auto baseline = values ? ULP_TRY(baselines.of(name)) : GapBaselinePtr();
    if (!values || !baseline) {
      continue;
    }
    GapRun run{.name = name,
               .style = runStyle(document, name),
               .variant = document.findVariant(name),
               .baseline = std::move(baseline),
               .values = *std::move(values)};
    if (isOfOtherTokens(document, run)) {
      run.problem =
          GapDataWords::tr("%1 is of other tokens than %2; run both studies on the same input")
              .arg(name, run.baseline->name);
    } else {
      compare(run, request.epsilon);
    }
    data.runs.push_back(std::move(run));
  }
  return {};
}

void addFiles(GapData& data, const GapRequest& request) {
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
      const bool isNew = data.find(name) < 0 && name != data.baseline->name;
      const QString folder = file.section(QLatin1Char('/'), -2, -2);
      GapRun run{.name = isNew ? name : QStringLiteral("%1 (%2)").arg(name, folder),
                 .style = style++,
                 .baseline = data.baseline,
                 .values = std::move(values)};
      run.values.name = run.name.toStdString();
      compare(run, request.epsilon);
      data.runs.push_back(std::move(run));
    }
  }
}

}  // namespace

int GapData::find(const QString& run) const {
  const auto found = std::ranges::find(runs, run, &GapRun::name);
  return found == runs.end() ? -1 : static_cast<int>(found - runs.begin());
}

QString GapData::baselineNames() const {
  QStringList names{baseline->name};
  for (const GapRun& run : runs) {
    if (run.gap) {
      names << run.baseline->name;
    }
  }
  names.removeDuplicates();
  return names.join(QStringLiteral(", "));
}

QString gapBaseline(const ReportDocument& document, const QString& run) {
  const QString baseline = document.baselineOf(run);
  return baseline == run ? document.baselineName() : baseline;
}

int runStyle(const ReportDocument& document, const QString& run) {
  const int variant = document.findVariant(run);
  return variant < 0 ? kReferenceStyle : document.styleOf(variant);
}

Result<GapDataPtr> readGaps(const GapRequest& request, const std::stop_token& stop) {
  auto data = std::make_shared<GapData>();
  data->document = request.document;
  const QString name = request.document->baselineName();
  FolderFiles files;
  GapBaselines baselines(files, *request.document);
  data->baseline = ULP_TRY(baselines.of(name));
  if (!data->baseline) {
    return fail(ErrorCode::NotFound,
                fmt::format("no log-probabilities of '{}'", name.toStdString()));
  }
  ULP_TRY(addRuns(*data, files, baselines, request, stop));
  addFiles(*data, request);
  return GapDataPtr(std::move(data));
}

std::optional<std::vector<std::int64_t>> logitOf(const GapBaseline& baseline, std::size_t place) {
  const auto at = static_cast<std::int64_t>(place);
  const std::int64_t sequence = at / baseline.values.length;
  const std::int64_t position = at % baseline.values.length;
  if (!baseline.tokens || sequence < baseline.firstCaptured) {
    return std::nullopt;
  }
  return std::vector<std::int64_t>{
      sequence - baseline.firstCaptured, position, baseline.tokens->predicted(sequence, position)};
}

std::optional<std::size_t> tokenOf(const GapBaseline& baseline,
                                   const std::vector<std::int64_t>& element) {
  const LogProbabilities& values = baseline.values;
  if (element.size() != 3 || element[0] < 0 || element[1] < 0 || element[1] >= values.length) {
    return std::nullopt;
  }
  const std::int64_t sequence = element[0] + baseline.firstCaptured;
  if (sequence >= values.sequences) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(sequence * values.length + element[1]);
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
                                                  const Site& site,
                                                  const QString& beside = {}) {
  const auto found = kept.find(run, site, beside);
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
  const auto origin = data.document->captureOrigin(data.baseline->name, {});
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
  for (std::size_t i = 0; i < data->runs.size(); ++i) {
    const GapRun& run = data->runs[i];
    if (run.variant < 0 || !run.problem.isEmpty()) {
      continue;
    }
    const auto baseline = ULP_TRY(readLogits(kept, run.baseline->name, *site, run.name));
    const auto logits = ULP_TRY(readLogits(kept, run.name, *site));
    if (!baseline || !logits) {
      continue;
    }
    auto gap = analysis::distributionGap(*baseline,
                                         *logits,
                                         {.a = scaleOf(*data->document, run.baseline->name),
                                          .b = scaleOf(*data->document, run.name)},
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
