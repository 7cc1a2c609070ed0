#include "views/framework/document_builder.h"

#include <utility>

#include "core/analysis/rebase_report.h"
#include "core/analysis/relate_report.h"

namespace ulp::views {
namespace {

analysis::Relation relationOf(Relation relation) {
  return relation == Relation::Ratio ? analysis::Relation::Ratio : analysis::Relation::Difference;
}

Result<BuiltDocument> related(const DocumentBasis& basis) {
  auto report = analysis::relateReport(
      *basis.open->joined.report, basis.baseline.toStdString(), relationOf(basis.relation));
  if (!report) {
    return tl::unexpected<Error>(std::move(report.error()));
  }
  return BuiltDocument{.document = ReportDocument::build(
                           basis, std::make_shared<const report::Report>(std::move(*report)))};
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
  auto result = analysis::rebaseReport(
      basis.open->joined, basis.open->sources, basis.baseline.toStdString(), options);
  if (!result) {
    return tl::unexpected<Error>(std::move(result.error()));
  }
  BuiltDocument built;
  built.unmatched = result->unmatched;
  for (const std::string& problem : result->problems) {
    built.problems << QString::fromStdString(problem);
  }
  built.document = ReportDocument::build(
      basis, std::make_shared<const report::Report>(std::move(result->report)));
  return built;
}

}  // namespace

Result<BuiltDocument> buildDocument(const DocumentBasis& basis,
                                    const std::stop_token& stop,
                                    const std::function<void(DocumentPtr)>& news) {
  const report::ReportPtr& joined = basis.open->joined.report;
  if (basis.baseline.isEmpty() || basis.baseline.toStdString() == joined->reference) {
    return BuiltDocument{.document = ReportDocument::build({.open = basis.open}, joined)};
  }
  return basis.relation == Relation::Error ? rebased(basis, stop, news) : related(basis);
}

}  // namespace ulp::views
