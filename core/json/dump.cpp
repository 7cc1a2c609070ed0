#include "core/json/dump.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace ulp::json {
namespace {

using nlohmann::ordered_json;

ordered_json libraryValue(const Value& value, bool isSorted) {
  switch (value.kind()) {
    case Kind::Null:
      return nullptr;
    case Kind::Boolean:
      return value.boolean();
    case Kind::Integer:
      return value.isBeyondInt64() ? ordered_json(static_cast<std::uint64_t>(value.integer()))
                                   : ordered_json(value.integer());
    case Kind::Real:
      return value.number();
    case Kind::Text:
      return value.text();
    case Kind::Array: {
      auto array = ordered_json::array();
      for (const Value& item : value.items()) {
        array.push_back(libraryValue(item, isSorted));
      }
      return array;
    }
    case Kind::Object:
      break;
  }
  auto object = ordered_json::object();
  // Put behind each other: the library would look for each name among all that are there.
  auto& members = object.get_ref<ordered_json::object_t&>();
  for (const auto& [name, member] : value.members()) {
    members.emplace_back(name, libraryValue(member, isSorted));
  }
  if (isSorted) {
    std::vector<std::pair<std::string, ordered_json>> sorted;
    for (auto& [name, member] : members) {
      sorted.emplace_back(name, std::move(member));
    }
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
      return a.first < b.first;
    });
    members.clear();
    for (auto& [name, member] : sorted) {
      members.emplace_back(std::move(name), std::move(member));
    }
  }
  return object;
}

}  // namespace

std::string dump(const Value& value, const DumpOptions& options) {
  return libraryValue(value, options.isSorted)
      .dump(options.indent.value_or(-1),
            ' ',
            options.isAscii,
            ordered_json::error_handler_t::replace);
}

std::string quoted(std::string_view text, bool isAscii) {
  return ordered_json(text).dump(-1, ' ', isAscii, ordered_json::error_handler_t::replace);
}

}  // namespace ulp::json
