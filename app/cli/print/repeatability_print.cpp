#include "app/cli/print/repeatability_print.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <string_view>

#include "core/base/text/format_number.h"
#include "core/comparing/verdict/dump_findings.h"

namespace ulp::cli {
namespace {

using analysis::CulpritKind;
using analysis::FirstDifference;
using analysis::Repeatability;
using analysis::Suspect;

std::string amountOf(const FirstDifference& first) {
  return std::isfinite(first.error) && first.error > 0
             ? fmt::format("differs by {} %", formatPercent(first.error))
             : "differs";
}

void writeSuspect(json::Writer& json, const Suspect& suspect) {
  json.beginObject();
  json.field("operation", std::string_view(suspect.title));
  json.field("nearest", std::string_view(suspect.name));
  json.field("distance", static_cast<std::uint64_t>(suspect.distance));
  json.field("calls", static_cast<std::uint64_t>(suspect.calls));
  json.field("cleared", suspect.isCleared);
  json.field("when", std::string_view(suspect.when));
  json.field("remedy", std::string_view(suspect.remedy));
  json.endObject();
}

}  // namespace

std::string repeatabilityText(const analysis::UnitOutcome& unit, std::size_t longest) {
  const Repeatability& repeatability = unit.repeatability;
  if (!repeatability.isRepeat || !repeatability.first) {
    return "";
  }
  const FirstDifference& first = *repeatability.first;
  if (first.kind == CulpritKind::Source && !unit.verdict.culprits.empty()) {
    return "";
  }
  std::string text = fmt::format(
      "Both sides ran the same calls. The first tensor that differs; {} before it {} "
      "equal:\n  {} {}\n",
      first.equalBefore,
      first.equalBefore == 1 ? "is" : "are",
      first.rowName,
      amountOf(first));
  if (first.kind == CulpritKind::Source) {
    return text + "  nothing recorded has made it: the runs were given different numbers\n";
  }
  const auto& suspects = repeatability.suspects;
  if (suspects.empty()) {
    return text +
           "  no operation that is known to be non-deterministic ran at it or before; look for "
           "memory that nobody wrote, streams that do not wait, and kernels of your own\n";
  }
  text += "  known to be non-deterministic, at it or before, nearest first:\n";
  for (const Suspect& suspect : std::span(suspects).first(std::min(longest, suspects.size()))) {
    text += fmt::format("    {}\n", describe(suspect));
  }
  if (suspects.size() > longest) {
    text += fmt::format("    … and {} more\n", suspects.size() - longest);
  }
  return text;
}

void writeRepeatability(json::Writer& json, const Repeatability& repeatability) {
  json.field("repeated", repeatability.isRepeat);
  json.key("first_difference");
  if (!repeatability.first) {
    json.null();
  } else {
    const FirstDifference& first = *repeatability.first;
    json.beginObject();
    json.field("entry", std::string_view(first.name));
    json.field("row", std::string_view(first.rowName));
    json.field("module", std::string_view(first.site.module));
    json.field("pass", toString(first.site.pass));
    json.field("kind", toString(first.kind));
    json.field("error", first.error);
    json.field("equal_before", static_cast<std::uint64_t>(first.equalBefore));
    json.endObject();
  }
  json.key("suspects");
  json.beginArray();
  for (const Suspect& suspect : repeatability.suspects) {
    writeSuspect(json, suspect);
  }
  json.endArray();
}

}  // namespace ulp::cli
