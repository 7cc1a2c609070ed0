#include "core/analysis/reports/join_reports.h"

#include <fmt/format.h>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/analysis/reports/other_inputs.h"
#include "core/base/undefined.h"
#include "core/json/dump.h"
#include "core/json/reader.h"
#include "core/report/model/one_dump.h"

namespace ulp::analysis {
namespace {

std::string sourceName(const report::LoadedReport& loaded) {
  const std::filesystem::path& named = loaded.folder.empty() ? loaded.file : loaded.folder;
  const std::string name = named.filename().string();
  return name.empty() ? named.string() : name;
}

std::string freeName(const std::string& wanted,
                     const report::LoadedReport& loaded,
                     const std::set<std::string>& taken) {
  if (!taken.contains(wanted)) {
    return wanted;
  }
  const std::string place = sourceName(loaded);
  std::string name = fmt::format("{} ({})", wanted, place);
  for (int number = 2; taken.contains(name); ++number) {
    name = fmt::format("{} ({}, {})", wanted, place, number);
  }
  return name;
}

/// Position in the joined metrics of each metric of a source; columns are added where they lack.
std::vector<std::size_t> placesOf(const report::Report& source, report::Report& joined) {
  std::vector<std::size_t> places;
  for (const report::MetricColumn& metric : source.metrics) {
    const int known = joined.metricIndex(metric.id);
    if (known < 0) {
      places.push_back(joined.metrics.size());
      joined.metrics.push_back(metric);
    } else {
      places.push_back(static_cast<std::size_t>(known));
    }
  }
  return places;
}

template <class Value>
std::vector<Value> placed(const std::vector<Value>& values,
                          const std::vector<std::size_t>& places,
                          std::size_t count,
                          const Value& missing) {
  std::vector<Value> result(count, missing);
  for (std::size_t i = 0; i < values.size() && i < places.size(); ++i) {
    result[places[i]] = values[i];
  }
  return result;
}

/// What a run is called beside those of other reports: a unit of a comparison of dumps, such as
/// "step 0", is one of its candidate.
std::string nameBeside(const report::Run& run, const report::Report& own) {
  const bool isUnit = own.dumps && run.axes && run.name != own.reference;
  const report::DumpSide& side =
      isUnit && !report::isOneDump(*own.dumps) ? own.dumps->candidate : report::DumpSide{};
  const std::filesystem::path named =
      side.path.has_filename() ? side.path : side.path.parent_path();
  const std::string dump = named.filename().string();
  return isUnit && !dump.empty() ? fmt::format("{}: {}", dump, run.name) : run.name;
}

bool haveSameReference(const report::Report& a, const report::Report& b) {
  if (a.dumps && b.dumps) {
    const bool areCompared = !report::isOneDump(*a.dumps) && !report::isOneDump(*b.dumps);
    return areCompared && a.reference == b.reference && a.dumps->baseline == b.dumps->baseline;
  }
  const auto isKnown = [](const report::Report& report) {
    return report.findRun(report.reference) != nullptr &&
           !report.provenance.weightsDigest.empty() && !report.provenance.tokenDigest.empty();
  };
  return isKnown(a) && isKnown(b) && !otherInputs(a, b).areAny();
}

class Joiner {
 public:
  Joiner(std::span<const ReportSource> sources, const std::stop_token& stop)
      : m_sources(sources), m_stop(stop) {}

  Result<JoinedReports> join() {
    m_joined.report = nullptr;
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
      ULP_TRY(add(i));
    }
    widenMetrics();
    if (m_report.effectiveJson.empty() && !m_settings.empty()) {
      m_report.effectiveJson = fmt::format("{{{}}}", m_settings);
    }
    m_joined.report = std::make_shared<const report::Report>(std::move(m_report));
    return std::move(m_joined);
  }

