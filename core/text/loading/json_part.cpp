#include "core/text/loading/json_part.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace ulp::text {

bool JsonPart::has(std::string_view key) const {
  const auto found = m_value->find(key);
  return found != m_value->end() && !found->is_null();
}

Result<JsonPart> JsonPart::at(std::string_view key) const {
  if (!has(key)) {
    return corrupt(fmt::format("'{}' is missing", key));
  }
  // Of the place, the file stays in front: "tokenizer.json: model.vocab".
  return JsonPart(*m_value->find(key),
                  fmt::format("{}{}{}", m_place, m_place.ends_with(": ") ? "" : ".", key));
}

Result<std::vector<JsonPart>> JsonPart::items(std::string_view key) const {
  const auto list = ULP_TRY(at(key));
  if (!list.value().is_array()) {
    return list.corrupt("a list is needed");
  }
  std::vector<JsonPart> items;
  for (const nlohmann::json& item : list.value()) {
    items.emplace_back(item, fmt::format("{}[{}]", list.place(), items.size()));
  }
  return items;
}

Result<std::string> JsonPart::text(std::string_view key) const {
  const auto part = ULP_TRY(at(key));
  if (!part.value().is_string()) {
    return part.corrupt("a text is needed");
  }
  return part.value().get_ref<const std::string&>();
}

Result<std::string> JsonPart::text(std::string_view key, std::string_view fallback) const {
  return has(key) ? text(key) : Result<std::string>(std::string(fallback));
}

Result<bool> JsonPart::flag(std::string_view key, bool fallback) const {
  if (!has(key)) {
    return fallback;
  }
  const auto part = at(key);
  if (!part->value().is_boolean()) {
    return part->corrupt("true or false is needed");
  }
  return part->value().get<bool>();
}

Result<std::int64_t> JsonPart::integer(std::string_view key) const {
  const auto part = ULP_TRY(at(key));
  if (!part.value().is_number_integer()) {
    return part.corrupt("an integer is needed");
  }
  return part.value().get<std::int64_t>();
}

Result<std::int64_t> JsonPart::integer(std::string_view key, std::int64_t fallback) const {
  return has(key) ? integer(key) : Result<std::int64_t>(fallback);
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

}  // namespace ulp::text
