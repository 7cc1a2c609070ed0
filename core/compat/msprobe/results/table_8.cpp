#include "core/compat/msprobe/results/table_8.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text/contains_text.h"
#include "core/compat/msprobe/pairs/statistic_difference.h"
#include "core/compat/msprobe/results/process_comparison.h"
#include "core/dumps/msprobe/python_text.h"

namespace ulp::compat::msprobe {
namespace {

using dumps::msprobe::pythonFloat;
using dumps::msprobe::Section;

/// Any of the four changed by more than half of its size.
bool compareStatistics(ComparedRow& row) {
  // msprobe's own rule: the signed maximum, so that of two negative numbers the one nearer to zero
  // divides.
  constexpr double kLimit = 0.5;
  constexpr double kTiny = 1e-10;
  bool isWarned = false;
  for (std::size_t each = 0; each < row.difference.size(); ++each) {
    const auto left = pandasNumber(row.target->statistics[each]);
    const auto right =
        row.golden == nullptr ? std::nullopt : pandasNumber(row.golden->statistics[each]);
    row.difference[each] = textCell("N/A");
    row.relative[each] = "N/A";
    if (!left || !right) {
      continue;
    }
    const double difference = *left - *right;
    if (std::isnan(difference)) {
      row.difference[each] = textCell("Nan");
      row.relative[each] = "Nan";
      continue;
    }
    row.difference[each] = numberCell(difference);
    if (*right != 0) {
      // msprobe's own rule: divided by the number that is in the file, not by the one subtracted.
      const double divisor = *numberOf(row.golden->statistics[each]);
      row.relative[each] = pythonFloat(std::abs(difference / divisor * 100)) + "%";
    }
    isWarned |= std::abs(difference) / (std::abs(std::max(*left, *right)) + kTiny) > kLimit;
  }
  return isWarned;
}

/// As float() of the printed cell: the word "Nan" is a number, and other words are none.
std::optional<double> floatOf(const Metric& metric) {
  if (metric.state == MetricState::Nan) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return metric.isNumber() ? std::optional(metric.value) : std::nullopt;
}

std::string accuracyOf(const Metrics& metrics) {
  if (metrics[kCosine].state == MetricState::ShapeUnmatched) {
    return "Unmatched";
  }
  if (metrics[kCosine].state == MetricState::NotAvailable ||
      metrics[kMaxAbsolute].state == MetricState::NotAvailable) {
    return "No";
  }
  const auto cosine = floatOf(metrics[kCosine]);
  const auto largest = floatOf(metrics[kMaxAbsolute]);
  if (!cosine || !largest) {
    return "None";
  }
  const bool isBad = (*cosine < 0.99 && *largest > 0.001) || *cosine < 0.9 || *largest > 1;
  return isBad ? "No" : "Yes";
}

void judgeStatistics(ComparedRow& row) {
  const bool isWarned = compareStatistics(row);
  row.result = row.golden == nullptr ? "N/A" : "";
  if (isWarned) {
    row.result = "Warning";
    row.message = "Need double check api accuracy. ";
  }
  if (!row.isGradConsistent()) {
    row.message += "Requires_grad inconsistent. ";
  }
}

/// "Max diff" or "MaxAbsErr"; nothing where that is no number.
std::optional<double> largestDifference(const ComparedRow& row, Mode mode) {
  if (mode == Mode::Tensor) {
    const Metric& largest = row.metrics[kMaxAbsolute];
    return largest.isNumber() ? std::optional(largest.value) : std::nullopt;
  }
  return row.difference[0].isNumber() ? std::optional(row.difference[0].number) : std::nullopt;
}

struct Marks {
  std::vector<std::string_view> red;
  std::vector<std::string_view> yellow;
};

/// msprobe's own rule: exactly these words. The text "Nan", which stands for NaN in statistics, is
/// none of them.
bool isOverflow(const Cell& cell) {
  const std::string text = printed(cell);
  return text == "nan" || text == "inf" || text == "-inf";
}

void markRow(const ComparedRow& row, Mode mode, Marks& marks) {
  constexpr double kHuge = 1e10;
  if (isOverflow(row.target->statistics[0]) || isOverflow(row.target->statistics[1])) {
    marks.red.emplace_back("maximum or minimum is nan, -inf, or inf");
  } else if (const auto largest = largestDifference(row, mode);
             largest && std::abs(*largest) > kHuge) {
    marks.red.emplace_back("maximum absolute error exceeds 1e+10");
  }
}

bool hasNumbers(const ComparedRow& row, Mode mode) {
  return row.target->statistics[0].isNumber() && row.golden != nullptr &&
         row.golden->statistics[0].isNumber() && largestDifference(row, mode).has_value();
}

void markMagnitude(const ComparedRow& input, const ComparedRow& output, Mode mode, Marks& marks) {
  const double in = std::abs(*largestDifference(input, mode));
  const double out = std::abs(*largestDifference(output, mode));
  if (!(in > out || in <= 1 || out <= 1) && std::log10(out) - std::log10(in) >= 1) {
    marks.yellow.emplace_back(
        "maximum absolute error of both input/parameters and output exceed 1, with the output "
        "larger by an order of magnitude");
  }
}

std::optional<double> percentage(const std::string& text) {
  return text.ends_with('%') ? std::optional(shareOf(text)) : std::nullopt;
}

void markRelative(const ComparedRow& input, const ComparedRow& output, Marks& marks) {
  const auto in = percentage(input.relative[0]);
  const auto out = percentage(output.relative[0]);
  if (out && *out > 0.5) {
    marks.red.emplace_back("maximum relative error exceeds 0.5");
  }
  if (in && out && *out > 0.1 && *in < 0.01) {
    marks.yellow.emplace_back(
        "The output's maximum relative error exceeds 0.1, while the input/parameter's is below "
        "0.01");
  }
}

void markMetrics(const ComparedRow& input, const ComparedRow& output, Marks& marks) {
  const Metric& inRatio = input.metrics[kOneThousandth];
  const Metric& outRatio = output.metrics[kOneThousandth];
  if (inRatio.isNumber() && outRatio.isNumber()) {
    if (inRatio.value > 0.9 && outRatio.value < 0.6) {
      marks.red.emplace_back(
          "The input/parameter's one thousandth err ratio exceeds 0.9, while the output's is below "
          "0.6");
    } else if (inRatio.value - outRatio.value > 0.1) {
      marks.yellow.emplace_back(
          "The output's one thousandth err ratio decreases by more than 0.1 compared to the "
          "input/parameter's");
    }
  }
  const Metric& inCosine = input.metrics[kCosine];
  const Metric& outCosine = output.metrics[kCosine];
  if (inCosine.isNumber() && outCosine.isNumber() && inCosine.value - outCosine.value > 0.1) {
    marks.yellow.emplace_back(
        "The output's cosine decreases by more than 0.1 compared to the input/parameter's");
  }
}

void appendLines(std::string& message, const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) {
    message += message.empty() ? "" : "\n";
    message += line;
  }
}

bool isRead(const ComparedRow& row) {
  return row.target->section == Section::Input || row.target->section == Section::Parameters;
}

/// Inputs and parameters stand first in an entry; the first row counts as one whatever it is.
std::size_t countInputs(std::span<const ComparedRow> rows) {
  const auto count = static_cast<std::size_t>(std::ranges::count_if(rows, isRead));
  return rows.empty() || isRead(rows.front()) ? count : count + 1;
}

void markOutput(const ComparedRow& output,
                std::span<const ComparedRow> inputs,
                Mode mode,
                Marks& marks) {
  if (output.target->section != Section::Output || !hasNumbers(output, mode)) {
    return;
  }
  for (const ComparedRow& input : inputs) {
    if (!hasNumbers(input, mode)) {
      continue;
    }
    markMagnitude(input, output, mode, marks);
    if (mode == Mode::Statistics) {
      markRelative(input, output, marks);
    } else {
      markMetrics(input, output, marks);
    }
  }
}

void colour(ComparedRow& row, const Marks& marks) {
  const bool isRed = !marks.red.empty();
  appendLines(row.message, isRed ? marks.red : marks.yellow);
  if (isRed) {
    row.fill = Fill::Red;
  } else if (!marks.yellow.empty()) {
    row.fill = Fill::Yellow;
  }
}

/// Colours the rows of one entry (-hl) and appends why: red for what is wrong by itself or from
/// input to output, yellow for what is worth a look. Only statistics and tensors.
void highlight8(std::span<ComparedRow> rows, Mode mode) {
  if (mode == Mode::Checksum) {
    return;
  }
  const std::size_t inputs = countInputs(rows);
  for (std::size_t each = 0; each < rows.size(); ++each) {
    Marks marks;
    markRow(rows[each], mode, marks);
    if (each >= inputs) {
      markOutput(rows[each], rows.first(inputs), mode, marks);
    }
    if (!rows[each].isGradConsistent()) {
      marks.yellow.emplace_back("requires_grad is inconsistent");
    }
    colour(rows[each], marks);
  }
}

/// The words that the advisor looks for, each of one mode.
bool isSuspect(const ComparedRow& row) {
  return row.result == "Different" || row.result == "Warning" || row.result == "No";
}

std::string_view adviceFor(std::string_view name) {
  const bool isForward = containsText(name, "forward");
  if (containsText(name, "input")) {
    return isForward ? "Look at where this input comes from; an API that works in place may have "
                       "overwritten it, or memory was corrupted."
                     : "Check whether the result of the forward computation was affected already.";
  }
  for (const std::string_view api :
       {"conv2d", "conv3d", "matmul", "nll_loss", "layer_norm", "lstm"}) {
    if (containsText(name, api)) {
      return "This API may give other results each time; use seed_all(mode=True).";
    }
  }
  return isForward
             ? "This is a forward API computation error. Check the computation implementation."
             : "This is a backward API computation error. Check the computation implementation.";
}

}  // namespace

