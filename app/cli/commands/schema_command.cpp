#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>

#include "app/cli/command.h"
#include "core/study/fast_llm/fast_llm_paths.h"
#include "core/study/schema/schema.h"

namespace ulp::cli {
namespace {

void addSchemaCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("schema", "List every key of a study file");
  auto format = std::make_shared<std::string>("text");
  command
      ->add_option(
          "--format",
          *format,
          "Aligned text, or the Markdown table of the manual; fast-llm: that of the paths of "
          "Fast-LLM files")
      ->check(CLI::IsMember({"text", "md", "fast-llm"}))
      ->capture_default_str();
  command->callback([format, &context] {
    context.out << (*format == "md"         ? study::schemaMarkdown()
                    : *format == "fast-llm" ? study::fastLlmMarkdown()
                                            : study::schemaHelp());
  });
}

}  // namespace

void registerSchema(CommandRegistry& registry) {
  registry.add({.order = 110, .add = addSchemaCommand});
}

}  // namespace ulp::cli
