#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/cli/command.h"
#include "app/cli/record/recorded_program.h"

namespace ulp::cli {
namespace {

/// What CLI11 fills in.
struct RecordFlags {
  RecordRequest request;
  std::string progress = "auto";
};

void addChoices(CLI::App& command, RecordWishes& wishes) {
  command.add_option("--out", wishes.folder, "Folder of the recording");
  command.add_option("--config", wishes.config, "A config.json of msprobe; options come first");
  command.add_option("--level", wishes.level, "Modules, calls of functions, or both (default: L0)")
      ->check(CLI::IsMember({"L0", "L1", "mix"}));
  command
      .add_option("--task",
                  wishes.task,
                  "Elements, or numbers alone, or those with checksums (default: tensor)")
      ->check(CLI::IsMember({"tensor", "statistics", "checksum"}));
  command.add_option("--modules", wishes.modules, "Regular expression: these modules alone");
  command.add_option("--list", wishes.list, "Calls with this in their name alone; repeat")
      ->allow_extra_args(false);
  command.add_option("--scope", wishes.scope, "From the first to the last of two calls")
      ->expected(2);
  command.add_option("--ranks", wishes.ranks, "These ranks alone: 0,2-3");
  command.add_option("--steps", wishes.steps, "These steps alone: 0,2-5");
  command
      .add_option("--data-mode",
                  wishes.dataMode,
                  "Of every call: all, forward, backward, input, output; repeat")
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"all", "forward", "backward", "input", "output"}));
  command.add_option("--tokens",
                     wishes.tokens,
                     "Of a model that generates: these tokens, 0:3; logits of all are kept");
  command
      .add_option("--steps-by",
                  wishes.stepsBy,
                  "What ends a step: the optimizer, or each call of the model (default: auto)")
      ->check(CLI::IsMember({"auto", "optimizer", "call"}))
      ->excludes("--tokens");
  command.add_flag("--stack", wishes.hasStack, "Record from where each call comes");
  command.add_flag(
      "--weights", wishes.hasWeights, "Record the parameters of each module that is called, too");
}

void addRecordCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("record", "Run a PyTorch program as it is, and record what it computes");
  const auto flags = std::make_shared<RecordFlags>();
  command
      ->add_option("COMMAND",
                   flags->request.words,
                   "The program and its arguments, behind --: -- python train.py")
      ->required();
  addChoices(*command, flags->request.wishes);
  command->add_option("--progress", flags->progress, "How progress is shown")
      ->check(CLI::IsMember({"auto", "jsonl", "none"}))
      ->capture_default_str();
  command->footer(
      "Example: ulpscope-cli record --out dump --steps 0-2 -- torchrun --nproc-per-node 2 "
      "train.py\nThe exit code is the program's.");
  command->callback([flags, &context] {
    RecordRequest& request = flags->request;
    request.progress = flags->progress == "jsonl"  ? RecordProgress::JsonLines
                       : flags->progress == "none" ? RecordProgress::None
                                                   : RecordProgress::Plain;
    context.exitCode = context.exitCodeOf(recordProgram(request, context));
  });
}

}  // namespace

void registerRecord(CommandRegistry& registry) {
  registry.add({.order = 15, .add = addRecordCommand});
}

}  // namespace ulp::cli
