#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/site.h"
#include "core/engine/engine.h"
#include "core/report/model/report.h"

namespace ulp::worker {

/// As messages name a row.
[[nodiscard]] std::string placeOf(const Site& site);

/// Comparisons of parameters' gradients that a device makes while the next ones are started, so
/// that a run does not wait for each by itself. They end in the order in which they began. Not of
/// other rows: the time of a run is without its comparisons, which are therefore waited for there.
class ComparisonsUnderWay {
 public:
  /// As many bytes are held for them, beside what a run needs: those of the captures, and for each
  /// comparison what its result takes.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{32} << 20U;
  static constexpr std::uint64_t kBytesOfResult = std::uint64_t{32} << 10U;

  explicit ComparisonsUnderWay(engine::CaptureComparer& comparer) : m_comparer(comparer) {}

  /// Whether this pair may end later: what is large, and what the host compares, is not held.
  [[nodiscard]] static bool takes(const Site& site,
                                  const engine::Capture& reference,
                                  const engine::Capture& variant);
  /// Starts comparing such a pair. Appends those to `ended` that have to end for it. Errors: those
  /// of engine::CaptureComparer, with the row that they are of.
  [[nodiscard]] Result<> start(const Site& site,
                               const engine::Capture& reference,
                               const engine::Capture& variant,
                               std::vector<report::Comparison>& ended);
  /// Waits for all. Appends and errors as in start().
  [[nodiscard]] Result<> finish(std::vector<report::Comparison>& ended);
  /// Waits for all and forgets them.
  void drop();

 private:
  struct UnderWay {
    Site site;
    engine::Capture reference;
    engine::Capture variant;
    std::unique_ptr<engine::StartedComparison> comparison;
  };

  [[nodiscard]] Result<> finishFirst(std::vector<report::Comparison>& ended);

  engine::CaptureComparer& m_comparer;
  std::deque<UnderWay> m_underWay;
  std::uint64_t m_bytes = 0;
};

}  // namespace ulp::worker
