#include "views/framework/document/document_builder.h"

#include <limits>
#include <utility>

#include "core/analysis/reports/rebase_report.h"
#include "core/analysis/reports/relate_report.h"
#include "core/report/model/finding.h"
#include "core/report/model/one_dump.h"
#include "core/report/summary/summary.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

/// Where the numbers of a dump stop being finite; else its first tensor.
Selection atFirstOverflow(Selection selection, const ReportDocument& document) {
  const auto findings = report::readFindings(document.report());
  const auto take = [&selection](const Site& site) {
    selection.site = QString::fromStdString(site.name);
    selection.pass = site.pass;
  };
  if (!document.sites().empty()) {
    take(document.sites().front());
  }
  for (const report::Finding& finding : findings.value_or(std::vector<report::Finding>())) {
    if (finding.rule == report::kOverflowRule) {
      selection.runs = {QString::fromStdString(finding.runs.front())};
      take(finding.sites.front());
      break;
    }
  }
  return selection;
}

Result<BuiltDocument> related(const DocumentBasis& basis, const std::stop_token& stop) {
  const auto relation = basis.relation == Relation::Ratio ? analysis::Relation::Ratio
                                                          : analysis::Relation::Difference;
  auto report = ULP_TRY(analysis::relateReport(
      *basis.open->joined.report, basis.baseline.toStdString(), relation, stop));
  return BuiltDocument{.document = ReportDocument::build(
                           basis, std::make_shared<const report::Report>(std::move(report)))};
}

Result<BuiltDocument> rebased(const DocumentBasis& basis,
                              const std::stop_token& stop,
                              const std::function<void(DocumentPtr)>& news) {
  analysis::RebaseOptions options{.stop = stop};
  if (news) {
    options.onRun = [&](const analysis::RebasedReport& soFar) {
      news(ReportDocument::build(basis, std::make_shared<const report::Report>(soFar.report)));
    };
  }
  auto result = ULP_TRY(analysis::rebaseReport(
      basis.open->joined, basis.open->sources, basis.baseline.toStdString(), options));
  return BuiltDocument{.document = ReportDocument::build(
                           basis, std::make_shared<const report::Report>(std::move(result.report))),
                       .unmatched = result.unmatched + result.misshapen,
                       .problems = textsOf(result.problems)};
}

}  // namespace

Result<BuiltDocument> buildDocument(const DocumentRequest& request,
                                    const std::stop_token& stop,
                                    const std::function<void(DocumentPtr)>& news) {
  DocumentBasis basis{
      .open = request.open, .baseline = request.baseline, .relation = request.relation};
  if (!basis.open) {
    basis.open = ULP_TRY(joinSources(request.sources, stop));
  }
  if (stop.stop_requested()) {
    return fail(ErrorCode::Cancelled, "stopped");
  }
  const report::ReportPtr& joined = basis.open->joined.report;
  const std::string baseline = basis.baseline.toStdString();
  if (baseline == joined->reference || joined->findRun(baseline) == nullptr) {
    const bool isKnown = request.plain && request.plain->basis().open == basis.open;
    BuiltDocument built{.document = isKnown ? request.plain
                                            : ReportDocument::build({.open = basis.open}, joined)};
    built.initial = initialSelection(*built.document);
    return built;
  }
  return basis.relation == Relation::Error ? rebased(basis, stop, news) : related(basis, stop);
}

Selection initialSelection(const ReportDocument& document) {
  Selection selection;
  selection.metric = document.defaultMetric();
  const int metric = document.findMetric(selection.metric);
  if (document.variantCount() == 0 || metric < 0) {
    return selection;
  }
  selection.runs = {document.variantName(0)};
  if (report::isOfOneDump(document.report())) {
    return atFirstOverflow(std::move(selection), document);
  }
  const MetricInfo& info = document.metrics()[static_cast<std::size_t>(metric)];
  double worst = -std::numeric_limits<double>::infinity();
  for (const auto& row : report::summarise(document.report(), info.id.toStdString())) {
    const bool isVariant = document.findVariant(QString::fromStdString(row.run)) >= 0;
    for (const report::SummaryCell& cell : row.cells) {
      // Larger is worse; NaN for a value that says nothing.
      const double bad = info.better == numerics::Better::Lower ? cell.value : -cell.value;
      if (isVariant && !cell.site.name.empty() && bad > worst) {
        worst = bad;
        selection.runs = {QString::fromStdString(row.run)};
        selection.site = QString::fromStdString(cell.site.name);
        selection.pass = cell.site.pass;
      }
    }
  }
  if (!accepts(selection.shown, selection.pass)) {
    selection.shown = PassFilter::All;
  }
  return selection;
}

Selection restoredSelection(const Selection& selection,
                            const Selection& asked,
                            const Selection& adapted) {
  Selection restored = selection;
  if (selection.runs == adapted.runs) {
    restored.runs = asked.runs;
  }
  const bool isSameTensor = selection.site == adapted.site && selection.pass == adapted.pass;
  if (isSameTensor && (asked.site != adapted.site || asked.pass != adapted.pass)) {
    restored.site = asked.site;
    restored.pass = asked.pass;
    restored.slice = asked.slice;
    restored.element = asked.element;
  }
  return restored;
}

Selection adaptSelection(const Selection& selection, const ReportDocument& document) {
  Selection adapted = selection;
  adapted.baseline = document.basis().baseline;
  adapted.relation = document.basis().relation;
  adapted.runs.removeIf([&](const QString& run) { return document.findVariant(run) < 0; });
  const bool hasMetric = document.findMetric(adapted.metric) >= 0;
  const bool hasSite = document.findSite(adapted.site.toStdString(), adapted.pass) >= 0;
  if (!adapted.runs.isEmpty() && hasMetric && hasSite) {
    return adapted;
  }
  const Selection initial = initialSelection(document);
  if (adapted.runs.isEmpty()) {
    adapted.runs = initial.runs;
  }
  if (!hasMetric) {
    adapted.metric = initial.metric;
  }
  if (!hasSite) {
    adapted.site = initial.site;
    adapted.pass = initial.pass;
    adapted.slice.clear();
    adapted.element.clear();
    if (!accepts(adapted.shown, adapted.pass)) {
      adapted.shown = initial.shown;
    }
  }
  return adapted;
}

}  // namespace ulp::views
