#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/sources/options.h"
#include "core/analysis/tokens/token_distance.h"
#include "core/base/list_of.h"
#include "core/base/result.h"
#include "core/remote/captures/remote_captures.h"
#include "core/report/formats/format.h"
#include "core/report/model/effective_config.h"
#include "core/report/model/log_probabilities.h"
#include "core/report/model/log_probability_gap.h"
#include "core/report/model/report.h"
#include "core/report/summary/provenance_line.h"
#include "core/report/summary/told_apart.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/text_table.h"
#include "core/study/reading/study.h"
#include "core/tensors/store/capture_reader.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;
using report::LogProbabilities;

constexpr std::string_view kLogits = "logits";

struct LogprobsFlags {
  std::string first;
  std::string second;
  std::string baseline;               ///< empty: the reference of A, or its only run
  std::vector<std::string> variants;  ///< empty: all
  double epsilon = 0.01;
  std::string format = "text";
  std::string output;
};

/// Two runs over the same tokens.
struct LogProbabilityPair {
  LogProbabilities baseline;
  LogProbabilities run;
  analysis::LogitsScales scales;
  /// The reference of A, where it is neither of the two.
  std::optional<LogProbabilities> reference;
  /// Of the logits, where a study kept all of both.
  std::optional<analysis::DistributionGap> distributions;
};

const LogProbabilities* findRun(const std::vector<LogProbabilities>& runs, std::string_view name) {
  const auto found = std::ranges::find(runs, name, &LogProbabilities::name);
  return found == runs.end() ? nullptr : &*found;
}

Error noSuchRun(const char* option,
                const fs::path& source,
                std::string_view name,
                const std::vector<LogProbabilities>& runs) {
  return {ErrorCode::InvalidArgument,
          fmt::format("{}: {} holds no log-probabilities of '{}'; it has {}",
                      option,
                      source.string(),
                      name,
                      fmt::join(listOf(runs, &LogProbabilities::name), ", "))};
}

Result<const LogProbabilities*> chooseBaseline(const fs::path& source,
                                               const std::vector<LogProbabilities>& runs,
                                               const std::string& wanted) {
  if (wanted.empty() && runs.size() == 1) {
    return &runs.front();
  }
  const std::string name = wanted.empty() ? std::string(study::kReferenceName) : wanted;
  if (const LogProbabilities* found = findRun(runs, name)) {
    return found;
  }
  return tl::unexpected(noSuchRun("--baseline", source, name, runs));
}

Result<std::vector<const LogProbabilities*>> chooseVariants(
    const fs::path& source,
    const std::vector<LogProbabilities>& runs,
    const std::vector<std::string>& wanted) {
  if (wanted.empty()) {
    return listOf(runs, [](const LogProbabilities& run) { return &run; });
  }
  std::vector<const LogProbabilities*> chosen;
  for (const std::string& name : wanted) {
    const LogProbabilities* found = findRun(runs, name);
    if (found == nullptr) {
      return tl::unexpected(noSuchRun("--variant", source, name, runs));
    }
    chosen.push_back(found);
  }
  return chosen;
}

/// Where log-probabilities come from, and what is known of the study that made them.
struct LogProbabilitySource {
  fs::path path;
  /// Nothing: a file, or a folder without a report.
  report::ReportPtr report{};
  report::EffectiveConfig config{};

  [[nodiscard]] double scaleOf(const LogProbabilities& run) const {
    return report::logitsScaleIn(report::keysOf(config, run.name));
  }
};

Result<LogProbabilitySource> openSource(const fs::path& path) {
  LogProbabilitySource source{.path = path};
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    return source;
  }
  auto loaded = report::loadReport(path);
  if (loaded) {
    source.config = ULP_TRY(report::effectiveConfig(*loaded->report));
    source.report = std::move(loaded->report);
  } else if (loaded.error().code() != ErrorCode::NotFound) {
    return tl::unexpected<Error>(std::move(loaded.error()));
  }
  return source;
}

