#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/analysis/depth/run_difference.h"
#include "core/analysis/findings/finding_rule.h"
#include "core/base/text/parse_number.h"

namespace ulp::analysis {

namespace {

using report::Comparison;
using report::Finding;

/// The largest gradient is only known from below: so many times larger it may be.
constexpr double kMarginAbove = 8;
/// Of a tensor not only its RMS is to be a normal number, but also elements this much smaller.
constexpr double kMarginBelow = 16;

/// Of the spacing of numbers below the normal ones: a larger difference was not made by rounding a
/// tensor, or the few that were added up to it, to the format.
constexpr double kMarginOfRounding = 4;

/// What a run's gradients of one format lose below its normal numbers.
struct LostGradients {
  const FormatLimits* format = nullptr;
  double applied = 1;  ///< loss scale of the run
  /// Their error is larger than rounding explains: it came from elsewhere, and a loss scale may
  /// change nothing of it. Without it `rows` are those whose digits are lost there.
  bool isUnexplained = false;
  std::vector<const Comparison*> rows{};  ///< in order of execution
  const Comparison* worst = nullptr;      ///< of `rows`, by error
  double error = 0;                       ///< of the worst
  double scale = 0;                       ///< its RMS
  double smallest = 0;                    ///< RMS of `rows`
  double largest = 0;                     ///< known value among all gradients of the format
  int power = 0;                          ///< of two, for the loss
  std::size_t remaining = 0;              ///< of `rows`, that stay below the normal numbers with it

