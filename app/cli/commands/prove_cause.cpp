#include "app/cli/commands/prove_cause.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <limits>
#include <ostream>
#include <utility>

#include "app/cli/print/diverge_print.h"
#include "core/report/tables/text_table.h"
#include "core/study/reading/study.h"

namespace ulp::cli {
namespace {

using analysis::Counterfactual;
using analysis::CounterfactualStudy;

double shareAt(const report::Report& report,
               const report::Run& run,
               std::string_view site,
               Pass pass) {
  const report::Comparison* row = findRow(run, site, pass);
  return row == nullptr ? std::numeric_limits<double>::quiet_NaN()
                        : metricOf(report, *row, "equal_fraction");
}

Result<Verdict> judge(const report::Report& report,
                      const Counterfactual& counterfactual,
                      const Site& first) {
  const report::Run* run = report.findRun(counterfactual.name);
  if (run == nullptr) {
    return fail(ErrorCode::Internal,
                fmt::format("the counterfactual study has no run '{}'", counterfactual.name));
  }
  const auto divergence = ULP_TRY(analysis::exactDivergence(report, *run));
  return Verdict{.name = counterfactual.name,
                 .cause = counterfactual.cause,
                 .change = counterfactual.change,
                 .isWhole = counterfactual.isWhole,
                 .siteShare = shareAt(report, *run, first.name, first.pass),
                 .logitsShare = shareAt(report, *run, "logits", Pass::Forward),
                 .equal = divergence.equal(),
                 .tensors = divergence.tensors()};
}

bool isSampled(const report::Run& run, const Site& site) {
  const report::Comparison* row = findRow(run, site.name, site.pass);
  return row != nullptr && isOfSamples(*row);
}

/// The runs that are to be explained, again: anything else would explain other numbers.
Result<> checkControl(const RunPair& pair,
                      const report::Report& report,
                      const Verdict& control,
                      const Site& first) {
  const report::Provenance& now = report.provenance;
  const report::Provenance& then = pair.baseline.loaded.report->provenance;
  if (now.weightsDigest != then.weightsDigest || now.tokenDigest != then.tokenDigest) {
    return fail(ErrorCode::InvalidArgument,
                "the model or the input is not what the runs were made of: their digests differ");
  }
  const double before = shareAt(*pair.report, *pair.rows, first.name, first.pass);
  // Shares of samples need not be those of whole tensors.
  const bool isRepeated =
      isSampled(*pair.rows, first) ? control.siteShare < 1 : control.siteShare == before;
  if (!isRepeated) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: {} of the elements were equal, and {} are when both runs are "
                            "repeated; another machine, version, device or number of threads made "
                            "them, so nothing is proved",
                            first.name,
                            equalShare(before),
                            equalShare(control.siteShare)));
  }
  return {};
}

Result<Proof> judgeAll(const RunPair& pair,
                       const CounterfactualStudy& plan,
                       const report::Report& report,
                       const Site& first) {
  Proof proof{.site = first.name, .baseline = plan.baseline, .candidate = plan.candidate};
  proof.control =
      ULP_TRY(judge(report, {std::string(analysis::kUnchangedRun), "", "nothing", {}}, first));
  ULP_TRY(checkControl(pair, report, proof.control, first));
  for (const Counterfactual& one : plan.counterfactuals) {
    auto verdict = ULP_TRY(judge(report, one, first));
    proof.verdicts.push_back(std::move(verdict));
  }
  return proof;
}

Result<CounterfactualStudy> plan(const RunPair& pair, const Site& first, RunArguments& arguments) {
  auto plan =
      ULP_TRY(analysis::planCounterfactuals({*pair.baseline.loaded.report, pair.baseline.run},
                                            {*pair.candidate.loaded.report, pair.candidate.run},
                                            first.module,
                                            arguments.options.outputDir));
  auto study = ULP_TRY(study::parseStudy(plan.yaml, "counterfactual study", arguments.sets));
  arguments.inMemory = std::move(study);
  return plan;
}

void addRow(report::TextTable& table, const Verdict& verdict) {
  table.rows.push_back({verdict.change,
                        equalShare(verdict.siteShare),
                        std::isnan(verdict.logitsShare) ? "–" : equalShare(verdict.logitsShare),
                        fmt::format("{} of {}", verdict.equal, verdict.tensors),
                        verdict.isWhole ? "leaves no difference of settings" : ""});
}

