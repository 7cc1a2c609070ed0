#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
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
#include "core/report/model/log_probabilities.h"
#include "core/report/model/log_probability_gap.h"
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
                    analysis::distributionGap(logitsOfA, logitsOfB));
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
  add("KL mean; KL max; same top token, %", "whole vocabulary");
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
  std::vector<report::DataCell> row{pair.run.name,
                                    static_cast<double>(gap.tokens),
                                    static_cast<double>(gap.nonFinite),
                                    gap.mean,
                                    report::numberCell(gap.interval),
                                    gap.rms,
                                    report::numberCell(gap.relativeRms * 100),
                                    gap.largest,
                                    placeText(pair.run, gap.largestPlace),
                                    gap.shareAbove * 100,
                                    largestSum(gap.sums),
                                    gap.kl,
                                    report::numberCell(gap.slope),
                                    report::numberCell(gap.correlation),
                                    gap.residualRms};
  if (pair.reference) {
    const auto correlation =
        ULP_TRY(report::errorCorrelation(*pair.reference, pair.baseline, pair.run));
    row.push_back(report::numberCell(correlation));
  } else {
    row.emplace_back();
  }
  if (pair.distributions) {
    row.insert(row.end(),
               {pair.distributions->meanKl,
                pair.distributions->largestKl,
                pair.distributions->topAgreement * 100});
  } else {
    row.resize(row.size() + 3);
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
/// are), and what the logits of a study give when they cannot be read.
Result<std::vector<LogProbabilityPair>> choosePairs(const LogprobsFlags& flags) {
  const fs::path first = flags.first;
  const fs::path second = flags.second;
  const auto runsOfA = ULP_TRY(report::readLogProbabilities(first));
  const fs::path& source = second.empty() ? first : second;
  const auto runsOfB = ULP_TRY(second.empty() ? Result<std::vector<LogProbabilities>>(runsOfA)
                                              : report::readLogProbabilities(second));
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
  const auto pairs = ULP_TRY(choosePairs(flags));
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
