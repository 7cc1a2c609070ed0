#pragma once

#include <cstdint>

#include "core/analysis/mapping/dump_rules.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

struct UnpaddedUnits {
  dumps::DumpUnitPtr baseline;
  dumps::DumpUnitPtr candidate;
};

/// Both units with the same vocabulary. Frameworks that divide it among ranks fill it up to a
/// multiple of their number and of some power of two (Megatron's make_vocab_size_divisible_by), so
/// that logits, LM head and embeddings are wider than those of the other side. Where the wider size
/// looks like that, or the rules name the size, what lies behind is cut from every tensor with
/// elements outside of layers (without modules: from those of the LM head and the embeddings),
/// whole numbers aside, and a note says so; what it took part in (a softmax over all) stays as it
/// was computed. Units come back as they are where there is nothing to cut, and with a note where
/// the hidden size of the wider one is the same number.
[[nodiscard]] UnpaddedUnits withoutVocabularyPadding(const dumps::DumpUnitPtr& baseline,
                                                     const dumps::DumpUnitPtr& candidate,
                                                     const DumpRules& rules);

/// `wide` may be `narrow` filled up to a multiple of a power of two, 8 or more, by an eighth at
/// most.
[[nodiscard]] bool looksPadded(std::int64_t wide, std::int64_t narrow);

}  // namespace ulp::analysis
