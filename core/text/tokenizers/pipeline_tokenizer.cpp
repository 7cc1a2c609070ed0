#include "core/text/tokenizers/pipeline_tokenizer.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/text/utf8.h"

namespace ulp::text {
namespace {

constexpr std::size_t kLongestText = std::size_t{1} << 30;

/// The tokens of words that were seen already in this text: words repeat.
class WordCache {
 public:
  [[nodiscard]] const std::vector<WordToken>* find(std::string_view word) const {
    const auto found = m_tokens.find(word);
    return found == m_tokens.end() ? nullptr : &found->second;
  }
  const std::vector<WordToken>& add(std::string_view word, std::vector<WordToken> tokens) {
    m_last = std::move(tokens);
    if (word.size() > kLongestWord || m_tokens.size() >= kMostWords) {
      return m_last;
    }
    return m_tokens.insert_or_assign(std::string(word), std::move(m_last)).first->second;
  }

 private:
  static constexpr std::size_t kLongestWord = 128;
  static constexpr std::size_t kMostWords = 1 << 16;
  std::unordered_map<std::string, std::vector<WordToken>, TextHash, std::equal_to<>> m_tokens;
  std::vector<WordToken> m_last;
};

class PipelineTokenizer final : public Tokenizer {
 public:
  explicit PipelineTokenizer(Pipeline pipeline)
      : m_pipeline(std::move(pipeline)), m_size(m_pipeline.model->vocabulary().size()) {
    for (const AddedToken& token : m_pipeline.added.tokens()) {
      m_size = std::max(m_size, token.id + 1);
    }
  }

  [[nodiscard]] Result<std::vector<Token>> encode(std::string_view text) const override {
    auto tokens = ULP_TRY(encodePart(text));
    const auto prefix = listOf(m_pipeline.prefix, [](std::int64_t id) { return Token{id, 0, 0}; });
    tokens.insert(tokens.begin(), prefix.begin(), prefix.end());
    for (const std::int64_t id : m_pipeline.suffix) {
      tokens.push_back({id, text.size(), text.size()});
    }
    return tokens;
  }

  [[nodiscard]] Result<std::vector<Token>> encodePart(std::string_view text) const override {
    ULP_TRY(checkEncodable(text));
    Encoding encoding;
    const AlignedText whole{std::string(text)};
    for (const AddedStretch& stretch : m_pipeline.added.findRaw(text)) {
      if (stretch.id) {
        encoding.tokens.push_back({*stretch.id, stretch.begin, stretch.end});
      } else
        ULP_TRY(encodeStretch(whole.slice(stretch.begin, stretch.end), encoding));
    }
    return std::move(encoding.tokens);
  }

  [[nodiscard]] std::int64_t size() const override { return m_size; }

  [[nodiscard]] std::string spelling(std::int64_t id) const override {
    const AddedToken* added = m_pipeline.added.find(id);
    return added != nullptr ? added->content
                            : std::string(m_pipeline.model->vocabulary().spelling(id));
  }

  [[nodiscard]] std::string bytes(std::int64_t id) const override {
    const AddedToken* added = m_pipeline.added.find(id);
    return added != nullptr ? added->content : m_pipeline.speller.bytesOf(spelling(id));
  }

  [[nodiscard]] bool dropsFirstSpace() const override { return m_pipeline.speller.dropsFirstSpace; }

  [[nodiscard]] bool isSpecial(std::int64_t id) const override {
    const AddedToken* added = m_pipeline.added.find(id);
    return added != nullptr && added->isSpecial;
  }

  [[nodiscard]] std::optional<std::int64_t> endOfText() const override {
    return m_pipeline.endOfText;
  }

  [[nodiscard]] std::string description() const override {
    return fmt::format("{}, {} tokens", m_pipeline.description, m_size);
  }

 private:
  struct Encoding {
    std::vector<Token> tokens;
    WordCache cache;
  };

  /// What lies between two tokens that were found in the text as it is.
  [[nodiscard]] Result<> encodeStretch(const AlignedText& part, Encoding& encoding) const {
    const AlignedText normal = ULP_TRY(m_pipeline.normalizer ? m_pipeline.normalizer(part) : part);
    for (const AddedStretch& stretch : m_pipeline.added.findNormalized(normal.text())) {
      if (stretch.id) {
        const ByteSpan source = normal.sourceOf(stretch.begin, stretch.end);
        encoding.tokens.push_back({*stretch.id, source.begin, source.end});
      } else
        ULP_TRY(encodeWords(normal.slice(stretch.begin, stretch.end), encoding));
    }
    return {};
  }

  [[nodiscard]] Result<> encodeWords(const AlignedText& part, Encoding& encoding) const {
    std::vector<AlignedText> words;
    if (m_pipeline.preTokenizer) {
      ULP_TRY(m_pipeline.preTokenizer(part, words));
    } else {
      words.push_back(part);
    }
    for (const AlignedText& word : words) {
      const std::vector<WordToken>* tokens = encoding.cache.find(word.text());
      if (tokens == nullptr) {
        std::vector<WordToken> made;
        ULP_TRY(m_pipeline.model->encode(word.text(), made));
        tokens = &encoding.cache.add(word.text(), std::move(made));
      }
      for (const WordToken& token : *tokens) {
        const ByteSpan source = word.sourceOf(token.begin, token.end);
        encoding.tokens.push_back({token.id, source.begin, source.end});
      }
    }
    return {};
  }

  Pipeline m_pipeline;
  std::int64_t m_size = 0;
};

}  // namespace

Result<> checkEncodable(std::string_view text) {
  if (text.size() > kLongestText) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format(
            "a text of {} bytes; up to {} can be tokenised at once", text.size(), kLongestText));
  }
  if (const auto place = invalidUtf8At(text)) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("byte {}: 0x{:02X} is not UTF-8; save the text in this encoding",
                            *place,
                            static_cast<unsigned char>(text[*place])));
  }
  return {};
}

Result<TokenizerPtr> makePipelineTokenizer(Pipeline pipeline) {
  for (const auto* ids : {&pipeline.prefix, &pipeline.suffix}) {
    for (const std::int64_t id : *ids) {
      if (!pipeline.model->vocabulary().holds(id) && pipeline.added.find(id) == nullptr) {
        return fail(ErrorCode::CorruptData,
                    fmt::format("special token {} is not in the vocabulary", id));
      }
    }
  }
  return std::make_shared<const PipelineTokenizer>(std::move(pipeline));
}

DecodedText decode(const Tokenizer& tokenizer, std::span<const std::int64_t> ids) {
  DecodedText decoded;
  for (const std::int64_t id : ids) {
    std::string bytes = tokenizer.bytes(id);
    if (decoded.text.empty() && tokenizer.dropsFirstSpace() && bytes.starts_with(' ')) {
      bytes.erase(0, 1);
    }
    const std::size_t begin = decoded.text.size();
    decoded.text += bytes;
    decoded.tokens.push_back({id, begin, decoded.text.size()});
  }
  return decoded;
}

}  // namespace ulp::text
