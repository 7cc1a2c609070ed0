#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "core/base/processes/started_program.h"
#include "core/base/result.h"

/// How a process has work done that a file of somebody else may break or never end: by a program of
/// ours that lies beside it and limits itself (expendable.h).
namespace ulp {

struct HelperProgram {
  const char* name;      ///< "ulpscope-hdf5"
  const char* variable;  ///< of the environment: names another program
  const char* purpose;   ///< for messages: "HDF5 files are read"
};

/// Finds a helper where $variable says, else beside this program or in ../bin. Error: Unsupported,
/// with what was tried and the remedy.
[[nodiscard]] Result<std::filesystem::path> findHelper(const HelperProgram& helper);

/// Starts a helper with these arguments; the numbers of what it is given are below 10. Standard
/// streams that it is not handed lead nowhere. It has a process group of its own: Ctrl-C in a
/// terminal is for this process to answer. `variables`: of its environment, in place of this
/// process's. Errors: those of startProgram().
[[nodiscard]] Result<pid_t> startHelper(
    const std::filesystem::path& program,
    std::vector<std::string> arguments,
    std::span<const HandedOn> given,
    std::vector<std::pair<std::string, std::string>> variables = {});

/// Kills a helper and all that it started, and waits for its end. Gives the status of waitpid();
/// nothing: it was lost.
[[nodiscard]] std::optional<int> killHelper(pid_t helper);

/// Tells why a helper is gone where that has nothing to do with what it was given: it could not be
/// started, or somebody killed it. `status`: that of waitpid(); nothing: it was lost. Nothing where
/// the helper ended in another way.
[[nodiscard]] std::optional<Error> endOfHelper(const HelperProgram& helper,
                                               std::optional<int> status);

}  // namespace ulp
