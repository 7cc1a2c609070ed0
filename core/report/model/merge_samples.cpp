#include "core/report/model/merge_samples.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace ulp::report {
namespace {

void add(numerics::NonFiniteCounts& total, const numerics::NonFiniteCounts& sample) {
  total.nan += sample.nan;
  total.positiveInfinity += sample.positiveInfinity;
  total.negativeInfinity += sample.negativeInfinity;
}

/// The largest differences of both; of equal ones that of the earlier sample stays first.
void addWorst(std::vector<WorstPair>& total, std::vector<WorstPair> sample) {
  total.insert(
      total.end(), std::make_move_iterator(sample.begin()), std::make_move_iterator(sample.end()));
  std::ranges::stable_sort(total, std::ranges::greater{}, [](const WorstPair& pair) {
    return std::abs(pair.variant - pair.reference);
  });
  total.resize(std::min(total.size(), kWorstKept));
}

void addRow(Comparison& total, Comparison sample, std::uint64_t samples) {
  if (total.spread.empty()) {
    for (const double value : total.metrics) {
      total.spread.push_back(spreadOf(value));
    }
    total.gainSpread = spreadOf(total.gainError);
  }
  for (std::size_t i = 0; i < total.metrics.size(); ++i) {
    addSample(total.metrics[i], total.spread[i], samples, sample.metrics[i]);
  }
  addSample(total.gainError, total.gainSpread, samples, sample.gainError);
  total.count += sample.count;
  total.compared += sample.compared;
  total.onlyReference += sample.onlyReference;
  total.onlyVariant += sample.onlyVariant;
  add(total.referenceNonFinite, sample.referenceNonFinite);
  add(total.variantNonFinite, sample.variantNonFinite);
  for (WorstPair& pair : sample.worst) {
    pair.sample = samples;
  }
  addWorst(total.worst, std::move(sample.worst));
}

/// NaN and infinities stay.
void addToMean(double& mean, std::uint64_t samples, double value) {
  const bool isFinite = std::isfinite(mean) && std::isfinite(value);
  mean = isFinite ? mean + (value - mean) / static_cast<double>(samples + 1) : mean + value;
}

void addClips(ClipSummary& total, const ClipSummary& sample) {
  total.count += sample.count;
  total.below += sample.below;
  total.above += sample.above;
  total.stopped += sample.stopped;
  if (total.flips && sample.flips) {
    *total.flips += *sample.flips;
  }
  if (total.gradientFlips && sample.gradientFlips) {
    *total.gradientFlips += *sample.gradientFlips;
  }
}

void addTerm(LossTermSummary& total, const LossTermSummary& sample, std::uint64_t samples) {
  addToMean(total.value, samples, sample.value);
  for (std::size_t i = 0; i < std::min(total.metrics.size(), sample.metrics.size()); ++i) {
    addToMean(total.metrics[i].second, samples, sample.metrics[i].second);
  }
  if (total.clips && sample.clips) {
    addClips(*total.clips, *sample.clips);
  }
}

void addStep(StepSummary& total, const StepSummary& sample, std::uint64_t samples) {
  total.labels += sample.labels;
  total.documents += sample.documents;
  total.microBatches += sample.microBatches;
  for (std::size_t i = 0; i < std::min(total.terms.size(), sample.terms.size()); ++i) {
    addTerm(total.terms[i], sample.terms[i], samples);
  }
}

void addRouters(std::vector<RouterChoice>& total, const std::vector<RouterChoice>& sample) {
  for (const RouterChoice& more : sample) {
    const auto known = std::ranges::find(total, more.router, &RouterChoice::router);
    if (known == total.end()) {
      total.push_back(more);
    } else {
      addChoice(*known, more);
    }
  }
}

void takeFirst(Run& total, Run sample) {
  total.loss = sample.loss;
  total.seconds = sample.seconds;
  total.peakBytes = sample.peakBytes;
  total.memory = sample.memory;
  total.step = std::move(sample.step);
  total.attentionKernels = std::move(sample.attentionKernels);
  total.codeFiles = std::move(sample.codeFiles);
  total.comparisons = std::move(sample.comparisons);
  total.kernels = std::move(sample.kernels);
  total.routers = std::move(sample.routers);
  total.positions = std::move(sample.positions);
  total.graph = std::move(sample.graph);
  total.samples = 1;
}

/// Experts show their rows in the order in which tokens choose them first.
void orderLike(const Run& total, Run& sample) {
  if (sample.routers.empty()) {
    return;
  }
  std::map<std::pair<std::string_view, Pass>, std::size_t> places;
  for (const Comparison& row : total.comparisons) {
    places.try_emplace({row.site.name, row.site.pass}, places.size());
  }
  const auto placeOf = [&](const Comparison& row) {
    const auto place = places.find({row.site.name, row.site.pass});
    return place == places.end() ? places.size() : place->second;
  };
  std::ranges::stable_sort(sample.comparisons, {}, placeOf);
}

Result<> checkRows(const Run& total, const Run& sample) {
  const bool isSame = std::ranges::equal(
      total.comparisons, sample.comparisons, [](const Comparison& a, const Comparison& b) {
        return a.site.name == b.site.name && a.site.pass == b.site.pass &&
               a.metrics.size() == b.metrics.size();
      });
  if (isSame) {
    return {};
  }
  return fail(ErrorCode::Internal,
              fmt::format("{}: sample {} has other tensors ({}) than those before it ({})",
                          total.name,
                          total.samples,
                          sample.comparisons.size(),
                          total.comparisons.size()));
}

}  // namespace

Result<> checkSameCode(const Run& before, const Run& run) {
  for (const auto& [file, digest] : before.codeFiles) {
    const auto now = run.codeFiles.find(file);
    if (now != run.codeFiles.end() && now->second != digest) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: {} was changed since {}; undo the change, or run the "
                              "whole study into another folder (a file that a run writes itself "
                              "needs a name of its own for each content)",
                              run.name,
                              file,
                              before.name == run.name ? "it ran before" : before.name + " ran it"));
    }
  }
  return {};
}

Result<> mergeSample(Run& total, Run sample) {
  if (total.samples == 0) {
    takeFirst(total, std::move(sample));
    return {};
  }
  ULP_TRY(checkSameCode(total, sample));
  total.codeFiles.merge(sample.codeFiles);
  orderLike(total, sample);
  ULP_TRY(checkRows(total, sample));
  for (std::size_t i = 0; i < total.comparisons.size(); ++i) {
    addRow(total.comparisons[i], std::move(sample.comparisons[i]), total.samples);
  }
  if (total.samples == 1) {
    total.lossSpread = spreadOf(total.loss);
  }
  addSample(total.loss, total.lossSpread, total.samples, sample.loss);
  total.seconds += sample.seconds;
  if (sample.peakBytes > total.peakBytes) {
    total.peakBytes = sample.peakBytes;
    total.memory = sample.memory;
  }
  addStep(total.step, sample.step, total.samples);
  addRouters(total.routers, sample.routers);
  addPositions(total.positions, sample.positions);
  ++total.samples;
  return {};
}

}  // namespace ulp::report
