#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ulp::cli {

struct CommandContext;

enum class CheckState : std::uint8_t {
  Fine,
  Absent,  ///< something that not everybody needs; the remedy says what for
  Broken   ///< something without which Ulpscope cannot do its work, or that is there and fails
};

/// One thing that Ulpscope stands on, as `ulpscope-cli doctor` lists it.
struct Check {
  std::string name;  ///< "LibTorch"
  CheckState state = CheckState::Fine;
  std::string found;     ///< what is there, with version and place, or what is missing
  std::string remedy{};  ///< what to do, as a command where there is one; empty: nothing
};

/// The programs and libraries of Ulpscope, and the helpers beside them.
[[nodiscard]] std::vector<Check> programChecks();
/// LibTorch, the engine and its devices.
[[nodiscard]] std::vector<Check> engineChecks(const CommandContext& context);
/// The Python that runs models which the native engine does not know, and its packages.
[[nodiscard]] std::vector<Check> pythonChecks();
/// The window, what draws pictures, fonts and the display.
[[nodiscard]] std::vector<Check> windowChecks(const CommandContext& context);
/// Memory, the place of shared memory, the cache of the hub.
[[nodiscard]] std::vector<Check> machineChecks();

}  // namespace ulp::cli
