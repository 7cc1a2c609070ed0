#include <algorithm>
#include <tuple>

#include "core/analysis/findings/finding_rule.h"
#include "core/base/list_of.h"

namespace ulp::analysis {

namespace {

using report::Finding;
using report::Run;

/// The attentions of a run that another kernel computed than in the reference.
struct OtherKernels {
  std::string module;  ///< the first
  std::string reference;
  std::string variant;
  std::size_t modules = 0;
};

OtherKernels otherKernels(const Run& reference, const Run& run) {
  OtherKernels found;
  for (const auto& [module, kernel] : run.attentionKernels) {
    const auto before = reference.attentionKernels.find(module);
    if (before == reference.attentionKernels.end() || before->second == kernel) {
      continue;
    }
    if (found.modules == 0) {
      found = {module, before->second, kernel};
    }
    ++found.modules;
  }
  return found;
}

std::vector<Site> placeOf(const Run& run, const std::string& module) {
  const report::Comparison* row = forwardRow(run, module);
  return row == nullptr ? std::vector<Site>() : std::vector<Site>{row->site};
}

Finding differenceOf(const Run& firstRun, const FoundInRuns<OtherKernels>& found) {
  const OtherKernels& first = found.first();
  Finding finding;
  finding.severity = report::FindingSeverity::Note;
  finding.sites = placeOf(firstRun, first.module);
  finding.title = {ULP_TR_NOOP("%1: attention ran in the kernel %2, in the reference in %3"),
                   {found.names(), first.variant, first.reference}};
  finding.explanation = {
      ULP_TR_NOOP("Kernels add up and round in an order of their own, so part of the error of "
                  "these layers does not come from the formats. Set attention.implementation of "
                  "both runs to the same kernel to be rid of it."),
      {}};
  found.tell(finding, ULP_TR_NOOP("attention layers"), &OtherKernels::modules);
  return finding;
}

bool multipliesInTf32(const RuleInput& input, const Run& run) {
  return input.effective(run.name, "precision.compute_dtype") == "float32" &&
         std::ranges::any_of(run.attentionKernels, [](const auto& attention) {
           return attention.second.find("efficient") != std::string::npos;
         });
}

std::vector<Finding> findTf32(const RuleInput& input) {
  std::vector<std::string> names;
  Finding finding;
  finding.severity = report::FindingSeverity::Note;
  for (const Run& run : input.report().runs) {
    if (!multipliesInTf32(input, run)) {
      continue;
    }
    names.push_back(run.name);
    if (run.name == input.report().reference) {
      // All are compared with it.
      finding.severity = report::FindingSeverity::Look;
      finding.runs = listOf(input.variants(), &Run::name);
    } else if (finding.severity == report::FindingSeverity::Note) {
      finding.runs.push_back(run.name);
    }
  }
  if (names.empty()) {
    return {};
  }
  finding.title = {ULP_TR_NOOP("The attention of %1 does not multiply in float32"),
                   {namesText(names)}};
  finding.explanation = {
      ULP_TR_NOOP(
          "The memory-efficient kernel makes each product of float32 of three products of TF32 on "
          "GPUs since Ampere. With attention.implementation: sdpa_math it is one of float32."),
      {}};
  return {finding};
}

std::vector<Finding> findAttentionKernels(const RuleInput& input) {
  std::vector<Finding> findings = findTf32(input);
  std::vector<std::pair<std::string, OtherKernels>> all;
  for (const Run* run : input.variants()) {
    const Run* reference = input.report().referenceOf(*run);
    const OtherKernels found =
        reference == nullptr ? OtherKernels{} : otherKernels(*reference, *run);
    if (found.modules > 0 && run->role == report::RunRole::Variant) {
      all.emplace_back(run->name, found);
    }
  }
  const auto differences = mergedFindings(
      all,
      [](const OtherKernels& item) {
        return std::tuple(item.module, item.reference, item.variant);
      },
      [&](const FoundInRuns<OtherKernels>& found) {
        return differenceOf(*input.report().findRun(found.runs().front()), found);
      });
  findings.insert(findings.end(), differences.begin(), differences.end());
  return findings;
}

}  // namespace

void registerAttentionKernels(FindingRuleRegistry& registry) {
  registry.add({.id = "attention_kernels",
                .title = ULP_TR_NOOP("Attention kernels"),
                .order = 68,
                .isForDumps = false,
                .find = findAttentionKernels});
}

}  // namespace ulp::analysis
