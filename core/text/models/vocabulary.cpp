#include <algorithm>
#include <fmt/format.h>

#include "core/text/models/token_model.h"

namespace ulp::text {

Result<Vocabulary> Vocabulary::create(std::vector<std::pair<std::string, std::int64_t>> tokens) {
  std::int64_t largest = -1;
  for (const auto& [spelling, id] : tokens) {
    if (id < 0 || id > kLargestId) {
      return fail(
          ErrorCode::CorruptData,
          fmt::format(
              "token '{}' has the number {}; 0 to {} are possible", spelling, id, kLargestId));
    }
    largest = std::max(largest, id);
  }
  Vocabulary made;
  made.m_spellings.resize(static_cast<std::size_t>(largest + 1));
  made.m_ids.reserve(tokens.size());
  for (std::pair<std::string, std::int64_t>& token : tokens) {
    std::optional<std::string>& slot = made.m_spellings[static_cast<std::size_t>(token.second)];
    if (slot) {
      return fail(
          ErrorCode::CorruptData,
          fmt::format(
              "tokens '{}' and '{}' have the same number {}", *slot, token.first, token.second));
    }
    made.m_ids.insert_or_assign(token.first, static_cast<std::uint32_t>(token.second));
    slot = std::move(token.first);
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

bool Vocabulary::holds(std::int64_t id) const {
  return id >= 0 && id < size() && m_spellings[static_cast<std::size_t>(id)].has_value();
}

std::string_view Vocabulary::spelling(std::int64_t id) const {
  return holds(id) ? std::string_view(*m_spellings[static_cast<std::size_t>(id)])
                   : std::string_view();
}

}  // namespace ulp::text
