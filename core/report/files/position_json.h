#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <string_view>
#include <vector>

#include "core/base/model_limits.h"
#include "core/json/record.h"
#include "core/report/model/position_errors.h"
#include "core/report/model/report.h"

/// What precision_report.json says of errors by position: a list a number, of which each position
/// has an item.
namespace ulp::report {

/// Items of a list by what they hold of it.
template <class Item>
struct PositionColumn {
  std::string_view name;
  void (*read)(json::Reader& json, Item& item);
  void (*write)(json::Writer& json, const Item& item);
  bool isLeftOutWithout = false;  ///< where every item is without it
  bool (*isWith)(const Item& item) = nullptr;
};

inline constexpr std::array kPositionErrorColumns{
    PositionColumn<PositionError>{
        "tokens",
        [](json::Reader& json, PositionError& at) { json::readInto(json, at.tokens.tokens); },
        [](json::Writer& json, const PositionError& at) { json.value(at.tokens.tokens); }},
    PositionColumn<PositionError>{
        "rms_diff",
        [](json::Reader& json, PositionError& at) { json::readInto(json, at.tokens.rmsDiff); },
        [](json::Writer& json, const PositionError& at) { json.value(at.tokens.rmsDiff); }},
    PositionColumn<PositionError>{
        "ref_scale",
        [](json::Reader& json, PositionError& at) { json::readInto(json, at.tokens.refScale); },
        [](json::Writer& json, const PositionError& at) { json.value(at.tokens.refScale); }},
    PositionColumn<PositionError>{
        "nonfinite",
        [](json::Reader& json, PositionError& at) { json::readInto(json, at.nonFinite); },
        [](json::Writer& json, const PositionError& at) { json.value(at.nonFinite); },
        true,
        [](const PositionError& at) { return at.nonFinite > 0; }}};

inline constexpr std::array kPositionTopColumns{
    PositionColumn<PositionTops>{
        "tokens",
        [](json::Reader& json, PositionTops& at) { json::readInto(json, at.tokens); },
        [](json::Writer& json, const PositionTops& at) { json.value(at.tokens); }},
    PositionColumn<PositionTops>{
        "flipped",
        [](json::Reader& json, PositionTops& at) { json::readInto(json, at.flipped); },
        [](json::Writer& json, const PositionTops& at) { json.value(at.flipped); }}};

/// Reads one list into its place of the items, which a list that came before it has made.
template <class Item>
void readPositionColumn(json::Reader& json,
                        const PositionColumn<Item>& column,
                        std::vector<Item>& items) {
  const bool isFirst = items.empty();
  std::size_t count = 0;
  json.readArray([&] {
    if (count == kMostPositions || (!isFirst && count == items.size())) {
      json.fail(ErrorCode::CorruptData, "lists of positions are as long as each other");
      return;
    }
    if (isFirst) {
      items.emplace_back();
    }
    column.read(json, items[count++]);
  });
  if (json.isOk() && count != items.size()) {
    json.fail(ErrorCode::CorruptData, "lists of positions are as long as each other");
  }
}

template <class Item, class Columns>
[[nodiscard]] bool readPositionField(json::Reader& json,
                                     const Columns& columns,
                                     std::vector<Item>& items,
                                     std::string_view name) {
  const auto column = std::ranges::find(columns, name, &PositionColumn<Item>::name);
  if (column == columns.end()) {
    return false;
  }
  readPositionColumn(json, *column, items);
  return true;
}

template <class Item, class Columns>
void writePositionColumns(json::Writer& json,
                          const Columns& columns,
                          const std::vector<Item>& items) {
  for (const PositionColumn<Item>& column : columns) {
    if (!column.isLeftOutWithout || std::ranges::any_of(items, column.isWith)) {
      json.key(column.name);
      json::writeItems(json, items, [&](const Item& item) { column.write(json, item); });
    }
  }
}

inline void readPositionRow(json::Reader& json, PositionRow& row) {
  json.readObject([&](std::string_view name) {
    if (name == "name") {
      json::readInto(json, row.name);
    } else if (name == "layer") {
      json::readInto(json, row.layer);
    } else if (!readPositionField(json, kPositionErrorColumns, row.errors, name)) {
      json.skipValue();
    }
  });
  if (!isLayerNumber(row.layer)) {
    json.fail(ErrorCode::CorruptData, fmt::format("no model has a layer {}", row.layer));
  }
}

inline void readPositionTops(json::Reader& json, std::vector<PositionTops>& tops) {
  json.readObject([&](std::string_view name) {
    if (!readPositionField(json, kPositionTopColumns, tops, name)) {
      json.skipValue();
    }
  });
  if (std::ranges::any_of(tops, [](const PositionTops& at) { return at.flipped > at.tokens; })) {
    json.fail(ErrorCode::CorruptData, "more tokens are flipped than there are");
  }
}

/// Reads what a run says. Errors: CorruptData, of what no report says.
inline void readPositions(json::Reader& json, PositionErrors& positions) {
  json.readObject([&](std::string_view name) {
    if (name == "prompt") {
      json::readInto(json, positions.prompt);
    } else if (name == "first") {
      json::readInto(json, positions.first);
    } else if (name == "rows") {
      json::readItems(json, positions.rows, [&](PositionRow& row) { readPositionRow(json, row); });
    } else if (name == "tops") {
      readPositionTops(json, positions.tops);
    } else {
      json.skipValue();
    }
  });
  if (positions.prompt > kLongestSequence || positions.first > kLongestSequence) {
    json.fail(ErrorCode::CorruptData, "no sequence is as long");
  }
}

inline constexpr json::Field<Run> kPositionsField{
    "positions",
    [](json::Reader& json, Run& run) { readPositions(json, run.positions); },
    [](json::Writer& json, std::string_view name, const Run& run) {
      const PositionErrors& positions = run.positions;
      if (positions.isEmpty()) {
        return;
      }
      json.field(name, [&] {
        json.field("prompt", positions.prompt);
        json.field("first", positions.first);
        json.key("rows");
        json::writeItems(json, positions.rows, [&](const PositionRow& row) {
          json.value([&] {
            json.field("name", row.name);
            json.field("layer", row.layer);
            writePositionColumns(json, kPositionErrorColumns, row.errors);
          });
        });
        if (!positions.tops.empty()) {
          json.field("tops",
                     [&] { writePositionColumns(json, kPositionTopColumns, positions.tops); });
        }
      });
    }};

}  // namespace ulp::report
