#include "core/analysis/verdict/run_help.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "core/analysis/verdict/verdict_words.h"
#include "core/report/summary/summary.h"

namespace ulp::analysis {
namespace {

using report::Run;

/// A setting that leaves more than this part of the final error is not told to help.
constexpr double kHelps = 0.95;

/// The summary's columns of the errors that the passes end with: of logits, else of the final norm,
/// and of the first layer's gradient, where there is an error.
std::vector<std::size_t> finalColumns(const LeverTable& table, std::size_t variant) {
  const auto& columns = report::summaryColumns();
  std::vector<std::size_t> found;
  for (const std::string_view id : {"forward.logits", "forward.norm", "backward.decoder.0"}) {
    const auto column = std::ranges::find(columns, id, &report::SummaryColumn::id);
    const auto place = static_cast<std::size_t>(column - columns.begin());
    const bool isInstead = id == "forward.norm" && !found.empty();
    if (column == columns.end() || isInstead) {
      continue;
    }
    const report::SummaryCell& error = table.errors[variant][place];
    if (error.value > 0 || error.nonFinite > 0) {
      found.push_back(place);
    }
  }
  return found;
}

/// A variant that differs from another in one lever alone.
struct OneChange {
  const LeverMove* move = nullptr;
  std::size_t other = 0;  ///< in LeverTable::variants
  int value = 0;          ///< that the other has, in Lever::values
};

std::vector<OneChange> changesFrom(const LeverTable& table, std::size_t variant) {
  std::vector<OneChange> changes;
  for (const LeverMove& move : table.moves) {
    for (const auto& [from, to] : move.pairs) {
      if (from == variant) {
        changes.push_back({&move, to, move.to});
      } else if (to == variant) {
        changes.push_back({&move, from, move.from});
      }
    }
  }
  return changes;
}

/// Whether an error is told to be lower than `own`: fewer elements are not finite, or as many and
/// the error of the others is lower.
bool helps(const report::SummaryCell& own, const report::SummaryCell& other) {
  return other.nonFinite < own.nonFinite ||
         (other.nonFinite == own.nonFinite && own.value > 0 && other.value <= kHelps * own.value);
}

bool isLess(const report::SummaryCell& a, const report::SummaryCell& b) {
  return a.nonFinite != b.nonFinite ? a.nonFinite < b.nonFinite
                                    : a.value <= b.value || std::isnan(b.value);
}

/// "residual_dtype", but "gradient.scale": what is about precision goes without saying.
std::string shortKey(std::string_view key) {
  constexpr std::string_view kPrecision = "precision.";
  return std::string(key.starts_with(kPrecision) ? key.substr(kPrecision.size()) : key);
}

/// The change that lowers the error of a column most; null: none does.
const OneChange* bestChange(const LeverTable& table,
                            const std::vector<OneChange>& changes,
                            const report::SummaryCell& own,
                            std::size_t column) {
  const auto errorOf = [&](const OneChange& change) -> const report::SummaryCell& {
    return table.errors[change.other][column];
  };
  const OneChange* best = nullptr;
  for (const OneChange& change : changes) {
    if (helps(own, errorOf(change)) &&
        (best == nullptr || isLess(errorOf(change), errorOf(*best)))) {
      best = &change;
    }
  }
  return best;
}

/// What becomes of `own` by a change that helps.
VerdictPart helpText(const report::SummaryCell& own, const report::SummaryCell& other) {
  // Of logits and the final norm it goes without saying.
  const Sentence place = own.site.pass == Pass::Forward
                             ? Sentence("")
                             : Sentence{ULP_TR_NOOP(" at %1"), {shortPlace(own.site)}};
  if (other.nonFinite < own.nonFinite) {
    VerdictPart part{
        .text = {other.nonFinite == 0 ? ULP_TR_NOOP("%1: %2 (nothing but finite%3)")
                                      : ULP_TR_NOOP("%1: %2 (not finite%3: %4, was %5)"),
                 {place}},
        .numbers = {{ULP_TR_NOOP("not finite before"), static_cast<double>(own.nonFinite)},
                    {ULP_TR_NOOP("not finite after"), static_cast<double>(other.nonFinite)}}};
    if (other.nonFinite > 0) {
      part.text.arguments.emplace_back(std::to_string(other.nonFinite));
      part.text.arguments.emplace_back(std::to_string(own.nonFinite));
    }
    return part;
  }
  const double factor = other.value / own.value;
  return {.text = {ULP_TR_NOOP("%1: %2 (%3%4)"), {foldText(factor), place}},
          .numbers = {{ULP_TR_NOOP("error before"), own.value, true},
                      {ULP_TR_NOOP("error after"), other.value, true},
                      {"factor", factor}}};
}

}  // namespace

VerdictPart helpOf(const LeverTable& table, const Run& run) {
  const auto found = std::ranges::find(table.variants, run.name);
  if (found == table.variants.end() || !table.isRatio) {
    return {};
  }
  const auto variant = static_cast<std::size_t>(found - table.variants.begin());
  const std::vector<std::size_t> columns = finalColumns(table, variant);
  const std::vector<OneChange> changes = changesFrom(table, variant);
  if (columns.empty() || changes.empty()) {
    return {};
  }
  for (const std::size_t column : columns) {
    const report::SummaryCell& own = table.errors[variant][column];
    const OneChange* best = bestChange(table, changes, own, column);
    if (best == nullptr) {
      continue;
    }
    const Lever& lever = table.levers[best->move->lever];
    VerdictPart part = helpText(own, table.errors[best->other][column]);
    part.text.arguments.insert(
        part.text.arguments.begin(),
        {shortKey(lever.key), lever.values[static_cast<std::size_t>(best->value)]});
    part.site = own.site;
    part.proof = "lever_effect";
    part.otherRun = table.variants[best->other];
    return part;
  }
  return {.text = {ULP_TR_NOOP("nothing that was tried"), {}}};
}

}  // namespace ulp::analysis
