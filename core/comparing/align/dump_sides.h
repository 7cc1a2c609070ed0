#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/mapping/site_mapping.h"
#include "core/base/result.h"
#include "core/base/text/sentence.h"
#include "core/base/unit_axes.h"
#include "core/comparing/align/alignment_passes.h"
#include "core/dumps/model/dump.h"
#include "core/report/model/dump_origin.h"

/// The one way to the dumps of a comparison: the comparison itself and whoever looks at its tensors
/// later see the same units.
namespace ulp::analysis {

/// Two dumps that are open for a comparison.
struct DumpSides {
  report::DumpOrigin origin;  ///< with absolute paths and the runs that were implied
  SiteMapping mapping;
  dumps::DumpPtr baseline;  ///< with the chosen units alone, shards of ranks put together
  dumps::DumpPtr candidate;
};

/// FOLDER#RUN names a run of a study's folder, anything else is a path.
[[nodiscard]] report::DumpSide parseSide(std::string_view text);

/// Opens both dumps and chooses their units. Of a study whose run is not named the baseline is its
/// reference, the candidate its only variant. Of one dump (report::isOneDump()) both sides are that
/// dump, its ranks as they were recorded. Errors: NotFound, CorruptData, Unsupported, Io;
/// InvalidArgument (no such unit, several variants, a mapping that cannot be read); Cancelled.
[[nodiscard]] Result<DumpSides> openSides(report::DumpOrigin origin,
                                          const std::stop_token& stop = {});

struct UnitPair {
  std::size_t baseline = 0;  ///< in Dump::units
  std::size_t candidate = 0;
};

/// How the units of two dumps correspond; each is in a pair or listed once.
struct UnitPairing {
  std::vector<UnitPair> pairs;
  std::vector<std::size_t> onlyBaseline;
  std::vector<std::size_t> onlyCandidate;
};

/// Pairs units of equal axes; an axis that one of the dumps does not have counts as equal where
/// that leaves no choice. Runs count only where a dump has several. Two dumps of one unit each are
/// paired whatever their axes.
[[nodiscard]] UnitPairing pairUnits(const dumps::Dump& baseline, const dumps::Dump& candidate);

/// "step 0, rank 1", of whichever side says more.
[[nodiscard]] std::string labelOf(const UnitAxes& baseline, const UnitAxes& candidate);
/// What both sides know of where they stand: the baseline's, with what it lacks from the candidate.
/// Runs of a study are left out.
[[nodiscard]] UnitAxes placeOf(const UnitAxes& baseline, const UnitAxes& candidate);

/// Opens both and brings them to the same tensors (alignmentPasses()): without padding of the
/// vocabulary, weights the same way round, experts one by one, and what one side holds in one
/// tensor and the other in parts. Errors: those of Dump::openUnit().
[[nodiscard]] Result<UnitSides> openUnitPair(const dumps::Dump& baseline,
                                             const dumps::Dump& candidate,
                                             UnitPair pair,
                                             const SiteMapping& mapping = {},
                                             bool readsElements = true,
                                             const std::stop_token& stop = {});

/// The same with the mapping of the sides, as they were compared.
[[nodiscard]] Result<UnitSides> openUnitPair(const DumpSides& sides,
                                             UnitPair pair,
                                             const std::stop_token& stop = {});

/// What a path holds, before a comparison reads any of it.
struct RecognisedDump {
  std::string format;  ///< for people: "msprobe 26.x, tensors, level mix"
  std::vector<UnitAxes> units;
  std::vector<Sentence> notes;  ///< of the dump: `file: what; remedy`
};

/// Opens a dump and lists its units, reading none. Errors: those of dumps::openDump().
[[nodiscard]] Result<RecognisedDump> recogniseDump(const std::filesystem::path& path,
                                                   const std::stop_token& stop = {});

/// Error: InvalidArgument, naming the units that there are, where `side` chooses none of them.
[[nodiscard]] Result<> checkUnits(const RecognisedDump& dump, const report::DumpSide& side);

/// Names the tools whose dumps are recognised, see dumps::recordingTools().
[[nodiscard]] std::vector<std::string> recordingTools();

/// A format of dumps, or of tensors, claims the path; reads little of it. False where nothing is.
[[nodiscard]] bool looksLikeDump(const std::filesystem::path& path);

/// looksLikeDump(), and no report of a study lies there: a folder with one is a run, whatever else
/// it holds. What is wrong with a dump is told by whoever opens it.
[[nodiscard]] bool isDump(const std::filesystem::path& path);

/// Two dumps that one file names.
struct NamedSides {
  std::filesystem::path baseline;
  std::filesystem::path candidate;
};
/// Those of a compare.json of msprobe 8.x; nothing where the path is none. Errors: NotFound (a side
/// leads nowhere), CorruptData, Io.
[[nodiscard]] Result<std::optional<NamedSides>> sidesNamedBy(const std::filesystem::path& path);

/// The two paths; without a candidate those that the baseline, a compare.json, names. Errors:
/// InvalidArgument (there is no candidate, and the baseline names none), and those of
/// sidesNamedBy().
[[nodiscard]] Result<NamedSides> givenOrNamed(NamedSides given);

}  // namespace ulp::analysis
