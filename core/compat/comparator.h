#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/registry.h"
#include "core/base/result.h"
#include "core/dumps/model/dump.h"

/// The files that other tools write when they compare two dumps, equal to the original cell by
/// cell, for users who have habits and scripts that read them.
namespace ulp::compat {

/// An option that some of the originals have.
enum class CompareOption : std::uint8_t {
  Spreadsheet,
  Fuzzy,
  Highlight,
  DataMapping,
  CellMapping,
  Level
};
inline constexpr std::array kCompareOptions{CompareOption::Spreadsheet,
                                            CompareOption::Fuzzy,
                                            CompareOption::Highlight,
                                            CompareOption::DataMapping,
                                            CompareOption::CellMapping,
                                            CompareOption::Level};
/// Names an option in words: "fuzzy matching".
[[nodiscard]] std::string_view toString(CompareOption option);

/// What of the original's own options to follow.
struct CompareRequest {
  std::filesystem::path target;         ///< under test: msprobe's NPU, msit's "my"
  std::filesystem::path golden;         ///< msprobe's bench, msit's "golden"
  std::filesystem::path output;         ///< folder of the files; made where it is missing
  bool isSpreadsheet = false;           ///< .xlsx where the original can choose
  bool isFuzzy = false;                 ///< msprobe -fm
  bool isHighlighted = false;           ///< msprobe 8 -hl
  std::filesystem::path dataMapping{};  ///< msprobe -dm
  std::filesystem::path cellMapping{};  ///< msprobe -cm
  std::string level{};                  ///< msit -cl
  /// In the names of the files, as the tool writes it; empty: now.
  std::string timestamp{};

  [[nodiscard]] bool asksFor(CompareOption option) const;
};

/// Gives CompareRequest::timestamp, or now as "20261121072259": in the time of this machine, or so
/// far ahead of UTC. Where results of that second are there, the next free one: none is replaced.
[[nodiscard]] std::string timestampOf(const CompareRequest& request,
                                      const std::optional<std::chrono::hours>& aheadOfUtc);

struct CompareOutcome {
  std::vector<std::filesystem::path> files;  ///< that were written
  std::vector<std::string> notes;            ///< what was left out, and why
  /// What the original would have ended at: left out here, and the rest was compared.
  std::vector<Error> failures{};
};

/// Code of the first, and the message of each on a line of its own. `failures` is not empty.
[[nodiscard]] Error asOneError(const std::vector<Error>& failures);

/// Writes a whole file, its folder first, and adds it to the outcome. Error: Io with the path.
[[nodiscard]] Result<> writeResult(const std::filesystem::path& file,
                                   std::string_view content,
                                   CompareOutcome& outcome);

/// An option that a tool has, too.
struct TakenOption {
  CompareOption option;
  std::string_view original{};        ///< what the tool calls it: "-dm"
  std::vector<std::string> values{};  ///< that it may have, of an option of words
};

/// A tool, in one generation, whose comparison is made again.
struct Comparator {
  std::string id;                    ///< "msprobe-26"
  std::string title;                 ///< "msprobe 26.x"
  std::vector<TakenOption> options;  ///< that it takes
  /// Called by compare() with such options alone.
  Result<CompareOutcome> (*run)(const CompareRequest& request,
                                const std::stop_token& stop,
                                const dumps::Progress& progress) = nullptr;

  /// The option as the tool has it; null: it has none.
  [[nodiscard]] const TakenOption* find(CompareOption option) const;
  /// Fails only where nothing was written. Errors: NotFound, CorruptData, InvalidArgument (dumps
  /// that the original refuses, with its reason; an option that it does not have), Io, Cancelled
  /// (at once, and keeps what was written).
  [[nodiscard]] Result<CompareOutcome> compare(const CompareRequest& request,
                                               const std::stop_token& stop,
                                               const dumps::Progress& progress) const;
};

using ComparatorRegistry = Registry<Comparator>;
void registerBuiltin(ComparatorRegistry& registry);
[[nodiscard]] ComparatorRegistry builtinComparators();

/// Compares as the tool of this id does. Errors: InvalidArgument for an id that there is none,
/// naming those that there are, and those of Comparator::compare().
[[nodiscard]] Result<CompareOutcome> compareAs(std::string_view tool,
                                               const CompareRequest& request,
                                               const std::stop_token& stop = {},
                                               const dumps::Progress& progress = {});

}  // namespace ulp::compat
