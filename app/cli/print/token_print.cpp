#include "app/cli/print/token_print.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "app/cli/print/call_print.h"
#include "core/comparing/verdict/dump_findings.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/text_table.h"

namespace ulp::cli {
namespace {

using analysis::DumpComparison;
using analysis::TokenOutcome;
using analysis::TokenPlace;

const TokenOutcome& tokenAt(const DumpComparison& comparison, const TokenPlace& place) {
  return comparison.units[place.unit].tokens[place.token];
}

std::string verdictOf(const TokenOutcome& token) {
  if (!token.isFinite) {
    return "not finite";
  }
  std::string verdict = token.isOff() ? "fails" : "within rounding";
  return token.isChoiceChanged() ? verdict + ", other choice" : verdict;
}

/// Those that fail and what surrounds the first of them; the rest is counted.
std::vector<TokenPlace> shownOf(const DumpComparison& comparison, std::size_t longest) {
  std::vector<TokenPlace> places = tokensInOrder(comparison.units);
  if (longest > 0 && places.size() > longest) {
    std::stable_partition(places.begin(), places.end(), [&](const TokenPlace& place) {
      const TokenOutcome& token = tokenAt(comparison, place);
      return token.isOff() || token.isChoiceChanged();
    });
    places.resize(longest);
  }
  return places;
}

report::DataTable tableOf(const DumpComparison& comparison, const std::vector<TokenPlace>& places) {
  report::DataTable table{.title = "Tokens",
                          .columns = report::columnsOf("token; KL; accounted for; cosine; choice; "
                                                       "chosen by B; verdict; msit")};
  for (const TokenPlace& place : places) {
    const TokenOutcome& token = tokenAt(comparison, place);
    const auto choice = [&](std::size_t id) {
      return token.isFinite ? report::DataCell(std::to_string(id)) : report::DataCell();
    };
    table.rows.push_back({describe(comparison.units[place.unit], token),
                          report::numberCell(token.kl, !token.isFinite),
                          report::numberCell(token.allowedKl),
                          report::numberCell(token.cosine, !token.isFinite),
                          choice(token.baselineChoice),
                          choice(token.candidateChoice),
                          verdictOf(token),
                          std::string(token.failsMsit() ? "fails" : "passes")});
  }
  return table;
}

void writeToken(json::Writer& json, const DumpComparison& comparison, TokenPlace place) {
  const TokenOutcome& token = tokenAt(comparison, place);
  json.field("unit", comparison.units[place.unit].label);
  json.field("sequence", token.sequence);
  json.field("token", token.token);
  json.field("position", token.position);
  json.field("row", token.rowName);
  json.field("kl", token.kl);
  json.field("allowed_kl", token.allowedKl);
  json.field("cosine", token.cosine);
  json.field("baseline_choice", token.baselineChoice);
  json.field("candidate_choice", token.candidateChoice);
  json.field("margin", token.margin);
  json.field("finite", token.isFinite);
  json.field("fails", token.isOff());
  json.field("fails_msit", token.failsMsit());
}

/// The call that the answer names, where it is not the culprit of the unit, which is told above.
std::string ownCulpritText(const DumpComparison& comparison, std::size_t longest) {
  const auto first = firstTokenOff(comparison.units);
  std::string text;
  if (!first) {
    return text;
  }
  const auto& origin = comparison.units[first->unit].tokenOrigin;
  if (origin && !origin->verdict.culprits.empty()) {
    const analysis::Culprit& culprit = origin->verdict.culprits.front();
    text += fmt::format("  {}\n", culprit.name);
    appendCulpritDetails(text, culprit, longest);
    if (origin->wholeTensors > 0) {
      text += fmt::format("    tensors that differ and are not taken apart by position: {}\n",
                          origin->wholeTensors);
    }
  }
  return text;
}

void writeOrigin(json::Writer& json, const analysis::UnitOutcome& unit) {
  const analysis::TokenOrigin& origin = *unit.tokenOrigin;
  json.field("unit", unit.label);
  json.field("row", unit.tokens[origin.token].rowName);
  json.field("token", unit.tokens[origin.token].token);
  json.field("layout", origin.layout.text());
  json.field("sample", origin.index.sample);
  json.field("position", origin.index.position);
  json.field("starts_at_position", origin.position);
  json.objects("through", origin.hops, [&](const analysis::TokenHop& hop) {
    json.field("position", hop.position);
    json.field("entry", hop.name);
    json.field("row", hop.rowName);
    json.field("error", hop.error);
  });
  json.field("whole_tensors", origin.wholeTensors);
  json.field("of_unit_because", origin.notOwn);
  writeCulprits(json, origin.verdict.culprits);
}

}  // namespace

std::string tokensText(const DumpComparison& comparison, std::size_t longest) {
  const std::vector<TokenPlace> all = tokensInOrder(comparison.units);
  if (all.empty()) {
    return "";
  }
  const std::vector<TokenPlace> shown = shownOf(comparison, longest);
  const auto agreeing = std::ranges::count_if(all, [&](const TokenPlace& place) {
    const TokenOutcome& token = tokenAt(comparison, place);
    return token.isFinite && !token.isChoiceChanged();
  });
  std::string text;
  report::appendAlignedTable(text, report::formatTable(tableOf(comparison, shown)));
  if (shown.size() < all.size()) {
    text += fmt::format("… and {} more\n", all.size() - shown.size());
  }
  text += fmt::format(
      "{} of {} tokens choose the same.\n{}\n", agreeing, all.size(), tokenAnswer(comparison));
  return text + ownCulpritText(comparison, longest);
}

void writeTokens(json::Writer& json, const DumpComparison& comparison) {
  const auto write = [&](const TokenPlace& place) { writeToken(json, comparison, place); };
  json.newLine(1);
  json.field("tokens", [&] {
    json.field("answer", tokenAnswer(comparison));
    json.objects("tokens", tokensInOrder(comparison.units), write, {.items = 3});
    json.list("origins", comparison.units, [&](const analysis::UnitOutcome& unit) {
      if (unit.tokenOrigin) {
        json.newLine(3);
        json.value([&] { writeOrigin(json, unit); });
      }
    });
  });
}

}  // namespace ulp::cli