 private:
  Result<> add(std::size_t index) {
    const ReportSource& source = m_sources[index];
    const report::Report& own = *source.loaded.report;
    const bool isFirst = index == 0;
    const bool shares = isFirst || haveSameReference(*m_sources[0].loaded.report, own);
    if (isFirst) {
      m_report.provenance = own.provenance;
      m_report.model = own.model;
      m_report.studyYaml = own.studyYaml;
      m_report.reference = own.reference;
      m_report.extraJson = own.extraJson;
      m_report.dumps = own.dumps;
    }
    m_joined.ownNames.emplace_back();
    m_joined.sharesReference.push_back(shares);
    m_places = placesOf(own, m_report);
    const std::size_t first = m_report.runs.size();
    for (const report::Run& run : own.runs) {
      if (!isFirst && shares && run.name == own.reference) {
        continue;
      }
      ULP_TRY(addRun(run, index));
    }
    if (!shares) {
      nameReference(first, own.reference);
    }
    addSettings(first, own);
    return {};
  }

  /// The effective configuration of the runs from `first` on, all of one source, by the names that
  /// they have here.
  void addSettings(std::size_t first, const report::Report& own) {
    if (own.effectiveJson.empty()) {
      return;
    }
    std::unordered_map<std::string_view, std::string_view> names;
    for (std::size_t i = first; i < m_report.runs.size(); ++i) {
      names.emplace(m_joined.origins[i].run, m_report.runs[i].name);
    }
    json::Reader json(own.effectiveJson, "effective configuration of the report");
    json.readObject([&](std::string_view run) {
      const auto name = names.find(run);
      const std::string quoted = name == names.end() ? std::string() : json::quoted(name->second);
      const std::string_view settings = json.skipValue();
      if (!quoted.empty()) {
        m_settings += fmt::format("{}{}:{}", m_settings.empty() ? "" : ",", quoted, settings);
      }
    });
    // Whoever asks for a run's settings is told why they cannot be read.
    if (!json.finish()) {
      m_report.effectiveJson = own.effectiveJson;
    }
  }

  /// Of the runs from `first` on, all of one source, in which it has another name.
  void nameReference(std::size_t first, const std::string& ownName) {
    const std::span<report::Run> added = std::span(m_report.runs).subspan(first);
    const auto found =
        std::ranges::find(m_joined.origins.begin() + static_cast<std::ptrdiff_t>(first),
                          m_joined.origins.end(),
                          ownName,
                          &RunOrigin::run);
    for (report::Run& run : added) {
      run.reference =
          found == m_joined.origins.end()
              ? ownName
              : m_report.runs[static_cast<std::size_t>(found - m_joined.origins.begin())].name;
    }
  }

  Result<> addRun(const report::Run& run, std::size_t index) {
    const ReportSource& source = m_sources[index];
    report::Run copy = withoutComparisons(run);
    const std::string wanted =
        m_sources.size() > 1 ? nameBeside(run, *source.loaded.report) : run.name;
    copy.name = freeName(wanted, source.loaded, m_taken);
    m_taken.insert(copy.name);
    copy.comparisons.reserve(run.comparisons.size());
    for (const report::Comparison& row : run.comparisons) {
      if (m_stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "stopped");
      }
      report::Comparison& copied = copy.comparisons.emplace_back(row);
      copied.metrics = placed(row.metrics, m_places, m_report.metrics.size(), kUndefined);
      if (!row.spread.empty()) {
        copied.spread = placed(row.spread, m_places, m_report.metrics.size(), report::Spread{});
      }
      ULP_TRY(rename(copied.site, index));
    }
    copy.step = run.step;
    copy.logProbabilities = run.logProbabilities;
    copy.routers = run.routers;
    for (report::RouterChoice& router : copy.routers) {
      ULP_TRY(renameRow(router.router, index));
      ULP_TRY(renameRow(router.block, index));
    }
    copy.positions = run.positions;
    for (report::PositionRow& row : copy.positions.rows) {
      ULP_TRY(renameRow(row.name, index));
    }
    for (std::string& gradient : copy.missingGradients) {
      ULP_TRY(renameRow(gradient, index));
    }
    ULP_TRY(renameKeys(copy.attentionKernels, index));
    for (KernelRecord::Rows& rows : copy.kernels.rows) {
      ULP_TRY(renameKeys(rows, index));
    }
    ULP_TRY(renameGraph(copy.graph, index));
    m_joined.origins.push_back({index, run.name});
    m_report.runs.push_back(std::move(copy));
    return {};
  }

