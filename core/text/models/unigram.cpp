#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "core/base/text/utf8.h"
#include "core/text/characters/prefix_trie.h"
#include "core/text/models/token_model.h"

namespace ulp::text {
namespace {

/// What an unknown character costs beyond the least likely token.
constexpr double kUnknownPenalty = 10.0;

class Unigram final : public TokenModel {
 public:
  explicit Unigram(UnigramDefinition definition)
      : TokenModel(std::move(definition.vocabulary)),
        m_scores(std::move(definition.scores)),
        m_unknownId(definition.unknownId),
        m_byteFallback(definition.byteFallback) {
    std::vector<std::pair<std::string_view, std::uint32_t>> keys;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::uint32_t id = 0; id < m_scores.size(); ++id) {
      keys.emplace_back(vocabulary().spelling(id), id);
      lowest = std::min(lowest, m_scores[id]);
    }
    m_trie = PrefixTrie(std::move(keys));
    m_unknownScore = lowest - kUnknownPenalty;
  }

  [[nodiscard]] Result<> encode(std::string_view word,
                                std::vector<WordToken>& tokens) const override {
    auto nodes = ULP_TRY(bestPaths(word));
    // Unknown characters in a row are one piece.
    std::vector<WordToken> pieces;
    for (auto end = static_cast<std::uint32_t>(word.size()); end > 0;) {
      const Node& node = nodes[end];
      const bool isUnknown = m_unknownId && node.id == *m_unknownId;
      if (isUnknown && !pieces.empty() && pieces.back().id == *m_unknownId) {
        pieces.back().begin = node.begin;
      } else {
        pieces.push_back({node.id, node.begin, end});
      }
      end = node.begin;
    }
    std::ranges::reverse(pieces);
    for (const auto& piece : pieces) {
      addPiece(word, piece, tokens);
    }
    return {};
  }

 private:
  /// The best way to the place where a token ends.
  struct Node {
    std::uint32_t id = 0;
    std::uint32_t begin = kUnreached;
    double score = 0;
  };
  static constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] Result<std::vector<Node>> bestPaths(std::string_view word) const {
    std::vector<Node> nodes(word.size() + 1);
    for (std::size_t at = 0; at < word.size();) {
      const double before = nodes[at].score;
      const auto offer = [&](std::size_t length, std::uint32_t id, double score) {
        Node& node = nodes[at + length];
        if (node.begin == kUnreached || before + score > node.score) {
          node = {id, static_cast<std::uint32_t>(at), before + score};
        }
      };
      const std::size_t size = codePointAt(word, at).size;
      bool hasSingle = false;
      m_trie.forEachPrefix(word.substr(at), [&](std::size_t length, std::uint32_t id) {
        offer(length, id, m_scores[id]);
        hasSingle = hasSingle || length == size;
      });
      if (!hasSingle) {
        if (!m_unknownId) {
          return fail(ErrorCode::InvalidArgument,
                      fmt::format("the vocabulary has no token for '{}', and none for what is "
                                  "unknown",
                                  word.substr(at, size)));
        }
        offer(size, *m_unknownId, m_unknownScore);
      }
      at += size;
    }
    return nodes;
  }

  void addPiece(std::string_view word,
                const WordToken& piece,
                std::vector<WordToken>& tokens) const {
    const std::string_view spelling = word.substr(piece.begin, piece.end - piece.begin);
    if (const auto id = vocabulary().find(spelling)) {
      tokens.push_back({*id, piece.begin, piece.end});
    } else if (!m_byteFallback || !addBytes(spelling, piece, tokens)) {
      tokens.push_back(piece);
    }
  }

  bool addBytes(std::string_view spelling,
                const WordToken& piece,
                std::vector<WordToken>& tokens) const {
    std::vector<WordToken> bytes;
    for (std::uint32_t i = 0; i < spelling.size(); ++i) {
      const auto id = vocabulary().find(byteToken(static_cast<unsigned char>(spelling[i])));
      if (!id) {
        return false;
      }
      bytes.push_back({*id, piece.begin + i, piece.begin + i + 1});
    }
    tokens.insert(tokens.end(), bytes.begin(), bytes.end());
    return true;
  }

  std::vector<double> m_scores;
  std::optional<std::uint32_t> m_unknownId;
  bool m_byteFallback;
  PrefixTrie m_trie;
  double m_unknownScore = 0;
};

}  // namespace

Result<TokenModelPtr> makeUnigram(UnigramDefinition definition) {
  const auto size = static_cast<std::int64_t>(definition.scores.size());
  if (size == 0 || definition.vocabulary.size() != size) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{} tokens and {} scores", definition.vocabulary.size(), size));
  }
  if (definition.unknownId && *definition.unknownId >= size) {
    return fail(
        ErrorCode::CorruptData,
        fmt::format(
            "unk_id {} is beyond the vocabulary of {} tokens", *definition.unknownId, size));
  }
  for (std::int64_t id = 0; id < size; ++id) {
    if (invalidUtf8At(definition.vocabulary.spelling(id))) {
      return fail(ErrorCode::CorruptData, fmt::format("token {} is not UTF-8", id));
    }
  }
  return std::make_unique<const Unigram>(std::move(definition));
}

}  // namespace ulp::text
