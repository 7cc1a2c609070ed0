#include "core/compat/msit/statistics_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <utility>

#include "core/compat/comparator.h"
#include "core/compat/csv_line.h"
#include "core/dumps/msit/statistics_table.h"
#include "core/tensors/formats/atb/atb_file.h"

namespace ulp::compat::msit {
namespace {

namespace fs = std::filesystem;

using dumps::msit::NodePair;
using dumps::msit::Place;

/// Maximum, minimum, mean and L2 norm.
using Numbers = std::array<float, 4>;

Result<Numbers> numbersOf(const dumps::Statistics& statistics, const fs::path& file) {
  const std::array<std::optional<double>, 4> values{
      statistics.max, statistics.min, statistics.mean, statistics.norm};
  Numbers numbers{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) {
      return fail(ErrorCode::NotFound,
                  fmt::format("{}: lacks a maximum, minimum, mean or L2 norm", file.string()));
    }
    numbers[i] = static_cast<float>(*values[i]);
  }
  return numbers;
}

/// Of several devices msit takes the last.
fs::path ofLastDevice(const Side& side, const fs::path& file) {
  const std::vector<fs::path> files = ofAllDevices(side, file);
  return files.empty() ? file : files.back();
}

/// Those of the last output in a module's table.
Result<Numbers> goldenNumbers(const Side& side, const fs::path& file) {
  const fs::path last = ofLastDevice(side, file);
  const auto table = ULP_TRY(dumps::msit::readModuleStatistics(last));
  const auto output = std::find_if(table.rbegin(), table.rend(), [](const auto& tensor) {
    return tensor.role == dumps::Role::Output;
  });
  if (output == table.rend()) {
    return fail(ErrorCode::NotFound, fmt::format("{}: no row of an output", last.string()));
  }
  return numbersOf(output->statistics, last);
}

Result<Numbers> myNumbers(const Side& side, const fs::path& file) {
  const fs::path last = ofLastDevice(side, file);
  const auto opened = ULP_TRY(tensors::AtbFile::open(last));
  const tensors::AtbHeader& header = opened->header();
  return numbersOf({.max = header.max, .min = header.min, .mean = header.mean, .norm = header.norm},
                   last);
}

/// Shortest text of a float32, as NumPy writes it.
std::string floatText(float value) {
  if (std::isnan(value)) {
    return "";
  }
  std::string shortest = fmt::format("{}", value);
  const float size = std::abs(value);
  const bool isPlain = size == 0 || (size >= 1e-4F && size < 1e16F);
  if (!isPlain || shortest.find_first_of("e.n") != std::string::npos) {
    return shortest;
  }
  return shortest + ".0";
}

void addErrors(std::vector<std::string>& fields, const Numbers& golden, const Numbers& my) {
  constexpr float kEpsilon = std::numeric_limits<float>::epsilon();
  for (std::size_t i = 0; i < golden.size(); ++i) {
    const float error = std::abs(my[i] - golden[i]);
    fields.push_back(floatText(error));
    fields.push_back(floatText(error / std::max(std::abs(golden[i]), kEpsilon)));
  }
}

std::string headings() {
  std::vector<std::string> columns{
      "token_id", "data_id", "golden_data_path", "golden_op_type", "my_data_path", "my_op_type"};
  for (const std::string_view number : {"max", "min", "mean", "l2norm"}) {
    columns.push_back(fmt::format("{}_stat_absolute_error", number));
    columns.push_back(fmt::format("{}_stat_relative_error", number));
  }
  std::string text;
  appendCsvLine(text, columns);
  return text;
}

/// The files that are compared: every output of ATB with the table of the module.
std::vector<FilePair> statisticsFiles(const Side& golden,
                                      const Side& my,
                                      const TokenPair& token,
                                      const NodePair& nodes) {
  const std::vector<fs::path> tables = filesOf(
      golden, *token.golden, nodes.golden, {.files = Place::Files::One, .name = "statistics.csv"});
  std::vector<FilePair> files;
  for (const fs::path& table : tables) {
    for (const fs::path& file : filesOf(my, *token.my, nodes.my, nodes.myPlace)) {
      files.push_back({.golden = table, .my = file});
    }
  }
  return files;
}

/// The columns of numbers. Errors: those of the files.
Result<std::vector<std::string>> errorFields(const Side& golden,
                                             const Side& my,
                                             const FilePair& files) {
  const Numbers goldenValues = ULP_TRY(goldenNumbers(golden, files.golden));
  const Numbers myValues = ULP_TRY(myNumbers(my, files.my));
  std::vector<std::string> fields;
  addErrors(fields, goldenValues, myValues);
  return fields;
}

/// Writes the lines of a comparison and counts them.
class TokenLines {
 public:
  TokenLines(const Side& golden, const Side& my) : m_golden(golden), m_my(my) {}

  [[nodiscard]] std::uint64_t count() const { return m_nextId; }
  [[nodiscard]] const std::vector<Error>& failures() const { return m_failures.all(); }

  void add(std::string& text, const TokenPair& token, const NodePair& nodes) {
    for (const FilePair& files : statisticsFiles(m_golden, m_my, token, nodes)) {
      Result<std::vector<std::string>> errors = errorFields(m_golden, m_my, files);
      if (!errors) {
        m_failures.add(std::move(errors.error()));
        continue;
      }
      std::vector<std::string> fields{tokenText(*token.my),
                                      std::to_string(m_nextId++),
                                      realPath(files.golden),
                                      nodeOf(m_golden, nodes.golden).type,
                                      realPath(files.my),
                                      nodeOf(m_my, nodes.my).type};
      fields.insert(fields.end(), errors->begin(), errors->end());
      appendCsvLine(text, fields);
    }
  }

 private:
  const Side& m_golden;
  const Side& m_my;
  Failures m_failures;
  std::uint64_t m_nextId = 0;
};

}  // namespace

Result<std::string> statisticsCsv(const Side& golden,
                                  const Side& my,
                                  const std::vector<TokenPair>& tokens,
                                  const std::vector<NodePair>& pairs,
                                  std::vector<Error>& failures,
                                  const std::stop_token& stop) {
  if (golden.isAtb || !my.isAtb) {
    return fail(ErrorCode::InvalidArgument,
                "msit compares numbers of a PyTorch dump as golden with those of an ATB dump only");
  }
  std::string text = headings();
  TokenLines lines(golden, my);
  for (const TokenPair& token : tokens) {
    for (const NodePair& nodes : pairs) {
      if (stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "comparison cancelled");
      }
      lines.add(text, token, nodes);
    }
  }
  failures.insert(failures.end(), lines.failures().begin(), lines.failures().end());
  if (lines.count() == 0 && !failures.empty()) {
    return tl::unexpected<Error>(asOneError(failures));
  }
  return text;
}

}  // namespace ulp::compat::msit