ComparedRow makeRow8(const Sides& sides, const Pair& pair, const TensorComparison* tensors) {
  ComparedRow row{.target = &sides.target.records[pair.target], .golden = goldenOf(sides, pair)};
  row.message = row.golden == nullptr ? "No bench data matched." : "";
  switch (sides.mode) {
    case Mode::Checksum:
      row.result = checksumOf(row.target) == checksumOf(row.golden) ? "pass"
                   : row.golden                                     ? "Different"
                                                                    : "N/A";
      break;
    case Mode::Statistics:
      judgeStatistics(row);
      break;
    case Mode::Tensor:
      row.metrics = tensors->metrics;
      row.message = row.isGradConsistent() ? row.message : "Requires_grad inconsistent. ";
      row.message += tensors->message;
      if (row.golden != nullptr && row.golden->name != row.target->name) {
        row.message += " Fuzzy matching data, the comparison accuracy may be affected.";
      }
      row.result = accuracyOf(row.metrics);
      break;
  }
  return row;
}

std::vector<std::string> titles8(const Sides& sides) {
  switch (sides.mode) {
    case Mode::Checksum:
      return tableTitles(sides, "Result");
    case Mode::Tensor:
      return tableTitles(sides, "Accuracy Reached or Not,Err_message");
    case Mode::Statistics:
      break;
  }
  return tableTitles(sides, "Result,Err_message");
}