/// Errors: InvalidArgument where studies are of other tokens, in which nothing is the same but how
/// many there are.
Result<> checkSameTokens(const LogProbabilitySource& a, const LogProbabilitySource& b) {
  if (a.report == nullptr || b.report == nullptr) {
    return {};
  }
  const report::Provenance& ofA = a.report->provenance;
  const report::Provenance& ofB = b.report->provenance;
  if (!report::areToldApart(ofA.tokenDigest, ofB.tokenDigest)) {
    return {};
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("{} and {}: are of other tokens ({}: {}; {}: {}); run both studies on "
                          "the same input",
                          a.path.string(),
                          b.path.string(),
                          ofA.input,
                          report::shortDigest(ofA.tokenDigest),
                          ofB.input,
                          report::shortDigest(ofB.tokenDigest)));
}

/// What else than formats may make runs differ, and what is not told of all tokens.
std::vector<std::string> doubtsOf(const LogProbabilitySource& a,
                                  const LogProbabilitySource& b,
                                  const std::vector<LogProbabilityPair>& pairs) {
  std::vector<std::string> doubts;
  if (a.report != nullptr && b.report != nullptr &&
      report::areToldApart(a.report->provenance.weightsDigest,
                           b.report->provenance.weightsDigest)) {
    doubts.push_back(fmt::format("{} and {}: are of other weights ({}, {})",
                                 a.path.string(),
                                 b.path.string(),
                                 report::shortDigest(a.report->provenance.weightsDigest),
                                 report::shortDigest(b.report->provenance.weightsDigest)));
  }
  const bool areKnown = !a.config.empty() && !b.config.empty();
  for (const LogProbabilityPair& pair : pairs) {
    if (areKnown && pair.scales.a != pair.scales.b) {
      doubts.push_back(fmt::format("loss.logits_scale: {}#{} has {:g}, {}#{} {:g}",
                                   a.path.string(),
                                   pair.baseline.name,
                                   pair.scales.a,
                                   b.path.string(),
                                   pair.run.name,
                                   pair.scales.b));
    }
  }
  const auto tokensOf = [](const LogProbabilityPair& pair) {
    return static_cast<std::size_t>(pair.run.sequences * pair.run.length);
  };
  const auto part = std::ranges::find_if(pairs, [&](const LogProbabilityPair& pair) {
    return pair.distributions && pair.distributions->kl.size() != tokensOf(pair);
  });
  if (part != pairs.end()) {
    doubts.push_back(
        fmt::format("{}: logits were kept of the last micro-batch of the first sample; what is "
                    "told of the whole vocabulary is of its {} tokens, not of all {}",
                    b.path.string(),
                    part->distributions->kl.size(),
                    tokensOf(*part)));
  }
  return doubts;
}

/// The logits that a study kept, of one run.
class KeptLogits {
 public:
  /// Nothing where no tensors were kept: the log-probabilities are there without them.
  static Result<KeptLogits> open(const fs::path& folder) {
    KeptLogits kept;
    std::error_code ignored;
    const bool hasTensors =
        fs::exists(folder / "tensors.h5", ignored) || remote::hasRemoteCaptures(folder);
    if (!fs::is_directory(folder, ignored) || !hasTensors) {
      return kept;
    }
    kept.m_reader = ULP_TRY(remote::openCaptures(folder));
    return kept;
  }

  /// Null where the run kept none, or not all of its elements.
  [[nodiscard]] const tensors::StoredCapture* find(std::string_view run) const {
    if (m_reader == nullptr) {
      return nullptr;
    }
    const tensors::StoredCapture* found =
        m_reader->find(run, {.name = std::string(kLogits), .pass = Pass::Forward});
    return found != nullptr && found->sampleStride == 1 ? found : nullptr;
  }
  [[nodiscard]] Result<tensors::Tensor> look(const tensors::StoredCapture& capture) const {
    return m_reader->look(capture);
  }

 private:
  std::shared_ptr<const tensors::CaptureReader> m_reader;
};

Result<std::optional<analysis::DistributionGap>> compareLogits(const KeptLogits& first,
                                                               const KeptLogits& second,
                                                               const LogProbabilityPair& pair) {
  const tensors::StoredCapture* a = first.find(pair.baseline.name);
  const tensors::StoredCapture* b = second.find(pair.run.name);
  if (a == nullptr || b == nullptr) {
    return std::nullopt;
  }
  const auto logitsOfA = ULP_TRY(first.look(*a));
  const auto logitsOfB = ULP_TRY(second.look(*b));
  return whileDoing(fmt::format("logits of '{}'", pair.run.name),
                    analysis::distributionGap(logitsOfA, logitsOfB, pair.scales));
}

