#include "core/json/dump.h"

#include <algorithm>
#include <vector>

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
  std::vector<const Member*> members;
  for (const Member& member : value.members()) {
    members.push_back(&member);
  }
  if (isSorted) {
    std::ranges::sort(members, {}, &Member::name);
  }
  auto object = ordered_json::object();
  // Put behind each other: the library would look for each name among all that are there.
  auto& added = object.get_ref<ordered_json::object_t&>();
  for (const Member* member : members) {
    added.emplace_back(member->name, libraryValue(member->value, isSorted));
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
  std::string out;
  appendQuoted(out, text, isAscii);
  return out;
}

void appendQuoted(std::string& out, std::string_view text, bool isAscii) {
  const bool isPlain = std::ranges::all_of(
      text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (!isPlain) {
    out += ordered_json(text).dump(-1, ' ', isAscii, ordered_json::error_handler_t::replace);
    return;
  }
  // Nearly all: a large dump has millions.
  out.reserve(std::max(out.capacity(), text.size() + 2));
  out += '"';
  out += text;
  out += '"';
}

}  // namespace ulp::json
