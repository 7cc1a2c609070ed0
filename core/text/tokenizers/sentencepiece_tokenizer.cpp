#include "core/text/tokenizers/sentencepiece_tokenizer.h"

#include <fmt/format.h>
#include <sentencepiece_processor.h>

#include "core/base/text/utf8.h"
#include "core/text/steps/added_tokens.h"
#include "core/text/steps/speller.h"
#include "core/text/tokenizers/pipeline_tokenizer.h"

namespace ulp::text {
namespace {

constexpr std::string_view kSpace = "\u2581";
/// Behind a serialised model: normalizer_spec.add_dummy_prefix = false. Of a field that occurs
/// twice the last value counts.
constexpr std::string_view kWithoutSpacePrefix("\x1a\x02\x18\x00", 4);

class SentencePieceTokenizer final : public Tokenizer {
 public:
  [[nodiscard]] static Result<TokenizerPtr> create(std::string_view model,
                                                   SentencePieceOptions options) {
    auto made = std::make_shared<SentencePieceTokenizer>();
    made->m_description = std::move(options.description);
    ULP_TRY(checkSentencePieceModel(model));
    const std::string inner = std::string(model) + std::string(kWithoutSpacePrefix);
    ULP_TRY(load(made->m_first, model));
    ULP_TRY(load(made->m_inner, inner));
    std::vector<AddedToken> specials;
    for (int id = 0; id < made->m_first.GetPieceSize(); ++id) {
      if (made->m_first.IsControl(id) || made->m_first.IsUnknown(id)) {
        specials.push_back({.content = made->m_first.IdToPiece(id), .id = id, .isSpecial = true});
        if (invalidUtf8At(specials.back().content)) {
          return fail(ErrorCode::CorruptData, fmt::format("token {} is not UTF-8", id));
        }
      }
    }
    made->m_added = ULP_TRY(AddedTokens::create(std::move(specials), Normalizer()));
    made->m_speller = {
        .hasByteTokens = true, .space = std::string(kSpace), .dropsFirstSpace = true};
    made->addFrame(options);
    return made;
  }

  [[nodiscard]] Result<std::vector<Token>> encode(std::string_view text) const override {
    auto tokens = encodePart(text);
    if (tokens && m_begin) {
      tokens->insert(tokens->begin(), Token{*m_begin, 0, 0});
    }
    if (tokens && m_end) {
      tokens->push_back({*m_end, text.size(), text.size()});
    }
    return tokens;
  }

  [[nodiscard]] Result<std::vector<Token>> encodePart(std::string_view text) const override {
    ULP_TRY(checkEncodable(text));
    std::vector<Token> tokens;
    for (const AddedStretch& stretch : m_added.findRaw(text)) {
      if (stretch.id) {
        tokens.push_back({*stretch.id, stretch.begin, stretch.end});
        continue;
      }
      const auto& processor = stretch.begin == 0 ? m_first : m_inner;
      sentencepiece::ImmutableSentencePieceText pieces;
      const auto status = processor.Encode(text.substr(stretch.begin, stretch.end - stretch.begin),
                                           pieces.mutable_proto());
      if (!status.ok()) {
        return fail(ErrorCode::Internal,
                    fmt::format("sentencepiece says: {}", status.error_message()));
      }
      for (std::size_t i = 0; i < pieces.pieces_size(); ++i) {
        const auto piece = pieces.pieces(static_cast<int>(i));
        tokens.push_back({piece.id(), stretch.begin + piece.begin(), stretch.begin + piece.end()});
      }
    }
    return tokens;
  }

  [[nodiscard]] std::int64_t size() const override { return m_first.GetPieceSize(); }

  [[nodiscard]] std::string spelling(std::int64_t id) const override {
    return id >= 0 && id < size() ? m_first.IdToPiece(static_cast<int>(id)) : std::string();
  }
  [[nodiscard]] std::string bytes(std::int64_t id) const override {
    return isSpecial(id) ? spelling(id) : m_speller.bytesOf(spelling(id));
  }
  [[nodiscard]] bool dropsFirstSpace() const override { return m_speller.dropsFirstSpace; }
  [[nodiscard]] bool isSpecial(std::int64_t id) const override {
    return m_added.find(id) != nullptr;
  }
  [[nodiscard]] std::optional<std::int64_t> endOfText() const override {
    return m_first.eos_id() < 0 ? std::nullopt : std::optional<std::int64_t>(m_first.eos_id());
  }
  [[nodiscard]] std::string description() const override {
    return fmt::format("{}, {} tokens", m_description, size());
  }

 private:
  /// Most problems of a model are a status of the library, some an exception.
  static Result<> load(sentencepiece::SentencePieceProcessor& processor, std::string_view model) {
    const auto status = guarded([&] { return processor.LoadFromSerializedProto(model); });
    if (status && status->ok()) {
      return {};
    }
    return fail(ErrorCode::CorruptData,
                fmt::format("sentencepiece says: {}",
                            status ? status->error_message() : status.error().message()));
  }

  void addFrame(const SentencePieceOptions& options) {
    // Llama's models write unknown characters in bytes, the older unigram ones do not.
    const bool byDefault = m_first.PieceToId("<0x00>") != m_first.unk_id();
    if (options.addBegin.value_or(byDefault) && m_first.bos_id() >= 0) {
      m_begin = m_first.bos_id();
    }
    if (options.addEnd && m_first.eos_id() >= 0) {
      m_end = m_first.eos_id();
    }
  }

  sentencepiece::SentencePieceProcessor m_first;  ///< for the begin of a text
  sentencepiece::SentencePieceProcessor m_inner;
  AddedTokens m_added;
  Speller m_speller;
  std::optional<std::int64_t> m_begin;
  std::optional<std::int64_t> m_end;
  std::string m_description;
};

}  // namespace

Result<TokenizerPtr> makeSentencePieceTokenizer(std::string_view model,
                                                SentencePieceOptions options) {
  return SentencePieceTokenizer::create(model, std::move(options));
}

}  // namespace ulp::text
