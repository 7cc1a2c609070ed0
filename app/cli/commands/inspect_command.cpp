#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <iosfwd>
#include <memory>
#include <numeric>
#include <ostream>
#include <span>

#include "app/cli/command.h"
#include "app/cli/sources/inspect_source.h"
#include "app/cli/sources/tensor_places.h"
#include "core/analysis/tensors/measured_pair.h"
#include "core/analysis/tensors/tensor_slice.h"
#include "core/analysis/tensors/tensor_statistics.h"
#include "core/base/list_of.h"
#include "core/base/shape.h"
#include "core/base/text/format_number.h"
#include "core/numerics/comparison/comparison.h"
#include "core/report/model/report.h"
#include "core/report/tables/number_column.h"

namespace ulp::cli {
namespace {

constexpr std::size_t kHistogramBins = 24;
constexpr std::uint64_t kMaxSliceElements = 100'000;

struct InspectFlags {
  std::string path;
  InspectQuery query;
  std::string slice;
  bool hasSlice = false;
  int worst = 0;
  bool hasHistogram = false;
  std::string format = "text";
  std::string unpacked;
};

constexpr int kHistogramBarWidth = 50;

bool looksInto(const InspectFlags& flags) {
  return flags.hasSlice || flags.hasHistogram || flags.worst > 0;
}

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

void printListing(std::ostream& out,
                  const InspectSource& source,
                  std::span<const std::size_t> items) {
  std::size_t nameWidth = 6;
  std::size_t runWidth = 3;
  for (const std::size_t i : items) {
    nameWidth = std::max(nameWidth, source.items[i].site.name.size());
    runWidth = std::max(runWidth, source.items[i].run.size());
  }
  for (const std::size_t i : items) {
    const InspectItem& item = source.items[i];
    if (source.hasRuns) {
      fmt::print(out, "{:<{}}  {:<18}  ", item.run, runWidth, toString(item.site.pass));
    }
    fmt::print(out,
               "{:<{}}  {:<12}  {}",
               item.site.name,
               nameWidth,
               item.storedAs,
               report::shapeText(item.shape));
    if (item.sampleStride > 1) {
      fmt::print(out, "  (one of {} elements)", item.sampleStride);
    }
    out << '\n';
  }
}

void printLine(std::ostream& out, std::string_view name, const std::string& value) {
  fmt::print(out, "  {:<11} {}\n", name, value);
}

/// What is known of a tensor before its elements are read; `stored` says how many of them are.
void printHead(std::ostream& out, const InspectItem& item, std::uint64_t stored) {
  fmt::print(out, "{}\n", item.site.name);
  const auto line = [&](std::string_view name, const std::string& value) {
    printLine(out, name, value);
  };
  if (!item.run.empty()) {
    line("run", fmt::format("{}, {}", item.run, toString(item.site.pass)));
  }
  line("shape", fmt::format("{} = {} elements", report::shapeText(item.shape), elementsOf(item)));
  if (item.sampleStride > 1) {
    line("stored",
         fmt::format("{} elements, one of {}; all below is of these", stored, item.sampleStride));
  }
  line("stored as", item.storedAs);
}

void printStatistics(std::ostream& out,
                     const InspectItem& item,
                     const analysis::TensorStatistics& statistics) {
  printHead(out, item, statistics.count);
  const auto line = [&](std::string_view name, const std::string& value) {
    printLine(out, name, value);
  };
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

/// Rows of the last dimension, under the position of their matrix where there are more than two
/// dimensions.
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
  const std::uint64_t most = std::ranges::max(histogram.counts);
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

/// The one item that was meant; of several runs or passes the forward one, and of those a reference
/// or one that has a reference.
Result<std::size_t> chooseItem(const InspectSource& source, InspectQuery query, bool needsVariant) {
  auto found = ULP_TRY(findItems(source, query));
  const auto narrow = [&](const auto& isWanted) {
    std::vector<std::size_t> kept;
    std::ranges::copy_if(
        found, std::back_inserter(kept), [&](std::size_t i) { return isWanted(source.items[i]); });
    if (!kept.empty()) {
      found = std::move(kept);
    }
  };
  narrow([](const InspectItem& item) { return item.site.pass == Pass::Forward; });
  narrow([&](const InspectItem& item) { return item.reference.has_value() == needsVariant; });
  if (found.size() > 1) {
    const std::vector<std::string> choices = listOf(found, [&](std::size_t i) {
      const InspectItem& item = source.items[i];
      return fmt::format("--run {} --pass {}", item.run, toString(item.site.pass));
    });
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format(
            "'{}' is kept more than once; choose {}", query.name, fmt::join(choices, ", ")));
  }
  return found.front();
}

Result<> showSlice(const InspectItem& item,
                   const tensors::Tensor& tensor,
                   const std::string& text,
                   const CommandContext& context) {
  auto slice = analysis::parseSlice(text, tensor.view.shape);
  if (!slice) {
    const std::string place =
        item.sampleStride == 1
            ? "--slice"
            : fmt::format("--slice: the study kept one of {} elements, as a flat list",
                          item.sampleStride);
    return failWhile(place, std::move(slice));
  }
  if (analysis::countOf(*slice) > kMaxSliceElements) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--slice: {} elements are too many to print; narrow the slice to {}",
                            analysis::countOf(*slice),
                            kMaxSliceElements));
  }
  const auto taken = ULP_TRY(analysis::readSlice(tensor, *slice));
  context.out << '\n';
  printSlice(context.out, taken);
  return {};
}

