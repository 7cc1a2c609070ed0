#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/compat/msprobe/pairs/pairing.h"
#include "core/compat/msprobe/pairs/tensor_metrics.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/msprobe/dump_json.h"

namespace ulp::compat::msprobe {

/// What the two dumps hold for comparing.
enum class Mode : std::uint8_t { Statistics, Checksum, Tensor };

/// Two dumps of a process and what is compared with what.
struct Sides {
  dumps::msprobe::DumpJson target;
  dumps::msprobe::DumpJson golden;
  dumps::msprobe::CallStacks stacks;    ///< of the target
  std::vector<std::string> stackTexts;  ///< CallStacks::stacks as Python prints them
  bool hasStacks = false;
  Mode mode = Mode::Statistics;
  std::vector<Pair> pairs;

  /// Gives the text of the column NPU_Stack_Info: the printed list at the first row of an entry,
  /// else "N/A".
  [[nodiscard]] std::string stackText(std::size_t entry, bool isFirstRow) const;
  /// "['target file', 'golden file']", "-1" where there is none.
  [[nodiscard]] std::string fileNames(const Pair& pair) const;
};

/// Reads both. Errors: those of reading; InvalidArgument where msprobe refuses: different tasks,
/// checksums on one side alone, structure only.
[[nodiscard]] Result<Sides> loadSides(const std::filesystem::path& target,
                                      const std::filesystem::path& golden,
                                      const PairingRule& rule,
                                      const std::stop_token& stop,
                                      const dumps::Progress& progress);

struct ComparedTensors {
  std::vector<TensorComparison> pairs;  ///< as Sides::pairs
  std::vector<std::string> notes;       ///< files that could not be read
};
/// Reads the files of every pair, a few at a time. Errors: Cancelled.
[[nodiscard]] Result<ComparedTensors> compareFiles(const Sides& sides,
                                                   Generation generation,
                                                   const std::stop_token& stop,
                                                   const dumps::Progress& progress);

[[nodiscard]] inline const dumps::msprobe::Record* goldenOf(const Sides& sides, const Pair& pair) {
  return pair.golden == dumps::kNone ? nullptr : &sides.golden.records[pair.golden];
}

}  // namespace ulp::compat::msprobe
