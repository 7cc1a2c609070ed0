#include "runner/worker/session/report_draft.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "core/json/reader.h"
#include "core/numerics/metrics/metric.h"
#include "core/study/reading/changed_settings.h"

namespace ulp::worker {
namespace {

report::Run pendingRun(const PlannedRun& planned) {
  report::Run run;
  run.name = planned.name;
  run.overrides = planned.overrides;
  run.loss = std::numeric_limits<double>::quiet_NaN();
  run.role = planned.role;
  run.samples = 0;
  return run;
}

bool isFinished(const report::Run& run) {
  return run.status == report::RunStatus::Finished;
}

/// Nothing is to be done about it: finished, or skipped by the user.
bool isSettled(const report::Run& run) {
  return isFinished(run) || run.status == report::RunStatus::Skipped;
}

/// Some of its samples are finished.
bool isBegun(const report::Run& run, const report::Report& report) {
  return report.provenance.samples > 1 && run.samples > 0;
}

std::string metricsDifference(const report::Report& earlier, const report::Report& now) {
  using Column = report::MetricColumn;
  const bool same = std::ranges::equal(earlier.metrics, now.metrics, {}, &Column::id, &Column::id);
  return same ? "" : "the metrics are those of another version of Ulpscope";
}

/// "cuda (NVIDIA H200)" of "cuda:1 (NVIDIA H200)": which of several like ones changes nothing.
std::string kindOfDevice(const std::string& device) {
  const std::size_t name = std::min(device.find(' '), device.size());
  const std::size_t number = std::min(device.find(':'), name);
  return device.substr(0, number) + device.substr(name);
}

void compareProvenance(const report::Provenance& before,
                       const report::Provenance& now,
                       std::vector<std::string>& differences) {
  const auto compare = [&](std::string_view what, const std::string& a, const std::string& b) {
    if (a != b) {
      differences.push_back(fmt::format("{} was {}, is now {}", what, a, b));
    }
  };
  compare("the weights digest", before.weightsDigest, now.weightsDigest);
  compare("the token digest", before.tokenDigest, now.tokenDigest);
  compare("the engine", before.engine, now.engine);
  compare("LibTorch", before.torchVersion, now.torchVersion);
  if (kindOfDevice(before.device) != kindOfDevice(now.device)) {
    compare("the device", before.device, now.device);
  }
  for (const auto& [fact, value] : before.deviceFacts) {
    const auto found = now.deviceFacts.find(fact);
    compare(fact, value, found == now.deviceFacts.end() ? "not set" : found->second);
  }
  compare("the number of threads", std::to_string(before.threads), std::to_string(now.threads));
  compare("the number of samples", std::to_string(before.samples), std::to_string(now.samples));
}

/// What the report holds of files, by run and key; nothing where its version kept none.
using RecordedFiles = std::map<std::pair<std::string, std::string>, std::string>;

Result<RecordedFiles> recordedFiles(const report::Report& earlier) {
  RecordedFiles digests;
  json::Reader json(earlier.effectiveJson, "effective configuration of the report");
  json.readObject([&](std::string_view run) {
    const std::string name(run);
    json.readObject([&](std::string_view key) {
      std::pair place(name, std::string(key));
      json.readObject([&](std::string_view field) {
        if (field == "sha256") {
          digests[place] = json.readString();
        } else {
          json.skipValue();
        }
      });
    });
  });
  ULP_TRY(json.finish());
  return digests;
}

/// Says which file is not what it was, though it is called so; empty: none is known to be.
std::string changedFile(const PlannedRun& run, const RecordedFiles& recorded) {
  for (const auto& [key, digest] : run.fileDigests) {
    const auto before = recorded.find({run.name, key});
    if (before != recorded.end() && before->second != digest) {
      return fmt::format(
          "the file of {}: {} was another one", key, run.settings.find(key)->second.value);
    }
  }
  return {};
}

Result<> compareRuns(const report::Report& earlier,
                     const std::vector<PlannedRun>& runs,
                     std::vector<std::string>& differences) {
  const auto recorded = ULP_TRY(report::effectiveConfig(earlier));
  const auto files =
      earlier.effectiveJson.empty() ? RecordedFiles() : ULP_TRY(recordedFiles(earlier));
  std::vector<study::RunChange> changes;
  std::size_t compared = 0;
  for (const report::Run& run : earlier.runs) {
    if (!isFinished(run) && !isBegun(run, earlier)) {
      continue;
    }
    ++compared;
    const auto planned = std::ranges::find(runs, run.name, &PlannedRun::name);
    if (planned == runs.end()) {
      changes.push_back({run.name, "the study no longer has this variant"});
    } else if (std::string difference = firstDifference(*planned, recorded); !difference.empty()) {
      changes.push_back({run.name, std::move(difference)});
    } else if (std::string file = changedFile(*planned, files); !file.empty()) {
      changes.push_back({run.name, std::move(file)});
    }
  }
  std::ranges::move(study::changesOnce(changes, compared), std::back_inserter(differences));
  return {};
}

using engine::ClipDecisions;

template <class Value>
std::uint64_t differing(const std::vector<Value>& a, const std::vector<Value>& b) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    count += a[i] == b[i] ? 0 : 1;
  }
  return count;
}