Result<> addLogits(std::vector<LogProbabilityPair>& pairs,
                   const fs::path& first,
                   const fs::path& second) {
  const auto logitsOfA = ULP_TRY(KeptLogits::open(first));
  const auto logitsOfB = ULP_TRY(KeptLogits::open(second));
  for (LogProbabilityPair& pair : pairs) {
    pair.distributions = ULP_TRY(compareLogits(logitsOfA, logitsOfB, pair));
  }
  return {};
}

std::vector<report::DataColumn> gapColumns(double epsilon) {
  std::vector<report::DataColumn> columns = report::columnsOf("Run; Tokens; Not finite");
  const auto add = [&](const std::string& headings, const std::string& group) {
    std::ranges::copy(report::columnsOf(headings, group), std::back_inserter(columns));
  };
  add(fmt::format("mean; ±; RMS; RMS rel, %; max; at token; above {:g}, %; largest sum of a "
                  "sequence; KL, estimated",
                  epsilon),
      "log π of the chosen token, difference");
  add("slope; correlation; RMS left", "over the baseline's");
  add("of the errors", "correlation");
  add("tokens; KL mean; KL max; same top token, %", "whole vocabulary");
  return columns;
}

double largestSum(const std::vector<double>& sums) {
  return *std::ranges::max_element(sums, {}, [](double sum) { return std::abs(sum); });
}

std::string placeText(const LogProbabilities& run, std::size_t place) {
  const auto length = static_cast<std::size_t>(run.length);
  return run.sequences == 1 ? fmt::format("{}", place)
                            : fmt::format("{}, {}", place / length, place % length);
}

Result<std::vector<report::DataCell>> gapRow(const LogProbabilityPair& pair, double epsilon) {
  const auto gap =
      ULP_TRY(report::logProbabilityGap(pair.baseline, pair.run, {.epsilon = epsilon}));
  const auto cell = [&gap](double value) {
    return report::numberCell(value, report::isNoneFinite(gap));
  };
  std::vector<report::DataCell> row{pair.run.name,
                                    static_cast<double>(gap.tokens),
                                    static_cast<double>(gap.nonFinite),
                                    cell(gap.mean),
                                    cell(gap.interval),
                                    cell(gap.rms),
                                    cell(gap.relativeRms * 100),
                                    cell(gap.largest),
                                    gap.largest > 0
                                        ? report::DataCell(placeText(pair.run, gap.largestPlace))
                                        : report::DataCell(),
                                    cell(gap.shareAbove * 100),
                                    cell(largestSum(gap.sums)),
                                    cell(gap.kl),
                                    cell(gap.slope),
                                    cell(gap.correlation),
                                    cell(gap.residualRms)};
  if (pair.reference) {
    const auto correlation =
        ULP_TRY(report::errorCorrelation(*pair.reference, pair.baseline, pair.run));
    row.push_back(cell(correlation));
  } else {
    row.emplace_back();
  }
  if (pair.distributions) {
    row.insert(row.end(),
               {static_cast<double>(pair.distributions->tokens),
                pair.distributions->meanKl,
                pair.distributions->largestKl,
                pair.distributions->topAgreement * 100});
  } else {
    row.resize(row.size() + 4);
  }
  return row;
}

/// Columns in which no row has anything to say.
void dropEmptyColumns(report::DataTable& table) {
  for (std::size_t column = table.columns.size(); column-- > 0;) {
    const bool isEmpty = std::ranges::all_of(table.rows, [&](const auto& row) {
      return std::holds_alternative<std::monostate>(row[column]);
    });
    if (!isEmpty) {
      continue;
    }
    const auto place = static_cast<std::ptrdiff_t>(column);
    table.columns.erase(table.columns.begin() + place);
    for (auto& row : table.rows) {
      row.erase(row.begin() + place);
    }
  }
}

