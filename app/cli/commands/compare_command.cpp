#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/print/compare_print.h"
#include "app/cli/sources/compare_sides.h"
#include "app/cli/sources/options.h"
#include "app/cli/sources/report_pairs.h"
#include "app/cli/sources/rules_file.h"
#include "app/cli/stop_signals.h"
#include "core/analysis/mapping/site_mapping.h"
#include "core/base/files/atomic_file.h"
#include "core/base/list_of.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "core/compat/comparator.h"
#include "core/dumps/importers/importer.h"
#include "core/report/files/new_report.h"
#include "core/report/formats/format.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/text_table.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;

struct CompareFlags {
  SideArguments sides;
  std::vector<std::string> candidates;  ///< as they stand on the command line
  UnitAxes units;                       ///< of both sides
  std::string map;
  std::string rules;
  std::string format = "text";
  std::string output;
  std::string reportFolder;
  std::size_t rows = 20;
  int threads = 0;
  bool isWithoutElements = false;
  bool isQuiet = false;
  std::string tool;
  compat::CompareRequest request;
};

Result<report::DumpOrigin> originOf(const CompareFlags& flags) {
  report::DumpOrigin origin{.baseline = sideOf(flags.sides.baseline, flags.units),
                            .candidate = sideOf(flags.sides.candidate, flags.units),
                            .readsElements = !flags.isWithoutElements};
  analysis::SiteMapping mapping;
  if (!flags.map.empty()) {
    // Read here as well as by the comparison, so that an error names the file.
    auto file = ULP_TRY(analysis::readMappingFile(flags.map));
    mapping = std::move(file.mapping);
    origin.mapping = std::move(file.text);
  }
  if (flags.request.isFuzzy) {
    const auto fuzzy = ULP_TRY(analysis::withFuzzyCalls(mapping));
    origin.mapping = fuzzy.toYaml();
  }
  return origin;
}

Result<std::string> written(const analysis::DumpComparison& comparison,
                            const std::optional<RulesResult>& rules,
                            const CompareFlags& flags) {
  if (flags.format == "json") {
    return comparisonJson(comparison, rules ? &*rules : nullptr);
  }
  if (flags.format != "text") {
    return report::writeTable(largestDifferences(comparison, 0), flags.format);
  }
  std::string text = comparisonText(comparison, kNamesShown);
  const report::DataTable table = largestDifferences(comparison, flags.rows);
  if (!table.rows.empty()) {
    report::appendAlignedTable(text, report::formatTable(table));
  }
  if (rules) {
    text += rulesText(*rules, comparison, kNamesShown);
  }
  return text;
}

Result<> saveAsReport(const CompareFlags& flags, ComparedSides compared) {
  if (flags.reportFolder.empty()) {
    return {};
  }
  return report::saveNewReport(
      analysis::toReport(std::move(compared.comparison), std::move(compared.origin)),
      flags.reportFolder);
}

/// Before anything is compared.
Result<> checkPlaces(const CompareFlags& flags) {
  if (!flags.reportFolder.empty()) {
    ULP_TRY(report::checkNewReport(flags.reportFolder));
  }
  return flags.output.empty() ? Result<>() : checkFolder(flags.output);
}

Result<ExitCode> compareOwn(const CompareFlags& flags,
                            const CommandContext& context,
                            StopSignals& signals) {
  auto rules = ULP_TRY(readRules(flags.rules));
  ULP_TRY(checkPlaces(flags));
  auto origin = ULP_TRY(originOf(flags));
  auto compared = ULP_TRY([&] {
    const ExpendableWork work(signals);
    return compareSides(std::move(origin), context, signals.token(), flags.threads, flags.isQuiet);
  }());
  const analysis::DumpComparison& comparison = compared.comparison;
  std::optional<RulesResult> judged;
  Result<> isJudged;
  if (rules) {
    const auto read = pairReaderOf(comparison, compared.origin, signals.token());
    auto outcome = whileDoing(flags.rules, analysis::applyRules(*rules, comparison, read));
    if (outcome) {
      judged = RulesResult{std::move(*rules), std::move(*outcome), flags.rules};
    } else {
      isJudged = tl::make_unexpected(std::move(outcome.error()));
    }
  }
  const bool isIncomplete = comparison.hasUnread();
  std::vector<Error> failures = comparison.failures;
  if (judged && judged->outcome.unread) {
    failures.push_back(*judged->outcome.unread);
  }
  const auto content = written(comparison, judged, flags);
  // What comparing for hours gave is kept in each place, whatever becomes of the other.
  const Result<> shown = content.and_then(
      [&](const std::string& text) { return showOutput(flags.output, text, context); });
  const Result<> saved = saveAsReport(flags, std::move(compared));
  ULP_TRY(shown);
  ULP_TRY(saved);
  ULP_TRY(isJudged);
  const ExitCode ofFailures = context.reportErrors(failures);
  if (judged && judged->outcome.hasErrors(judged->rules)) {
    return ExitCode::RuleFailed;
  }
  const bool isUndecided = judged && judged->outcome.isUndecided(judged->rules);
  return (isUndecided || isIncomplete) && ofFailures == ExitCode::Done ? ExitCode::BadInput
                                                                       : ofFailures;
}

