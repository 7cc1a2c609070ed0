#include "core/base/text/utf8.h"
#include "core/text/models/token_model.h"

namespace ulp::text {
namespace {

class WordPiece final : public TokenModel {
 public:
  WordPiece(WordPieceDefinition definition, std::uint32_t unknownId)
      : TokenModel(std::move(definition.vocabulary)),
        m_unknownId(unknownId),
        m_prefix(std::move(definition.continuingPrefix)),
        m_longestWord(definition.longestWord) {}

  [[nodiscard]] Result<> encode(std::string_view word,
                                std::vector<WordToken>& tokens) const override {
    const std::size_t first = tokens.size();
    if (isTooLong(word) || !addPieces(word, tokens)) {
      tokens.resize(first);
      tokens.push_back({m_unknownId, 0, static_cast<std::uint32_t>(word.size())});
    }
    return {};
  }

 private:
  [[nodiscard]] bool isTooLong(std::string_view word) const {
    std::size_t characters = 0;
    for (std::size_t at = 0; at < word.size() && characters <= m_longestWord; ++characters) {
      at += codePointAt(word, at).size;
    }
    return characters > m_longestWord;
  }

  bool addPieces(std::string_view word, std::vector<WordToken>& tokens) const {
    for (std::size_t begin = 0; begin < word.size();) {
      std::size_t end = word.size();
      std::optional<std::uint32_t> id;
      while (end > begin && !(id = find(word.substr(begin, end - begin), begin > 0))) {
        end = codePointBefore(word, end);
      }
      if (!id) {
        return false;
      }
      tokens.push_back({*id, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
      begin = end;
    }
    return true;
  }

  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view part, bool continues) const {
    return continues ? vocabulary().find(m_prefix + std::string(part)) : vocabulary().find(part);
  }

  std::uint32_t m_unknownId;
  std::string m_prefix;
  std::size_t m_longestWord;
};

}  // namespace

Result<TokenModelPtr> makeWordPiece(WordPieceDefinition definition) {
  const auto unknownId = ULP_TRY(definition.vocabulary.unknownId(definition.unknownToken));
  return std::make_unique<const WordPiece>(std::move(definition), unknownId);
}

}  // namespace ulp::text
