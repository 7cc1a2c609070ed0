#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/site.h"
#include "core/base/text/numbers_by_name.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// The number of the layer that a module path lies in, 11 for "model.layers.11.mlp" and
/// "h.11.attn"; -1 outside layers.
[[nodiscard]] int layerOf(std::string_view module);

/// The same name with `offset` added to the number of its layer, where it has one.
[[nodiscard]] std::string withLayerOffset(std::string_view name, std::int64_t offset);

/// The module, or the tensor of that name (".weight" aside), has a place for every entry of the
/// vocabulary: an embedding of tokens or an LM head.
[[nodiscard]] bool isOfVocabulary(std::string_view path);

/// The index says no more than the role does: that of the only tensor, or of the first one, however
/// the tool spells it.
[[nodiscard]] bool isFirstOfRole(std::string_view index);

/// Where a recorded tensor belongs in the words of DESIGN section 1, so that dumps of different
/// tools meet: the first output of a decoder layer is "decoder.N", of another module its path;
/// backward the gradient that leaves. Other rows of an entry carry what they are:
/// "model.norm[input]", "model.layers.0.self_attn[output.1]", "Functional.linear.13[input.1]";
/// later calls in the same step their number: "model.norm#1".
[[nodiscard]] Site siteOf(const dumps::DumpUnit& unit, std::size_t entry, std::size_t row);

/// The output of the LM head, of whichever call.
[[nodiscard]] bool isLogits(const Site& site);

/// Gives the tensors of a unit names that are unique in their pass, as a report needs them: the
/// second of a name is "name (2)". All tensors have to come through here in the order of the
/// matching, compared or not, so that a name means the same tensor whoever asks.
class SiteNames {
 public:
  void makeUnique(Site& site);

 private:
  std::array<NumbersByName, kPasses.size()> m_seen;  ///< how often, by pass
};

}  // namespace ulp::analysis
