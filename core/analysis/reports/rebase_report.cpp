#include "core/analysis/reports/rebase_report.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "core/analysis/tensors/measured_pair.h"
#include "core/numerics/comparison/comparison.h"
#include "core/numerics/metrics/metric.h"
#include "core/remote/captures/remote_captures.h"
#include "core/tensors/archive/tensor_parts.h"
#include "core/tensors/store/capture_reader.h"

namespace ulp::analysis {
namespace {

using tensors::CaptureReader;
using tensors::StoredCapture;

/// The kept tensors of one run, under the names of the joined report.
class RunCaptures {
 public:
  RunCaptures(std::shared_ptr<const CaptureReader> reader,
              const JoinedReports& joined,
              std::size_t run)
      : m_reader(std::move(reader)) {
    std::map<std::string_view, std::string_view> joinedNames;
    for (const auto& [name, own] : joined.ownNames[joined.origins[run].source]) {
      joinedNames.emplace(own, name);
    }
    for (const StoredCapture& capture : m_reader->captures()) {
      if (capture.run != joined.origins[run].run) {
        continue;
      }
      const auto renamed = joinedNames.find(capture.site.name);
      Site site = capture.site;
      if (renamed != joinedNames.end()) {
        site.name = renamed->second;
      }
      m_places.emplace(std::make_pair(site.name, site.pass), m_captures.size());
      m_captures.emplace_back(std::move(site), &capture);
    }
  }

  [[nodiscard]] const auto& all() const { return m_captures; }
  [[nodiscard]] const CaptureReader& reader() const { return *m_reader; }

  [[nodiscard]] const StoredCapture* find(const Site& site) const {
    const auto found = m_places.find({site.name, site.pass});
    return found == m_places.end() ? nullptr : m_captures[found->second].second;
  }

 private:
  std::shared_ptr<const CaptureReader> m_reader;
  std::vector<std::pair<Site, const StoredCapture*>> m_captures;  ///< in the order of the run
  std::map<std::pair<std::string, Pass>, std::size_t> m_places;
};

/// Elements 0, stride, 2·stride, … of a tensor that was kept whole.
Result<tensors::Tensor> sampleOf(const tensors::Tensor& tensor, std::uint64_t stride) {
  const std::size_t item = itemSize(tensor.view.dtype);
  const std::size_t count = (tensor.view.count() + stride - 1) / stride;
  auto elements = std::make_shared<std::vector<std::byte>>(count * item);
  if (tensor.parts != nullptr) {
    *elements = ULP_TRY(tensor.parts->pick({.columns = static_cast<std::int64_t>(count),
                                            .columnStep = static_cast<std::int64_t>(stride)}));
  }
  const auto bytes = tensor.view.bytes();
  for (std::size_t i = 0; i < count && tensor.parts == nullptr; ++i) {
    std::memcpy(elements->data() + i * item, bytes.data() + i * stride * item, item);
  }
  return tensors::Tensor{{elements->data(), tensor.view.dtype, {static_cast<std::int64_t>(count)}},
                         elements};
}

class Rebaser {
 public:
  Rebaser(const JoinedReports& joined,
          std::span<const ReportSource> sources,
          const RebaseOptions& options)
      : m_joined(joined),
        m_sources(sources),
        m_options(options),
        m_readers(sources.size()),
        m_comparer({.threads = options.threads}) {
    const numerics::MetricRegistry registry = numerics::builtinMetrics();
    for (const numerics::Metric& metric : registry.all()) {
      m_metrics.push_back({metric.id});
    }
  }

  Result<RebasedReport> rebase(std::size_t baseline) {
    const report::Report& report = *m_joined.report;
    m_result.report = derivedReport(report, report.runs[baseline]);
    m_result.report.metrics = m_metrics;
    const auto reference = capturesOf(baseline);
    if (!reference || reference->all().empty()) {
      return fail(ErrorCode::NotFound,
                  fmt::format("{}: no tensors were kept, so no error against it can be computed; "
                              "run its study again with capture.tensors: full{}",
                              report.runs[baseline].name,
                              m_result.problems.empty() ? "" : " – " + m_result.problems.front()));
    }
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
      // The noise floor is that of the reference: against another run it is unknown.
      if (run == baseline || report.runs[run].role == report::RunRole::Floor) {
        continue;
      }
      if (!addRun(run, *reference) || m_options.stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "stopped");
      }
      if (m_options.onRun) {
        m_options.onRun(m_result);
      }
    }
    return std::move(m_result);
  }

