#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

/// From text to token ids and back, as the model's own tokenizer does it.
namespace ulp::text {

/// A token and the bytes [begin, end) of the text that it stands for. Both are equal for tokens
/// that the tokenizer added, such as the one that begins a sequence, and where a character was
/// written as several tokens each of them may stand for all of it.
struct Token {
  std::int64_t id = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Immutable, safe to use from several threads.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  /// The tokens of `text` as a sequence of its own, with what the tokenizer puts in front and
  /// behind. Special tokens that stand in the text are recognised. Neither cut nor padded. Errors:
  /// InvalidArgument (not UTF-8, with the byte; more than 1 GiB; a character that the vocabulary
  /// cannot write), Unsupported, Internal.
  [[nodiscard]] virtual Result<std::vector<Token>> encode(std::string_view text) const = 0;
  /// Encodes without what is put in front and behind: a part of a sequence, or of a text that a
  /// chat template has given its frame.
  [[nodiscard]] virtual Result<std::vector<Token>> encodePart(std::string_view text) const = 0;

  /// One more than the largest id; not every id below it need be a token.
  [[nodiscard]] virtual std::int64_t size() const = 0;
  /// Gives a token as the vocabulary writes it ("Ġis"), or empty where no token has that id.
  [[nodiscard]] virtual std::string spelling(std::int64_t id) const = 0;
  /// The bytes that it adds to a text (" is"); part of a character may be all of it. Empty where no
  /// token has that id.
  [[nodiscard]] virtual std::string bytes(std::int64_t id) const = 0;
  /// True where a text begins with the space that the first token's bytes() begin with only because
  /// the tokenizer put it there.
  [[nodiscard]] virtual bool dropsFirstSpace() const = 0;
  /// Found in a text as a whole, and not part of what is said: "<|im_start|>".
  [[nodiscard]] virtual bool isSpecial(std::int64_t id) const = 0;
  /// The token that ends a document, where the files name one.
  [[nodiscard]] virtual std::optional<std::int64_t> endOfText() const = 0;
  /// "tokenizer.json, BPE, 49152 tokens".
  [[nodiscard]] virtual std::string description() const = 0;

 protected:
  Tokenizer() = default;
};

using TokenizerPtr = std::shared_ptr<const Tokenizer>;

/// A text made of tokens, and where in it each of them lies.
struct DecodedText {
  std::string text;  ///< not UTF-8 where the tokens are not
  std::vector<Token> tokens;
};

/// The text that ids stand for, special tokens included.
[[nodiscard]] DecodedText decode(const Tokenizer& tokenizer, std::span<const std::int64_t> ids);

/// The tokenizer of a model: of a .gguf file from its metadata; of a folder from tokenizer.json, or
/// else from tokenizer.model; or one of these files itself. Errors: NotFound with what was looked
/// for, Io, CorruptData and Unsupported with the part that is meant.
[[nodiscard]] Result<TokenizerPtr> loadTokenizer(const std::filesystem::path& path);
/// The same for what a chat template has written, of which the ids are those of `transformers`: to
/// a tokenizer.json it adds the tokens that tokenizer_config.json, special_tokens_map.json and
/// added_tokens.json beside it name.
[[nodiscard]] Result<TokenizerPtr> loadChatTokenizer(const std::filesystem::path& path);

}  // namespace ulp::text
