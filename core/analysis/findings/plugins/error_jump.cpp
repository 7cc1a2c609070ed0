#include <cmath>

#include "core/analysis/depth/depth_curve.h"
#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Finding;

struct ErrorJump {
  Site site;
  Site before;
  double from = 0;
  double to = 0;
  double factor = 0;
  double floor = 0;
};

std::size_t rowBefore(const DepthCurve& curve, std::size_t point) {
  std::size_t before = point - 1;
  while (std::isnan(curve.points[before].value) && before > 0) {
    --before;
  }
  return before;
}

Finding findingOf(const RuleInput& input, const FoundInRuns<ErrorJump>& found) {
  const ErrorJump& first = found.first();
  Finding finding;
  finding.severity = report::FindingSeverity::Look;
  finding.sites = {first.site, first.before};
  finding.title = {ULP_TR_NOOP("The error of %1 grows %2-fold at %3: from %4 to %5"),
                   {found.names(),
                    found.numbers(&ErrorJump::factor),
                    placeText(first.site),
                    found.percents(&ErrorJump::from),
                    found.percents(&ErrorJump::to)}};
  finding.explanation = {
      ULP_TR_NOOP("The relative error of a layer is at least %1 times that of the layer before in "
                  "the same pass (%2), and above %3 unit round-offs (%4)."),
      {numberText(input.threshold("error_jump.factor")),
       first.before.name,
       numberText(input.threshold("error_jump.floor")),
       found.percents(&ErrorJump::floor)}};
  found.tell(finding, ULP_TR_NOOP("before"), &ErrorJump::from, true);
  found.tell(finding, ULP_TR_NOOP("here"), &ErrorJump::to, true);
  found.tell(finding, ULP_TR_NOOP("factor"), &ErrorJump::factor);
  if (first.site.layer >= 0) {
    finding.overrides = input.widened(found.runs().front(), "precision.residual_dtype");
  }
  return finding;
}

std::vector<Finding> findErrorJumps(const RuleInput& input) {
  const auto curves = depthCurves(input.report(), "rms_rel");
  if (!curves) {
    return {};  // without the metric there is nothing to see
  }
  std::vector<std::pair<std::string, ErrorJump>> all;
  for (const DepthCurve& curve : *curves) {
    const FormatLimits* format = input.coarsestFormat(*input.report().findRun(curve.run));
    const double floor =
        format == nullptr ? 0 : input.threshold("error_jump.floor") * format->roundOff;
    for (const Jump& jump : findJumps(curve, input.threshold("error_jump.factor"))) {
      const DepthPoint& point = curve.points[jump.point];
      const bool isScalar = point.site.name == "loss";
      if (isScalar || !std::isfinite(jump.factor) || point.value < floor || jump.point == 0 ||
          jump.factor < input.threshold("error_jump.factor")) {
        continue;
      }
      const DepthPoint& before = curve.points[rowBefore(curve, jump.point)];
      all.push_back(
          {curve.run, {point.site, before.site, before.value, point.value, jump.factor, floor}});
    }
  }
  return mergedFindings(
      all,
      [](const ErrorJump& item) { return std::pair(item.site, item.before); },
      [&](const auto& found) { return findingOf(input, found); });
}

}  // namespace

void registerErrorJump(FindingRuleRegistry& registry) {
  registry.add(
      {.id = "error_jump",
       .title = ULP_TR_NOOP("Jump of the error"),
       .order = 20,
       .thresholds = {{.id = "error_jump.factor",
                       .label = ULP_TR_NOOP("Growth from one layer to the next"),
                       .help = ULP_TR_NOOP("A layer's error over that of the layer before it"),
                       .value = 2,
                       .minimum = 1.05,
                       .maximum = 1000},
                      {.id = "error_jump.floor",
                       .label = ULP_TR_NOOP("Unit round-offs below which errors are not reported"),
                       .help =
                           ULP_TR_NOOP("Errors of a few roundings grow and shrink without meaning"),
                       .value = 2,
                       .maximum = 1000}},
       .find = findErrorJumps});
}

}  // namespace ulp::analysis
