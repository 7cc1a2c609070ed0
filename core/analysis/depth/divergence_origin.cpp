#include "core/analysis/depth/divergence_origin.h"

#include <algorithm>

#include "core/base/list_of.h"

namespace ulp::analysis {
namespace {

bool isWithin(const std::string& name, const std::string& module) {
  return name.starts_with(module) && (name.size() == module.size() || name[module.size()] == '.');
}

/// Whether a router's choice acts on a tensor: one of its block behind the router, or the output of
/// the layer that holds it.
bool actsOn(const report::RouterChoice& router, const Site& site) {
  const bool isOfBlock = isWithin(site.name, router.block) && !isWithin(site.name, router.router);
  const bool isOfLayer = site.level == Level::Layer && site.layer == router.layer;
  return site.pass == Pass::Forward && (isOfBlock || isOfLayer);
}

std::vector<std::string> operationsAlone(const RecordedInputs& inputs,
                                         const OperationGraph& other,
                                         const Site& site) {
  return listOf(inputs.readBeside(site, other).alone, &RecordedInputs::Key::first);
}

}  // namespace

DivergenceOrigins::DivergenceOrigins(const report::Report& report, const report::Run& run)
    : m_run(run) {
  const report::Run* baseline = report.referenceOf(run);
  if (baseline != nullptr && !baseline->graph.isEmpty() && !run.graph.isEmpty()) {
    m_baseline = &baseline->graph;
    m_inputs.emplace(run);
    m_baselineInputs.emplace(run, baseline->graph);
  }
}

DivergenceOrigin DivergenceOrigins::of(const report::Comparison& row) const {
  DivergenceOrigin origin;
  if (m_baseline != nullptr) {
    origin.operations = operationsAlone(*m_inputs, *m_baseline, row.site);
    origin.baselineOperations = operationsAlone(*m_baselineInputs, m_run.graph, row.site);
  }
  const auto router = std::ranges::find_if(m_run.routers, [&](const report::RouterChoice& choice) {
    return choice.flipped > 0 && choice.other.relative() > choice.same.relative() &&
           actsOn(choice, row.site);
  });
  origin.router = router == m_run.routers.end() ? nullptr : &*router;
  return origin;
}

DivergenceOrigin originOf(const report::Report& report,
                          const report::Run& run,
                          const report::Comparison& row) {
  return DivergenceOrigins(report, run).of(row);
}

}  // namespace ulp::analysis
