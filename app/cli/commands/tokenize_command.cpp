#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "core/base/files/atomic_file.h"
#include "core/base/text/utf8.h"
#include "core/json/writer.h"
#include "core/study/reading/study.h"
#include "core/text/characters/quoted.h"
#include "core/text/tokenizers/tokenizer.h"

namespace ulp::cli {
namespace {

constexpr std::size_t kLargestText = std::size_t{64} << 20;

struct TokenizeFlags {
  std::string model;
  std::string text;
  bool hasText = false;
  std::string file;
  std::string format = "text";
};

Result<std::string> readInput(const TokenizeFlags& flags) {
  if (flags.hasText == !flags.file.empty()) {
    return fail(ErrorCode::InvalidArgument,
                "tokenize: give the text after the model, or a file of it with --file");
  }
  return flags.hasText ? Result<std::string>(flags.text) : readTextFile(flags.file, kLargestText);
}

std::string bytesOf(const text::Token& token, std::string_view input) {
  return std::string(input.substr(token.begin, token.end - token.begin));
}

void printText(std::ostream& out,
               const text::Tokenizer& tokenizer,
               const std::vector<text::Token>& tokens,
               std::string_view input) {
  constexpr const char* kRow = "{:>8}  {:>8}  {:>8}  {:>8}  {:<20}  {}\n";
  fmt::print(
      out, "{}\n{} tokens of {} bytes\n\n", tokenizer.description(), tokens.size(), input.size());
  fmt::print(out, kRow, "position", "id", "begin", "end", "piece", "text");
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const text::Token& token = tokens[i];
    fmt::print(out,
               kRow,
               i,
               token.id,
               token.begin,
               token.end,
               tokenizer.spelling(token.id),
               text::quoted(bytesOf(token, input)));
  }
}

void printJson(std::ostream& out,
               const text::Tokenizer& tokenizer,
               const std::vector<text::Token>& tokens,
               std::string_view input) {
  json::Writer json;
  const auto write = [&](const text::Token& token) {
    json.field("id", token.id);
    json.field("piece", tokenizer.spelling(token.id));
    json.field("begin", token.begin);
    json.field("end", token.end);
    json.field("text", bytesOf(token, input));
    json.field("special", tokenizer.isSpecial(token.id));
  };
  json.value([&] {
    json.field("tokenizer", tokenizer.description());
    json.field("vocabulary", tokenizer.size());
    json.field("bytes", input.size());
    json.objects("tokens", tokens, write, {.items = 2, .end = 0});
  });
  out << std::move(json).take() << '\n';
}

Result<> tokenize(const TokenizeFlags& flags, const CommandContext& context) {
  const auto input = ULP_TRY(readInput(flags));
  study::Study study;
  study.modelPath = flags.model;
  const auto path = ULP_TRY(study::resolveModelPath(study));
  const auto tokenizer = ULP_TRY(text::loadTokenizer(path));
  auto tokens = tokenizer->encode(input);
  if (!tokens) {
    return flags.hasText ? failWhile("text", std::move(tokens))
                         : failWhile(flags.file, std::move(tokens));
  }
  if (flags.format == "json") {
    printJson(context.out, *tokenizer, *tokens, input);
  } else {
    printText(context.out, *tokenizer, *tokens, input);
  }
  return {};
}

void addTokenizeCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("tokenize", "Show the tokens that a model's tokenizer makes of a text");
  const auto flags = std::make_shared<TokenizeFlags>();
  command
      ->add_option("MODEL",
                   flags->model,
                   "Model folder, .gguf file or hub ID, or a tokenizer.json or tokenizer.model")
      ->required();
  CLI::Option* text = command->add_option("TEXT", flags->text, "What is tokenised");
  command->add_option("--file", flags->file, "Tokenise a UTF-8 file instead");
  command->add_option("--format", flags->format, "A table, or JSON")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->footer("Example: ulpscope-cli tokenize models/SmolLM2-135M-Instruct.gguf 'Gravity is'");
  command->callback([flags, text, &context] {
    flags->hasText = text->count() > 0;
    context.exitCode = context.exitCodeOf(tokenize(*flags, context));
  });
}

}  // namespace

void registerTokenize(CommandRegistry& registry) {
  registry.add({.order = 80, .add = addTokenizeCommand});
}

}  // namespace ulp::cli
