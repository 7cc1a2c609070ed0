#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/registry.h"
#include "core/base/result.h"
#include "core/dumps/model/dump.h"

/// Dumps, and runs of Ulpscope, written in the formats of others.
namespace ulp::dumps {

struct DumpExportOptions {
  /// Rows whose name it is found in (RegularExpression, letter case counts); empty: all.
  std::string match{};
  std::vector<Pass> passes{};  ///< of the rows; empty: all
  /// Numbers in place of elements, where the format has a place for them.
  bool isStatisticsOnly = false;
  /// Takes the place of an earlier export under the same path; nothing else is ever replaced.
  bool mayReplace = false;
  /// Bytes of elements above which a file ends and the next one begins, where the format has files
  /// of many tensors and they go into a folder; empty: what is usual there.
  std::optional<std::uint64_t> shardBytes{};
};

/// A unit on its way out: what an exporter is given.
struct UnitExport {
  const Dump& dump;
  const DumpUnit& unit;
  const std::vector<std::size_t>& rows;  ///< the chosen ones, in order; never empty
  const DumpExportOptions& options;
  std::filesystem::path folder;  ///< exists, and is empty
  std::filesystem::path file;    ///< to write rather than the folder, where it is not empty
  std::stop_token stop{};
  Progress progress{};              ///< rows
  std::vector<std::string>& notes;  ///< what the reader of the result must know
};

/// A format. write() writes every row that it can, says in the notes what it could not read, never
/// fails for that alone, and returns how many rows it wrote. Errors: Io, OutOfMemory, Cancelled,
/// CorruptData (a file became shorter meanwhile), InvalidArgument.
struct DumpExporter {
  std::string id;     ///< "msprobe"
  std::string title;  ///< "dump that msprobe opens"
  /// A target with this extension is one file for one unit; empty: always a folder.
  std::string extension{};
  bool keepsStatistics = false;  ///< writes rows that have numbers alone
  bool hasShards = false;        ///< divides what it writes to a folder among files of many tensors
  /// Where below the target a unit is written; empty: in the target itself. `isOnly`: no other is
  /// written.
  std::filesystem::path (*place)(const UnitAxes& axes, bool isOnly) = nullptr;
  Result<std::size_t> (*write)(const UnitExport& unit) = nullptr;
};

using DumpExporterRegistry = Registry<DumpExporter>;
void registerBuiltin(DumpExporterRegistry& registry);
[[nodiscard]] DumpExporterRegistry builtinDumpExporters();

/// Error: Io with the folder, where making it failed.
[[nodiscard]] Result<> checkMade(const std::filesystem::path& folder, std::error_code failure);

/// What exportDump() wrote.
struct DumpExportOutcome {
  std::size_t units = 0;
  std::size_t rows = 0;
  std::uint64_t bytes = 0;  ///< of all files
  std::vector<std::string> notes;
};

/// Writes all units of a dump. `target` appears when everything is written; until then, and after
/// an error or a stop, it is what it was before. A folder that was written holds
/// ulpscope_export.json, which says what it is and repeats the notes. Errors: InvalidArgument (the
/// target exists, several units for one file, statistics alone or a size of files where the format
/// has none, a pattern that is none), NotFound (no row is meant, has elements, or can be read),
/// Cancelled, and those of write().
[[nodiscard]] Result<DumpExportOutcome> exportDump(const Dump& dump,
                                                   const std::filesystem::path& target,
                                                   const DumpExporter& exporter,
                                                   const DumpExportOptions& options,
                                                   const std::stop_token& stop = {},
                                                   const Progress& progress = {});

// What exporters read rows with.

/// Reads the rows of a unit one after another and lets go of each before the next: memory stays
/// that of one tensor. Rows that cannot be read become a note.
class RowReader {
 public:
  /// `unread`: what becomes of rows that cannot be read, for the note.
  explicit RowReader(const UnitExport& unit, std::string_view unread = "are left out")
      : m_unit(unit), m_consequence(unread) {}
  /// Writes the note.
  ~RowReader();
  RowReader(const RowReader&) = delete;
  RowReader& operator=(const RowReader&) = delete;

  /// Calls `use` with the elements; not at all where they cannot be read. Errors: those of `use`;
  /// CorruptData where the file became shorter while they were used; OutOfMemory, Cancelled.
  [[nodiscard]] Result<> read(std::size_t row,
                              const std::function<Result<>(const tensors::Tensor&)>& use);

  /// How many were read.
  [[nodiscard]] std::size_t count() const { return m_read; }

 private:
  const UnitExport& m_unit;
  std::string_view m_consequence;
  std::vector<std::string> m_problems;
  std::size_t m_read = 0;
  std::size_t m_unread = 0;
};

/// Counts tensors that are written in another type than they were recorded in, none of which loses
/// a bit by it.
class Conversions {
 public:
  /// `row` was read as a tensor of `read` and is written as one of `written`.
  void add(const DumpRow& row, DType read, DType written);
  /// "2 tensors of bfloat16 are written as float32, which holds every value"
  void note(std::vector<std::string>& notes) const;

 private:
  std::map<std::pair<std::string, DType>, std::size_t> m_counts;
};

}  // namespace ulp::dumps
