#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/engine/python_engine.h"

namespace ulp::worker {

/// The micro-batch with its sequences, and what belongs to their tokens, in reverse order.
[[nodiscard]] engine::TokenBatch reversedSequences(const engine::TokenBatch& tokens);

/// Stands between a run over reversed sequences and an observer that knows nothing of it: tensors
/// arrive there in the order of the study. Costs a copy of each.
class RestoringObserver final : public engine::Observer {
 public:
  /// `sequences` of `length` positions are in each micro-batch. `known`: what is known of rows;
  /// nothing: tensors as long as the sequences or their positions are of these. `inner` outlives
  /// this.
  RestoringObserver(engine::Observer& inner,
                    std::int64_t sequences,
                    std::int64_t length,
                    std::optional<engine::RowsOfSequences> known = std::nullopt)
      : m_inner(inner), m_sequences(sequences), m_length(length), m_known(std::move(known)) {}

  [[nodiscard]] bool wants(const Site& site) override { return m_inner.wants(site); }
  void microBatchBegins(std::size_t index, std::size_t count) override {
    m_inner.microBatchBegins(index, count);
  }
  /// Errors: those of `inner`.
  [[nodiscard]] Result<> observe(const Site& site, const engine::Capture& capture) override;
  [[nodiscard]] Result<> observeChoice(const engine::ExpertChoice& choice) override;
  void progressed(Pass pass, std::string_view site) override { m_inner.progressed(pass, site); }

  /// Sites that `inner` was not shown, since nobody knows where sequences are in their tensors.
  [[nodiscard]] std::vector<Site> leftOut() const { return {m_leftOut.begin(), m_leftOut.end()}; }

 private:
  /// Whether the first dimension is made of the sequences; nothing: nobody knows.
  [[nodiscard]] std::optional<bool> isOfSequences(const Site& site,
                                                  const std::vector<std::int64_t>& shape) const;
  /// Keys of experts' rows, with the numbers that the tokens have in the study.
  [[nodiscard]] std::shared_ptr<const std::vector<std::int64_t>> restoredKeys(
      const std::vector<std::int64_t>& keys) const;

  engine::Observer& m_inner;
  std::int64_t m_sequences;
  std::int64_t m_length;
  std::optional<engine::RowsOfSequences> m_known;
  std::set<Site> m_leftOut;
};

/// Puts what a run says of single tokens and documents back into the order of `microBatches`, those
/// of the study. Errors: Internal when they do not fit.
[[nodiscard]] Result<> restoreSequences(engine::RunOutcome& outcome,
                                        const std::vector<engine::TokenBatch>& microBatches);

}  // namespace ulp::worker
