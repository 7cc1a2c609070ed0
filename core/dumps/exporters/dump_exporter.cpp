#include "core/dumps/exporters/dump_exporter.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/text/regular_expression.h"
#include "core/dumps/exporters/exported_names.h"
#include "core/dumps/exporters/staged_target.h"
#include "core/json/dump.h"
#include "core/json/value.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;

/// Of 1,000 for each unit.
constexpr std::uint64_t kUnitSteps = 1000;

class Export {
 public:
  Export(const Dump& dump,
         const DumpExporter& exporter,
         const DumpExportOptions& options,
         bool isFile,
         const std::stop_token& stop,
         const Progress& progress)
      : m_dump(dump),
        m_exporter(exporter),
        m_options(options),
        m_isFile(isFile),
        m_stop(stop),
        m_progress(progress) {}

  Result<> compilePattern() {
    if (m_options.match.empty()) {
      return {};
    }
    auto compiled = RegularExpression::compile(m_options.match);
    if (!compiled) {
      return failWhile(fmt::format("'{}' is not a regular expression", m_options.match),
                       std::move(compiled));
    }
    m_pattern = std::move(*compiled);
    return {};
  }

  Result<> checkTarget(const fs::path& target) const {
    if (m_isFile && m_dump.units.size() > 1) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: a file holds one unit, and there are {} ({}, {}, …); choose one "
                              "by run, step, rank or token, or name a folder",
                              target.string(),
                              m_dump.units.size(),
                              describe(m_dump.units[0].axes),
                              describe(m_dump.units[1].axes)));
    }
    if (m_options.isStatisticsOnly && !m_exporter.keepsStatistics) {
      return fail(
          ErrorCode::InvalidArgument,
          fmt::format("{} holds elements alone; statistics are written by msprobe", m_exporter.id));
    }
    if (m_options.shardBytes && (m_isFile || !m_exporter.hasShards)) {
      return fail(ErrorCode::InvalidArgument,
                  m_isFile
                      ? fmt::format("{}: is one file whatever its size; name a folder for files "
                                    "of a limited size",
                                    target.string())
                      : fmt::format("{} writes a file for each tensor; a limited size of files "
                                    "is for safetensors",
                                    m_exporter.id));
    }
    return {};
  }

  Result<> writeUnits(const StagedTarget& staged) {
    std::set<fs::path> places;
    for (std::size_t i = 0; i < m_dump.units.size(); ++i) {
      const UnitInfo& info = m_dump.units[i];
      const fs::path place = m_exporter.place(info.axes, m_dump.units.size() == 1);
      if (!places.insert(place).second) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}: '{}' and an earlier unit would be written to the same folder, "
                                "{}; choose one of them",
                                m_dump.path.string(),
                                describe(info.axes),
                                place.string()));
      }
      ULP_TRY(writeUnit(i, staged, m_isFile ? fs::path() : place));
    }
    return m_outcome.rows > 0 ? Result<>() : nothingToWrite();
  }

  Result<> describeIn(const fs::path& folder) const {
    const json::Object about{{"ulpscope_export", 1},
                             {"format", m_exporter.id},
                             {"source", m_dump.path.filename().string()},
                             {"source_format", m_dump.format},
                             {"units", m_outcome.units},
                             {"rows", m_outcome.rows},
                             {"notes", m_outcome.notes}};
    return writeFileAtomically(folder / kExportMark, json::dump(about, {.indent = 1}));
  }

  DumpExportOutcome takeOutcome() { return std::move(m_outcome); }

 private:
  [[nodiscard]] Result<> cancelled() const {
    return fail(ErrorCode::Cancelled, "the export was cancelled; nothing was written");
  }

  Result<> writeUnit(std::size_t index, const StagedTarget& staged, const fs::path& place) {
    const auto unit = ULP_TRY(m_dump.openUnit(index, m_stop));
    for (const Sentence& note : unit->notes) {
      m_outcome.notes.push_back(note.text());
    }
    const std::vector<std::size_t> rows = ULP_TRY(choose(*unit));
    if (rows.empty()) {
      return m_stop.stop_requested() ? cancelled() : Result<>();
    }
    const fs::path folder = staged.folder() / place;
    std::error_code failure;
    fs::create_directories(folder, failure);
    ULP_TRY(checkMade(folder, failure));
    const std::uint64_t total = m_dump.units.size() * kUnitSteps;
    const auto written = m_exporter.write(
        {.dump = m_dump,
         .unit = *unit,
         .rows = rows,
         .options = m_options,
         .folder = folder,
         .file = m_isFile ? staged.file() : fs::path(),
         .stop = m_stop,
         .progress =
             [&](std::uint64_t done, std::uint64_t of) {
               if (m_progress) {
                 m_progress(index * kUnitSteps + done * kUnitSteps / std::max<std::uint64_t>(of, 1),
                            total);
               }
             },
         .notes = m_outcome.notes});
    if (!written) {
      return m_stop.stop_requested() ? cancelled() : tl::unexpected<Error>(written.error());
    }
    m_isChosen = true;
    m_outcome.units += 1;
    m_outcome.rows += *written;
    return m_stop.stop_requested() ? cancelled() : Result<>();
  }

  Result<std::vector<std::size_t>> choose(const DumpUnit& unit) {
    const std::vector<std::size_t> owners = entriesOfRows(unit);
    std::vector<std::size_t> rows;
    std::size_t withoutElements = 0;
    for (std::size_t row = 0; row < unit.rows.size() && !m_stop.stop_requested(); ++row) {
      const bool isOfPass =
          m_options.passes.empty() ||
          std::ranges::count(m_options.passes, unit.entries[owners[row]].pass) > 0;
      const bool isMeant =
          ULP_TRY(m_pattern ? m_pattern->isFoundIn(unit.rows[row].name) : Result<bool>(true));
      if (!isMeant || !isOfPass) {
        continue;
      }
      if (unit.rows[row].hasElements || m_exporter.keepsStatistics) {
        rows.push_back(row);
      } else {
        ++withoutElements;
      }
    }
    m_withoutElements += withoutElements;
    if (withoutElements > 0) {
      const std::string name = describe(unit.axes);
      m_outcome.notes.push_back(fmt::format("{}{}{} rows have no elements and are left out",
                                            name,
                                            name.empty() ? "" : ": ",
                                            withoutElements));
    }
    return rows;
  }

  [[nodiscard]] Result<> nothingToWrite() const {
    const std::string place = m_dump.path.string();
    if (m_isChosen) {
      return fail(
          ErrorCode::NotFound,
          fmt::format(
              "{}: none of its tensors can be read\n{}", place, fmt::join(m_outcome.notes, "\n")));
    }
    return fail(ErrorCode::NotFound,
                m_withoutElements > 0
                    ? fmt::format("{}: has no elements, only numbers of them; they can be written "
                                  "by msprobe alone",
                                  place)
                : m_pattern && m_options.passes.empty()
                    ? fmt::format("{}: no name of a row holds '{}'", place, m_options.match)
                    : fmt::format("{}: there is nothing to write", place));
  }

  const Dump& m_dump;
  const DumpExporter& m_exporter;
  const DumpExportOptions& m_options;
  bool m_isFile;
  const std::stop_token& m_stop;
  const Progress& m_progress;
  std::optional<RegularExpression> m_pattern;
  std::size_t m_withoutElements = 0;
  bool m_isChosen = false;
  DumpExportOutcome m_outcome;
};

