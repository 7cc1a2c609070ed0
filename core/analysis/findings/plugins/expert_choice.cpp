#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Finding;
using report::RouterChoice;
using report::Run;

/// The layer of a run at which most tokens are flipped.
struct FlippedLayer {
  Site router;
  double share = 0;   ///< of its tokens
  double ofAll = 0;   ///< of the tokens of all layers
  double same = 0;    ///< relative error of the block's output where nothing is flipped
  double other = 0;   ///< the same of flipped tokens
  double margin = 0;  ///< median of the flipped tokens, in the reference
  bool isLook = false;

  [[nodiscard]] double factor() const { return same > 0 ? other / same : kUndefined; }
};

Site siteOf(const Run& run, const RouterChoice& router) {
  const report::Comparison* row = forwardRow(run, router.router);
  return row != nullptr
             ? row->site
             : Site{router.router, router.router, router.layer, Level::Module, Pass::Forward};
}

FlippedLayer flippedLayer(const Run& run, double threshold) {
  const RouterChoice& most = *std::ranges::max_element(run.routers, {}, [](const auto& router) {
    return router.tokens == 0 ? -1.0 : router.flippedShare();
  });
  return {.router = siteOf(run, most),
          .share = most.flippedShare(),
          .ofAll = report::flippedShare(run.routers),
          .same = most.same.relative(),
          .other = most.other.relative(),
          .margin = report::medianMargin(most.margins, true),
          .isLook = most.flippedShare() >= threshold};
}

/// "mlp.gate" of "model.layers.3.mlp.gate", as a pattern of all layers.
std::string patternOf(const Site& router) {
  const std::string layer = fmt::format(".{}.", router.layer);
  const std::size_t place = router.module.find(layer);
  std::string pattern;
  for (const char c : place == std::string::npos ? router.module
                                                 : router.module.substr(place + layer.size() - 1)) {
    pattern += c == '.' ? "\\\\." : std::string(1, c);
  }
  return pattern + "$";
}

/// The rules of a run with one behind them that keeps its routers in float32.
std::map<std::string, std::string> routersInFloat32(const RuleInput& input,
                                                    const std::string& run,
                                                    const Site& router) {
  const std::string key = "precision.rules";
  const std::string rule =
      fmt::format(R"({{"match":"{}","compute_dtype":"float32"}})", patternOf(router));
  if (input.widened(run, "precision.compute_dtype").empty()) {
    return {};
  }
  std::string rules = input.effective(run, key);
  const std::size_t end = rules.rfind(']');
  const bool isEmpty = end == std::string::npos || rules.find('{') == std::string::npos;
  return {{key, isEmpty ? "[" + rule + "]" : rules.substr(0, end) + "," + rule + "]"}};
}

report::Sentence titleOf(const FoundInRuns<FlippedLayer>& found) {
  const FlippedLayer& first = found.first();
  if (!std::isfinite(first.factor())) {
    return {ULP_TR_NOOP("%2 chooses other experts for %3 of the tokens (%1)"),
            {found.names(), first.router.name, found.percents(&FlippedLayer::share)}};
  }
  return {ULP_TR_NOOP("%2 chooses other experts for %3 of the tokens, whose error is %4 × that of "
                      "the others (%1)"),
          {found.names(),
           first.router.name,
           found.percents(&FlippedLayer::share),
           found.numbers(&FlippedLayer::factor)}};
}

Finding findingOf(const RuleInput& input, const FoundInRuns<FlippedLayer>& found) {
  const FlippedLayer& first = found.first();
  Finding finding;
  finding.severity = std::ranges::any_of(found.items(), &FlippedLayer::isLook)
                         ? report::FindingSeverity::Look
                         : report::FindingSeverity::Note;
  finding.sites = {first.router};
  finding.title = titleOf(found);
  finding.explanation = {
      ULP_TR_NOOP(
          "No layer has a larger share. Over all layers it is %1. A token whose last chosen "
          "expert scores hardly more than the first one that is not chosen takes another "
          "one after the smallest error, and its output is then that of other weights: the "
          "margins of half of these tokens are at most %2. A router in float32 rounds less; "
          "errors that reach its input stay."),
      {found.percents(&FlippedLayer::ofAll), found.numbers(&FlippedLayer::margin)}};
  found.tell(finding, ULP_TR_NOOP("flipped tokens at this layer"), &FlippedLayer::share, true);
  found.tell(finding, ULP_TR_NOOP("flipped tokens of all layers"), &FlippedLayer::ofAll, true);
  if (std::isfinite(first.factor())) {
    found.tell(finding, ULP_TR_NOOP("error of flipped tokens"), &FlippedLayer::other, true);
    found.tell(finding, ULP_TR_NOOP("error of the other tokens"), &FlippedLayer::same, true);
  }
  finding.overrides = routersInFloat32(input, found.runs().front(), first.router);
  return finding;
}

std::vector<Finding> findFlippedTokens(const RuleInput& input) {
  std::vector<std::pair<std::string, FlippedLayer>> found;
  for (const Run* run : input.variants()) {
    if (run->status == report::RunStatus::Finished && report::flippedShare(run->routers) > 0) {
      found.emplace_back(run->name, flippedLayer(*run, input.threshold("expert_choice.share")));
    }
  }
  return found.empty()
             ? std::vector<Finding>()
             : mergedFindings(
                   found,
                   [](const FlippedLayer& layer) { return layer.router; },
                   [&](const FoundInRuns<FlippedLayer>& runs) { return findingOf(input, runs); });
}

}  // namespace

void registerExpertChoice(FindingRuleRegistry& registry) {
  registry.add(
      {.id = "expert_choice",
       .title = ULP_TR_NOOP("Other experts"),
       .order = 42,
       .isForDumps = false,
       .isOfDivergence = true,
       .thresholds = {{.id = "expert_choice.share",
                       .label = ULP_TR_NOOP("Flipped tokens at a layer"),
                       .help = ULP_TR_NOOP("From here on it is more than a note that a router "
                                           "chooses other experts for so many of its tokens"),
                       .value = 0.01,
                       .minimum = 0,
                       .maximum = 1}},
       .find = findFlippedTokens});
}

}  // namespace ulp::analysis