Result<ExitCode> compareAs(CompareFlags flags,
                           const CommandContext& context,
                           const std::stop_token& stop) {
  if (flags.output.empty()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--as {}: name the folder of its files with -o FOLDER", flags.tool));
  }
  flags.request.golden = flags.sides.baseline;
  flags.request.target = flags.sides.candidate;
  flags.request.output = flags.output;
  const auto outcome = ULP_TRY([&] {
    ProgressLine line(context, "comparing", flags.isQuiet);
    return compat::compareAs(flags.tool, flags.request, stop, std::ref(line));
  }());
  for (const std::string& note : outcome.notes) {
    fmt::print(context.err, "note: {}\n", note);
  }
  for (const fs::path& file : outcome.files) {
    fmt::print(context.out, "{}\n", file.string());
  }
  return context.reportErrors(outcome.failures);
}

/// Options that only one of the two ways of comparing has.
Result<> checkOptions(const CLI::App& command, const CompareFlags& flags) {
  constexpr std::string_view kOfTools =
      "--spreadsheet --highlight --data-mapping --cell-mapping --level";
  constexpr std::string_view kOwn =
      "--step --rank --token --map --rules --format --report --rows --threads --recorded "
      "--raw-dtype";
  return flags.tool.empty()
             ? refuseOptions(command,
                             kOfTools,
                             "is an option of another tool's comparison; name the tool with --as")
             : refuseOptions(command, kOwn, "has no meaning with --as");
}

/// Below `folder`, called as the candidate, with a number where that is taken.
std::string placeOf(const std::string& folder,
                    const std::string& candidate,
                    std::set<std::string>& taken) {
  const report::DumpSide side = analysis::parseSide(candidate);
  const std::string name =
      side.units.run.empty() ? analysis::dumpNameOf(side.path) : side.units.run;
  std::string place = name;
  for (int number = 2; !taken.insert(place).second; ++number) {
    place = fmt::format("{}-{}", name, number);
  }
  return (fs::path(folder) / place).string();
}

Result<ExitCode> completeAndCompare(CompareFlags flags,
                                    const CommandContext& context,
                                    StopSignals& signals) {
  flags.sides = ULP_TRY(completeSides(flags.sides));
  return compareOwn(flags, context, signals);
}

/// Each candidate with the baseline, one after the other, whatever becomes of the others. The
/// gravest exit code counts.
Result<ExitCode> compareEach(const CLI::App& command,
                             const CompareFlags& flags,
                             const CommandContext& context,
                             StopSignals& signals) {
  ULP_TRY(refuseOptions(command, "--as -o", "takes one candidate"));
  if (flags.format != "text") {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--format {}: of several candidates there is text, and with --report a "
                            "report of each",
                            flags.format));
  }
  ExitCode gravest = ExitCode::Done;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < flags.candidates.size(); ++i) {
    CompareFlags one = flags;
    one.sides.candidate = flags.candidates[i];
    if (!flags.reportFolder.empty()) {
      one.reportFolder = placeOf(flags.reportFolder, flags.candidates[i], taken);
    }
    if (i > 0) {
      context.out << '\n';
    }
    const auto code = whileDoing(flags.candidates[i], completeAndCompare(one, context, signals));
    if (!code && code.error().code() == ErrorCode::Cancelled) {
      return code;
    }
    gravest = std::max(gravest, context.exitCodeOf(code));
  }
  return gravest;
}

