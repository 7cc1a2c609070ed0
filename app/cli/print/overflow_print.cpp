#include "app/cli/print/overflow_print.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <span>

#include "app/cli/print/call_print.h"
#include "core/json/writer.h"

namespace ulp::cli {
namespace {

using analysis::OverflowOrigin;

/// Calls that are named of an origin but the first: after a step that diverged most calls carry on
/// most origins.
constexpr std::size_t kCarriersOfFurther = 16;

std::string carriedOn(std::span<const std::string> carriers, std::size_t longest) {
  const auto shown = carriers.first(std::min(longest, carriers.size()));
  return fmt::format("{} call{}: {}{}",
                     carriers.size(),
                     carriers.size() == 1 ? "" : "s",
                     fmt::join(shown, ", "),
                     carriers.size() > longest ? ", …" : "");
}

void appendOrigin(std::string& text,
                  const OverflowOrigin& origin,
                  std::span<const std::string> carriers,
                  std::size_t longest) {
  text += fmt::format("  {}: {}\n", origin.name, origin.reason.text());
  appendEnclosing(text, origin.enclosing);
  appendFrames(text, origin.stack, longest);
  if (!carriers.empty()) {
    text += fmt::format("    carried on by {}\n", carriedOn(carriers, longest));
  }
}

void appendUnit(std::string& text, const UnitOverflow& unit, std::size_t longest) {
  text += unit.label.empty() ? "\n" : fmt::format("\n{}\n", unit.label);
  const analysis::OverflowSearch& search = unit.search;
  text += fmt::format(
      "  {} of {} tensors hold NaN or infinity\n", search.brokenTensors, search.knownTensors);
  appendNames(text, "not readable", unit.problems, longest);
  appendNames(text, "notes", textsOf(unit.notes), longest);
  if (search.origins.empty()) {
    text += search.knownTensors == 0
                ? "  no verdict: the dump says of no tensor whether it is finite\n"
                : "  no call makes NaN or infinity of finite numbers\n";
    return;
  }
  text += "It starts here:\n";
  const OverflowOrigin& first = search.origins.front();
  appendOrigin(text, first, search.carriersOf(first), longest);
  appendFurther(text, "Further calls that make NaN or infinity", search.origins, longest);
}

void writeOrigin(json::Writer& json,
                 const OverflowOrigin& origin,
                 std::span<const std::string> carriers,
                 std::size_t longest) {
  json.field("kind", toString(origin.kind));
  json.field("entry", origin.name);
  json.field("row", origin.rowName);
  writeSite(json, origin.site);
  json.field("reason", origin.reason.text());
  json.field("dtype", origin.dtype);
  json.field("largest_of_dtype", origin.limit > 0 ? std::optional(origin.limit) : std::nullopt);
  json.field("largest_input", origin.largestInput);
  json.field("enclosing", origin.enclosing);
  json.field("stack", origin.stack);
  json.field("carried_on_by_count", carriers.size());
  json.field("carried_on_by", carriers.first(std::min(longest, carriers.size())));
}

void writeUnit(json::Writer& json, const UnitOverflow& unit) {
  json.field("unit", unit.label);
  json.field("known_tensors", unit.search.knownTensors);
  json.field("non_finite_tensors", unit.search.brokenTensors);
  json.field("problems", unit.problems);
  json.field("notes", textsOf(unit.notes));
  // What carries on a further origin is the end of the first one's list, which holds all.
  std::size_t longest = unit.search.carriers.size();
  const auto write = [&](const OverflowOrigin& origin) {
    writeOrigin(json, origin, unit.search.carriersOf(origin), longest);
    longest = kCarriersOfFurther;
  };
  json.objects("origins", unit.search.origins, write, {.items = 3});
}

}  // namespace

bool DumpOverflow::hasOrigin() const {
  return std::ranges::any_of(units, [](const auto& unit) { return !unit.search.origins.empty(); });
}

std::string overflowText(const DumpOverflow& overflow, std::size_t longest) {
  std::string text = fmt::format("dump  {}: {}\n", overflow.name, overflow.format);
  appendNames(text, "notes", textsOf(overflow.notes), longest);
  for (const UnitOverflow& unit : overflow.units) {
    appendUnit(text, unit, longest);
  }
  return text;
}

std::string overflowJson(const DumpOverflow& overflow) {
  return json::document("ulpscope.overflow/1", [&](json::Writer& json) {
    json.field("dump", overflow.name);
    json.field("format", overflow.format);
    json.field("notes", textsOf(overflow.notes));
    const auto write = [&](const UnitOverflow& unit) { writeUnit(json, unit); };
    json.objects("units", overflow.units, write, {.items = 2});
  });
}

report::DataTable overflowTable(const DumpOverflow& overflow) {
  report::DataTable table{.title = "Where numbers stop being finite",
                          .columns = report::columnsOf(
                              "unit; entry; tensor; module; pass; kind; dtype; largest of dtype; "
                              "largest input; calls that carry it on; reason")};
  for (const UnitOverflow& unit : overflow.units) {
    for (const OverflowOrigin& origin : unit.search.origins) {
      table.rows.push_back(
          {unit.label,
           origin.name,
           origin.rowName,
           origin.site.module,
           std::string(toString(origin.site.pass)),
           std::string(toString(origin.kind)),
           origin.dtype,
           origin.limit > 0 ? report::DataCell(origin.limit) : report::DataCell(),
           origin.largestInput ? report::DataCell(*origin.largestInput) : report::DataCell(),
           static_cast<double>(unit.search.carriersOf(origin).size()),
           origin.reason.text()});
    }
  }
  return table;
}

}  // namespace ulp::cli
