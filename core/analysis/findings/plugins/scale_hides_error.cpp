#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Comparison;
using report::Finding;

struct HiddenError {
  const Comparison* before = nullptr;
  const Comparison* here = nullptr;
};

/// The relative error falls, the absolute error grows, and the reference's scale accounts for both.
bool isHidden(const RuleInput& input, const Comparison& before, const Comparison& here) {
  const double fall = input.relative(before) / input.relative(here);
  const double rise = input.scale(here) / input.scale(before);
  const double limit = input.threshold("scale_hides_error.factor");
  return before.site.pass == here.site.pass && fall >= limit && rise >= limit &&
         input.difference(here) > input.difference(before);
}

std::vector<std::pair<std::string, HiddenError>> collectHiddenErrors(const RuleInput& input) {
  std::vector<std::pair<std::string, HiddenError>> all;
  for (const report::Run* run : input.variants()) {
    const Comparison* before = nullptr;
    for (const Comparison& row : run->comparisons) {
      if (row.site.level != Level::Layer || isOfParameters(row.site.pass) ||
          row.site.name == "loss") {
        continue;
      }
      if (before != nullptr && isHidden(input, *before, row)) {
        all.push_back({run->name, {before, &row}});
      }
      before = &row;
    }
  }
  return all;
}

Finding findingOf(const RuleInput& input, const FoundInRuns<HiddenError>& found) {
  const auto before = [&](double (RuleInput::*metric)(const Comparison&) const) {
    return [&input, metric](const HiddenError& one) { return (input.*metric)(*one.before); };
  };
  const auto here = [&](double (RuleInput::*metric)(const Comparison&) const) {
    return [&input, metric](const HiddenError& one) { return (input.*metric)(*one.here); };
  };
  constexpr auto kRelative = &RuleInput::relative;
  constexpr auto kScale = &RuleInput::scale;
  constexpr auto kDifference = &RuleInput::difference;
  const Site& site = found.first().here->site;
  const Site& siteBefore = found.first().before->site;
  Finding finding;
  finding.severity = report::FindingSeverity::Look;
  finding.sites = {site, siteBefore};
  finding.title = {
      ULP_TR_NOOP("At %1 the relative error of %2 falls from %3 to %4 only because the reference "
                  "grows from %5 to %6; the absolute error grows from %7 to %8"),
      {placeText(site),
       found.names(),
       found.percents(before(kRelative)),
       found.percents(here(kRelative)),
       found.numbers(before(kScale)),
       found.numbers(here(kScale)),
       found.numbers(before(kDifference)),
       found.numbers(here(kDifference))}};
  finding.explanation = {
      ULP_TR_NOOP("From %1 to here the relative error (RMS) falls and the RMS of the reference "
                  "rises, each at least %2-fold, while the RMS of the difference rises. Read the "
                  "absolute error beside the relative one."),
      {siteBefore.name, numberText(input.threshold("scale_hides_error.factor"))}};
  found.tell(finding, ULP_TR_NOOP("relative error before"), before(kRelative), true);
  found.tell(finding, ULP_TR_NOOP("relative error here"), here(kRelative), true);
  found.tell(finding, ULP_TR_NOOP("RMS of the reference before"), before(kScale));
  found.tell(finding, ULP_TR_NOOP("RMS of the reference here"), here(kScale));
  found.tell(finding, ULP_TR_NOOP("RMS of the difference before"), before(kDifference));
  found.tell(finding, ULP_TR_NOOP("RMS of the difference here"), here(kDifference));
  return finding;
}

std::vector<Finding> findHiddenErrors(const RuleInput& input) {
  return mergedFindings(
      collectHiddenErrors(input),
      [](const HiddenError& item) { return std::pair(item.here->site, item.before->site); },
      [&](const auto& found) { return findingOf(input, found); });
}

}  // namespace

void registerScaleHidesError(FindingRuleRegistry& registry) {
  registry.add(
      {.id = "scale_hides_error",
       .title = ULP_TR_NOOP("Scale hides the error"),
       .order = 30,
       .thresholds = {{.id = "scale_hides_error.factor",
                       .label = ULP_TR_NOOP("Fall of the relative error and rise of the scale"),
                       .help =
                           "Both must change at least this many times from one layer to the next",
                       .value = 2,
                       .minimum = 1.05,
                       .maximum = 1000}},
       .find = findHiddenErrors});
}

}  // namespace ulp::analysis