/// The tensor that it is compared with.
Result<tensors::Tensor> readReference(const InspectSource& source, const InspectItem& item) {
  if (!item.reference) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--worst compares a variant with the reference, and run '{}' has "
                            "nothing to compare with; choose a variant with --run",
                            item.run));
  }
  if (source.items[*item.reference].sampleStride != item.sampleStride) {
    return fail(ErrorCode::CorruptData,
                fmt::format("'{}': the runs keep different samples of the tensor", item.site.name));
  }
  return source.read(*item.reference);
}

Result<> showWorst(const InspectSource& source,
                   const InspectItem& item,
                   const tensors::Tensor& tensor,
                   const InspectFlags& flags,
                   const CommandContext& context) {
  auto reference = ULP_TRY(readReference(source, item));
  if (isSqueezedSame(reference.view.shape, tensor.view.shape)) {
    reference.view.shape = tensor.view.shape;
  }
  const auto worst = static_cast<std::size_t>(flags.worst);
  numerics::Comparer comparer({.worstCount = worst});
  const auto measured =
      ULP_TRY(analysis::measure(reference, tensor, comparer, {.worstCount = worst}, {}));
  ULP_TRY(tensors::checkIntact(reference));
  ULP_TRY(tensors::checkIntact(tensor));
  context.out << '\n';
  printWorst(context.out, measured.moments.worst, item);
  const numerics::Moments& moments = measured.moments;
  if (moments.compared < moments.count) {
    fmt::print(context.out,
               "{} of {} elements have no difference: not finite are {} of the reference and {} of "
               "the variant\n",
               moments.count - moments.compared,
               moments.count,
               moments.reference.total(),
               moments.candidate.total());
  }
  return {};
}

Result<> showTensor(const InspectSource& source,
                    const InspectFlags& flags,
                    const CommandContext& context) {
  const bool needsVariant = flags.worst > 0 && flags.query.run.empty();
  const auto index = ULP_TRY(chooseItem(source, flags.query, needsVariant));
  const InspectItem& item = source.items[index];
  const auto tensor = ULP_TRY(source.read(index));
  const auto statistics = ULP_TRY(analysis::statisticsOf(tensor));
  printStatistics(context.out, item, statistics);
  if (flags.hasHistogram) {
    context.out << '\n';
    const auto histogram = ULP_TRY(analysis::histogramOf(tensor, statistics, kHistogramBins));
    printHistogram(context.out, histogram);
  }
  if (flags.hasSlice) {
    ULP_TRY(showSlice(item, tensor, flags.slice, context));
  }
  return flags.worst > 0 ? showWorst(source, item, tensor, flags, context) : Result<>{};
}