const Verdict& bestOf(const std::vector<Verdict>& verdicts) {
  return *std::ranges::max_element(verdicts, {}, [](const Verdict& verdict) {
    return std::pair(verdict.logitsShare, verdict.equal);
  });
}

void printCause(std::ostream& out, const Proof& proof, const Verdict& cause) {
  fmt::print(out, "cause: {}\n", cause.cause);
  fmt::print(out,
             "With {} alone every logit{} is bit-equal to {} (proved by run '{}').\n",
             cause.change,
             cause.isEqual() ? fmt::format(", and every element of all {} tensors,", cause.tensors)
                             : std::string(),
             proof.baseline,
             cause.name);
  if (!cause.isEqual()) {
    fmt::print(
        out, "{} of {} tensors differ all the same.\n", cause.tensors - cause.equal, cause.tensors);
  }
}

/// What is known where no change makes the logits equal.
void printBest(std::ostream& out, const Proof& proof) {
  const auto atSite = std::ranges::find(proof.verdicts, 1.0, &Verdict::siteShare);
  if (atSite != proof.verdicts.end()) {
    fmt::print(out,
               "cause of the first difference: {}. With {} alone {} is bit-equal to {} (proved by "
               "run '{}').\n",
               atSite->cause,
               atSite->change,
               proof.site,
               proof.baseline,
               atSite->name);
  }
  const Verdict& best = bestOf(proof.verdicts);
  fmt::print(out,
             "No single change makes all logits equal; most of them are with {} ({}).\n",
             best.change,
             equalShare(best.logitsShare));
}

void writeVerdict(json::Writer& json, const Verdict& verdict) {
  json.field("run", verdict.name);
  json.field("cause", verdict.cause);
  json.field("change", verdict.change);
  json.field("leaves_no_difference", verdict.isWhole);
  json.field("first_site_equal", verdict.siteShare);
  json.field("logits_equal", verdict.logitsShare);
  json.field("equal", verdict.equal);
  json.field("tensors", verdict.tensors);
}

}  // namespace

const Verdict* causeOf(const Proof& proof) {
  const Verdict* cause = nullptr;
  for (const Verdict& verdict : proof.verdicts) {
    if (verdict.logitsShare != 1) {
      continue;
    }
    const auto rank = [](const Verdict& v) { return std::pair(!v.isWhole, v.equal); };
    if (cause == nullptr || rank(*cause) < rank(verdict)) {
      cause = &verdict;
    }
  }
  return cause;
}

Result<Proof> proveCause(const RunPair& pair,
                         const analysis::ExactDivergence& divergence,
                         RunArguments arguments,
                         const CommandContext& context) {
  const Site first = pair.rows->comparisons[*divergence.first].site;
  const auto planned = ULP_TRY(plan(pair, first, arguments));
  const auto study = ULP_TRY(runStudyQuietly(arguments, context));
  auto proof = ULP_TRY(judgeAll(pair, planned, *study.report, first));
  proof.report = study.reportFile.string();
  return proof;
}

void printProof(std::ostream& out, const Proof& proof) {
  report::TextTable table{fmt::format("{} once more, with one change at a time", proof.candidate),
                          {{"changed"},
                           {fmt::format("{} equal", proof.site), true},
                           {"logits equal", true},
                           {"tensors equal", true},
                           {""}},
                          {}};
  addRow(table, proof.control);
  for (const Verdict& verdict : proof.verdicts) {
    addRow(table, verdict);
  }
  std::string text;
  report::appendAlignedTable(text, table);
  out << text << '\n';
  if (const Verdict* cause = causeOf(proof)) {
    printCause(out, proof, *cause);
  } else {
    printBest(out, proof);
  }
  fmt::print(out, "Report: {}\n", proof.report);
}

void writeProof(json::Writer& json, const Proof& proof) {
  const auto write = [&](const Verdict& verdict) { writeVerdict(json, verdict); };
  json.newLine(1);
  json.field("proof", [&] {
    json.field("baseline", proof.baseline);
    json.field("candidate", proof.candidate);
    json.field("report", proof.report);
    const Verdict* cause = causeOf(proof);
    json.field("cause", cause == nullptr ? std::nullopt : std::optional(cause->name));
    json.key("control");
    json.newLine(2);
    json.value([&] { write(proof.control); });
    json.objects("counterfactuals", proof.verdicts, write, {.items = 2});
  });
}

}  // namespace ulp::cli
