#include "app/cli/print/overflow_print.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>
#include <string_view>

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
  text += fmt::format("  {}: {}\n", origin.name, origin.reason);
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
  appendNames(text, "notes", unit.notes, longest);
  if (search.origins.empty()) {
    text += search.knownTensors == 0
                ? "  no verdict: the dump says of no tensor whether it is finite\n"
                : "  no call makes NaN or infinity of finite numbers\n";
    return;
  }
  text += "It starts here:\n";
  const OverflowOrigin& first = search.origins.front();
  appendOrigin(text, first, search.carriersOf(first), longest);
  if (search.origins.size() > 1) {
    text += fmt::format("Further calls that make NaN or infinity, in order of execution: {}\n",
                        search.origins.size() - 1);
    for (const OverflowOrigin& origin :
         std::span(search.origins).subspan(1, std::min(longest, search.origins.size() - 1))) {
      text += fmt::format("  {}: {}\n", origin.name, origin.reason);
    }
  }
}

void writeOrigin(json::Writer& json,
                 const OverflowOrigin& origin,
                 std::span<const std::string> carriers,
                 std::size_t longest) {
  json.newLine(3);
  json.beginObject();
  json.field("kind", toString(origin.kind));
  json.field("entry", std::string_view(origin.name));
  json.field("row", std::string_view(origin.rowName));
  json.field("module", std::string_view(origin.site.module));
  json.field("layer", static_cast<std::int64_t>(origin.site.layer));
  json.field("pass", toString(origin.site.pass));
  json.field("reason", std::string_view(origin.reason));
  json.field("dtype", std::string_view(origin.dtype));
  json.key("largest_of_dtype");
  origin.limit > 0 ? json.value(origin.limit) : json.null();
  json.key("largest_input");
  origin.largestInput ? json.value(*origin.largestInput) : json.null();
  writeNames(json, "enclosing", origin.enclosing);
  writeNames(json, "stack", origin.stack);
  json.field("carried_on_by_count", static_cast<std::uint64_t>(carriers.size()));
  writeNames(json, "carried_on_by", carriers.first(std::min(longest, carriers.size())));
  json.endObject();
}

void writeUnit(json::Writer& json, const UnitOverflow& unit) {
  json.newLine(2);
  json.beginObject();
  json.field("unit", std::string_view(unit.label));
  json.field("known_tensors", static_cast<std::uint64_t>(unit.search.knownTensors));
  json.field("non_finite_tensors", static_cast<std::uint64_t>(unit.search.brokenTensors));
  writeNames(json, "problems", unit.problems);
  writeNames(json, "notes", unit.notes);
  json.key("origins");
  json.beginArray();
  // What carries on a further origin is the end of the first one's list, which holds all.
  std::size_t longest = unit.search.carriers.size();
  for (const OverflowOrigin& origin : unit.search.origins) {
    writeOrigin(json, origin, unit.search.carriersOf(origin), longest);
    longest = kCarriersOfFurther;
  }
  json.endArray();
  json.endObject();
}

}  // namespace

bool DumpOverflow::hasOrigin() const {
  return std::any_of(units.begin(), units.end(), [](const UnitOverflow& unit) {
    return !unit.search.origins.empty();
  });
}

std::string overflowText(const DumpOverflow& overflow, std::size_t longest) {
  std::string text = fmt::format("dump  {}: {}\n", overflow.name, overflow.format);
  appendNames(text, "notes", overflow.notes, longest);
  for (const UnitOverflow& unit : overflow.units) {
    appendUnit(text, unit, longest);
  }
  return text;
}

std::string overflowJson(const DumpOverflow& overflow) {
  json::Writer json;
  json.beginObject();
  json.newLine(1);
  json.field("schema", std::string_view("ulpscope.overflow/1"));
  json.field("dump", std::string_view(overflow.name));
  json.field("format", std::string_view(overflow.format));
  writeNames(json, "notes", overflow.notes);
  json.key("units");
  json.beginArray();
  for (const UnitOverflow& unit : overflow.units) {
    writeUnit(json, unit);
  }
  json.endArray();
  json.newLine(0);
  json.endObject();
  return std::move(json).take() + "\n";
}

report::DataTable overflowTable(const DumpOverflow& overflow) {
  report::DataTable table{.title = "Where numbers stop being finite",
                          .columns = {{"unit", "", ""},
                                      {"entry", "", ""},
                                      {"tensor", "", ""},
                                      {"module", "", ""},
                                      {"pass", "", ""},
                                      {"kind", "", ""},
                                      {"dtype", "", ""},
                                      {"largest of dtype", "", ""},
                                      {"largest input", "", ""},
                                      {"calls that carry it on", "", ""},
                                      {"reason", "", ""}},
                          .rows = {}};
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
           origin.reason});
    }
  }
  return table;
}

}  // namespace ulp::cli
