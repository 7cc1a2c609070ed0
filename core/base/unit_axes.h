#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ulp {

/// One step of one rank, one token, or one run of a study: what a dump recorded together. As a
/// choice among units, what is empty fits all.
struct UnitAxes {
  std::string run{};  ///< of a study; empty elsewhere
  std::optional<std::int64_t> step;
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> token;

  [[nodiscard]] bool isEmpty() const { return run.empty() && !step && !rank && !token; }
  friend bool operator==(const UnitAxes&, const UnitAxes&) = default;
};
/// "step 0, rank 1", "run bf16"; empty where there is none.
[[nodiscard]] std::string describe(const UnitAxes& axes);

}  // namespace ulp