  [[nodiscard]] double lossScale() const { return std::ldexp(1, power); }
  [[nodiscard]] bool isHelped() const {
    return !isUnexplained && power >= 1 && lossScale() > applied && remaining < rows.size();
  }
};

/// As large as small gradients need it, unless the largest would then come close to the end of the
/// format: docs/findings.md has the derivation.
int lossScalePower(const LostGradients& found) {
  const double wanted =
      std::ceil(std::log2(kMarginBelow * found.format->smallestNormal / found.smallest));
  const double most = std::floor(std::log2(found.format->largest / (kMarginAbove * found.largest)));
  return static_cast<int>(std::min(wanted, most));
}

bool isGradient(const Comparison& row) {
  return row.site.pass == Pass::Backward || row.site.pass == Pass::ParameterGradient;
}

/// Whether a gradient of a run was rounded to a format: it is kept in it, or in a wider one where
/// the format is simulated.
bool isIn(const FormatLimits& format,
          const Comparison& row,
          const RuleInput& input,
          const report::Run& run) {
  const FormatLimits* kept = formatLimits(row.variantDType);
  if (kept == nullptr || kept->name == format.name) {
    return kept != nullptr;
  }
  const char* key = row.site.pass == Pass::ParameterGradient ? "precision.gradient_dtype"
                                                             : "precision.compute_dtype";
  return kept->roundOff < format.roundOff && input.effective(run.name, key) == format.name;
}

constexpr const char* kScaleKey = "gradient.scale";

/// What the loss of a run was multiplied by; nothing: as much as keeps its gradients finite, so
/// that no larger one is left to recommend.
std::optional<double> appliedScale(const RuleInput& input, const report::Run& run) {
  const std::string value = input.effective(run.name, kScaleKey);
  return value.empty() ? std::optional(1.0) : parseNumber<double>(value);
}

/// Whether another run, which differs in a larger loss scale alone, has the error of a row as well.
bool isDisproved(const RuleInput& input, const report::Run& run, const Comparison& row) {
  const double applied = appliedScale(input, run).value_or(1);
  return std::ranges::any_of(input.variants(), [&](const report::Run* other) {
    const auto keys = input.differingKeys(run.name, other->name);
    if (other == &run || !keys || *keys != std::vector<std::string>{kScaleKey}) {
      return false;
    }
    const Comparison* there = findRow(*other, row.site.name, row.site.pass);
    return appliedScale(input, *other).value_or(std::numeric_limits<double>::infinity()) >
               applied &&
           there != nullptr && input.relative(*there) >= input.relative(row) / 2;
  });
}

/// Without rows: nothing is lost.
LostGradients lostGradientsOf(const RuleInput& input,
                              const report::Run& run,
                              const FormatLimits& format,
                              double applied) {
  const double error = input.threshold("gradient_underflow.error");
  const double explained =
      kMarginOfRounding * 2 * format.roundOff * format.smallestNormal / applied;
  LostGradients found{.format = &format, .applied = applied};
  std::vector<const Comparison*> unexplained;
  for (const Comparison& row : run.comparisons) {
    if (!isGradient(row) || !isIn(format, row, input, run)) {
      continue;
    }
    const double scale = input.scale(row);
    found.largest = std::max(found.largest, input.largestKnown(row));
    if (!(scale > 0 && scale * applied < format.smallestNormal && input.relative(row) >= error) ||
        isDisproved(input, run, row)) {
      continue;
    }
    // A parameter's gradient is made of the gradient that its module was given.
    const bool isCarried = std::ranges::any_of(unexplained, [&row](const Comparison* other) {
      return other->site.module == row.site.module;
    });
    (isCarried || input.difference(row) > explained ? unexplained : found.rows).push_back(&row);
  }
  found.isUnexplained = found.rows.empty();
  if (found.isUnexplained) {
    found.rows = std::move(unexplained);
  }
  if (found.rows.empty()) {
    return found;
  }
  found.worst = *std::ranges::max_element(
      found.rows, {}, [&](const Comparison* row) { return input.relative(*row); });
  found.error = input.relative(*found.worst);
  found.scale = input.scale(*found.worst);
  found.smallest = input.scale(**std::ranges::min_element(
      found.rows, {}, [&](const Comparison* row) { return input.scale(*row); }));
  found.power = lossScalePower(found);
  found.remaining =
      static_cast<std::size_t>(std::ranges::count_if(found.rows, [&](const Comparison* row) {
        return input.scale(*row) * found.lossScale() < format.smallestNormal;
      }));
  return found;
}

report::Sentence titleOf(const std::string& run, const LostGradients& found) {
  const std::string tensors = std::to_string(found.rows.size());
  std::vector<Sentence> facts{run,
                              std::string(found.format->name),
                              placeText(found.worst->site),
                              numberText(found.scale),
                              percentText(found.error),
                              tensors};
  if (found.isUnexplained) {
    return {ULP_TR_NOOP("Gradients of %1 are below the normal numbers of %2, and wrong: at %3, of "
                        "RMS %4, the error is %5; tensors of this kind: %6. Rounding them explains "
                        "less, so that a loss scale may not help"),
            std::move(facts)};
  }
  if (!found.isHelped()) {
    facts.emplace_back(numberText(found.largest));
    return {ULP_TR_NOOP("Gradients of %1 underflow in %2: at %3, of RMS %4, the error is %5; "
                        "tensors of this kind: %6. No loss scale helps, since gradients reach %7"),
            std::move(facts)};
  }
  facts.emplace_back(numberText(found.lossScale()));
  facts.emplace_back(std::to_string(found.power));
  if (found.remaining == 0) {
    return {ULP_TR_NOOP("Gradients of %1 underflow in %2: at %3, of RMS %4, the error is %5; "
                        "tensors of this kind: %6. A loss scale of %7 (2^%8) keeps them"),
            std::move(facts)};
  }
  facts.emplace_back(std::to_string(found.remaining));
  return {ULP_TR_NOOP("Gradients of %1 underflow in %2: at %3, of RMS %4, the error is %5; tensors "
                      "of this kind: %6. A loss scale of %7 (2^%8) keeps all but %9 of them"),
          std::move(facts)};
}

report::Sentence explanationOf(const RuleInput& input, const LostGradients& found) {
  const std::string format(found.format->name);
  const std::string smallest = numberText(found.format->smallestNormal);
  const std::string error = percentText(input.threshold("gradient_underflow.error"));
  if (found.isUnexplained) {
    return {ULP_TR_NOOP("Gradients whose RMS, times the run's loss scale, is below the smallest "
                        "normal number of %1 (%2) and whose error is at least %3. Numbers there "
                        "are %4 apart, and the RMS of the difference is more than %5 times that: "
                        "the error comes from what the gradients were made of, such as "
                        "probabilities that the forward pass rounded to 0, or from gradients that "
                        "were not kept. A run with a gradient.scale tells these apart."),
            {format,
             smallest,
             error,
             numberText(2 * found.format->roundOff * found.format->smallestNormal),
             numberText(kMarginOfRounding)}};
  }
  return {ULP_TR_NOOP("Gradients whose RMS, times the run's loss scale, is below the smallest "
                      "normal number of %1 (%2), whose error is at least %3 and no larger than "
                      "rounding explains: below it digits are lost, and what is smaller still "
                      "becomes 0. A loss scale multiplies all gradients, which are divided by it "
                      "before the step. It is the power of two that lifts numbers %4 times smaller "
                      "than the smallest of these RMS to normal ones, unless %5 times the largest "
                      "gradient that the report knows would then exceed %6."),
          {format,
           smallest,
           error,
           numberText(kMarginBelow),
           numberText(kMarginAbove),
           numberText(found.format->largest)}};
}

Finding findingOf(const RuleInput& input, const std::string& run, const LostGradients& found) {
  Finding finding;
  finding.severity = report::FindingSeverity::Look;
  finding.runs = {run};
  finding.sites = {found.worst->site};
  for (const Comparison* row : found.rows) {
    if (row != found.worst) {
      finding.sites.push_back(row->site);
    }
  }
  finding.title = titleOf(run, found);
  finding.explanation = explanationOf(input, found);
  finding.numbers = {{ULP_TR_NOOP("error"), found.error, true},
                     {ULP_TR_NOOP("RMS of the reference there"), found.scale},
                     {ULP_TR_NOOP("smallest RMS"), found.smallest},
                     {ULP_TR_NOOP("largest gradient known"), found.largest},
                     {ULP_TR_NOOP("tensors"), static_cast<double>(found.rows.size())}};
  if (found.isHelped()) {
    finding.numbers.push_back({ULP_TR_NOOP("loss scale"), found.lossScale()});
  }
  if (input.effective(run, "precision.compute_dtype") == found.format->name) {
    finding.overrides = {{"precision.compute_dtype", "bfloat16"}};
  }
  return finding;
}

std::vector<Finding> findGradientUnderflow(const RuleInput& input) {
  std::vector<Finding> findings;
  for (const report::Run* run : input.variants()) {
    const std::optional<double> applied = appliedScale(input, *run);
    if (!applied) {
      continue;
    }
    for (const char* name : {"float16", "float8_e5m2", "float8_e4m3fn"}) {
      const LostGradients found = lostGradientsOf(input, *run, *formatLimits(name), *applied);
      if (!found.rows.empty()) {
        findings.push_back(findingOf(input, run->name, found));
      }
    }
  }
  return findings;
}

}  // namespace

void registerGradientUnderflow(FindingRuleRegistry& registry) {
  registry.add(
      {.id = "gradient_underflow",
       .title = ULP_TR_NOOP("Underflow of gradients"),
       .order = 42,
       .thresholds = {{.id = "gradient_underflow.error",
                       .label = ULP_TR_NOOP("Relative error of a gradient"),
                       .help = ULP_TR_NOOP("Gradients below the normal numbers of their format are "
                                           "reported from this error on"),
                       .value = 0.05,
                       .minimum = 1e-6,
                       .maximum = 1}},
       .find = findGradientUnderflow});
}

}  // namespace ulp::analysis
