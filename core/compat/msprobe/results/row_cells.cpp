#include "core/compat/msprobe/results/row_cells.h"

#include <fmt/format.h>
#include <utility>

#include "core/base/text/split.h"
#include "core/compat/msprobe/pairs/statistic_difference.h"

namespace ulp::compat::msprobe {
namespace {

using dumps::msprobe::Record;
using dumps::msprobe::ScalarKind;

constexpr std::string_view kNames =
    "NPU Name,Bench Name,NPU Dtype,Bench Dtype,NPU Tensor Shape,Bench Tensor Shape,"
    "NPU Requires_grad,Bench Requires_grad";
constexpr std::string_view kChecksums = "NPU MD5,BENCH MD5";
constexpr std::string_view kDifferences =
    "Max diff,Min diff,Mean diff,L2norm diff,"
    "MaxRelativeErr,MinRelativeErr,MeanRelativeErr,NormRelativeErr";
constexpr std::string_view kMetrics =
    "Cosine,EucDist,MaxAbsErr,MaxRelativeErr,One Thousandth Err Ratio,Five Thousandths Err Ratio";
constexpr std::string_view kStatistics =
    "NPU max,NPU min,NPU mean,NPU l2norm,Bench max,Bench min,Bench mean,Bench l2norm";

std::string orNotAvailable(const Record* record, const std::string Record::*text) {
  return record == nullptr || (record->*text).empty() ? "N/A" : record->*text;
}

std::string gradOf(const Record* record) {
  return orNotAvailable(record, &Record::requiresGrad);
}

std::string titlesOfValues(Mode mode) {
  return mode == Mode::Checksum
             ? fmt::format("{},{}", kNames, kChecksums)
             : fmt::format(
                   "{},{},{}", kNames, mode == Mode::Tensor ? kMetrics : kDifferences, kStatistics);
}

std::vector<std::string> titlesOf(const std::string& line) {
  const std::vector<std::string_view> titles = split(line, ',');
  return {titles.begin(), titles.end()};
}

}  // namespace

bool ComparedRow::isGradConsistent() const {
  return gradOf(target) == gradOf(golden);
}

std::string checksumOf(const Record* record) {
  return orNotAvailable(record, &Record::checksum);
}

void compareStatistics26(ComparedRow& row) {
  for (std::size_t each = 0; each < row.difference.size(); ++each) {
    DifferenceText text = statisticDifference26(
        row.target->statistics[each],
        row.golden == nullptr ? textCell("N/A") : row.golden->statistics[each]);
    row.difference[each] = textCell(std::move(text.difference));
    row.relative[each] = std::move(text.relative);
  }
}

std::vector<std::string> valueTitles(Mode mode) {
  return titlesOf(titlesOfValues(mode));
}

std::vector<std::string> tableTitles(const Sides& sides, std::string_view verdict) {
  return titlesOf(fmt::format("{},{},{}{}{}",
                              titlesOfValues(sides.mode),
                              kGradTitle,
                              verdict,
                              sides.hasStacks ? ",NPU_Stack_Info" : "",
                              sides.mode == Mode::Tensor ? ",Data_name" : ""));
}

void RowCells::addStatistics(const ComparedRow& row) {
  for (const Record* record : {row.target, row.golden}) {
    for (std::size_t each = 0; each < row.target->statistics.size(); ++each) {
      m_cells.push_back(record == nullptr ? textCell("N/A") : record->statistics[each]);
      // An argument stays a bool; of tensors msprobe has made texts.
      if (record != nullptr && record->dtype == "<class 'bool'>") {
        m_cells.back().kind = ScalarKind::Flag;
      }
    }
  }
}

const std::vector<Cell>& RowCells::valuesOf(const ComparedRow& row, Mode mode) {
  const Record* target = row.target;
  const Record* golden = row.golden;
  const std::string none = m_generation == Generation::V8 ? "None" : "N/A";
  m_cells.clear();
  add(target->name);
  add(golden ? golden->name : "N/A");
  for (const auto text : {&Record::dtype, &Record::shape}) {
    add((target->*text).value_or(none));
    add(golden ? (golden->*text).value_or(none) : "N/A");
  }
  add(gradOf(target));
  add(gradOf(golden));
  if (mode == Mode::Checksum) {
    add(checksumOf(target));
    add(checksumOf(golden));
    return m_cells;
  }
  if (mode == Mode::Statistics) {
    m_cells.insert(m_cells.end(), row.difference.begin(), row.difference.end());
    for (const std::string& relative : row.relative) {
      add(relative);
    }
  } else {
    for (const Metric& metric : row.metrics) {
      m_cells.push_back(toCell(metric));
    }
  }
  addStatistics(row);
  return m_cells;
}

const std::vector<Cell>& RowCells::cellsOf(const ComparedRow& row,
                                           const Pair& pair,
                                           bool isFirstOfEntry) {
  valuesOf(row, m_sides.mode);
  m_cells.push_back(flagCell(row.isGradConsistent()));
  add(row.result);
  if (m_generation == Generation::V26 || m_sides.mode != Mode::Checksum) {
    add(row.message);
  }
  if (m_sides.hasStacks) {
    add(m_sides.stackText(pair.entry, isFirstOfEntry));
  }
  if (m_sides.mode == Mode::Tensor) {
    add(m_sides.fileNames(pair));
  }
  return m_cells;
}

}  // namespace ulp::compat::msprobe
