#include "runner/worker/input/tokenised_documents.h"

#include <memory>
#include <utility>

#include "core/text/chat/chat_documents.h"
#include "core/text/documents/documents.h"
#include "runner/worker/input/tokenizer_path.h"

namespace ulp::worker {
namespace {

using Ids = std::vector<std::int64_t>;

void append(Ids& ids, const std::vector<text::Token>& tokens) {
  for (const text::Token& token : tokens) {
    ids.push_back(token.id);
  }
}

Result<Ids> idsOf(const text::Document& document, const text::Tokenizer& tokenizer) {
  const auto tokens = ULP_TRY(tokenizer.encode(document.text));
  Ids ids;
  append(ids, tokens);
  return ids;
}

/// The template writes what the tokenizer would put in front and behind.
Result<Ids> idsOf(const text::ChatDocument& document, const text::Tokenizer& tokenizer) {
  Ids ids;
  for (const std::string& part : document.parts) {
    const auto tokens = ULP_TRY(tokenizer.encodePart(part));
    append(ids, tokens);
  }
  return ids;
}

/// Of the next document; nothing after the last one.
template <typename Reader>
Result<std::optional<Ids>> nextIds(Reader& reader, const text::Tokenizer& tokenizer) {
  const auto document = ULP_TRY(reader.next());
  if (!document) {
    return std::optional<Ids>();
  }
  auto ids = idsOf(*document, tokenizer);
  if (!ids) {
    return failWhile(document->place, std::move(ids));
  }
  return std::optional(*std::move(ids));
}

Result<TokenisedDocuments> openChats(const study::Study& study, const text::Tokenizer& tokenizer) {
  const auto path = ULP_TRY(tokenizerPath(study));
  auto chatTemplate = ULP_TRY(text::loadChatTemplate(path));
  const std::string origin = chatTemplate.origin();
  auto opened = ULP_TRY(
      text::ChatDocumentReader::open(study.inputPath, study.inputField, std::move(chatTemplate)));
  auto reader = std::make_shared<text::ChatDocumentReader>(std::move(opened));
  return TokenisedDocuments{[reader, &tokenizer] { return nextIds(*reader, tokenizer); }, origin};
}

}  // namespace

Result<TokenisedDocuments> openDocuments(const study::Study& study,
                                         const text::Tokenizer& tokenizer) {
  if (study.chatTemplate) {
    return openChats(study, tokenizer);
  }
  auto opened = ULP_TRY(text::DocumentReader::open(study.inputPath, study.inputField));
  auto reader = std::make_shared<text::DocumentReader>(std::move(opened));
  return TokenisedDocuments{[reader, &tokenizer] { return nextIds(*reader, tokenizer); }, {}};
}

}  // namespace ulp::worker