/// Without B, the runs of a study against its baseline; else those of B against the baseline of A.
/// Errors: those of readLogProbabilities(), InvalidArgument (no such run, with those that there
/// are; other tokens), and what the report and the logits of a study give when they cannot be read.
Result<std::vector<LogProbabilityPair>> choosePairs(const LogprobsFlags& flags,
                                                    const CommandContext& context) {
  const fs::path first = flags.first;
  const fs::path second = flags.second;
  const auto runsOfA = ULP_TRY(report::readLogProbabilities(first));
  const fs::path& source = second.empty() ? first : second;
  const auto runsOfB = ULP_TRY(second.empty() ? Result<std::vector<LogProbabilities>>(runsOfA)
                                              : report::readLogProbabilities(second));
  const auto sourceOfA = ULP_TRY(openSource(first));
  const auto sourceOfB = ULP_TRY(openSource(source));
  ULP_TRY(checkSameTokens(sourceOfA, sourceOfB));
  const auto baseline = ULP_TRY(chooseBaseline(first, runsOfA, flags.baseline));
  const auto variants = ULP_TRY(chooseVariants(source, runsOfB, flags.variants));
  const LogProbabilities* reference = findRun(runsOfA, study::kReferenceName);
  std::vector<LogProbabilityPair> pairs;
  for (const LogProbabilities* run : variants) {
    if (second.empty() && run->name == baseline->name) {
      continue;
    }
    LogProbabilityPair& pair = pairs.emplace_back();
    pair.baseline = *baseline;
    pair.run = *run;
    pair.scales = {.a = sourceOfA.scaleOf(*baseline), .b = sourceOfB.scaleOf(*run)};
    if (reference != nullptr && reference->name != baseline->name &&
        (!second.empty() || reference->name != run->name)) {
      pair.reference = *reference;
    }
  }
  if (pairs.empty()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: holds '{}' alone; name a second folder or file to compare it with",
                            first.string(),
                            baseline->name));
  }
  ULP_TRY(addLogits(pairs, first, source));
  for (const std::string& doubt : doubtsOf(sourceOfA, sourceOfB, pairs)) {
    fmt::print(context.err, "{}: warning: {}\n", kProgramName, doubt);
  }
  return pairs;
}

/// One row a pair, of which there is at least one. Errors: InvalidArgument of pairs that are not of
/// the same tokens.
Result<report::DataTable> gapTable(const std::vector<LogProbabilityPair>& pairs, double epsilon) {
  report::DataTable table{
      .title = fmt::format("Log-probabilities against {}", pairs.front().baseline.name),
      .columns = gapColumns(epsilon)};
  for (const LogProbabilityPair& pair : pairs) {
    auto row = ULP_TRY(gapRow(pair, epsilon));
    table.rows.push_back(std::move(row));
  }
  dropEmptyColumns(table);
  return table;
}

Result<std::string> written(const report::DataTable& table, const std::string& format) {
  if (format != "text") {
    return report::writeTable(table, format);
  }
  std::string text;
  report::appendAlignedTable(text, report::formatTable(table));
  return text;
}

Result<> showGaps(const LogprobsFlags& flags, const CommandContext& context) {
  const auto pairs = ULP_TRY(choosePairs(flags, context));
  const auto table = ULP_TRY(gapTable(pairs, flags.epsilon));
  const auto text = ULP_TRY(written(table, flags.format));
  return showOutput(flags.output, text, context);
}

void addLogprobsCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "logprobs", "Compare the log-probabilities of the chosen tokens between runs or engines");
  const auto flags = std::make_shared<LogprobsFlags>();
  command
      ->add_option("A",
                   flags->first,
                   "Folder of a study, or a file of log-probabilities (.safetensors, .npy, .pt)")
      ->required();
  command->add_option("B", flags->second, "Another one of the same tokens; default: A itself");
  command->add_option("--baseline",
                      flags->baseline,
                      "Run of A that others are compared with; "
                      "default: its reference");
  command->add_option("--variant", flags->variants, "Runs to compare; default: all")
      ->delimiter(',');
  command->add_option("--epsilon", flags->epsilon, "Differences above it are counted, in nats")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--format", flags->format, "Format of the table")
      ->check(CLI::IsMember(formatsWithTables({"text"})))
      ->capture_default_str();
  command->add_option("-o,--output", flags->output, "File to write; default: standard output");
  command->callback(
      [flags, &context] { context.exitCode = context.exitCodeOf(showGaps(*flags, context)); });
}

}  // namespace

void registerLogprobs(CommandRegistry& registry) {
  registry.add({.order = 50, .add = addLogprobsCommand});
}

}  // namespace ulp::cli