bool isColoured8(const Sides& sides, bool isHighlighted) {
  return isHighlighted && sides.pairs.size() <= kTooManyRows;
}

std::optional<Suspect> writeTable8(const Sides& sides,
                                   const ComparedTensors& tensors,
                                   bool isColoured,
                                   TableFile& file) {
  std::optional<Suspect> suspect;
  RowCells cells(sides, Generation::V8);
  const auto make = [&](std::size_t pair) {
    return makeRow8(
        sides, sides.pairs[pair], tensors.pairs.empty() ? nullptr : &tensors.pairs[pair]);
  };
  const auto judge = [&](std::span<ComparedRow> rows, std::size_t first) {
    if (isColoured && !isDebugFile(sides.target.path)) {
      highlight8(rows, sides.mode);
    }
    if (const auto found = std::ranges::find_if(rows, isSuspect); !suspect && found != rows.end()) {
      suspect =
          Suspect{first + static_cast<std::size_t>(found - rows.begin()), found->target->name};
    }
  };
  writeRows(sides, cells, make, judge, file);
  return suspect;
}

std::string adviceOn(const std::optional<Suspect>& suspect) {
  if (!suspect) {
    return "Line: NA\nSuspect Nodes: NA\nExpert Advice: All data in comparison result meets the "
           "accuracy requirements.\n";
  }
  return fmt::format("Line: {}\nSuspect Nodes: {}\nExpert Advice: {}\n",
                     suspect->row,
                     suspect->name,
                     adviceFor(suspect->name));
}

}  // namespace ulp::compat::msprobe
