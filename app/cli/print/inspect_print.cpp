#include "app/cli/print/inspect_print.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <numeric>
#include <ostream>

#include "core/base/text/format_number.h"
#include "core/report/tables/number_column.h"

namespace ulp::cli {
namespace {

constexpr int kHistogramBarWidth = 50;

std::uint64_t elementsOf(const InspectItem& item) {
  return std::accumulate(
      item.shape.begin(), item.shape.end(), std::uint64_t{1}, [](std::uint64_t n, std::int64_t d) {
        return n * static_cast<std::uint64_t>(d);
      });
}

/// Six significant digits without trailing zeros, so that integers look like integers.
std::string number(double value) {
  std::string text = formatSignificant(value, 6);
  const std::size_t exponent = std::min(text.find('e'), text.size());
  const std::size_t point = text.find('.');
  if (point < exponent) {
    const std::size_t last = text.find_last_not_of('0', exponent - 1);
    text.erase(last == point ? point : last + 1, exponent - (last == point ? point : last + 1));
  }
  return text;
}

/// Pads by characters, not bytes: minus signs and crosses take three and two bytes.
std::string rightAligned(const std::string& text, std::size_t width) {
  const std::size_t characters = report::displayWidth(text);
  return std::string(width > characters ? width - characters : 0, ' ') + text;
}

}  // namespace

void printListing(std::ostream& out,
                  const InspectSource& source,
                  std::span<const std::size_t> items) {
  std::size_t nameWidth = 6;
  std::size_t runWidth = 3;
  for (const std::size_t i : items) {
    nameWidth = std::max(nameWidth, source.items()[i].name.size());
    runWidth = std::max(runWidth, source.items()[i].run.size());
  }
  for (const std::size_t i : items) {
    const InspectItem& item = source.items()[i];
    if (source.hasRuns()) {
      fmt::print(out, "{:<{}}  {:<18}  ", item.run, runWidth, toString(item.pass));
    }
    fmt::print(out,
               "{:<{}}  {:<12}  {}",
               item.name,
               nameWidth,
               item.storedAs,
               report::shapeText(item.shape));
    if (item.sampleStride > 1) {
      fmt::print(out, "  (one of {} elements)", item.sampleStride);
    }
    out << '\n';
  }
}

void printStatistics(std::ostream& out,
                     const InspectItem& item,
                     const analysis::TensorStatistics& statistics) {
  fmt::print(out, "{}\n", item.name);
  const auto line = [&](std::string_view name, const std::string& value) {
    fmt::print(out, "  {:<11} {}\n", name, value);
  };
  if (!item.run.empty()) {
    line("run", fmt::format("{}, {}", item.run, toString(item.pass)));
  }
  line("shape", fmt::format("{} = {} elements", report::shapeText(item.shape), elementsOf(item)));
  if (item.sampleStride > 1) {
    line("stored",
         fmt::format(
             "{} elements, one of {}; all below is of these", statistics.count, item.sampleStride));
  }
  line("stored as", item.storedAs);
  line("min", number(statistics.minimum));
  line("max", number(statistics.maximum));
  line("mean", number(statistics.mean));
  line("rms", number(statistics.rms));
  line("zeros", std::to_string(statistics.zeros));
  const numerics::NonFiniteCounts& counts = statistics.nonFinite;
  line("non-finite",
       counts.total() == 0 ? "none"
                           : fmt::format("NaN {}, +Inf {}, −Inf {}",
                                         counts.nan,
                                         counts.positiveInfinity,
                                         counts.negativeInfinity));
}

void printSlice(std::ostream& out, const analysis::SlicedTensor& slice) {
  std::vector<std::string> cells;
  std::size_t width = 0;
  for (const double value : slice.values) {
    cells.push_back(number(value));
    width = std::max(width, cells.back().size());
  }
  const std::vector<std::int64_t>& shape = slice.shape;
  const std::size_t columns = shape.empty() ? 1 : static_cast<std::size_t>(shape.back());
  const std::size_t rows = shape.size() < 2 ? 1 : static_cast<std::size_t>(shape[shape.size() - 2]);
  const std::vector<std::int64_t> outer(
      shape.begin(),
      shape.begin() + std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(shape.size()) - 2));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!outer.empty() && i % (rows * columns) == 0) {
      fmt::print(
          out, "[{}, :, :]\n", fmt::join(numerics::unravel(i / (rows * columns), outer), ", "));
    }
    const bool endsRow = i % columns == columns - 1;
    fmt::print(out, "{}{}", rightAligned(cells[i], width), endsRow ? "\n" : "  ");
  }
  if (cells.empty()) {
    fmt::print(out, "no elements: shape [{}]\n", fmt::join(shape, ", "));
  }
}

void printHistogram(std::ostream& out, const analysis::Histogram& histogram) {
  if (histogram.counts.empty()) {
    out << "no finite elements\n";
    return;
  }
  const std::uint64_t most = *std::max_element(histogram.counts.begin(), histogram.counts.end());
  for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
    const std::uint64_t count = histogram.counts[bin];
    const double share = static_cast<double>(count) / static_cast<double>(most);
    // A bin that holds anything shows at least a sliver.
    const int length =
        count == 0 ? 0 : std::max(1, static_cast<int>(std::lround(share * kHistogramBarWidth)));
    const std::string bar = fmt::format("{:█<{}}", "", length);
    fmt::print(out,
               "{}  {:>12}{}{}\n",
               rightAligned(formatSignificant(histogram.lowerEdge(bin), 4), 12),
               count,
               bar.empty() ? "" : "  ",
               bar);
  }
  fmt::print(out, "{}\n", rightAligned(formatSignificant(histogram.upper, 4), 12));
}

void printWorst(std::ostream& out,
                std::span<const numerics::WorstElement> worst,
                const InspectItem& item) {
  fmt::print(
      out, "{:<24}  {:>14}  {:>14}  {:>14}\n", "position", "reference", "variant", "|difference|");
  for (const numerics::WorstElement& element : worst) {
    const auto position =
        numerics::unravel(static_cast<std::size_t>(element.flat * item.sampleStride), item.shape);
    fmt::print(out,
               "{:<24}  {}  {}  {}\n",
               fmt::format("[{}]", fmt::join(position, ", ")),
               rightAligned(number(element.reference), 14),
               rightAligned(number(element.candidate), 14),
               rightAligned(number(std::abs(element.candidate - element.reference)), 14));
  }
}

}  // namespace ulp::cli
