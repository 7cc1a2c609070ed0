#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/report/model/expert_choice.h"

namespace ulp::worker {

/// What a router chose for the tokens of a micro-batch.
struct ChosenExperts {
  std::size_t ofToken = 0;           ///< experts
  std::vector<std::int64_t> sorted;  ///< [tokens, ofToken], each token's ascending
  std::vector<double> margins;       ///< by token; NaN: it could choose no other expert
  std::uint64_t experts = 0;

  [[nodiscard]] std::size_t tokens() const { return margins.size(); }
};

/// Errors: Internal for a choice whose tensors do not belong together.
[[nodiscard]] Result<ChosenExperts> chosenExperts(const engine::ExpertChoice& choice);

/// Choices of the reference: 8 bytes a chosen expert and 8 a token.
class ReferenceChoices {
 public:
  /// The first choice of a router in a micro-batch counts. Errors: as of chosenExperts().
  [[nodiscard]] Result<> put(const engine::ExpertChoice& choice, std::size_t microBatch);
  /// Null: the reference has chosen nothing there.
  [[nodiscard]] const ChosenExperts* find(const std::string& router, std::size_t microBatch) const;
  void clear() { m_choices.clear(); }
  /// Puts a choice that another process has held.
  void restore(const std::string& router, std::size_t microBatch, ChosenExperts chosen) {
    m_choices.insert_or_assign({router, microBatch}, std::move(chosen));
  }
  /// Hands out each choice with its router and micro-batch.
  template <class Visit>
  void visit(const Visit& visit) const {
    for (const auto& [place, chosen] : m_choices) {
      visit(place.first, place.second, chosen);
    }
  }

 private:
  std::map<std::pair<std::string, std::size_t>, ChosenExperts> m_choices;
};

/// What the routers of a variant choose beside the reference, and what that does to the outputs of
/// their blocks.
class ChoiceComparison {
 public:
  explicit ChoiceComparison(const ReferenceChoices& reference) : m_reference(reference) {}

  /// Errors: as of chosenExperts(); InvalidArgument where the two runs chose for other numbers of
  /// tokens.
  [[nodiscard]] Result<> add(const engine::ExpertChoice& choice, std::size_t microBatch);
  /// Takes the output of a block, [tokens…, width]; that of any other row is passed over. Errors:
  /// Device, OutOfMemory.
  [[nodiscard]] Result<> addOutput(const std::string& row,
                                   const engine::Capture& reference,
                                   const engine::Capture& variant);
  /// True once a router has chosen.
  [[nodiscard]] bool hasChoices() const { return !m_routers.empty(); }
  void restart();
  [[nodiscard]] std::vector<report::RouterChoice> take();

 private:
  const ReferenceChoices& m_reference;
  std::vector<report::RouterChoice> m_routers;  ///< in order of execution
  /// By block: place of its router, and which tokens of this micro-batch are flipped.
  std::map<std::string, std::pair<std::size_t, std::vector<std::uint8_t>>> m_open;
  std::map<std::pair<std::string, std::size_t>, bool> m_seen;  ///< routers that a micro-batch had
};

}  // namespace ulp::worker
