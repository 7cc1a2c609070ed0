#include "app/cli/commands/prove_cause.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <ostream>
#include <utility>

#include "core/remote/fetching/fetched_files.h"
#include "core/report/model/finding.h"
#include "core/report/tables/text_table.h"
#include "core/study/reading/study.h"

namespace ulp::cli {
namespace {

using analysis::CounterfactualVerdict;
using analysis::equalShareText;
using analysis::Proof;

/// Where the runs differ first in the logits, one column is both.
bool areLogitsFirst(const Proof& proof) {
  return proof.site == "logits";
}

void addRow(report::TextTable& table, const Proof& proof, const CounterfactualVerdict& verdict) {
  std::vector<std::string> row{
      verdict.change.text(),
      std::isnan(verdict.logitsShare) ? "–" : equalShareText(verdict.logitsShare),
      fmt::format("{} of {}", verdict.equal, verdict.tensors),
      verdict.isWhole ? "leaves no difference of settings" : ""};
  if (!areLogitsFirst(proof)) {
    row.insert(row.begin() + 1, equalShareText(verdict.siteShare));
  }
  table.rows.push_back(std::move(row));
}

void writeVerdict(json::Writer& json, const CounterfactualVerdict& verdict) {
  json.field("run", verdict.name);
  json.field("cause", verdict.cause.text());
  json.field("change", verdict.change.text());
  json.field("leaves_no_difference", verdict.isWhole);
  json.field("first_site_equal", verdict.siteShare);
  json.field("logits_equal", verdict.logitsShare);
  json.field("equal", verdict.equal);
  json.field("tensors", verdict.tensors);
}

}  // namespace

Result<Proof> proveCause(const analysis::RunPair& pair,
                         const analysis::RunDifference& difference,
                         RunArguments arguments,
                         const CommandContext& context) {
  if (!remote::placeOnHost(arguments.options.outputDir).empty()) {
    return fail(
        ErrorCode::InvalidArgument,
        "--prove: the runs are made on this machine, and the run to prove is on another one; "
        "name a folder here with --output, and the model with --set model.path=PATH");
  }
  const Site first = pair.rows->comparisons[*difference.divergence.first].site;
  const auto plan = ULP_TRY(analysis::planProof(pair, first, arguments.options.outputDir));
  auto study = ULP_TRY(study::parseStudy(plan.yaml, "counterfactual study", arguments.sets));
  arguments.inMemory = std::move(study);
  const auto finished = ULP_TRY(runStudyQuietly(arguments, context));
  auto proof = ULP_TRY(analysis::judgeProof(pair, plan, *finished.report, first));
  proof.report = finished.reportFile.string();
  return proof;
}

void printProof(std::ostream& out, const Proof& proof) {
  report::TextTable table{fmt::format("{} once more, with one change at a time", proof.candidate),
                          {{"changed"}, {"logits equal", true}, {"tensors equal", true}, {""}},
                          {}};
  if (!areLogitsFirst(proof)) {
    table.columns.insert(table.columns.begin() + 1, {fmt::format("{} equal", proof.site), true});
  }
  addRow(table, proof, proof.control);
  for (const CounterfactualVerdict& verdict : proof.verdicts) {
    addRow(table, proof, verdict);
  }
  std::string text;
  report::appendAlignedTable(text, table);
  out << text << '\n';
  for (const report::Sentence& sentence : analysis::proofSentences(proof)) {
    out << sentence.text() << '\n';
  }
  fmt::print(out, "Report: {}\n", proof.report);
}

void writeProof(json::Writer& json, const Proof& proof) {
  const auto write = [&](const CounterfactualVerdict& verdict) { writeVerdict(json, verdict); };
  json.newLine(1);
  json.field("proof", [&] {
    json.field("baseline", proof.baseline);
    json.field("candidate", proof.candidate);
    json.field("report", proof.report);
    const CounterfactualVerdict* cause = analysis::causeOf(proof);
    json.field("cause", cause == nullptr ? std::nullopt : std::optional(cause->name));
    json.key("control");
    json.newLine(2);
    json.value([&] { write(proof.control); });
    json.objects("counterfactuals", proof.verdicts, write, {.items = 2});
  });
}

}  // namespace ulp::cli
