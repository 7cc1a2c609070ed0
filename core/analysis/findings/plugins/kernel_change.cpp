#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tuple>

#include "core/analysis/findings/finding_rule.h"
#include "core/base/kernels/kernel_name.h"

namespace ulp::analysis {

namespace {

using report::Finding;
using report::Run;

/// Rows of a run for which other kernels ran than for those of the reference.
struct KernelChange {
  const report::Comparison* first = nullptr;
  std::string before;
  std::string after;
  std::size_t count = 0;
  bool makesTheFirstError = false;  ///< no row before the first differs from the reference
};

/// In a few words; where these are the same for two rows that ran other kernels, in full.
std::string words(const std::vector<std::string_view>& kernels, bool inFull) {
  return inFull ? fmt::format("{}", fmt::join(kernels, ", "))
                : fmt::format("{}", fmt::join(shortKernelNames(kernels), ", "));
}

bool isFormatKey(std::string_view key) {
  return key.starts_with("precision.");
}

/// Other formats take other kernels: that says nothing. Formats that are not known may be others.
bool haveSameFormats(const report::EffectiveKeys& a, const report::EffectiveKeys& b) {
  return !a.empty() && std::ranges::all_of(a, [&](const auto& entry) {
    return !isFormatKey(entry.first) || entry.second.value == report::valueIn(b, entry.first);
  });
}

KernelChange changeBetween(const RuleInput& input, const Run& reference, const Run& run) {
  KernelChange change;
  bool isExact = true;
  for (const report::Comparison& row : run.comparisons) {
    const auto before = reference.kernels.of(row.site.pass, row.site.name);
    const auto after = run.kernels.of(row.site.pass, row.site.name);
    if (!before.empty() && !after.empty() && before != after) {
      ++change.count;
      if (change.first == nullptr) {
        const bool inFull = words(before, false) == words(after, false);
        change.first = &row;
        change.before = words(before, inFull);
        change.after = words(after, inFull);
        change.makesTheFirstError = isExact && input.difference(row) > 0;
      }
    }
    isExact = isExact && input.difference(row) == 0;
  }
  return change;
}

Finding findingOf(const FoundInRuns<KernelChange>& found) {
  const KernelChange& change = found.first();
  Finding finding;
  finding.severity =
      change.makesTheFirstError ? report::FindingSeverity::Look : report::FindingSeverity::Note;
  finding.sites = {change.first->site};
  finding.title = {change.makesTheFirstError
                       ? ULP_TR_NOOP("Errors start at %2, where another kernel ran (%1)")
                       : ULP_TR_NOOP("Another kernel ran at %2 (%1)"),
                   {found.names(), placeText(change.first->site)}};
  finding.explanation = {
      ULP_TR_NOOP("The formats are those of the reference, but another kernel adds up in another "
                  "order, or rounds elsewhere. In the reference ran %1, here %2. Other kernels ran "
                  "for %3 tensors."),
      {change.before, change.after, found.numbers(&KernelChange::count)}};
  found.tell(finding, ULP_TR_NOOP("tensors with other kernels"), &KernelChange::count);
  return finding;
}

std::vector<Finding> findKernelChanges(const RuleInput& input) {
  std::vector<std::pair<std::string, KernelChange>> all;
  for (const Run* run : input.variants()) {
    const Run* reference = input.report().referenceOf(*run);
    if (reference != nullptr && !reference->kernels.isEmpty() &&
        haveSameFormats(input.effective(reference->name), input.effective(run->name))) {
      KernelChange change = changeBetween(input, *reference, *run);
      if (change.first != nullptr) {
        all.emplace_back(run->name, std::move(change));
      }
    }
  }
  return mergedFindings(
      all,
      [](const KernelChange& change) {
        return std::tuple(
            change.first->site, change.before, change.after, change.makesTheFirstError);
      },
      [](const FoundInRuns<KernelChange>& found) { return findingOf(found); });
}

}  // namespace

void registerKernelChange(FindingRuleRegistry& registry) {
  registry.add({.id = "kernel_change",
                .title = ULP_TR_NOOP("Another kernel"),
                .order = 45,
                .isForDumps = false,
                .find = findKernelChanges});
}

}  // namespace ulp::analysis
