#pragma once

#include <cstddef>
#include <cstdint>

#include "core/text/chat/chat_documents.h"
#include "core/text/documents/documents.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// Reads to the end or to the first error.
template <class Reader>
void readAll(Result<Reader> reader) {
  while (reader) {
    const auto document = reader->next();
    require(document || !document.error().message().empty());
    if (!document || !*document) {
      return;
    }
    require(!(*document)->place.empty());
  }
  require(!reader.error().message().empty());
}

/// A data set: documents in plain text, documents and conversations one a line.
inline void fuzzDocuments(const std::uint8_t* data, std::size_t size) {
  static const FuzzFolder folder;
  folder.write("data.txt", fuzzText(data, size));
  folder.write("data.jsonl", fuzzText(data, size));
  readAll(text::DocumentReader::open(folder.path() / "data.txt", "text"));
  readAll(text::DocumentReader::open(folder.path() / "data.jsonl", "text"));
  // One process runs it for all inputs.
  static const auto kChat = text::ChatTemplate::parse(
      {.jinja = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}",
       .origin = "chat_template.jinja"});
  require(kChat.has_value());
  readAll(text::ChatDocumentReader::open(folder.path() / "data.jsonl", "messages", *kChat));
}

}  // namespace ulp::test
