#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/comparing/origin/culprit.h"
#include "core/comparing/origin/repeatability.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "core/report/model/finding.h"

namespace ulp::analysis {

/// A token of a comparison.
struct TokenPlace {
  std::size_t unit = 0;   ///< in DumpComparison::units
  std::size_t token = 0;  ///< in UnitOutcome::tokens

  friend bool operator==(const TokenPlace&, const TokenPlace&) = default;
};

/// In the order in which tokens are made: by step, sequence, call of the head, token and position,
/// then by rank.
[[nodiscard]] std::vector<TokenPlace> tokensInOrder(const std::vector<UnitOutcome>& units);
/// The first one whose logits are off; nothing: rounding accounts for all of them.
[[nodiscard]] std::optional<TokenPlace> firstTokenOff(const std::vector<UnitOutcome>& units);
/// The first one for which the two sides choose another token.
[[nodiscard]] std::optional<TokenPlace> firstChoiceChanged(const std::vector<UnitOutcome>& units);

/// "token 3", "sample 1352, token 0", "token 0, position 5, rank 1".
[[nodiscard]] std::string describe(const UnitOutcome& unit, const TokenOutcome& token);
/// A few sentences: the first token that fails, by how much, whether its choice changes, and where
/// the error starts in its network; where that is not known, in that of all tokens of its unit, and
/// why. Empty where no logits were compared.
[[nodiscard]] std::string tokenAnswer(const DumpComparison& comparison);

// What comparing a pair of units came to, as findings of the report's run `run`.

/// Rule "culprit".
[[nodiscard]] std::vector<report::Finding> findingsOf(const Verdict& verdict,
                                                      const std::string& run);
/// Rule "repeatability": of a run that looks repeated, differs, and has suspects.
[[nodiscard]] std::vector<report::Finding> findingsOf(const Repeatability& repeatability,
                                                      const std::string& run);

/// Rule "replicas".
[[nodiscard]] report::Finding findingOf(const UnequalReplicas& replicas, const std::string& run);

/// All of these, what the logits came to (rule "tokens"), and where the error of the first token of
/// the unit that fails starts in its own part of the network (rule "token_culprit"): unless no
/// token fails, the unit holds that token alone (its culprit is the unit's), or its own culprit is
/// not known.
[[nodiscard]] std::vector<report::Finding> findingsOf(const UnitOutcome& unit,
                                                      const std::string& run);

/// "scatter_add (Torch.scatter_add.3.forward): adds …; remedy: …".
[[nodiscard]] std::string describe(const Suspect& suspect);

}  // namespace ulp::analysis
