#pragma once

#include <cstdint>
#include <vector>

#include "core/base/site.h"

namespace ulp::analysis {

/// What a dimension of a captured tensor counts.
enum class Dimension : std::uint8_t {
  Batch,
  Token,
  Channel,
  Head,
  Query,
  Key,
  Vocabulary,
  Output,
  Input,
  Element,  ///< of a flat sample
  Other
};

/// The dimensions of the tensor that a site makes, for the layouts of the Hugging Face
/// implementations: activations [batch, token, channel], attention [batch, head, query, key] and
/// [batch, head, token, channel], weights [output, input]. Other where that is not known.
[[nodiscard]] std::vector<Dimension> dimensionsOf(const Site& site, std::size_t rank);

}  // namespace ulp::analysis