Result<ExitCode> compare(const CLI::App& command,
                         CompareFlags flags,
                         const CommandContext& context) {
  const auto signals = ULP_TRY(StopSignals::install());
  ULP_TRY(checkOptions(command, flags));
  if (flags.candidates.size() > 1) {
    return compareEach(command, flags, context, *signals);
  }
  if (!flags.candidates.empty()) {
    flags.sides.candidate = flags.candidates.front();
  }
  flags.sides = ULP_TRY(completeSides(flags.sides));
  return flags.tool.empty() ? compareOwn(flags, context, *signals)
                            : compareAs(flags, context, signals->token());
}

void addRawOptions(CLI::App& command, SideArguments& sides) {
  CLI::Option* type =
      command.add_option("--raw-dtype",
                         sides.rawType,
                         "Files without a header hold this type: float32, bfloat16, int64, …");
  command
      .add_option("--raw-shape",
                  sides.rawShape,
                  "Their shape, as in 4,8; one of them may be -1, as large as a file allows (-1)")
      ->delimiter(',')
      ->needs(type);
  command.add_option("--raw-offset", sides.rawOffset, "Bytes in front of their first element")
      ->needs(type);
}

/// "--as msit: its -mf; --as msprobe-26: its -dm"
std::string originalsOf(compat::CompareOption option) {
  std::vector<std::string> originals;
  const compat::ComparatorRegistry comparators = compat::builtinComparators();
  for (const compat::Comparator& comparator : comparators.all()) {
    if (const compat::TakenOption* taken = comparator.find(option)) {
      originals.push_back(fmt::format("--as {}: its {}", comparator.id, taken->original));
    }
  }
  return fmt::format("{}", fmt::join(originals, "; "));
}

void addToolOptions(CLI::App& command, CompareFlags& flags) {
  command.add_option(
      "--as",
      flags.tool,
      "Write the files that another tool would (B is its target, A its golden side)");
  command.add_flag("--spreadsheet", flags.request.isSpreadsheet, "--as: .xlsx rather than .csv");
  command.add_flag(
      "--highlight", flags.request.isHighlighted, originalsOf(compat::CompareOption::Highlight));
  command.add_option(
      "--data-mapping", flags.request.dataMapping, originalsOf(compat::CompareOption::DataMapping));
  command.add_option(
      "--cell-mapping", flags.request.cellMapping, originalsOf(compat::CompareOption::CellMapping));
  command.add_option("--level", flags.request.level, originalsOf(compat::CompareOption::Level));
}

void addCompareCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("compare",
                         fmt::format("Compare dumps of {}, runs, or files of tensors",
                                     fmt::join(dumps::recordingTools(), ", ")));
  const auto flags = std::make_shared<CompareFlags>();
  command
      ->add_option("A",
                   flags->sides.baseline,
                   "The baseline: a dump, FOLDER#RUN, or a file; or msprobe's compare.json")
      ->required();
  command->add_option("B",
                      flags->candidates,
                      "What is compared with it, one dump or several; none with a compare.json");
  addUnitOptions(*command, flags->units);
  command->add_option(
      "--map", flags->map, "Mapping of B's names to A's, also msprobe's (docs/mapping.md)");
  command->add_flag("--fuzzy",
                    flags->request.isFuzzy,
                    "Pair calls in order, whatever their numbers (--as msprobe-…: its -fm)");
  command->add_option("--rules", flags->rules, rulesHelp());
  command
      ->add_option("--format",
                   flags->format,
                   fmt::format("{}", fmt::join(formatsWithTables({"text", "json"}), ", ")))
      ->check(CLI::IsMember(formatsWithTables({"text", "json"})));
  command->add_option("-o,--output", flags->output, "File to write; with --as a folder");
  command->add_option("--report",
                      flags->reportFolder,
                      "Folder for a report that the window opens; of several B one in it for each");
  command->add_option("--rows", flags->rows, "Rows of the table in text; 0: all");
  command->add_option("--threads", flags->threads, "0: one a core");
  command->add_flag("--recorded",
                    flags->isWithoutElements,
                    "Read no elements: compare recorded statistics and checksums");
  command->add_flag("--quiet", flags->isQuiet, "No progress");
  addRawOptions(*command, flags->sides);
  addToolOptions(*command, *flags);
  command->footer(
      "Example: ulpscope-cli compare golden/step0 target/step0\n"
      "         ulpscope-cli compare golden target --as msprobe-26 -o out");
  command->callback([flags, command, &context] {
    context.exitCode = context.exitCodeOf(compare(*command, *flags, context));
  });
}

}  // namespace

void registerCompare(CommandRegistry& registry) {
  registry.add({.order = 30, .add = addCompareCommand});
}

}  // namespace ulp::cli
