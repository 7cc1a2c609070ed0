#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/compat/comparator.h"
#include "core/compat/msprobe/pairs/sides.h"
#include "core/dumps/msprobe/process_folder.h"

namespace ulp::compat::msprobe {

/// Two processes that are compared into one file.
struct ProcessPair {
  dumps::msprobe::ProcessFolder target;
  dumps::msprobe::ProcessFolder golden;
  std::string suffix;            ///< "_rank0", "_proc4711", "_rank"; empty: one file asked for
  std::filesystem::path folder;  ///< below the output: "step3" where there are several steps
  std::string key;               ///< processKey() of the target
  std::string timestamp{};       ///< in the names of the files; set by compareProcesses()
};
struct ProcessPairs {
  std::vector<ProcessPair> pairs;
  std::vector<std::string> notes;  ///< processes on one side alone, ranks of other numbers
};
/// Ranks in their order where both sides have as many, else by number; a single process with any
/// single one; steps by name. Errors: NotFound; InvalidArgument where nothing fits.
[[nodiscard]] Result<ProcessPairs> pairProcesses(const std::filesystem::path& target,
                                                 const std::filesystem::path& golden);

/// Gives msprobe's name of a process in JSON: "rank_0", also without a rank where it is the only
/// one; else the name of its folder.
[[nodiscard]] std::string processKey(const dumps::msprobe::ProcessFolder& process, bool isOnly);

/// Tells whether a file holds values that a program saved.
[[nodiscard]] inline bool isDebugFile(const std::filesystem::path& json) {
  return json.filename() == "debug.json";
}

/// Gives "compare_result_rank0_20261121072259", of debug.json "debug_compare_result_…"; the pair
/// has its timestamp.
[[nodiscard]] std::string tableName(const ProcessPair& processes);

/// loadSides() of two processes; what is wrong with the dumps and leaves the rest usable is added
/// to `notes`. Errors: those of loadSides().
[[nodiscard]] Result<Sides> readSides(const ProcessPair& processes,
                                      const PairingRule& rule,
                                      std::vector<std::string>& notes,
                                      const std::stop_token& stop,
                                      const dumps::Progress& progress);

/// False, and a note, where msprobe writes no table: of a target, and since 26.x of a golden dump,
/// without a single row.
[[nodiscard]] bool hasTable(const Sides& sides,
                            Generation generation,
                            std::vector<std::string>& notes);

/// Writes the files of one pair of processes and adds them to the outcome.
using CompareProcess =
    std::function<Result<>(const ProcessPair& processes, CompareOutcome& outcome)>;
/// Compares every pair of processes that the request names. Where `compareOne` fails, the error
/// becomes one of CompareOutcome::failures and the others are compared. Errors: those of
/// pairProcesses(); Cancelled, at once; those of `compareOne` where no file was written.
[[nodiscard]] Result<CompareOutcome> compareProcesses(const CompareRequest& request,
                                                      const CompareProcess& compareOne);

/// Two processes, read, and their files compared where they have any.
struct ComparedSides {
  Sides sides;
  ComparedTensors tensors;
};
/// Writes the table of one pair of processes.
using WriteTable = std::function<Result<>(
    const ProcessPair& processes, const ComparedSides& compared, CompareOutcome& outcome)>;
/// compareProcesses() for tables: `write` writes those that hasTable() says there are. What had to
/// be left out becomes a note. Errors of a pair: those of readSides(), compareFiles() and `write`.
[[nodiscard]] Result<CompareOutcome> compareTables(const CompareRequest& request,
                                                   const PairingRule& rule,
                                                   const WriteTable& write,
                                                   const std::stop_token& stop,
                                                   const dumps::Progress& progress);

/// The files of a table into the outcome. Errors: those of writing them.
[[nodiscard]] Result<> keepFiles(Result<std::vector<std::filesystem::path>> written,
                                 CompareOutcome& outcome);

}  // namespace ulp::compat::msprobe