 private:
  std::optional<RunCaptures> capturesOf(std::size_t run) {
    const std::size_t source = m_joined.origins[run].source;
    if (!m_readers[source]) {
      auto opened = remote::openCaptures(m_sources[source].loaded.folder);
      if (!opened) {
        note(opened.error().message());
        return std::nullopt;
      }
      for (const Error& problem : (*opened)->problems()) {
        note(problem.message());
      }
      m_readers[source] = *opened;
    }
    return RunCaptures(m_readers[source], m_joined, run);
  }

  void note(const std::string& problem) {
    if (std::ranges::find(m_result.problems, problem) == m_result.problems.end()) {
      m_result.problems.push_back(problem);
    }
  }

  /// False: cancelled.
  bool addRun(std::size_t index, const RunCaptures& reference) {
    report::Run run = withoutComparisons(m_joined.report->runs[index]);
    const auto captures = capturesOf(index);
    std::size_t found = 0;
    std::size_t done = 0;
    if (captures) {
      for (const auto& [site, capture] : captures->all()) {
        if (m_options.stop.stop_requested()) {
          return false;
        }
        const StoredCapture* partner = reference.find(site);
        found += static_cast<std::size_t>(partner != nullptr);
        if (partner == nullptr) {
          ++m_result.unmatched;
        } else {
          addRow(run, site, {reference.reader(), *partner}, {captures->reader(), *capture});
        }
        ++done;
        if (m_options.onTensor) {
          m_options.onTensor(static_cast<double>(done) /
                             static_cast<double>(captures->all().size()));
        }
      }
    }
    m_result.unmatched += reference.all().size() - found;
    m_result.report.runs.push_back(std::move(run));
    return true;
  }

  struct Source {
    const CaptureReader& reader;
    const StoredCapture& capture;
  };

  std::optional<tensors::Tensor> read(const Source& source, std::uint64_t stride) {
    auto tensor = source.reader.look(source.capture);
    if (tensor && source.capture.sampleStride != stride) {
      tensor = sampleOf(*tensor, stride);
    }
    if (!tensor) {
      note(tensor.error().message());
      return std::nullopt;
    }
    return std::move(*tensor);
  }

  void addRow(report::Run& run,
              const Site& site,
              const Source& reference,
              const Source& candidate) {
    const std::uint64_t a = reference.capture.sampleStride;
    const std::uint64_t b = candidate.capture.sampleStride;
    if (reference.capture.shape != candidate.capture.shape || (a != b && a != 1 && b != 1)) {
      ++m_result.misshapen;
      return;
    }
    const std::uint64_t stride = std::max(a, b);
    const auto left = read(reference, stride);
    const auto right = read(candidate, stride);
    if (!left || !right) {
      return;
    }
    const auto measured = measure(*left, *right, m_comparer, {}, m_options.stop);
    for (const tensors::Tensor* side : {&*left, &*right}) {
      if (auto intact = tensors::checkIntact(*side); !intact) {
        note(intact.error().message());
        return;
      }
    }
    if (!measured) {
      note(fmt::format("{}: {}", site.name, measured.error().message()));
      return;
    }
    report::Comparison row =
        report::makeComparison(site, left->view, right->view, measured->moments);
    if (stride > 1) {
      placeSamples(row, measured->moments, reference.capture.shape, stride);
    }
    run.comparisons.push_back(std::move(row));
    ++m_result.compared;
  }

  /// Puts a row of samples into the terms of the whole tensor.
  static void placeSamples(report::Comparison& row,
                           const numerics::Moments& moments,
                           const std::vector<std::int64_t>& shape,
                           std::uint64_t stride) {
    row.shape = shape;
    row.count = numerics::TensorView{nullptr, DType::Float32, shape}.count();
    for (std::size_t i = 0; i < row.worst.size(); ++i) {
      row.worst[i].index = numerics::unravel(moments.worst[i].flat * stride, shape);
    }
  }

  const JoinedReports& m_joined;
  std::span<const ReportSource> m_sources;
  const RebaseOptions& m_options;
  std::vector<std::shared_ptr<const CaptureReader>> m_readers;  ///< null: not opened, or failed
  numerics::Comparer m_comparer;
  std::vector<report::MetricColumn> m_metrics;
  RebasedReport m_result;
};

}  // namespace

Result<RebasedReport> rebaseReport(const JoinedReports& joined,
                                   std::span<const ReportSource> sources,
                                   std::string_view baseline,
                                   const RebaseOptions& options) {
  const std::vector<report::Run>& runs = joined.report->runs;
  const auto found = std::ranges::find(runs, baseline, &report::Run::name);
  return found == runs.end()
             ? fail(ErrorCode::InvalidArgument, fmt::format("there is no run '{}'", baseline))
             : Rebaser(joined, sources, options)
                   .rebase(static_cast<std::size_t>(found - runs.begin()));
}

}  // namespace ulp::analysis
