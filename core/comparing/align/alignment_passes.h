#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/analysis/mapping/site_mapping.h"
#include "core/dumps/model/dump.h"

/// The passes that bring two units to the same tensors, one after another.
namespace ulp::analysis {

/// Why rows of either side have no partner, by their names, where that is known.
struct UnmatchedReasons {
  std::map<std::string, std::string> baseline;
  std::map<std::string, std::string> candidate;
};

/// A pair of units that is open for a comparison.
struct UnitSides {
  dumps::DumpUnitPtr baseline;
  dumps::DumpUnitPtr candidate;
  UnmatchedReasons reasons{};
};

struct AlignmentRules {
  const SiteMapping& mapping;
  bool readsElements = true;  ///< elements will be read where there are any
};

/// One step of the alignment, which fails where an expression of the mapping takes too many steps.
/// It replaces a unit by one of other rows (made of the old ones when they are read) and a note
/// that says so, or leaves it as it is; it adds reasons for what it could not align.
struct AlignmentPass {
  std::string_view name;
  bool needsElements = false;  ///< is left out where no elements will be read
  Result<> (*apply)(UnitSides& units, const AlignmentRules& rules);
};

/// All passes, in their order.
[[nodiscard]] std::span<const AlignmentPass> alignmentPasses();

/// Brings tensors that were put together of those of several ranks to the shapes that the other
/// unit has in the same place: one behind the other along the dimension whose sizes
/// add up, or, forward, of what all ranks have alike the one of them, with the sum of the gradients
/// that leave it. What ranks say of their parts themselves stays. Whole numbers
/// that are the other unit's once all ranks are counted, such as those of tokens, are left out.
/// Notes say how many.
[[nodiscard]] Result<> joinByShapes(UnitSides& units, const AlignmentRules& rules);

/// Brings the gradients of calls to the same scale of the loss, which training in float16
/// multiplies by a power of two (GradScaler). Where recorded norms of most backward rows differ by
/// one power of two, the side with the larger ones has tensors in float16, and gradients of
/// parameters agree without the factor (an optimizer reads them so), those of the other side's
/// calls are multiplied by it, which loses no bit, and a note says so. Where gradients of
/// parameters have the factor as well, or there are none, it must be at least 128, which
/// micro-batches and ranks hardly amount to; then those are multiplied, too.
[[nodiscard]] Result<> matchLossScale(UnitSides& units, const AlignmentRules& rules);

/// Gives both units the same vocabulary. Frameworks that divide it among ranks fill it up to a
/// multiple of their number and of some power of two (Megatron's make_vocab_size_divisible_by), so
/// that logits, LM head and embeddings are wider than those of the other side. Where the wider size
/// looks like that, or the rules name the size, what lies behind is cut from every tensor with
/// elements outside of layers (without modules: from those of the LM head and the embeddings),
/// whole numbers aside, and a note says so; what it took part in (a softmax over all) stays as it
/// was computed. Units stay as they are where there is nothing to cut, and get a note where the
/// hidden size of the wider one is the same number.
[[nodiscard]] Result<> cutVocabularyPadding(UnitSides& units, const AlignmentRules& rules);

/// Tells whether `wide` may be `narrow` filled up to a multiple of a power of two, 8 or more, by an
/// eighth at most.
[[nodiscard]] bool looksPadded(std::int64_t wide, std::int64_t narrow);

/// Transposes the weights of the candidate, and their gradients, that the baseline holds the other
/// way round: those that the mapping names; where it does not forbid it, those of entries that
/// stand in the same place, of which the shapes are each other's transposes, or, of square ones,
/// one side's module is a Conv1D of transformers ([in, out]) or has its name in that of its class,
/// and the other's is another module with a class, unless weights of the same two classes that are
/// not square lie the same way round; where no class is known and all weights of layers that are
/// not square lie the other way round, elements that agree at least twice as well. A note says how
/// many. Statistics stay, since they do not depend on it; checksums go. Fused tensors are no
/// business of this (splitFused()).
[[nodiscard]] Result<> transposeWeights(UnitSides& units, const AlignmentRules& rules);

/// Brings activations and their gradients of the candidate that have two neighbouring dimensions,
/// the last one aside, the other way round ([T, B, H], sequence first, and [B, T, H]) to the shape
/// that the baseline holds: those of the same place whose shapes say so, or, where both dimensions
/// are equally long, whose elements agree at least twice as well that way; what elements do not
/// tell goes with what stood before it. Tensors without a partner, and of two dimensions ([T, B]),
/// follow where all others of these extents were exchanged, and rules of the mapping go before all
/// of that (the first two dimensions). A note says how many, another what could not be told.
/// Statistics stay; checksums go, and what has them alone stays as it is.
[[nodiscard]] Result<> exchangeDimensions(UnitSides& units, const AlignmentRules& rules);

/// Brings weights (and their gradients) that one unit holds of all experts in one tensor,
/// [experts, …] (`experts.gate_up_proj`, `w13_weight`, `w2_weight`), to those that the other one
/// holds expert by expert (`experts.3.gate_proj`), with elements: each expert is cut out, its gate
/// and up taken apart where the other side has both, and transposed where the shapes say so, and,
/// of square matrices, the other tensors of the same experts or the elements of one. What does not
/// add up stays as it is and has a reason; so has what has statistics alone. Units without such
/// tensors (of at most 65536 experts) stay as they are.
[[nodiscard]] Result<> splitExperts(UnitSides& units, const AlignmentRules& rules);

/// Brings what one unit holds in one tensor and the other in several (q, k and v in qkv_proj; gate
/// and up in gate_up_proj; docs/mapping.md) to the same tensors. Where both sides have elements the
/// fused calls become calls of their parts, whose outputs, output gradients, weights and weight
/// gradients are cut out of the fused ones; the gradients that leave the parts become their sum,
/// which is what leaves the fused call. Where they have statistics alone the parts become one call
/// whose maximum, minimum, mean and norm follow from theirs. Sizes come from the shapes of the
/// parts; what does not add up stays as it is and has a reason. Units without such calls stay as
/// they are.
[[nodiscard]] Result<> splitFused(UnitSides& units, const AlignmentRules& rules);

}  // namespace ulp::analysis
