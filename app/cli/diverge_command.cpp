#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/diverge_print.h"
#include "core/analysis/findings/rule_input.h"

namespace ulp::cli {
namespace {

struct DivergeFlags {
  std::string run;
  std::vector<std::string> variants;
  std::string format = "text";
  double excess = 2;
};

Result<std::vector<const report::Run*>> chooseRuns(const report::Report& report,
                                                   const std::vector<std::string>& wanted) {
  std::vector<const report::Run*> compared;
  std::vector<std::string> names;
  for (const report::Run& run : report.runs) {
    if (!run.comparisons.empty()) {
      compared.push_back(&run);
      names.push_back(run.name);
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
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("--variant: there is no compared variant '{}'; choose {}",
                              name,
                              fmt::join(names, ", ")));
    }
    chosen.push_back(compared[static_cast<std::size_t>(found - names.begin())]);
  }
  return chosen;
}

Result<std::vector<RunDivergence>> trace(const report::Report& report, const DivergeFlags& flags) {
  const auto runs = chooseRuns(report, flags.variants);
  if (!runs) {
    return tl::unexpected<Error>(runs.error());
  }
  if (report.metricIndex("rms_rel") < 0) {
    return fail(ErrorCode::InvalidArgument,
                "the report does not hold the metric 'rms_rel', from which divergence is told");
  }
  std::vector<RunDivergence> traced;
  for (const report::Run* run : *runs) {
    const analysis::FormatLimits* format = analysis::RuleInput::coarsestFormat(*run);
    RunDivergence item{.run = run,
                       .format = format == nullptr ? "" : std::string(format->name),
                       .limits = {flags.excess, format == nullptr ? 0 : format->roundOff},
                       .trace = {}};
    item.trace = analysis::traceDivergence(report, *run, item.limits);
    traced.push_back(std::move(item));
  }
  return traced;
}

Result<ExitCode> diverge(const DivergeFlags& flags, const CommandContext& context) {
  const auto loaded = report::loadReport(flags.run);
  if (!loaded) {
    return tl::unexpected<Error>(loaded.error());
  }
  auto traced = trace(*loaded->report, flags);
  if (!traced) {
    return failWhile(loaded->file.string(), std::move(traced));
  }
  if (flags.format == "json") {
    context.out << divergenceJson(*traced);
  } else {
    printDivergence(context.out, *traced);
  }
  const bool hasDiverged = std::any_of(traced->begin(), traced->end(), [](const auto& item) {
    return item.trace.first.has_value();
  });
  return hasDiverged ? ExitCode::RuleFailed : ExitCode::Done;
}

}  // namespace

void addDivergeCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("diverge", "Find the first tensor that makes an error of its own");
  const auto flags = std::make_shared<DivergeFlags>();
  command->add_option("RUN", flags->run, "Folder of a study, or its precision_report.json")
      ->required();
  command->add_option("--variant", flags->variants, "Names of runs; default: all")->delimiter(',');
  command->add_option("--format", flags->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command
      ->add_option("--excess",
                   flags->excess,
                   "How many times an error may exceed what came in and one rounding")
      ->check(CLI::Range(1.0, 1000.0))
      ->capture_default_str();
  command->footer("Exit code 1 when a variant diverges, 0 when none does.");
  command->callback([flags, &context] {
    const auto done = diverge(*flags, context);
    context.exitCode = done ? *done : context.reportError(done.error());
  });
}

}  // namespace ulp::cli
