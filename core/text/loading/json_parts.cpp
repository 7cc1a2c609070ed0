#include "core/text/loading/json_parts.h"

#include <fmt/format.h>

namespace ulp::text {

bool JsonPart::has(std::string_view key) const {
  return !m_value->at(key).isNull();
}

Result<JsonPart> JsonPart::at(std::string_view key) const {
  if (!has(key)) {
    return corrupt(fmt::format("'{}' is missing", key));
  }
  // Of the place, the file stays in front: "tokenizer.json: model.vocab".
  return JsonPart(m_value->at(key),
                  fmt::format("{}{}{}", m_place, m_place.ends_with(": ") ? "" : ".", key));
}

Result<std::vector<JsonPart>> JsonPart::items(std::string_view key) const {
  const auto list = ULP_TRY(at(key));
  if (!list.value().isArray()) {
    return list.corrupt("a list is needed");
  }
  std::vector<JsonPart> items;
  for (const json::Value& item : list.value().items()) {
    items.emplace_back(item, fmt::format("{}[{}]", list.place(), items.size()));
  }
  return items;
}

Result<std::string> JsonPart::text(std::string_view key) const {
  const auto part = ULP_TRY(at(key));
  if (!part.value().isText()) {
    return part.corrupt("a text is needed");
  }
  return part.value().text();
}

Result<std::string> JsonPart::text(std::string_view key, std::string_view fallback) const {
  return has(key) ? text(key) : Result<std::string>(std::string(fallback));
}

Result<bool> JsonPart::flag(std::string_view key, bool fallback) const {
  if (!has(key)) {
    return fallback;
  }
  const auto part = at(key);
  if (!part->value().isBoolean()) {
    return part->corrupt("true or false is needed");
  }
  return part->value().boolean();
}

Result<std::int64_t> JsonPart::integer(std::string_view key) const {
  const auto part = ULP_TRY(at(key));
  if (!part.value().isInteger()) {
    return part.corrupt("an integer is needed");
  }
  return part.value().integer();
}

Result<std::int64_t> JsonPart::integer(std::string_view key, std::int64_t fallback) const {
  return has(key) ? integer(key) : Result<std::int64_t>(fallback);
}

Result<std::vector<std::int64_t>> JsonPart::integers(std::string_view key) const {
  const auto list = ULP_TRY(items(key));
  std::vector<std::int64_t> integers;
  for (const JsonPart& item : list) {
    if (!item.value().isInteger()) {
      return item.corrupt("an integer is needed");
    }
    integers.push_back(item.value().integer());
  }
  return integers;
}

tl::unexpected<Error> JsonPart::corrupt(std::string_view what) const {
  return fail(ErrorCode::CorruptData,
              fmt::format("{}{}{}", m_place, m_place.ends_with(": ") ? "" : ": ", what));
}

tl::unexpected<Error> JsonPart::unsupported(std::string_view what) const {
  return fail(ErrorCode::Unsupported,
              fmt::format("{}{}{} is not supported; it would give other tokens than the model's "
                          "own tokenizer",
                          m_place,
                          m_place.ends_with(": ") ? "" : ": ",
                          what));
}

Result<std::string> kindOf(const JsonPart& part, int depth) {
  constexpr int kDeepestNesting = 16;
  if (depth > kDeepestNesting) {
    return part.corrupt("sequences are nested too deeply");
  }
  return part.text("type");
}

}  // namespace ulp::text
