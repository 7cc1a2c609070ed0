#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/cli/command.h"
#include "app/cli/run/study_run.h"

namespace ulp::cli {
namespace {

/// What CLI11 fills in.
struct RunFlags {
  RunArguments arguments;
  std::string output;
  std::string study;
  std::string progress = "auto";
  bool isResume = false;
  bool isOverwrite = false;
  RemoteArguments remote;
};

void addRemoteOptions(CLI::App& command, RemoteArguments& remote) {
  constexpr const char* kGroup = "On another machine";
  auto* on = command
                 .add_option("--on",
                             remote.host,
                             "HOST, by ssh: the study runs there, and goes on when the connection "
                             "is lost; paths of the study are paths there")
                 ->group(kGroup);
  const auto add = [&](const char* name, auto& value, const char* help) {
    command.add_option(name, value, help)->group(kGroup)->needs(on);
  };
  add("--host-output", remote.output, "Folder of the results on HOST (default: one of its own)");
  add("--host-program", remote.program, "ulpscope-cli on HOST (default: looked for)");
  command
      .add_flag("--install", remote.installs, "Copy Ulpscope to HOST where this version is missing")
      ->group(kGroup)
      ->needs(on);
  add("--install-from", remote.archive, "Archive for --install (ulpscope-headless-….tar.xz)");
  command
      .add_option("--send", remote.send, "Also send this file or folder beside the study; repeat")
      ->allow_extra_args(false)
      ->group(kGroup)
      ->needs(on);
}

void addRunCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("run", "Run a study and compare its variants");
  const auto flags = std::make_shared<RunFlags>();
  worker::RunOptions& options = flags->arguments.options;
  command->add_option("STUDY", flags->study, "Study file (YAML), or the name of one that ships")
      ->required();
  command->add_option("--output", flags->output, "Folder of the results (default: the study's)");
  command->add_option("--set", flags->arguments.sets, "KEY=VALUE in place of the study's; repeat")
      ->allow_extra_args(false);
  command->add_option("--variant", options.variants, "Run this variant only; repeat")
      ->allow_extra_args(false);
  command->add_option(
      "--device",
      options.device,
      "auto, cpu, cuda, cuda:N or several: cuda:0,cuda:1, cuda:all; cuda:0+cuda:1 have the layers "
      "of one model");
  command->add_option("--threads", options.threads, "Threads on the CPU (default: one a core)")
      ->check(CLI::Range(1, 4096));
  command->add_option("--progress", flags->progress, "How progress is shown")
      ->check(CLI::IsMember({"auto", "plain", "jsonl", "none"}))
      ->capture_default_str();
  command->add_flag("--control",
                    flags->arguments.hasControl,
                    "Read commands from standard input, one a line: skip VARIANT");
  auto* resume = command->add_flag(
      "--resume", flags->isResume, "Keep finished runs of the folder, make those that are missing");
  command
      ->add_flag("--keep-failed",
                 options.keepsFailed,
                 "With --resume: variants that failed are not tried again")
      ->needs(resume);
  command->add_flag("--overwrite", flags->isOverwrite, "Replace the results of the folder")
      ->excludes(resume);
  addRemoteOptions(*command, flags->remote);
  command->callback([flags, &context] {
    RunArguments& arguments = flags->arguments;
    arguments.study = flags->study;
    arguments.options.outputDir = flags->output;
    arguments.progress =
        parseProgressMode(flags->progress, context.errIsTerminal).value_or(ProgressMode::Plain);
    if (flags->isResume) {
      arguments.options.existing = worker::ExistingResults::Resume;
    } else if (flags->isOverwrite) {
      arguments.options.existing = worker::ExistingResults::Overwrite;
    }
    if (!flags->remote.host.empty()) {
      arguments.remote = flags->remote;
      arguments.remote->installs |= !arguments.remote->archive.empty();
    }
    context.exitCode = context.exitCodeOf(runStudyFile(arguments, context));
  });
}

}  // namespace

void registerRun(CommandRegistry& registry) {
  registry.add({.order = 10, .add = addRunCommand});
}

}  // namespace ulp::cli
