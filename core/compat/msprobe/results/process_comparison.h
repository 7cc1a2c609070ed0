#pragma once

#include <functional>
#include <string>

#include "core/compat/msprobe/files/table_file.h"
#include "core/compat/msprobe/pairs/process_pairs.h"
#include "core/compat/msprobe/pairs/sides.h"

namespace ulp::compat::msprobe {

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
using CompareProcess = std::function<Result<>(
    const ProcessPair& processes, const std::string& timestamp, CompareOutcome& outcome)>;
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
using WriteTable = std::function<Result<>(const ProcessPair& processes,
                                          const std::string& timestamp,
                                          const ComparedSides& compared,
                                          CompareOutcome& outcome)>;
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
