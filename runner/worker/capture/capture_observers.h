#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/engine/engine.h"
#include "core/numerics/comparison/comparison.h"
#include "core/numerics/comparison/top_agreement.h"
#include "core/report/model/report.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "runner/worker/capture/capture_spill.h"
#include "runner/worker/capture/comparisons_under_way.h"
#include "runner/worker/capture/expert_choices.h"
#include "runner/worker/capture/position_comparison.h"
#include "runner/worker/capture/progress_meter.h"
#include "runner/worker/capture/site_filter.h"

namespace ulp::worker {

/// The tensors of the reference run, shared with the engine that made them. Those on a device stay
/// there as long as it has room. Of the others, those of the last micro-batch lie in host memory,
/// those of the micro-batches before it in a file. What can be made again from others is not held.
class ReferenceCaptures {
 public:
  /// How many bytes of tensors the device can keep now.
  using Room = std::function<Result<std::uint64_t>()>;

  /// Sets the folder in which tensors of micro-batches are kept. Must be called before the first is
  /// put.
  void spillTo(std::filesystem::path folder) { m_spillFolder = std::move(folder); }
  /// Lets tensors stay on the device; `room` is asked for each of them.
  void stayOnDevice(Room room) { m_room = std::move(room); }
  /// Moves the tensors on the device to the host, where those that are put later go as well.
  /// Errors: as of put().
  [[nodiscard]] Result<> leaveDevice();
  /// Errors: Io; Device, OutOfMemory where tensors leave the device.
  [[nodiscard]] Result<> put(const Site& site,
                             const engine::Capture& capture,
                             const PartIndex& at = {});
  /// Holds also what can be made again, for those who cannot make it. Must be called before the
  /// first is put.
  void holdAll() { m_holdsAll = true; }
  /// Puts a tensor that another process has held.
  void restore(const std::string& site, engine::Capture capture, const PartIndex& at);
  /// Hands out each tensor with its micro-batch and siteKey(), in no order. Errors: those of
  /// `visit`; Io.
  [[nodiscard]] Result<> visit(
      const std::function<Result<>(
          std::size_t microBatch, const std::string& site, const engine::Capture& capture)>& visit)
      const;
  [[nodiscard]] std::size_t microBatches() const { return m_captures.size(); }
  /// Finds the reference's tensor of a site; nothing when it made none there. Errors: Io.
  [[nodiscard]] Result<std::optional<engine::Capture>> find(const Site& site,
                                                            const PartIndex& at = {}) const;
  /// Names the parameters whose gradients it holds, but for those of a variant: `compared`, or of
  /// another shape, `uncompared`.
  [[nodiscard]] std::vector<std::string> missingGradients(
      std::span<const report::Comparison> compared, std::span<const Site> uncompared) const;
  /// Says for people how many there are, and where.
  [[nodiscard]] std::string whereTheyAre() const;
  /// Counts the captures of the last micro-batch.
  [[nodiscard]] std::size_t count() const { return m_count; }
  /// Gives the bytes in host memory.
  [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
  [[nodiscard]] std::uint64_t deviceBytes() const { return m_deviceBytes; }
  /// Gives the bytes in the file.
  [[nodiscard]] std::uint64_t spilledBytes() const { return m_spill ? m_spill->bytes() : 0; }
  void clear();

  /// Of its routers.
  [[nodiscard]] ReferenceChoices& choices() { return m_choices; }
  [[nodiscard]] const ReferenceChoices& choices() const { return m_choices; }

 private:
  struct Held {
    engine::Capture capture;
    std::optional<CaptureSpill::Place> place;  ///< in the file; `capture` is empty then
    bool isOfLast = true;                      ///< of the last micro-batch
  };
  using Captures = std::unordered_map<std::string, Held>;

  /// Takes tensors off the device, the last first, until the others have room.
  [[nodiscard]] Result<> makeRoom();
  /// Keeps a tensor on the host.
  [[nodiscard]] Result<> keepOnHost(Held& held);

  std::deque<Captures> m_captures;  ///< by micro-batch
  std::vector<Held*> m_onDevice;    ///< of m_captures
  Room m_room;                      ///< empty: nothing stays on a device
  bool m_holdsAll = false;
  std::filesystem::path m_spillFolder;
  std::unique_ptr<CaptureSpill> m_spill;
  std::size_t m_count = 0;
  std::uint64_t m_bytes = 0;
  std::uint64_t m_deviceBytes = 0;
  ReferenceChoices m_choices;
};

/// What an observer reports to while a run goes on.
struct ObserverParts {
  const SiteFilter& filter;
  ProgressMeter& progress;
  tensors::CaptureWriter* writer = nullptr;  ///< null: tensors are not kept
  std::uint64_t sampleLimit = 0;             ///< see CaptureWriter::put
  SequenceLayout sequences{};
};

/// Follows the progress of a run and stores its tensors, of several micro-batches those of the
/// last.
class RecordingObserver : public engine::Observer {
 public:
  explicit RecordingObserver(ObserverParts parts) : m_parts(parts) {}

  [[nodiscard]] bool wants(const Site& site) override { return m_parts.filter.wants(site); }
  void microBatchBegins(std::size_t index, std::size_t count) override;
  [[nodiscard]] Result<> observe(const Site& site, const engine::Capture& capture) override;
  [[nodiscard]] Result<> observeChoice(const engine::ExpertChoice& choice) override;
  void progressed(Pass pass, std::string_view site) override { m_parts.progress.at(pass, site); }
  /// Ends what a run that came to its end left under way. Errors: as those of observe().
  [[nodiscard]] virtual Result<> finish() { return {}; }
  /// Forgets what it has seen: the run begins again.
  virtual void restart() = 0;

