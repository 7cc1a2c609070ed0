#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/commands/prove_cause.h"
#include "app/cli/output.h"
#include "app/cli/print/compare_print.h"
#include "app/cli/print/diverge_print.h"
#include "app/cli/print/overflow_print.h"
#include "app/cli/sources/compare_sides.h"
#include "app/cli/sources/options.h"
#include "app/cli/sources/run_pair.h"
#include "app/cli/stop_signals.h"
#include "core/analysis/depth/run_difference.h"
#include "core/analysis/findings/finding_rule.h"
#include "core/analysis/mapping/site_mapping.h"
#include "core/analysis/studies/proof.h"
#include "core/base/list_of.h"
#include "core/comparing/align/dump_sides.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "core/report/formats/format.h"
#include "core/report/model/effective_config.h"

namespace ulp::cli {
namespace {

struct DivergeFlags {
  std::string first;
  std::string second;
  std::vector<std::string> variants;
  std::string format = "text";
  double excess = 2;
  bool doesProve = false;
  RunArguments proof;
  std::string proofOutput;
  std::string progress = "auto";
  bool isOverwrite = false;
  UnitAxes units;
  std::string map;
  bool isWithoutElements = false;

  /// Two runs are compared number by number; else every error of a study is followed.
  [[nodiscard]] bool isOfPair() const { return !second.empty() || doesProve || namesRun(first); }
};

Result<std::vector<const report::Run*>> chooseRuns(const report::Report& report,
                                                   const std::vector<std::string>& wanted) {
  std::vector<const report::Run*> compared;
  for (const report::Run& run : report.runs) {
    if (!run.comparisons.empty()) {
      compared.push_back(&run);
    }
  }
  if (compared.empty()) {
    return fail(ErrorCode::InvalidArgument, "the report holds no variant that was compared");
  }
  if (wanted.empty()) {
    return compared;
  }
  std::vector<const report::Run*> chosen;
  for (const std::string& name : wanted) {
    const auto found = std::ranges::find(compared, name, &report::Run::name);
    if (found == compared.end()) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("--variant: there is no compared variant '{}'; choose {}",
                              name,
                              fmt::join(listOf(compared, &report::Run::name), ", ")));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

Result<std::vector<RunDivergence>> trace(const report::Report& report, const DivergeFlags& flags) {
  const auto runs = ULP_TRY(chooseRuns(report, flags.variants));
  if (report.metricIndex("rms_rel") < 0) {
    return fail(ErrorCode::InvalidArgument,
                "the report does not hold the metric 'rms_rel', from which divergence is told");
  }
  // A configuration that cannot be read is a report that says less.
  const report::EffectiveConfig config =
      report::effectiveConfig(report).value_or(report::EffectiveConfig{});
  std::vector<RunDivergence> traced;
  for (const report::Run* run : runs) {
    const analysis::FormatLimits* format =
        analysis::RuleInput::coarsestFormat(report, *run, config);
    RunDivergence item{.report = &report,
                       .run = run,
                       .format = format == nullptr ? "" : std::string(format->name),
                       .limits = {flags.excess, format == nullptr ? 0 : format->roundOff}};
    item.trace = analysis::traceDivergence(report, *run, item.limits);
    traced.push_back(std::move(item));
  }
  return traced;
}

Result<ExitCode> diverge(const DivergeFlags& flags, const CommandContext& context) {
  const auto loaded = ULP_TRY(report::loadReport(flags.first));
  const auto traced = ULP_TRY(whileDoing(loaded.file.string(), trace(*loaded.report, flags)));
  if (flags.format == "json") {
    context.out << divergenceJson(traced);
  } else {
    printDivergence(context.out, traced);
  }
  const bool hasDiverged = std::ranges::any_of(traced, [](const RunDivergence& item) {
    return item.trace.first.has_value() || !item.run->missingGradients.empty();
  });
  return hasDiverged ? ExitCode::RuleFailed : ExitCode::Done;
}

/// `--variant` names the second run where the arguments do not.
Result<analysis::RunPair> openPair(const DivergeFlags& flags) {
  const bool isNamed = !flags.second.empty() || namesRun(flags.first);
  if (flags.variants.size() > 1 || (isNamed && !flags.variants.empty())) {
    return fail(ErrorCode::InvalidArgument,
                "--variant: two runs are compared; name them as arguments, or one variant");
  }
  if (!flags.variants.empty()) {
    return openRunPair(fmt::format("{}#{}", flags.first, flags.variants.front()), {});
  }
  return openRunPair(flags.first, flags.second);
}

std::string differenceJson(const analysis::RunPair& pair,
                           const analysis::RunDifference& difference,
                           const std::optional<analysis::Proof>& proof) {
  return json::document("ulpscope.difference/1", [&](json::Writer& json) {
    writeDifference(json, pair, difference);
    if (proof) {
      writeProof(json, *proof);
    }
  });
}

Result<ExitCode> comparePair(const DivergeFlags& flags, const CommandContext& context) {
  const auto pair = ULP_TRY(openPair(flags));
  const auto difference = ULP_TRY(analysis::runDifference(*pair.report, *pair.rows));
  const bool isText = flags.format == "text";
  if (isText) {
    printDifference(context.out, pair, difference);
    context.out.flush();
  }
  std::optional<analysis::Proof> proof;
  if (flags.doesProve && difference.hasFirst()) {
    RunArguments arguments = flags.proof;
    arguments.options.outputDir = flags.proofOutput.empty()
                                      ? analysis::proofFolder(pair.candidate)
                                      : std::filesystem::path(flags.proofOutput);
    proof = ULP_TRY(proveCause(pair, difference, std::move(arguments), context));
  }
  if (!isText) {
    context.out << differenceJson(pair, difference, proof);
  } else if (proof) {
    printProof(context.out, *proof);
  }
  return difference.isEqual() ? ExitCode::Done : ExitCode::RuleFailed;
}

Result<UnitOverflow> searchUnit(const dumps::Dump& dump,
                                std::size_t index,
                                const DivergeFlags& flags,
                                const std::stop_token& stop,
                                const dumps::Progress& progress) {
  const auto unit = ULP_TRY(dump.openUnit(index, stop));
  auto finiteness = ULP_TRY(
      analysis::finitenessOf(*unit, {.readsElements = !flags.isWithoutElements}, stop, progress));
  return UnitOverflow{.label = describe(unit->axes),
                      .search = analysis::findOverflow(*unit, finiteness),
                      .problems = std::move(finiteness.problems),
                      .notes = unit->notes};
}

/// Units that cannot be read are a note, and the rest is searched.
Result<DumpOverflow> searchDump(const DivergeFlags& flags,
                                const CommandContext& context,
                                const std::stop_token& stop) {
  const report::DumpSide side = sideOf(flags.first, flags.units);
  const auto dump = ULP_TRY(openDumpOf(side, stop));
  DumpOverflow overflow{
      .name = side.path.string(), .format = dump->format, .units = {}, .notes = dump->notes};
  ProgressLine line(context, "searching");
  std::optional<Error> firstError;
  for (std::size_t i = 0; i < dump->units.size(); ++i) {
    auto unit = searchUnit(*dump, i, flags, stop, [&](std::uint64_t done, std::uint64_t total) {
      line(i * total + done, dump->units.size() * total);
    });
    if (unit) {
      overflow.units.push_back(std::move(*unit));
    } else if (unit.error().endsWork()) {
      return tl::unexpected<Error>(std::move(unit.error()));
    } else {
      overflow.notes.push_back(unit.error().message());
      firstError = firstError ? firstError : unit.error();
    }
  }
  if (overflow.units.empty() && firstError) {
    return tl::unexpected<Error>(*firstError);
  }
  return overflow;
}

Result<ExitCode> divergeOne(const DivergeFlags& flags,
                            const CommandContext& context,
                            const std::stop_token& stop) {
  const auto overflow = ULP_TRY(searchDump(flags, context, stop));
  if (flags.format == "text") {
    context.out << overflowText(overflow, kNamesShown);
  } else if (flags.format == "json") {
    context.out << overflowJson(overflow);
  } else {
    const auto table = ULP_TRY(report::writeTable(overflowTable(overflow), flags.format));
    context.out << table;
  }
  return overflow.hasOrigin() ? ExitCode::RuleFailed : ExitCode::Done;
}

Result<ExitCode> divergeTwo(const DivergeFlags& flags,
                            const CommandContext& context,
                            const std::stop_token& stop) {
  std::string mapping;
  if (!flags.map.empty()) {
    // Read here as well as by the comparison, so that an error names the file.
    auto file = ULP_TRY(analysis::readMappingFile(flags.map));
    mapping = std::move(file.text);
  }
  const auto compared = ULP_TRY(compareSides({.baseline = sideOf(flags.first, flags.units),
                                              .candidate = sideOf(flags.second, flags.units),
                                              .mapping = std::move(mapping),
                                              .readsElements = !flags.isWithoutElements},
                                             context,
                                             stop));
  const analysis::DumpComparison& comparison = compared.comparison;
  context.out << (flags.format == "json" ? comparisonJson(comparison, nullptr)
                                         : verdictText(comparison, kNamesShown));
  const bool hasCulprit = std::ranges::any_of(
      comparison.units, [](const auto& unit) { return !unit.verdict.culprits.empty(); });
  const ExitCode ofFailures = context.reportErrors(comparison.failures);
  return hasCulprit                                               ? ExitCode::RuleFailed
         : comparison.hasUnread() && ofFailures == ExitCode::Done ? ExitCode::BadInput
                                                                  : ofFailures;
}

/// Of other tools' dumps, which studies are not.
Result<ExitCode> divergeOfDumps(const CLI::App& command,
                                const DivergeFlags& flags,
                                const CommandContext& context) {
  ULP_TRY(refuseOptions(command,
                        "--prove --variant --excess",
                        fmt::format("is for studies, and {} is a dump", flags.first)));
  const auto signals = ULP_TRY(StopSignals::install());
  // What it finds is printed and not kept.
  const ExpendableWork work(*signals);
  const std::stop_token stop = signals->token();
  if (flags.second.empty() && !flags.map.empty()) {
    return fail(ErrorCode::InvalidArgument,
                "--map: says how the names of two dumps correspond, and there is one");
  }
  if (flags.second.empty()) {
    return divergeOne(flags, context, stop);
  }
  if (flags.format != "text" && flags.format != "json") {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--format {}: of two dumps there are text and json; `compare` writes "
                            "tables",
                            flags.format));
  }
  return divergeTwo(flags, context, stop);
}

Result<ExitCode> divergeOfStudies(const CLI::App& command,
                                  const DivergeFlags& flags,
                                  const CommandContext& context) {
  ULP_TRY(refuseOptions(command, "--step --rank --token --map --recorded", "is for dumps alone"));
  if (flags.format != "text" && flags.format != "json") {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("--format {}: is for one dump alone; choose text or json", flags.format));
  }
  return flags.isOfPair() ? comparePair(flags, context) : diverge(flags, context);
}