Result<InspectSource> open(const InspectFlags& flags,
                           const CommandContext& context,
                           std::vector<std::string>& warnings) {
  auto source = openInspectSource(flags.path, warnings);
  for (const std::string& warning : warnings) {
    fmt::print(context.err, "{}: warning: {}\n", kProgramName, warning);
  }
  return source;
}

Result<std::vector<Error>> listPlaces(const InspectFlags& flags, const CommandContext& context) {
  if (looksInto(flags)) {
    return fail(ErrorCode::InvalidArgument,
                "--slice, --worst and --histogram are printed as text; leave --format json out");
  }
  std::vector<std::string> warnings;
  const auto source = ULP_TRY(open(flags, context, warnings));
  auto items = itemsLike(source, flags.query);
  if (!items && !warnings.empty()) {
    // What is not there is among what could not be read.
    return failWhile(fmt::format("{}", fmt::join(warnings, "; ")), std::move(items));
  }
  // What is on another machine stays there until it is named.
  const PlaceOptions options{.unpacked = flags.unpacked,
                             .areRead = !source.isOnHost || !flags.query.name.empty()};
  return printPlaces(context.out, source, ULP_TRY(std::move(items)), options);
}

/// Errors are told by the JSON as well, whose readers have no eyes for other streams.
ExitCode inspectAsJson(const InspectFlags& flags, const CommandContext& context) {
  const auto problems = listPlaces(flags, context);
  if (!problems) {
    printNoPlaces(context.out, problems.error());
    return context.reportError(problems.error());
  }
  return context.reportErrors(*problems);
}

Result<> inspect(const InspectFlags& flags, const CommandContext& context) {
  if (!flags.unpacked.empty()) {
    return fail(ErrorCode::InvalidArgument, "--unpack is for --format json; add that");
  }
  std::vector<std::string> warnings;
  const auto source = ULP_TRY(open(flags, context, warnings));
  const bool isAlone = source.items.size() == 1;
  if (!flags.query.name.empty() || isAlone) {
    return showTensor(source, flags, context);
  }
  if (looksInto(flags)) {
    return fail(ErrorCode::InvalidArgument,
                "--slice, --worst and --histogram look into one tensor; name it after the path");
  }
  const auto items = ULP_TRY(findItems(source, flags.query));
  printListing(context.out, source, items);
  return {};
}

void addInspectCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("inspect", "List the tensors of a study or a file, or look into one");
  const auto flags = std::make_shared<InspectFlags>();
  command
      ->add_option("PATH",
                   flags->path,
                   "Folder of a study, a dump, a report of dumps, a .safetensors, .gguf, .npy or "
                   ".h5 file, or "
                   "a model folder")
      ->required();
  command->add_option("TENSOR", flags->query.name, "Its name; without one all tensors are listed");
  command->add_option("--run", flags->query.run, "Run of a study; default: all, or the reference");
  command->add_option("--pass",
                      flags->query.pass,
                      "forward, backward, parameter_gradient or optimizer; default: all, or the "
                      "first that was kept");
  CLI::Option* slice =
      command->add_option("--slice", flags->slice, "Print elements, as NumPy slices: 0,5:10,::2");
  command->add_option("--worst", flags->worst, "The N elements furthest from the reference")
      ->check(CLI::Range(1, 10'000));
  command->add_flag("--histogram", flags->hasHistogram, "Elements by value");
  command
      ->add_option("--format", flags->format, "Text, or JSON with the places of elements in files")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_option("--unpack",
                      flags->unpacked,
                      "With --format json: a folder for elements that lie in no file as they are");
  command->footer(
      "Example: ulpscope-cli inspect runs/smollm2 decoder.11 --run bf16 --worst 5 --slice 0,-1,:8");
  command->callback([flags, slice, &context] {
    flags->hasSlice = slice->count() > 0;
    if (flags->format == "json") {
      context.exitCode = inspectAsJson(*flags, context);
      return;
    }
    context.exitCode = context.exitCodeOf(inspect(*flags, context));
  });
}

}  // namespace

void registerInspect(CommandRegistry& registry) {
  registry.add({.order = 70, .add = addInspectCommand});
}

}  // namespace ulp::cli
