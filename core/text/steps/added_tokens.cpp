#include "core/text/steps/added_tokens.h"

#include <algorithm>

#include "core/base/text/utf8.h"
#include "core/text/characters/unicode.h"

namespace ulp::text {
namespace {

bool isInsideOfWord(std::string_view text, std::size_t begin, std::size_t end) {
  const bool follows =
      begin > 0 && isWordCharacter(codePointAt(text, codePointBefore(text, begin)).value);
  const bool leads = end < text.size() && isWordCharacter(codePointAt(text, end).value);
  return follows || leads;
}

}  // namespace

Result<AddedTokens> AddedTokens::create(std::vector<AddedToken> tokens,
                                        const Normalizer& normalizer) {
  AddedTokens made;
  made.m_tokens = std::move(tokens);
  std::erase_if(made.m_tokens, [](const AddedToken& token) { return token.content.empty(); });
  std::vector<std::string> contents;
  for (const AddedToken& token : made.m_tokens) {
    contents.push_back(token.content);
    if (token.isNormalized && normalizer) {
      const auto normal = ULP_TRY(normalizer(AlignedText(token.content)));
      contents.back() = normal.text();
    }
  }
  std::vector<std::pair<std::string_view, std::uint32_t>> raw;
  std::vector<std::pair<std::string_view, std::uint32_t>> normalized;
  for (std::uint32_t i = 0; i < contents.size(); ++i) {
    made.m_places.insert_or_assign(made.m_tokens[i].id, i);
    (made.m_tokens[i].isNormalized ? normalized : raw).emplace_back(contents[i], i);
  }
  made.m_raw = PrefixTrie(std::move(raw));
  made.m_normalized = PrefixTrie(std::move(normalized));
  return made;
}

std::vector<AddedStretch> AddedTokens::findRaw(std::string_view text) const {
  return find(text, m_raw);
}

std::vector<AddedStretch> AddedTokens::findNormalized(std::string_view text) const {
  return find(text, m_normalized);
}

const AddedToken* AddedTokens::find(std::int64_t id) const {
  const auto found = m_places.find(id);
  return found == m_places.end() ? nullptr : &m_tokens[found->second];
}

std::vector<AddedStretch> AddedTokens::find(std::string_view text, const PrefixTrie& trie) const {
  std::vector<AddedStretch> found;
  std::size_t covered = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 0;
    std::uint32_t place = 0;
    trie.forEachPrefix(text.substr(at), [&](std::size_t size, std::uint32_t number) {
      length = size;
      place = number;
    });
    if (length == 0) {
      ++at;
      continue;
    }
    std::size_t begin = at;
    std::size_t end = at + length;
    at = end;
    const AddedToken& token = m_tokens[place];
    if (token.singleWord && isInsideOfWord(text, begin, end)) {
      continue;
    }
    if (token.stripsLeft) {
      begin = std::max(beginOfBlanks(text, begin), covered);
    }
    if (token.stripsRight) {
      end = endOfBlanks(text, end);
    }
    if (covered < begin) {
      found.push_back({std::nullopt, covered, begin});
    }
    found.push_back({static_cast<std::uint32_t>(token.id), begin, end});
    covered = end;
  }
  if (covered < text.size()) {
    found.push_back({std::nullopt, covered, text.size()});
  }
  return found;
}

}  // namespace ulp::text