/// Problems that a note names.
constexpr std::size_t kProblemsNamed = 3;
constexpr std::string_view kTorchPrefix = "torch.";
/// Types that are read as wider ones (core/tensors/elements/stored_type.h), in the words of torch
/// and of safetensors.
constexpr std::array<std::string_view, 8> kWidened{
    "uint16", "uint32", "uint64", "float8_e8m0fnu", "U16", "U32", "U64", "F8_E8M0"};

}  // namespace

DumpExporterRegistry builtinDumpExporters() {
  DumpExporterRegistry registry;
  registerBuiltin(registry);
  return registry;
}

Result<> checkMade(const fs::path& folder, std::error_code failure) {
  return failure ? Result<>(fail(ErrorCode::Io,
                                 fmt::format("{}: {}", folder.string(), failure.message())))
                 : Result<>();
}

Result<DumpExportOutcome> exportDump(const Dump& dump,
                                     const fs::path& target,
                                     const DumpExporter& exporter,
                                     const DumpExportOptions& options,
                                     const std::stop_token& stop,
                                     const Progress& progress) {
  const bool isFile = !exporter.extension.empty() && target.extension() == exporter.extension;
  Export work(dump, exporter, options, isFile, stop, progress);
  ULP_TRY(work.compilePattern());
  ULP_TRY(work.checkTarget(target));
  auto staged = ULP_TRY(StagedTarget::create(target, isFile, options.mayReplace));
  ULP_TRY(work.writeUnits(staged));
  if (!isFile) {
    ULP_TRY(work.describeIn(staged.folder()));
  }
  const auto bytes = ULP_TRY(staged.commit());
  DumpExportOutcome outcome = work.takeOutcome();
  outcome.bytes = bytes;
  return outcome;
}

RowReader::~RowReader() {
  if (m_unread > 0) {
    m_unit.notes.push_back(fmt::format("{} tensors could not be read and {}: {}{}",
                                       m_unread,
                                       m_consequence,
                                       fmt::join(m_problems, "; "),
                                       m_unread > m_problems.size() ? "; …" : ""));
  }
}

Result<> RowReader::read(std::size_t row,
                         const std::function<Result<>(const tensors::Tensor&)>& use) {
  if (m_unit.stop.stop_requested()) {
    return fail(ErrorCode::Cancelled, "the export was cancelled");
  }
  const auto tensor = m_unit.unit.read(row);
  if (!tensor) {
    if (tensor.error().endsWork()) {
      return tl::unexpected<Error>(tensor.error());
    }
    ++m_unread;
    if (m_problems.size() < kProblemsNamed) {
      m_problems.push_back(tensor.error().message());
    }
    return {};
  }
  ++m_read;
  auto used = use(*tensor);
  if (used) {
    used = tensors::checkIntact(*tensor);
  }
  if (tensor->file != nullptr) {
    tensor->file->release(tensor->view.bytes());
  }
  return used;
}

void Conversions::add(const DumpRow& row, DType read, DType written) {
  std::string_view recorded = row.dtype;
  if (recorded.starts_with(kTorchPrefix)) {
    recorded.remove_prefix(kTorchPrefix.size());
  }
  const bool isWidened = std::ranges::find(kWidened, recorded) != kWidened.end() || read != written;
  if (isWidened) {
    const std::string from(read != written ? toString(read) : recorded);
    ++m_counts[{from, written}];
  }
}

void Conversions::note(std::vector<std::string>& notes) const {
  for (const auto& [types, count] : m_counts) {
    notes.push_back(fmt::format("{} tensors of {} are written as {}, which holds every value",
                                count,
                                types.first,
                                toString(types.second)));
  }
}

}  // namespace ulp::dumps
