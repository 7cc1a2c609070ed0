#include <fmt/format.h>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/analysis/checks/check_format.h"
#include "core/base/site.h"
#include "core/json/dump.h"
#include "core/json/value.h"

namespace ulp::analysis {
namespace {

/// What is asked of every run, as the name of a rule.
const std::string kFinishes = "every run finishes";

json::Object sarifText(const std::string& text) {
  return {{"text", text}};
}

json::Object fileOf(const Check& check) {
  return {{"physicalLocation",
           json::Object{{"artifactLocation", json::Object{{"uri", check.subject}}}}}};
}

/// `state`: beside the baseline; empty where there is none.
json::Object sarifResult(const Check& check, const CheckedRow& row, std::string_view state) {
  const std::string place =
      fmt::format("{}/{}/{}", row.run, toString(row.site.pass), row.site.name);
  json::Object location = fileOf(check);
  location["logicalLocations"] =
      json::Array{json::Object{{"name", row.site.name}, {"fullyQualifiedName", place}}};
  json::Object result{{"ruleId", row.rule},
                      {"level", row.judgement == Judgement::Failed ? "error" : "warning"},
                      {"message", sarifText(fmt::format("{}: {}", placeText(row), row.reason))},
                      {"locations", json::Array{std::move(location)}},
                      {"partialFingerprints",
                       json::Object{{"tensorAndRule/v1", fmt::format("{}: {}", place, row.rule)}}}};
  if (!state.empty()) {
    result["baselineState"] = std::string(state);
  }
  return result;
}

/// SARIF 2.1.0 (OASIS): a result for each run that did not finish, each row that breaks a rule, and
/// each rule that is about nothing.
std::string sarif(const Check& check) {
  json::Array results;
  std::set<std::string> rules;
  const bool hasBaseline = !check.baseline.empty();
  const auto add = [&](const CheckedRow& row, std::string_view state) {
    rules.insert(row.rule);
    results.push_back(sarifResult(check, row, hasBaseline ? state : ""));
  };
  for (const UnfinishedRun& unfinished : check.unfinished) {
    rules.insert(kFinishes);
    results.push_back(json::Object{
        {"ruleId", kFinishes},
        {"level", "error"},
        {"message", sarifText(fmt::format("{}: {}", unfinished.run, unfinished.reason))},
        {"locations", json::Array{fileOf(check)}}});
  }
  for (const CheckedRow& row : check.rows) {
    if (row.judgement == Judgement::Failed || row.judgement == Judgement::Warned) {
      add(row, row.isKnown ? "unchanged" : "new");
    }
  }
  for (const CheckedRow& row : check.fixed) {
    add(row, "absent");
  }
  for (const IdleRule& idle : check.idle) {
    rules.insert(idle.rule);
    results.push_back(
        json::Object{{"ruleId", idle.rule},
                     {"level", idle.fails ? "error" : "note"},
                     {"message", sarifText(fmt::format("{}: {}", idle.rule, kNothingToAsk))},
                     {"locations", json::Array{fileOf(check)}}});
  }
  json::Array descriptors;
  for (const std::string& rule : rules) {
    descriptors.push_back(json::Object{{"id", rule}, {"shortDescription", sarifText(rule)}});
  }
  const json::Object driver{{"name", "Ulpscope"}, {"rules", std::move(descriptors)}};
  const json::Object run{{"tool", json::Object{{"driver", driver}}},
                         {"results", std::move(results)}};
  return json::dump(json::Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                                 {"version", "2.1.0"},
                                 {"runs", json::Array{run}}}) +
         "\n";
}

}  // namespace

void registerSarif(CheckFormatRegistry& registry) {
  registry.add({.id = "sarif", .extension = ".sarif", .write = sarif});
}

}  // namespace ulp::analysis
