#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/compat/msprobe/pairs/statistic_difference.h"
#include "core/compat/msprobe/results/table_8.h"

namespace ulp::compat::msprobe {
namespace {

using dumps::msprobe::Section;

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

}  // namespace

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

}  // namespace ulp::compat::msprobe