/// The path, before a '#', is a dump rather than a study (analysis::isDump()).
bool holdsDump(const std::string& name) {
  return analysis::isDump(analysis::parseSide(name).path);
}

Result<ExitCode> divergeAny(const CLI::App& command,
                            const DivergeFlags& flags,
                            const CommandContext& context) {
  if (!flags.doesProve) {
    ULP_TRY(refuseOptions(command,
                          "--output --overwrite --set --device --threads --progress",
                          "is for --prove alone"));
  }
  const bool isOfDumps =
      holdsDump(flags.first) || (!flags.second.empty() && holdsDump(flags.second));
  return isOfDumps ? divergeOfDumps(command, flags, context)
                   : divergeOfStudies(command, flags, context);
}

void addDumpOptions(CLI::App& command, DivergeFlags& flags) {
  addUnitOptions(command, flags.units, "Dumps: ");
  command.add_option("--map", flags.map, "Two dumps: mapping of B's names to A's");
  command.add_flag("--recorded",
                   flags.isWithoutElements,
                   "Dumps: read no elements, recorded statistics and checksums alone");
}

void addProofOptions(CLI::App& command, DivergeFlags& flags) {
  command.add_flag(
      "--prove",
      flags.doesProve,
      "Run the second run again, one difference of configuration taken back at a time");
  command.add_option("--output", flags.proofOutput, "Folder of these runs; default: beside RUN");
  command.add_flag("--overwrite", flags.isOverwrite, "Replace the results of the folder");
  command
      .add_option("--set", flags.proof.sets, "KEY=VALUE for these runs, such as model.path; repeat")
      ->allow_extra_args(false);
  command.add_option("--device", flags.proof.options.device, "auto, cpu, cuda or cuda:N");
  command.add_option("--threads", flags.proof.options.threads, "Threads on the CPU")
      ->check(CLI::Range(1, 4096));
  command.add_option("--progress", flags.progress, "How progress is shown")
      ->check(CLI::IsMember({"auto", "plain", "none"}))
      ->capture_default_str();
}

void addDivergeCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "diverge", "Find the first tensor that differs, or makes an error of its own, and why");
  const auto flags = std::make_shared<DivergeFlags>();
  command
      ->add_option("A",
                   flags->first,
                   "Folder of a study or its report, FOLDER#RUN: one run of it; or a dump")
      ->required();
  command->add_option(
      "B",
      flags->second,
      "Compare this run with A, number by number: FOLDER, FOLDER#RUN, or a run of A; or a dump");
  command->add_option("--variant", flags->variants, "Names of runs; default: all")->delimiter(',');
  command->add_option("--format", flags->format, "text or json; of one dump csv, too")
      ->check(CLI::IsMember({"text", "json", "csv"}))
      ->capture_default_str();
  command
      ->add_option("--excess",
                   flags->excess,
                   "How many times an error may exceed what came in and one rounding (without B)")
      ->check(CLI::Range(1.0, 1000.0))
      ->capture_default_str();
  addDumpOptions(*command, *flags);
  addProofOptions(*command, *flags);
  command->footer(
      "Of one dump: the first call that makes NaN or infinity of finite numbers.\n"
      "Exit code 1 when a variant diverges, the two runs differ or there is such a call, 0 when "
      "not.");
  command->callback([flags, command, &context] {
    flags->proof.progress =
        parseProgressMode(flags->progress, context.errIsTerminal).value_or(ProgressMode::Plain);
    if (flags->isOverwrite) {
      flags->proof.options.existing = worker::ExistingResults::Overwrite;
    }
    context.exitCode = context.exitCodeOf(divergeAny(*command, *flags, context));
  });
}

}  // namespace

void registerDiverge(CommandRegistry& registry) {
  registry.add({.order = 40, .add = addDivergeCommand});
}

}  // namespace ulp::cli
