#include "core/analysis/studies/study_estimate.h"

#include <algorithm>
#include <numeric>

#include "core/numerics/metrics/metric.h"

namespace ulp::analysis {
namespace {

using numerics::NumberFormat;
using numerics::Operation;

/// Most elements that `capture.tensors: sampled` keeps of a tensor.
constexpr std::uint64_t kSampleLimit = std::uint64_t{1} << 16;
/// The report's JSON for one site of one variant, and a file's share of an HDF5 group.
constexpr std::uint64_t kJsonBytes = 1400;
/// What is added to that by the spread of the metrics over several samples.
constexpr std::uint64_t kSpreadBytes = 1600;
/// LibTorch and what it keeps for itself.
constexpr std::uint64_t kWorkerBytes = std::uint64_t{200} << 20;
/// What LibTorch's CUDA half and the driver take of main memory.
constexpr std::uint64_t kCudaBytes = std::uint64_t{2} << 30;
/// Tensors that the step of an optimizer on one parameter makes, of both runs.
constexpr std::uint64_t kStepTensors = 12;

std::uint64_t itemBytes(const Site& site, const RunFormats& formats) {
  if (site.name == "logits") {
    return formats.bytes(Operation::LmHead);
  }
  if (site.pass == Pass::Optimizer) {
    return site.name.ends_with(".update")
               ? std::max<std::uint64_t>(formats.bytes(Operation::Compute), 4)
               : formats.bytes(Operation::Optimizer);
  }
  return formats.bytes(site.name.starts_with("decoder.") ? Operation::Residual
                                                         : Operation::Compute);
}

std::uint64_t captureBytes(const PlannedStudy& plan,
                           const RunFormats& formats,
                           std::uint64_t limit) {
  std::uint64_t bytes = 0;
  for (const OutlineSite& site : plan.sites) {
    bytes += std::min(site.count, limit) * itemBytes(site.site, formats);
  }
  return bytes;
}

/// What samples.h5 holds of a row of one sample: every metric and the signed error.
std::uint64_t metricBytes() {
  return (numerics::elementMetrics().all().size() + 1) * sizeof(double);
}

/// What the captures of a run take while it goes on: those of the optimizer come one parameter
/// after another, and those of the reference are made again for each.
std::uint64_t heldBytes(const PlannedStudy& plan, const RunFormats& formats) {
  std::uint64_t bytes = 0;
  std::uint64_t largestStep = 0;
  for (const OutlineSite& site : plan.sites) {
    if (site.site.pass == Pass::Optimizer) {
      largestStep = std::max(largestStep, kStepTensors * 4 * site.count);
    } else {
      bytes += site.count * itemBytes(site.site, formats);
    }
  }
  return bytes + largestStep;
}

/// The reference's captures of the micro-batches before the last, while the study runs.
std::uint64_t spilledBytes(const PlannedStudy& plan) {
  std::uint64_t bytes = 0;
  for (const OutlineSite& site : plan.sites) {
    bytes += plan.runs.empty() || isOfParameters(site.site.pass)
                 ? 0
                 : site.count * itemBytes(site.site, plan.runs.front());
  }
  return bytes * (plan.microBatches - 1);
}

std::uint64_t diskBytes(const PlannedStudy& plan) {
  const std::uint64_t variants = plan.runs.empty() ? 0 : plan.runs.size() - 1;
  const std::uint64_t rows = plan.sites.size() * variants;
  std::uint64_t bytes = rows * kJsonBytes + spilledBytes(plan);
  if (plan.samples > 1) {
    bytes += rows * (kSpreadBytes + plan.samples * metricBytes());
  }
  if (plan.kept != study::TensorStorage::None) {
    const std::uint64_t limit =
        plan.kept == study::TensorStorage::Sampled ? kSampleLimit : ~std::uint64_t{0};
    for (const RunFormats& run : plan.runs) {
      bytes += captureBytes(plan, run, limit);
    }
  }
  return bytes;
}

/// On a GPU: the weights as they are loaded, in float32 at most, and the reference's captures,
/// where the device has no room for them.
std::uint64_t hostBytesBesideGpu(const PlannedStudy& plan) {
  const std::uint64_t captures = plan.runs.empty() ? 0 : heldBytes(plan, plan.runs.front());
  return kWorkerBytes + kCudaBytes + plan.parameters * 4 + captures;
}

/// What autograd keeps of the positions that are computed beside the compared ones: as much of each
/// as is captured of these.
std::uint64_t bytesBeside(const PlannedStudy& plan, const RunFormats& run, std::uint64_t captures) {
  return plan.backward
             ? static_cast<std::uint64_t>(static_cast<double>(captures) * (run.positions - 1))
             : 0;
}

/// The reference's captures stay for the comparisons; beside them lie a run's weights (loaded in
/// float32), their gradients where it has a backward pass, its own captures, and what it computes
/// beside them.
std::uint64_t memoryBytes(const PlannedStudy& plan) {
  std::uint64_t worst = 0;
  std::uint64_t reference = 0;
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    const RunFormats& run = plan.runs[i];
    const std::uint64_t captures = heldBytes(plan, run);
    // Those of other formats lie beside the loaded ones.
    const std::uint64_t loaded = run[Operation::Compute] == NumberFormat::Float32 ? 0 : 4;
    const std::uint64_t copies = plan.backward ? 2 : 1;
    const std::uint64_t weights =
        plan.parameters * (copies * run.bytes(Operation::Compute) + loaded);
    worst = std::max(worst, reference + weights + captures + bytesBeside(plan, run, captures));
    reference = i == 0 ? captures : reference;
  }
  return kWorkerBytes + worst;
}

struct Earlier {
  double secondsPerSample = 0;  ///< of one run
  std::uint64_t peakBytes = 0;
  std::uint64_t elements = 0;
};

std::optional<Earlier> readEarlier(const report::Report* report) {
  if (report == nullptr || !(report->provenance.seconds > 0)) {
    return std::nullopt;
  }
  Earlier earlier;
  int finished = 0;
  std::uint64_t samples = 0;
  for (const report::Run& run : report->runs) {
    if (run.status != report::RunStatus::Finished) {
      continue;
    }
    ++finished;
    samples += std::max<std::uint64_t>(run.samples, 1);
    earlier.peakBytes = std::max(earlier.peakBytes, run.peakBytes);
    std::uint64_t elements = 0;
    for (const report::Comparison& comparison : run.comparisons) {
      elements += comparison.count / std::max<std::uint64_t>(run.samples, 1);
    }
    earlier.elements = std::max(earlier.elements, elements);
  }
  // A run that was broken off says nothing about a whole one.
  const bool isWhole = finished == static_cast<int>(report->runs.size());
  if (!isWhole || earlier.elements == 0) {
    return std::nullopt;
  }
  earlier.secondsPerSample = report->provenance.seconds / static_cast<double>(samples);
  return earlier;
}

}  // namespace

