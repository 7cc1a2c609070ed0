#include <fmt/format.h>

#include "core/text/loading/json_parts.h"

namespace ulp::text {
namespace {

/// The numbers of a special token that a template names.
Result<> addSpecial(const JsonPart& processor,
                    const std::string& name,
                    std::vector<std::int64_t>& ids) {
  const auto specials = ULP_TRY(processor.at("special_tokens"));
  const auto special = ULP_TRY(specials.at(name));
  const auto added = ULP_TRY(special.integers("ids"));
  ids.insert(ids.end(), added.begin(), added.end());
  return {};
}

Result<SequenceFrame> readTemplate(const JsonPart& part, int /*depth*/) {
  const auto items = ULP_TRY(part.items("single"));
  SequenceFrame frame;
  bool hasText = false;
  for (const JsonPart& item : items) {
    if (item.has("Sequence")) {
      if (hasText) {
        return item.unsupported("a template that repeats the text");
      }
      hasText = true;
      continue;
    }
    const auto special = ULP_TRY(item.at("SpecialToken"));
    const auto name = ULP_TRY(special.text("id"));
    ULP_TRY(addSpecial(part, name, hasText ? frame.suffix : frame.prefix));
  }
  if (!hasText) {
    return part.corrupt("the template leaves the text out");
  }
  return frame;
}

/// ["[SEP]", 102]
Result<std::int64_t> readNamedToken(const JsonPart& part, std::string_view key) {
  const auto pair = ULP_TRY(part.items(key));
  if (pair.size() != 2 || !pair.back().value().isInteger()) {
    return part.corrupt(fmt::format("'{}' must be a token and its number", key));
  }
  return pair.back().value().integer();
}

Result<SequenceFrame> readBertFrame(const JsonPart& part, int /*depth*/) {
  const auto first = ULP_TRY(readNamedToken(part, "cls"));
  const auto last = ULP_TRY(readNamedToken(part, "sep"));
  return SequenceFrame{{first}, {last}};
}

Result<SequenceFrame> readFrameSequence(const JsonPart& part, int depth) {
  const auto parts = ULP_TRY(readParts(part, "processors", depth, &readPostProcessor));
  SequenceFrame frame;
  for (const SequenceFrame& read : parts) {
    frame.prefix.insert(frame.prefix.begin(), read.prefix.begin(), read.prefix.end());
    frame.suffix.insert(frame.suffix.end(), read.suffix.begin(), read.suffix.end());
  }
  return frame;
}

/// Trims the places of tokens, adds none.
Result<SequenceFrame> readByteLevelFrame(const JsonPart& /*part*/, int /*depth*/) {
  return SequenceFrame{};
}

constexpr PartKinds<SequenceFrame, 5> kFrameKinds{{{"TemplateProcessing", readTemplate},
                                                   {"BertProcessing", readBertFrame},
                                                   {"RobertaProcessing", readBertFrame},
                                                   {"Sequence", readFrameSequence},
                                                   {"ByteLevel", readByteLevelFrame}}};

Result<> addMetaspace(const JsonPart& part, Speller& speller) {
  speller.space = ULP_TRY(part.text("replacement"));
  const auto scheme = ULP_TRY(part.text("prepend_scheme", "always"));
  speller.dropsFirstSpace = scheme != "never";
  return {};
}

Result<> addReplacement(const JsonPart& part, Speller& speller) {
  const auto pattern = ULP_TRY(part.at("pattern"));
  const auto content = ULP_TRY(part.text("content"));
  if (content == " " && pattern.has("String")) {
    speller.space = ULP_TRY(pattern.text("String"));
  }
  return {};
}

/// What one of the steps of a decoder undoes.
Result<> addDecoder(const JsonPart& part, Speller& speller, int depth) {
  const auto type = ULP_TRY(kindOf(part, depth));
  if (type == "Sequence") {
    const auto items = ULP_TRY(part.items("decoders"));
    for (const JsonPart& item : items) {
      ULP_TRY(addDecoder(item, speller, depth + 1));
    }
    return {};
  }
  if (type == "Metaspace") {
    return addMetaspace(part, speller);
  }
  if (type == "Replace") {
    return addReplacement(part, speller);
  }
  if (type == "ByteLevel") {
    speller.isByteLevel = true;
  } else if (type == "ByteFallback") {
    speller.hasByteTokens = true;
  } else if (type == "Strip") {
    const auto start = part.integer("start", 0);
    speller.dropsFirstSpace = start.value_or(0) > 0;
  } else if (type == "WordPiece") {
    speller.continuingPrefix = part.text("prefix", "##").value_or("##");
    speller.dropsFirstSpace = true;
  } else if (type == "BPEDecoder") {
    speller.wordEnd = part.text("suffix", "</w>").value_or("</w>");
  }
  // The others join tokens, or undo what no language model's tokenizer does.
  return {};
}

}  // namespace

Result<SequenceFrame> readPostProcessor(const JsonPart& part, int depth) {
  return readByKind(part, depth, kFrameKinds);
}

Result<Speller> readDecoder(const JsonPart& part, int depth) {
  Speller speller;
  ULP_TRY(addDecoder(part, speller, depth));
  return speller;
}

}  // namespace ulp::text