report::ClipSummary clipsOf(const ClipDecisions& clips, const ClipDecisions* reference) {
  report::ClipSummary summary;
  summary.unit = clips.unit == ClipDecisions::Unit::Token ? "token" : "document";
  summary.count = clips.region.size();
  summary.below = static_cast<std::uint64_t>(std::ranges::count(clips.region, -1));
  summary.above = static_cast<std::uint64_t>(std::ranges::count(clips.region, 1));
  summary.stopped = static_cast<std::uint64_t>(std::ranges::count(clips.stopped, 1));
  if (reference != nullptr) {
    summary.flips = differing(clips.region, reference->region);
    summary.gradientFlips = differing(clips.stopped, reference->stopped);
  }
  return summary;
}

}  // namespace

Result<> checkResumable(const report::Report& earlier,
                        const report::Report& now,
                        const std::vector<PlannedRun>& runs,
                        std::vector<std::string>& differences) {
  ULP_TRY(compareRuns(earlier, runs, differences));
  std::ranges::move(differencesOfPlaces(earlier, now), std::back_inserter(differences));
  if (differences.empty()) {
    return {};
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("--resume: the results in the folder belong to another study: {}; undo "
                          "the change, replace them with --overwrite, or name another folder with "
                          "--output",
                          fmt::join(differences, "; ")));
}

Result<std::set<std::string>> changedFiles(const report::Report& earlier,
                                           const report::Report& now) {
  const auto before = ULP_TRY(recordedFiles(earlier));
  const auto files = ULP_TRY(recordedFiles(now));
  std::set<std::string> keys;
  for (const auto& [place, digest] : files) {
    const auto known = before.find(place);
    if (known == before.end() || known->second != digest) {
      keys.insert(place.second);
    }
  }
  return keys;
}

std::vector<std::string> differencesOfPlaces(const report::Report& earlier,
                                             const report::Report& now) {
  std::vector<std::string> differences;
  compareProvenance(earlier.provenance, now.provenance, differences);
  if (std::string metrics = metricsDifference(earlier, now); !metrics.empty()) {
    differences.push_back(std::move(metrics));
  }
  return differences;
}

void adoptSettledRuns(report::Report& draft, const report::Report& earlier, bool keepsFailed) {
  draft.provenance.startedAt = earlier.provenance.startedAt;
  draft.provenance.seconds = earlier.provenance.seconds;
  draft.extraJson = earlier.extraJson;
  for (report::Run& run : draft.runs) {
    const report::Run* before = earlier.findRun(run.name);
    if (before == nullptr) {
      continue;
    }
    const bool staysFailed =
        keepsFailed && before->status == report::RunStatus::Failed && run.name != draft.reference;
    const bool goesOn = !isSettled(*before) && !staysFailed;
    if (!goesOn || isBegun(*before, earlier)) {
      run = *before;
      run.status = goesOn ? report::RunStatus::Pending : run.status;
      if (goesOn) {
        forgetError(run);
      }
    }
  }
}