  Result<> rename(Site& site, std::size_t index) {
    if (m_sources[index].mapping.isEmpty()) {
      return {};
    }
    auto name = ULP_TRY(m_sources[index].mapping.map(site.name));
    if (name != site.name) {
      m_joined.ownNames[index].emplace(name, site.name);
      site.name = std::move(name);
    }
    return {};
  }

  /// Of a name that some row has.
  Result<> renameRow(std::string& name, std::size_t index) {
    if (!m_sources[index].mapping.isEmpty()) {
      name = ULP_TRY(m_sources[index].mapping.map(name));
    }
    return {};
  }

  Result<> renameGraph(OperationGraph& graph, std::size_t index) {
    if (m_sources[index].mapping.isEmpty()) {
      return {};
    }
    for (OperationGraph::Rows& rows : graph.rows) {
      ULP_TRY(renameKeys(rows, index));
      for (auto& [name, row] : rows) {
        for (std::vector<std::string>* inputs : {&row.forward, &row.backward}) {
          for (std::string& input : *inputs) {
            input = ULP_TRY(m_sources[index].mapping.map(input));
          }
        }
      }
    }
    return {};
  }

  /// Of a map by row or module.
  template <class Map>
  Result<> renameKeys(Map& map, std::size_t index) {
    if (m_sources[index].mapping.isEmpty()) {
      return {};
    }
    Map renamed;
    for (auto& [name, value] : map) {
      renamed.emplace(ULP_TRY(m_sources[index].mapping.map(name)), std::move(value));
    }
    map = std::move(renamed);
    return {};
  }

  /// Rows of earlier sources are as long as the metrics were then.
  void widenMetrics() {
    for (report::Run& run : m_report.runs) {
      for (report::Comparison& row : run.comparisons) {
        row.metrics.resize(m_report.metrics.size(), kUndefined);
        if (!row.spread.empty()) {
          row.spread.resize(m_report.metrics.size());
        }
      }
    }
  }

  std::span<const ReportSource> m_sources;
  const std::stop_token& m_stop;
  report::Report m_report;
  JoinedReports m_joined;
  std::set<std::string> m_taken;
  std::vector<std::size_t> m_places;  ///< of the source that is being added
  std::string m_settings;             ///< fields of the effective configuration
};

JoinedReports alone(const report::LoadedReport& loaded) {
  JoinedReports joined;
  joined.report = loaded.report;
  for (const report::Run& run : loaded.report->runs) {
    joined.origins.push_back({0, run.name});
  }
  joined.ownNames.emplace_back();
  joined.sharesReference.push_back(true);
  return joined;
}

}  // namespace

report::Run withoutComparisons(const report::Run& run) {
  report::Run copy;
  copy.name = run.name;
  copy.overrides = run.overrides;
  copy.status = run.status;
  copy.loss = run.loss;
  copy.seconds = run.seconds;
  copy.peakBytes = run.peakBytes;
  copy.memory = run.memory;
  copy.error = run.error;
  copy.errorCode = run.errorCode;
  copy.role = run.role;
  copy.samples = run.samples;
  copy.lossSpread = run.lossSpread;
  copy.axes = run.axes;
  copy.hasLoss = run.hasLoss;
  copy.attentionKernels = run.attentionKernels;
  copy.codeFiles = run.codeFiles;
  copy.missingGradients = run.missingGradients;
  copy.kernels = run.kernels;
  copy.graph = run.graph;
  return copy;
}

report::Report derivedReport(const report::Report& report, const report::Run& reference) {
  report::Report derived;
  derived.provenance = report.provenance;
  derived.model = report.model;
  derived.studyYaml = report.studyYaml;
  derived.effectiveJson = report.effectiveJson;
  derived.metrics = report.metrics;
  derived.reference = reference.name;
  derived.runs.push_back(withoutComparisons(reference));
  return derived;
}

std::string JoinedReports::ownName(std::size_t run, const std::string& site) const {
  const auto& names = ownNames[origins[run].source];
  const auto found = names.find(site);
  return found == names.end() ? site : found->second;
}

Result<JoinedReports> joinReports(std::span<const ReportSource> sources,
                                  const std::stop_token& stop) {
  if (sources.size() == 1 && sources.front().mapping.isEmpty()) {
    return alone(sources.front().loaded);
  }
  return Joiner(sources, stop).join();
}

}  // namespace ulp::analysis