bool tellsTimeOfRuns(const report::Report& report) {
  return readEarlier(&report).has_value();
}

StudyEstimate estimateStudy(const PlannedStudy& plan, const report::Report* earlier) {
  StudyEstimate estimate;
  for (const OutlineSite& site : plan.sites) {
    estimate.elements += site.count * (isOfParameters(site.site.pass) ? 1 : plan.microBatches);
  }
  estimate.diskBytes = diskBytes(plan);
  estimate.memoryBytes = plan.onCpu ? memoryBytes(plan) : hostBytesBesideGpu(plan);
  const auto steps = static_cast<double>(plan.runs.size() * plan.samples);
  const double computed =
      std::accumulate(plan.runs.begin(),
                      plan.runs.end(),
                      0.0,
                      [](double sum, const RunFormats& run) { return sum + run.positions; }) *
      static_cast<double>(plan.samples);
  const auto elements = static_cast<double>(estimate.elements);
  if (const auto before = readEarlier(earlier)) {
    const double scale = elements / static_cast<double>(before->elements);
    estimate.isCalibrated = true;
    estimate.seconds = before->secondsPerSample * steps * scale;
    // The peak of a run on a GPU is one of the GPU's memory.
    if (before->peakBytes > 0 && plan.onCpu) {
      // Weights do not grow with the captures.
      const double captures = 4 * (elements - static_cast<double>(before->elements));
      estimate.memoryBytes = static_cast<std::uint64_t>(
          std::max(static_cast<double>(kWorkerBytes),
                   static_cast<double>(before->peakBytes) + 1.5 * captures));
    }
  } else if (plan.onCpu) {
    const double cores = std::max(1, plan.threads);
    const double operations = (plan.backward ? 6 : 2) * static_cast<double>(plan.parameters) *
                              static_cast<double>(plan.tokens) *
                              static_cast<double>(plan.microBatches);
    estimate.seconds = computed * operations / (kAssumedFlops * cores) +
                       steps * elements / (kAssumedElements * cores);
  }
  return estimate;
}

}  // namespace ulp::analysis
