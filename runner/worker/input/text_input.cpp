#include "runner/worker/input/text_input.h"

#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/text/chat/chat_documents.h"
#include "core/text/documents/documents.h"

namespace ulp::worker {
namespace {

using Ids = std::vector<std::int64_t>;

/// The token ids of the next document, or nothing at the end.
using NextDocument = std::function<Result<std::optional<Ids>>()>;

struct TokenisedDocuments {
  NextDocument next;
  std::string chatTemplate;  ///< where it comes from; empty: the documents are texts
};

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

/// The documents of the dataset `input.path`, as texts or, with `input.chat_template`, as
/// conversations that the template of the tokenizer's files writes; read as they are asked for.
/// `tokenizer` must outlive it. Errors, here and of next(): those of DocumentReader,
/// ChatDocumentReader, loadChatTemplate() and Tokenizer, with file and line.
Result<TokenisedDocuments> openDocuments(const study::Study& study,
                                         const text::Tokenizer& tokenizer) {
  if (study.chatTemplate) {
    return openChats(study, tokenizer);
  }
  auto opened = ULP_TRY(text::DocumentReader::open(study.inputPath, study.inputField));
  auto reader = std::make_shared<text::DocumentReader>(std::move(opened));
  return TokenisedDocuments{[reader, &tokenizer] { return nextIds(*reader, tokenizer); }, {}};
}

std::size_t widthOf(const study::Study& study) {
  return static_cast<std::size_t>(study.sequenceLength) + 1;
}

/// Takes sequences out of documents.
class SequencePacker {
 public:
  SequencePacker(NextDocument next, std::optional<std::int64_t> separator, std::size_t width)
      : m_next(std::move(next)), m_separator(separator), m_width(width) {}

  /// Appends a sequence to `ids`; false where the documents do not suffice for it.
  [[nodiscard]] Result<bool> addSequence(std::vector<std::int64_t>& ids) {
    const std::size_t begin = ids.size();
    const std::size_t end = begin + m_width;
    while (ids.size() < end) {
      auto document = ULP_TRY(m_next());
      if (!document) {
        ids.resize(begin);
        return false;
      }
      if (ids.size() > begin && m_separator && ids.back() != *m_separator) {
        ids.push_back(*m_separator);
      }
      ids.insert(ids.end(), document->begin(), document->end());
      ++m_documents;
    }
    m_leftOut += ids.size() - end;
    ids.resize(end);
    return true;
  }

  [[nodiscard]] std::size_t documents() const { return m_documents; }
  [[nodiscard]] std::size_t leftOut() const { return m_leftOut; }

 private:
  NextDocument m_next;
  std::optional<std::int64_t> m_separator;  ///< between the documents of a sequence
  std::size_t m_width;
  std::size_t m_documents = 0;
  std::size_t m_leftOut = 0;
};

}  // namespace

Result<std::filesystem::path> tokenizerPath(const study::Study& study) {
  return study.tokenizerPath.empty() ? study::resolveModelPath(study) : study.tokenizerPath;
}

std::int64_t sequenceCount(const study::Study& study) {
  return study.sequences > 0 ? study.sequences : study.microBatchSize;
}

Result<TokenisedText> tokeniseText(const study::Study& study, const text::Tokenizer& tokenizer) {
  const std::string file = study.inputPath.string();
  const auto text = ULP_TRY(readTextFile(study.inputPath));
  auto tokens = tokenizer.encode(text);
  if (!tokens) {
    return failWhile(file, std::move(tokens));
  }
  if (tokens->empty()) {
    return fail(ErrorCode::InvalidArgument, fmt::format("{}: holds no text", file));
  }
  const std::size_t wanted = static_cast<std::size_t>(sequenceCount(study)) * widthOf(study);
  // What one step repeats is its own business; samples that repeat each other are no samples.
  if (tokens->size() < wanted && sequenceCount(study) > study.microBatchSize) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("{}: its {} tokens suffice for {} sequences of {} tokens, but the study "
                    "asks for {}; lower input.sequences or input.sequence_length",
                    file,
                    tokens->size(),
                    tokens->size() / widthOf(study),
                    widthOf(study),
                    sequenceCount(study)));
  }
  TokenisedText result;
  for (std::size_t i = 0; i < wanted; ++i) {
    result.ids.push_back((*tokens)[i % tokens->size()].id);
  }
  const std::string what = tokens->size() < wanted   ? fmt::format("repeated to fill {}", wanted)
                           : tokens->size() > wanted ? fmt::format("the first {} are used", wanted)
                                                     : "all are used";
  result.description = fmt::format(
      "text {}: {} tokens ({}), {}", file, tokens->size(), tokenizer.description(), what);
  return result;
}

Result<TokenisedText> tokeniseDataset(const study::Study& study, const text::Tokenizer& tokenizer) {
  auto documents = ULP_TRY(openDocuments(study, tokenizer));
  SequencePacker packer(std::move(documents.next), tokenizer.endOfText(), widthOf(study));
  TokenisedText result;
  for (std::int64_t i = 0; i < sequenceCount(study); ++i) {
    const auto added = ULP_TRY(packer.addSequence(result.ids));
    if (!added) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: its {} documents suffice for {} sequences of {} tokens, but the "
                              "study asks for {}; lower input.sequences, input.micro_batch_size or "
                              "input.sequence_length",
                              study.inputPath.string(),
                              packer.documents(),
                              i,
                              widthOf(study),
                              sequenceCount(study)));
    }
  }
  result.description = fmt::format(
      "dataset {}: {} sequences of {} tokens ({}{}) out of {} documents, of whose tokens {} are "
      "left out",
      study.inputPath.string(),
      sequenceCount(study),
      widthOf(study),
      tokenizer.description(),
      documents.chatTemplate.empty() ? "" : "; chat template of " + documents.chatTemplate,
      packer.documents(),
      packer.leftOut());
  return result;
}

}  // namespace ulp::worker