 private:
  /// Errors begin with the row that they are of.
  [[nodiscard]] virtual Result<> take(const Site& site,
                                      const engine::Capture& capture,
                                      const PartIndex& at) = 0;
  [[nodiscard]] virtual Result<> takeChoice(const engine::ExpertChoice& choice,
                                            const PartIndex& at) = 0;
  /// The tensor as files keep it.
  [[nodiscard]] virtual Result<engine::Capture> kept(const Site& /*site*/,
                                                     const engine::Capture& capture,
                                                     const PartIndex& /*at*/) {
    return capture;
  }

  ObserverParts m_parts;
  PartIndex m_microBatch;
};

/// Keeps the tensors of the reference.
class ReferenceObserver final : public RecordingObserver {
 public:
  ReferenceObserver(ObserverParts parts, ReferenceCaptures& captures)
      : RecordingObserver(parts), m_captures(captures) {}

  void restart() override { m_captures.clear(); }

 private:
  [[nodiscard]] Result<> take(const Site& site,
                              const engine::Capture& capture,
                              const PartIndex& at) override;
  [[nodiscard]] Result<> takeChoice(const engine::ExpertChoice& choice,
                                    const PartIndex& at) override {
    return m_captures.choices().put(choice, at.index);
  }

  ReferenceCaptures& m_captures;
};

/// What a variant gave on a sample beside the reference.
struct Differences {
  std::vector<report::Comparison> rows;
  numerics::TopAgreement tops{};                ///< of the logits
  std::vector<report::RouterChoice> routers{};  ///< in order of execution
  report::PositionErrors positions{};
};

/// Compares each tensor of a variant with the reference's as it comes and lets go of it. The
/// tensors that a site has in the micro-batches of a step become one row.
class VariantObserver final : public RecordingObserver {
 public:
  VariantObserver(ObserverParts parts,
                  const ReferenceCaptures& captures,
                  engine::CaptureComparer& comparer)
      : RecordingObserver(parts),
        m_captures(captures),
        m_comparer(comparer),
        m_underWay(comparer),
        m_choices(captures.choices()),
        m_positions(parts.sequences) {}

  [[nodiscard]] Result<> finish() override { return m_underWay.finish(m_comparisons); }
  void restart() override;
  /// Hands out the comparisons in the order of execution, behind finish().
  [[nodiscard]] std::vector<report::Comparison> takeComparisons();
  /// Gives how often the logits of both runs agree on the top tokens; no rows where they were not
  /// captured.
  [[nodiscard]] numerics::TopAgreement topAgreement() const { return m_topAgreement; }
  [[nodiscard]] std::vector<report::RouterChoice> takeRouters() { return m_choices.take(); }
  /// Empty unless the study generates.
  [[nodiscard]] report::PositionErrors takePositions() { return m_positions.take(); }
  /// Hands out the operations that have another shape than in the reference, as those have that
  /// the values of tensors decide about.
  [[nodiscard]] std::vector<Site> takeUncompared();

 private:
  /// Micro-batches of a site so far. Rows of experts are those that both runs have.
  struct Earlier {
    numerics::Moments moments;
    std::uint64_t onlyReference = 0;
    std::uint64_t onlyVariant = 0;
    std::vector<std::vector<std::size_t>> places;  ///< of the rows among the reference's
  };

  [[nodiscard]] Result<> take(const Site& site,
                              const engine::Capture& capture,
                              const PartIndex& at) override;
  [[nodiscard]] Result<> takeChoice(const engine::ExpertChoice& choice,
                                    const PartIndex& at) override {
    return m_choices.add(choice, at.index);
  }
  [[nodiscard]] Result<engine::Capture> kept(const Site& site,
                                             const engine::Capture& capture,
                                             const PartIndex& at) override;
  /// Takes a tensor whose comparison ends before the next tensor is taken.
  [[nodiscard]] Result<> takeAtOnce(const Site& site,
                                    const std::optional<engine::Capture>& reference,
                                    const engine::Capture& capture,
                                    const PartIndex& at);
  /// Adds a tensor of this micro-batch.
  [[nodiscard]] Result<> compare(Earlier& total,
                                 const engine::Capture& reference,
                                 const engine::Capture& variant);
  [[nodiscard]] static report::Comparison comparisonOf(const Site& site,
                                                       const engine::Capture& reference,
                                                       const engine::Capture& variant,
                                                       Earlier& total);
  /// An operation whose shape is another than in the reference, in this micro-batch or before.
  [[nodiscard]] bool isUncompared(const Site& site,
                                  const numerics::TensorView& reference,
                                  const numerics::TensorView& variant);
  [[nodiscard]] Result<> compareTops(const engine::Capture& reference,
                                     const engine::Capture& variant);

  const ReferenceCaptures& m_captures;
  engine::CaptureComparer& m_comparer;
  ComparisonsUnderWay m_underWay;
  ChoiceComparison m_choices;
  PositionComparison m_positions;
  std::unordered_map<std::string, Earlier> m_earlier;  ///< of micro-batches, by site
  std::vector<report::Comparison> m_comparisons;
  numerics::TopAgreement m_topAgreement;
  std::vector<Site> m_uncompared;
};

/// Adds the row `loss` behind the forward rows unless the engine captured the loss itself. It is
/// compared in float32, in which it is computed, when both values are float32 numbers.
[[nodiscard]] Result<> addLossRow(std::vector<report::Comparison>& comparisons,
                                  double reference,
                                  double variant);

}  // namespace ulp::worker
