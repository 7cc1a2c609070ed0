#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/report/model/log_probabilities.h"
#include "core/report/model/report.h"
#include "core/report/model/token_texts.h"
#include "core/tensors/formats/safetensors/safetensors.h"

namespace ulp::test {

/// log π of one run, [sequences, length].
struct KeptRun {
  std::string name;
  std::vector<double> values;
};

/// Beside a report: the log-probabilities of its runs.
inline void keepLogProbabilities(const std::filesystem::path& folder,
                                 const std::vector<KeptRun>& runs,
                                 const std::vector<std::uint8_t>& labels,
                                 std::int64_t sequences = 1) {
  const std::vector<std::int64_t> shape{sequences,
                                        static_cast<std::int64_t>(labels.size()) / sequences};
  std::vector<tensors::NamedTensor> named;
  for (const KeptRun& run : runs) {
    named.push_back({"runs/" + run.name, {run.values.data(), DType::Float64, shape}});
  }
  named.push_back({"is_label", {labels.data(), DType::UInt8, shape}});
  const auto written = tensors::writeSafetensors(folder / report::kLogProbabilityFile, named);
  ASSERT_TRUE(written) << written.error().message();
}

/// Values that differ by about `error` between runs, with one token far out.
inline std::vector<double> policy(std::size_t count, double error, std::size_t far) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<double>(i);
    values[i] = -3 - 2 * std::sin(at) + error * std::sin(at * 2.7) * std::cos(at * 0.31);
  }
  values[far] += 12 * error;
  return values;
}

/// The runs of `report` over one sequence of `length` tokens with texts, the variants ever nearer
/// to the reference.
inline void keepPolicies(const std::filesystem::path& folder,
                         const report::Report& report,
                         std::int64_t length = 128) {
  const auto count = static_cast<std::size_t>(length);
  std::vector<KeptRun> runs;
  double error = 0;
  for (const report::Run& run : report.runs) {
    runs.push_back({run.name, policy(count, error, count / 3)});
    error = error == 0 ? 0.01 : error / 2;
  }
  keepLogProbabilities(folder, runs, std::vector<std::uint8_t>(count, 1));
  report::TokenTexts tokens{.sequences = 1, .length = length, .tokenizer = "words"};
  const std::vector<std::string> words{" the", " precision", " of", "\n", " a", " sum", "Ä", "."};
  for (std::int64_t i = 0; i <= length; ++i) {
    const std::int64_t id = i * 5 % static_cast<std::int64_t>(words.size());
    tokens.ids.push_back(id);
    tokens.texts[id] = words[static_cast<std::size_t>(id)];
  }
  const auto written = report::writeTokenTexts(tokens, folder);
  ASSERT_TRUE(written) << written.error().message();
}

/// Gives every run a step of one policy loss.
inline void addSteps(report::Report& report) {
  std::uint64_t flips = 0;
  for (report::Run& run : report.runs) {
    run.step = {.labels = 128, .documents = 4, .microBatches = 1};
    report::LossTermSummary term{.type = "gspo", .weight = 1, .value = run.loss};
    term.metrics = {{"ratio_mean", 1 + 1e-4 * static_cast<double>(flips)}};
    term.clips = report::ClipSummary{
        .unit = "document", .count = 4, .below = 1, .above = flips, .stopped = 1 + flips};
    if (run.name != report.reference) {
      term.clips->flips = flips;
      term.clips->gradientFlips = flips;
    }
    run.step.terms.push_back(std::move(term));
    flips = 1;
  }
}

}  // namespace ulp::test