void reviveNamedRuns(report::Report& draft, const std::vector<std::string>& names) {
  for (report::Run& run : draft.runs) {
    if (run.status == report::RunStatus::Skipped && std::ranges::count(names, run.name) > 0) {
      run.status = report::RunStatus::Pending;
      if (draft.provenance.samples == 1) {
        run.comparisons.clear();
        run.samples = 0;
      }
    }
  }
}

report::Report makeDraft(const std::vector<PlannedRun>& runs) {
  report::Report draft;
  draft.effectiveJson = effectiveJson(runs);
  draft.reference = study::kReferenceName;
  const numerics::MetricRegistry metrics = numerics::elementMetrics();
  for (const numerics::Metric& metric : metrics.all()) {
    draft.metrics.push_back({metric.id});
  }
  for (const PlannedRun& run : runs) {
    draft.runs.push_back(pendingRun(run));
  }
  return draft;
}

void takeSettings(report::Report& draft, const std::vector<PlannedRun>& runs) {
  draft.effectiveJson = effectiveJson(runs);
  for (const PlannedRun& planned : runs) {
    if (report::Run* run = findRun(draft, planned.name)) {
      run->overrides = planned.overrides;
    }
  }
}

void dropUnasked(report::Report& draft, const std::vector<PlannedRun>& runs) {
  std::erase_if(draft.runs, [&runs](const report::Run& run) {
    const auto planned = std::ranges::find(runs, run.name, &PlannedRun::name);
    return !isSettled(run) && planned != runs.end() && !planned->isChosen;
  });
}

void forgetError(report::Run& run) {
  run.error.clear();
  run.errorCode.reset();
}

bool isOpen(const report::Run& run) {
  return run.status == report::RunStatus::Pending || run.status == report::RunStatus::Running;
}

Result<> variantFailures(const report::Report& draft) {
  std::vector<std::string> errors;
  std::set<ErrorCode> codes;
  for (const report::Run& run : draft.runs) {
    if (run.status == report::RunStatus::Failed) {
      errors.push_back(run.error);
      codes.insert(run.errorCode.value_or(ErrorCode::RunFailed));
    }
  }
  if (errors.empty()) {
    return {};
  }
  // The study could run, whatever was impossible for a variant.
  using enum ErrorCode;
  const ErrorCode code = codes.size() == 1 ? *codes.begin() : RunFailed;
  const bool isOfRun = code == Io || code == OutOfMemory || code == Device || code == Internal;
  return fail(isOfRun ? code : RunFailed,
              fmt::format("{} of {} variants failed; the others are in the report\n{}",
                          errors.size(),
                          draft.runs.size() - 1,
                          fmt::join(errors, "\n")));
}

report::Run* findRun(report::Report& draft, std::string_view name) {
  const auto found = std::ranges::find(draft.runs, name, &report::Run::name);
  return found == draft.runs.end() ? nullptr : &*found;
}

bool isSameNumber(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

report::StepSummary stepOf(const engine::RunOutcome& outcome,
                           std::span<const ClipDecisions> reference) {
  report::StepSummary step{.labels = static_cast<std::uint64_t>(outcome.labels),
                           .documents = static_cast<std::uint64_t>(outcome.documents),
                           .microBatches = static_cast<std::uint64_t>(outcome.microBatches)};
  for (std::size_t i = 0; i < outcome.terms.size(); ++i) {
    const engine::LossTermOutcome& term = outcome.terms[i];
    report::LossTermSummary summary{
        .type = term.term.type, .weight = term.term.weight, .value = term.value};
    for (const engine::LossMetric& metric : term.metrics) {
      summary.metrics.emplace_back(metric.name, metric.value);
    }
    if (term.clips.unit != ClipDecisions::Unit::None) {
      summary.clips = clipsOf(term.clips, i < reference.size() ? &reference[i] : nullptr);
    }
    step.terms.push_back(std::move(summary));
  }
  return step;
}

}  // namespace ulp::worker
