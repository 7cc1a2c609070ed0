#pragma once

#include <cstddef>
#include <string>

#include "core/comparing/verdict/dump_comparison.h"
#include "core/json/writer.h"

namespace ulp::cli {

/// The section "Tokens": of each token how far its logits are off and what is chosen, then the
/// answer, and the culprit of the first token that fails where it is the token's own. At most
/// `longest` rows, the failing ones first; empty where no logits were compared.
[[nodiscard]] std::string tokensText(const analysis::DumpComparison& comparison,
                                     std::size_t longest);
/// The field `tokens`, in an object that is open: `answer`, every token, and where those that fail
/// first in their unit come from.
void writeTokens(json::Writer& json, const analysis::DumpComparison& comparison);

}  // namespace ulp::cli
