#include <algorithm>
#include <fmt/format.h>

#include "core/text/models/token_model.h"

namespace ulp::text {

Result<Vocabulary> Vocabulary::create(std::vector<std::pair<std::string, std::int64_t>> tokens) {
  Vocabulary made;
  made.m_ids.reserve(tokens.size());
  made.m_spellings.reserve(tokens.size());
  for (auto& [spelling, id] : tokens) {
    if (id < 0 || id > kLargestId) {
      return fail(
          ErrorCode::CorruptData,
          fmt::format(
              "token '{}' has the number {}; 0 to {} are possible", spelling, id, kLargestId));
    }
    made.m_ids.insert_or_assign(spelling, static_cast<std::uint32_t>(id));
    made.m_spellings.emplace_back(id, std::move(spelling));
  }
  const auto numberOf = [](const auto& token) { return token.first; };
  std::ranges::stable_sort(made.m_spellings, {}, numberOf);
  const auto twice = std::ranges::adjacent_find(made.m_spellings, {}, numberOf);
  if (twice != made.m_spellings.end()) {
    return fail(ErrorCode::CorruptData,
                fmt::format("tokens '{}' and '{}' have the same number {}",
                            twice->second,
                            std::next(twice)->second,
                            twice->first));
  }
  return made;
}

std::optional<std::uint32_t> Vocabulary::find(std::string_view spelling) const {
  const auto found = m_ids.find(spelling);
  return found == m_ids.end() ? std::nullopt : std::optional(found->second);
}

Result<std::uint32_t> Vocabulary::unknownId(std::string_view spelling) const {
  const auto found = find(spelling);
  return found ? Result<std::uint32_t>(*found)
               : fail(ErrorCode::CorruptData,
                      fmt::format("the unknown token '{}' is not in the vocabulary", spelling));
}

const std::string* Vocabulary::spellingOf(std::int64_t id) const {
  const auto found =
      std::ranges::lower_bound(m_spellings, id, {}, &std::pair<std::int64_t, std::string>::first);
  return found == m_spellings.end() || found->first != id ? nullptr : &found->second;
}

std::string_view Vocabulary::spelling(std::int64_t id) const {
  const std::string* found = spellingOf(id);
  return found == nullptr ? std::string_view() : std::string_view(*found);
}

}  // namespace ulp::text
