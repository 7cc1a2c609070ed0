#include <algorithm>
#include <array>
#include <tuple>

#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Comparison;
using report::Finding;

/// Formats in which the tensors of a run could be wanted.
constexpr std::array<std::string_view, 4> kNarrow{
    "float16", "float8_e5m2", "float8_e4m3fn", "bfloat16"};

/// Means of squares, which norms keep in float32 whatever the run computes in.
bool isStatistic(const Comparison& row) {
  return row.site.level == Level::Op && row.site.name.ends_with(".variance");
}

bool isLowest(std::string_view dtype, double value) {
  const FormatLimits* format = formatLimits(dtype);
  return format != nullptr && value == -format->largest;
}

/// Holds the lowest numbers of both formats, as masks of attention do, whose values are no results.
bool isMask(const Comparison& row) {
  return std::ranges::any_of(row.worst, [&row](const auto& element) {
    return isLowest(row.referenceDType, element.reference) &&
           isLowest(row.variantDType, element.variant);
  });
}

struct Peak {
  const Comparison* row = nullptr;
  double value = 0;
};

Peak peakOf(const RuleInput& input, const report::Run& run, std::string_view format) {
  Peak peak;
  for (const Comparison& row : run.comparisons) {
    const bool isIn = format.empty() ? !isStatistic(row) : row.variantDType == format;
    const double value = isIn && !isMask(row) ? input.largestKnown(row) : 0;
    if (value > peak.value) {
      peak = {&row, value};
    }
  }
  return peak;
}

struct NarrowHeadroom {
  Peak peak;
  const FormatLimits* format = nullptr;
  bool isOwnFormat = false;  ///< that of the tensor; else one that it does not fit in
};

std::vector<std::pair<std::string, NarrowHeadroom>> collectPeaks(const RuleInput& input) {
  const double share = input.threshold("headroom.share");
  std::vector<std::pair<std::string, NarrowHeadroom>> all;
  for (const report::Run* run : input.variants()) {
    for (const std::string_view name : kNarrow) {
      const FormatLimits* format = formatLimits(name);
      const Peak own = peakOf(input, *run, name);
      if (own.row != nullptr && own.value >= share * format->largest) {
        all.push_back({run->name, {own, format, true}});
      }
    }
    const FormatLimits* half = formatLimits("float16");
    const Peak any = peakOf(input, *run, {});
    if (any.row != nullptr && any.row->variantDType != half->name && any.value >= half->largest) {
      all.push_back({run->name, {any, half, false}});
    }
  }
  return all;
}

double peakValue(const NarrowHeadroom& found) {
  return found.peak.value;
}
double partOfLimit(const NarrowHeadroom& found) {
  return found.peak.value / found.format->largest;
}

Finding findingOf(const RuleInput& input, const FoundInRuns<NarrowHeadroom>& found) {
  const auto& [peak, format, isOwnFormat] = found.first();
  Finding finding;
  finding.severity = isOwnFormat ? report::FindingSeverity::Look : report::FindingSeverity::Note;
  finding.sites = {peak.row->site};
  finding.title = {
      isOwnFormat
          ? ULP_TR_NOOP("Close to overflow at %2: at least %3 of the %4 that %5 can hold (%1)")
          : ULP_TR_NOOP(
                "%5 would overflow at %2: values of at least %3, the format ends at %4 (%1)"),
      {found.names(),
       placeText(peak.row->site),
       found.numbers(peakValue),
       numberText(format->largest),
       std::string(format->name)}};
  finding.explanation = {
      ULP_TR_NOOP("The largest value that the report knows of any tensor reaches %1 of the "
                  "format's limit (threshold: %2 in the tensor's own format). It is a lower bound: "
                  "a report holds the values of the elements of largest difference and the RMS of "
                  "the reference, not the maximum of a tensor."),
      {found.percents(partOfLimit), percentText(input.threshold("headroom.share"))}};
  found.tell(finding, ULP_TR_NOOP("largest value known"), peakValue);
  finding.numbers.push_back({ULP_TR_NOOP("limit of the format"), format->largest});
  found.tell(finding, ULP_TR_NOOP("share of the limit"), partOfLimit, true);
  const bool isHalf = isOwnFormat && format->name == "float16";
  if (isHalf && input.effective(found.runs().front(), "precision.compute_dtype") == "float16") {
    finding.overrides = {{"precision.compute_dtype", "bfloat16"}};
  }
  return finding;
}

std::vector<Finding> findNarrowHeadroom(const RuleInput& input) {
  return mergedFindings(
      collectPeaks(input),
      [](const NarrowHeadroom& item) {
        return std::tuple(item.peak.row->site, item.format->name, item.isOwnFormat);
      },
      [&](const auto& found) { return findingOf(input, found); });
}

}  // namespace

void registerHeadroom(FindingRuleRegistry& registry) {
  registry.add(
      {.id = "headroom",
       .title = ULP_TR_NOOP("Headroom"),
       .order = 40,
       .thresholds =
           {{.id = "headroom.share",
             .label = ULP_TR_NOOP("Share of the format's largest number"),
             .help = ULP_TR_NOOP(
                 "Values known to reach this share of what their format can hold are reported"),
             .value = 0.5,
             .minimum = 0.001,
             .maximum = 1}},
       .find = findNarrowHeadroom});
}

}  // namespace ulp::analysis
