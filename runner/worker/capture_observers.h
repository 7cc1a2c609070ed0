#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/engine/engine.h"
#include "core/numerics/comparison.h"
#include "core/report/report.h"
#include "core/tensors/capture_store.h"
#include "runner/worker/progress_meter.h"
#include "runner/worker/site_filter.h"

namespace ulp::worker {

/// The tensors of the reference run, shared with the engine that made them: no element is copied.
/// Those that can be made again from others are not held.
class ReferenceCaptures {
 public:
  void put(const Site& site, const engine::Capture& capture);
  /// Nothing when the reference made none at this site.
  [[nodiscard]] std::optional<engine::Capture> find(const Site& site) const;
  [[nodiscard]] std::size_t count() const { return m_captures.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
  void clear();

 private:
  std::unordered_map<std::string, engine::Capture> m_captures;
  std::uint64_t m_bytes = 0;
};

/// What an observer reports to while a run goes on.
struct ObserverParts {
  const SiteFilter& filter;
  ProgressMeter& progress;
  tensors::CaptureWriter* writer = nullptr;  ///< null: tensors are not kept
  std::uint64_t sampleLimit = 0;             ///< see CaptureWriter::put
};

/// Follows the progress of a run and stores its tensors.
class RecordingObserver : public engine::Observer {
 public:
  explicit RecordingObserver(ObserverParts parts) : m_parts(parts) {}

  [[nodiscard]] bool wants(const Site& site) override { return m_parts.filter.wants(site); }
  [[nodiscard]] Result<> observe(const Site& site, const engine::Capture& capture) override;
  void progressed(Pass pass, std::string_view site) override { m_parts.progress.at(pass, site); }

 private:
  [[nodiscard]] virtual Result<> take(const Site& site, const engine::Capture& capture) = 0;

  ObserverParts m_parts;
};

/// Keeps the tensors of the reference.
class ReferenceObserver final : public RecordingObserver {
 public:
  ReferenceObserver(ObserverParts parts, ReferenceCaptures& captures)
      : RecordingObserver(parts), m_captures(captures) {}

 private:
  [[nodiscard]] Result<> take(const Site& site, const engine::Capture& capture) override;

  ReferenceCaptures& m_captures;
};

/// Compares each tensor of a variant with the reference's as it comes and lets go of it.
class VariantObserver final : public RecordingObserver {
 public:
  VariantObserver(ObserverParts parts,
                  const ReferenceCaptures& captures,
                  numerics::Comparer& comparer)
      : RecordingObserver(parts), m_captures(captures), m_comparer(comparer) {}

  /// In the order of execution.
  [[nodiscard]] std::vector<report::Comparison> takeComparisons();

 private:
  [[nodiscard]] Result<> take(const Site& site, const engine::Capture& capture) override;

  const ReferenceCaptures& m_captures;
  numerics::Comparer& m_comparer;
  std::vector<report::Comparison> m_comparisons;
};

/// Adds the row `loss` behind the forward rows unless the engine captured the loss itself. It is
/// compared in float32, in which it is computed, when both values are float32 numbers.
[[nodiscard]] Result<> addLossRow(std::vector<report::Comparison>& comparisons,
                                  double reference,
                                  double variant);

}  // namespace ulp::worker
