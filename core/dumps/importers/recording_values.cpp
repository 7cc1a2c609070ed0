#include "core/dumps/importers/recording_values.h"

#include <limits>
#include <string_view>

#include "core/base/list_of.h"
#include "core/base/text/parse_number.h"

namespace ulp::dumps {

using json::Value;

const std::string& textOf(const Value& object, const char* key) {
  return object.at(key).text();
}

std::optional<std::int64_t> integerOf(const Value& value) {
  return value.isInteger() && !value.isBeyondInt64() ? std::optional(value.integer())
                                                     : std::nullopt;
}

std::optional<std::int64_t> integerOf(const Value& object, const char* key) {
  return integerOf(object.at(key));
}

bool isSet(const Value& object, const char* key) {
  return object.at(key).boolean();
}

std::optional<double> numberOf(const Value& object, const char* key) {
  const Value& value = object.at(key);
  if (value.isNumber()) {
    return value.number();
  }
  const std::string& text = value.text();
  if (text == "nan") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const double infinity = std::numeric_limits<double>::infinity();
  return text == "inf"    ? std::optional(infinity)
         : text == "-inf" ? std::optional(-infinity)
                          : std::nullopt;
}

std::vector<std::int64_t> dimensionsOf(const Value& shape) {
  if (!shape.isArray()) {
    return {-1};
  }
  return listOf(shape.items(),
                [](const Value& dimension) { return integerOf(dimension).value_or(-1); });
}

namespace {

/// "R", "S(1)", "_S(0, 2)", "P(sum)", as torch prints them.
Placement::Axis axisOf(std::string_view text) {
  if (text == "R") {
    return {};
  }
  if (text == "P(sum)" || text == "P") {
    return {.kind = Placement::Kind::Sum};
  }
  if (text == "P(avg)") {
    return {.kind = Placement::Kind::Mean};
  }
  const bool isInnermost = text.starts_with('_');
  text.remove_prefix(isInnermost ? 1 : 0);
  const std::size_t end = text.find_first_of(",)");
  if (!text.starts_with("S(") || end == std::string_view::npos) {
    return {.kind = Placement::Kind::Unknown};
  }
  const auto dim = parseNatural<std::int64_t>(text.substr(2, end - 2));
  return dim ? Placement::Axis{.kind = Placement::Kind::Shard,
                               .dim = *dim,
                               .isInnermost = isInnermost}
             : Placement::Axis{.kind = Placement::Kind::Unknown};
}

}  // namespace

std::shared_ptr<const Placement> placementOf(const Value& row) {
  const json::Array& texts = row.at("placements").items();
  const json::Array& mesh = row.at("mesh").items();
  const json::Array& coordinate = row.at("coordinate").items();
  if (texts.empty() || mesh.size() != texts.size() || coordinate.size() != texts.size()) {
    return nullptr;
  }
  auto placement = std::make_shared<Placement>();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Placement::Axis axis = axisOf(texts[i].text());
    axis.size = integerOf(mesh[i]).value_or(0);
    axis.coordinate = integerOf(coordinate[i]).value_or(-1);
    if (axis.coordinate < 0 || axis.coordinate >= axis.size) {
      return nullptr;
    }
    placement->axes.push_back(axis);
  }
  placement->shape = dimensionsOf(row.at("global_shape"));
  return placement;
}

}  // namespace ulp::dumps
