#pragma once

#include "core/analysis/mapping/site_mapping.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// The candidate with the weights and their gradients transposed that the baseline holds the other
/// way round: those that the mapping names; where it does not forbid it, those of entries that
/// stand in the same place, of which the shapes are each other's transposes, or, of square ones,
/// one side's module is a Conv1D of transformers ([in, out]) or has its name in that of its class,
/// and the other's is another module with a class, unless weights of the same two classes that are
/// not square lie the same way round. A note says how many. Statistics stay, since they do not
/// depend on it; checksums go. Fused tensors are no business of this (splitFused()).
[[nodiscard]] dumps::DumpUnitPtr withWeightsAsIn(const dumps::DumpUnitPtr& baseline,
                                                 const dumps::DumpUnitPtr& candidate,
                                                 const SiteMapping& mapping);

/// The modules of two calls say that one holds [in, out] and the other [out, in].
[[nodiscard]] bool areTransposedByClass(const dumps::DumpEntry& one, const dumps::DumpEntry& other);

/// The call is one of a module (or of its gradients) of which the class is known.
[[nodiscard]] bool hasClass(const dumps::DumpEntry& entry);

/// The row with its last two dimensions exchanged.
[[nodiscard]] dumps::DumpRow transposedRow(dumps::DumpRow row);

}  // namespace ulp::analysis
