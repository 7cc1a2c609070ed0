#include "core/analysis/dumps/token_layout.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <string_view>

#include "core/analysis/dumps/dump_site.h"
#include "core/analysis/dumps/execution_order.h"
#include "core/analysis/dumps/nondeterministic_operations.h"
#include "core/analysis/dumps/row_difference.h"
#include "core/base/shape.h"
#include "core/numerics/read_elements.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using Shape = std::vector<std::int64_t>;

std::int64_t product(std::span<const std::int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

/// All dimensions but the last, and those of one place.
Shape tokensOf(const Shape& shape) {
  return squeezed(std::span(shape).first(shape.size() - 1));
}

/// What the embeddings make of token ids.
struct Embedded {
  Shape tokens;  ///< of what they put out, without the hidden size
  Shape ids;     ///< empty: not recorded
};

bool embeds(const DumpUnit& unit, std::size_t entry, std::size_t row) {
  const std::string plain = plainOperation(unit.entries[entry].operation);
  return siteOf(unit, entry, row).name == "embeddings" ||
         (plain.find("embedding") != std::string::npos &&
          plain.find("rotary") == std::string::npos);
}

std::optional<Embedded> embeddedBy(const DumpUnit& unit, std::size_t entry) {
  const DumpEntry& its = unit.entries[entry];
  std::optional<Embedded> embedded;
  Shape ids;
  for (std::size_t row = its.firstRow; row < its.firstRow + its.rowCount; ++row) {
    const DumpRow& own = unit.rows[row];
    const auto type = elementTypeOf(own);
    if (own.role == dumps::Role::Output && own.shape.size() > 1 && !embedded &&
        embeds(unit, entry, row)) {
      embedded = Embedded{.tokens = tokensOf(own.shape), .ids = {}};
    } else if (own.role == dumps::Role::Input && type && !isFloatingPoint(*type)) {
      ids = squeezed(own.shape);
    }
  }
  if (embedded) {
    embedded->ids = std::move(ids);
  }
  return embedded;
}

std::optional<Embedded> embeddedIn(const DumpUnit& unit) {
  for (const std::size_t entry : executionOrder(unit)) {
    if (unit.entries[entry].pass != Pass::Forward) {
      break;
    }
    if (auto embedded = embeddedBy(unit, entry)) {
      return embedded;
    }
  }
  return std::nullopt;
}

bool isNamedSequenceFirst(const DumpEntry& head) {
  constexpr std::string_view kSequenceFirst = "output_layer";
  const std::string_view module = head.module;
  return module == kSequenceFirst || module.ends_with(".output_layer");
}

class Placer {
 public:
  Placer(const DumpUnit& unit, const LogitsPair& logits, std::size_t flat)
      : m_shape(unit.rows[logits.baseline].shape),
        m_flat(static_cast<std::int64_t>(flat)),
        m_isNamedSequenceFirst(isNamedSequenceFirst(unit.entries[logits.entry])) {
    if (const auto embedded = embeddedIn(unit)) {
      m_embedded = *embedded;
    }
  }

  [[nodiscard]] std::optional<PlacedToken> run() const {
    if (m_shape.empty()) {
      return std::nullopt;
    }
    const Shape tokens = tokensOf(m_shape);
    if (product(tokens) < product(m_embedded.tokens)) {
      return amongLast(tokens);
    }
    if (product(tokens) <= 1) {
      return std::nullopt;
    }
    if (tokens.size() == 2) {
      return inRectangle(tokens);
    }
    const bool isOfSamples =
        m_shape.size() == 3 && m_shape[m_isNamedSequenceFirst ? 0 : 1] == 1 && tokens.size() == 1;
    return PlacedToken{.layout = {.positions = product(tokens),
                                  .isSequenceFirst = m_isNamedSequenceFirst,
                                  .isOrdered = !isOfSamples},
                       .index = {.sample = 0, .position = m_flat}};
  }

 private:
  /// Logits of the last position of each sample alone.
  [[nodiscard]] std::optional<PlacedToken> amongLast(const Shape& tokens) const {
    const Shape& all = m_embedded.tokens;
    if (tokens.empty() && all.size() == 1) {
      return PlacedToken{.layout = {.positions = all[0], .isSequenceFirst = m_isNamedSequenceFirst},
                         .index = {.sample = 0, .position = all[0] - 1}};
    }
    if (tokens.size() != 1 || all.size() != 2 || (all[0] != tokens[0] && all[1] != tokens[0])) {
      return std::nullopt;
    }
    const bool isSequenceFirst = all[0] == all[1] ? m_isNamedSequenceFirst : all[1] == tokens[0];
    const std::int64_t positions = isSequenceFirst ? all[0] : all[1];
    return PlacedToken{.layout = {.samples = tokens[0],
                                  .positions = positions,
                                  .isSequenceFirst = isSequenceFirst},
                       .index = {.sample = m_flat, .position = positions - 1}};
  }

  [[nodiscard]] PlacedToken inRectangle(const Shape& tokens) const {
    const std::int64_t outer = m_flat / tokens[1];
    const std::int64_t inner = m_flat % tokens[1];
    return isSequenceFirst(tokens)
               ? PlacedToken{.layout = {.samples = tokens[1],
                                        .positions = tokens[0],
                                        .isSequenceFirst = true},
                             .index = {.sample = inner, .position = outer}}
               : PlacedToken{.layout = {.samples = tokens[0], .positions = tokens[1]},
                             .index = {.sample = outer, .position = inner}};
  }

  [[nodiscard]] bool isSequenceFirst(const Shape& tokens) const {
    if (tokens[0] != tokens[1] && m_embedded.ids == tokens) {
      return false;
    }
    if (tokens[0] != tokens[1] && m_embedded.ids == Shape{tokens[1], tokens[0]}) {
      return true;
    }
    return m_isNamedSequenceFirst;
  }

  const Shape& m_shape;  ///< of the logits
  std::int64_t m_flat;
  bool m_isNamedSequenceFirst;
  Embedded m_embedded;
};

/// The only one of these dimensions that can be meant: the last of several that are equally long
/// holds something else.
std::optional<std::size_t> onlyPlace(std::vector<std::size_t> places, std::size_t dimensions) {
  if (places.size() > 1 && places.back() + 1 == dimensions) {
    places.pop_back();
  }
  return places.size() == 1 ? std::optional(places.front()) : std::nullopt;
}

std::vector<std::size_t> placesOf(std::span<const std::int64_t> shape, std::int64_t extent) {
  std::vector<std::size_t> places;
  for (std::size_t dim = 0; dim < shape.size(); ++dim) {
    if (shape[dim] == extent) {
      places.push_back(dim);
    }
  }
  return places;
}

std::optional<std::size_t> positionPlace(const TokenLayout& layout,
                                         std::span<const std::int64_t> shape) {
  std::vector<std::size_t> places = placesOf(shape, layout.positions);
  if (places.size() > 1 && places[0] == 0 && layout.samples == layout.positions) {
    const bool isBeside = layout.isSequenceFirst && places[1] == 1;
    places.erase(places.begin() + (isBeside ? 1 : 0));
  }
  return onlyPlace(std::move(places), shape.size());
}

/// Samples stand beside the positions; in [samples · heads, ..] those of a sample together.
void cutSample(const TokenLayout& layout,
               const TokenIndex& index,
               std::size_t positions,
               TensorCut& cut) {
  const std::size_t place = positions == 0 ? 1 : 0;
  if (layout.samples == 1 || place >= cut.size()) {
    return;
  }
  const std::int64_t extent = cut[place].count;
  const bool isOfHeads = cut.size() == 3 && positions <= 1 && extent % layout.samples == 0;
  if (extent == layout.samples || isOfHeads) {
    const std::int64_t each = extent / layout.samples;
    cut[place] = {index.sample * each, each};
  }
}

/// Of a tensor in which all tokens of all samples stand in one dimension, or, where that is how the
/// logits hold them, in the first two.
bool cutFlat(const TokenLayout& layout,
             const TokenIndex& index,
             std::span<const std::int64_t> shape,
             TensorCut& cut) {
  const std::int64_t flat = layout.isSequenceFirst
                                ? index.position * layout.samples + index.sample
                                : index.sample * layout.positions + index.position;
  const std::int64_t tokens = layout.samples * layout.positions;
  if (const auto place = onlyPlace(placesOf(shape, tokens), shape.size())) {
    cut[*place] = {flat, 1};
    return true;
  }
  if (shape.size() > 1 && shape[0] > 1 && shape[1] > 1 && shape[0] * shape[1] == tokens) {
    cut[0] = {flat / shape[1], 1};
    cut[1] = {flat % shape[1], 1};
    return true;
  }
  return false;
}

}  // namespace

std::string TokenLayout::text() const {
  return isSequenceFirst ? fmt::format("positions × samples: {} × {}", positions, samples)
                         : fmt::format("samples × positions: {} × {}", samples, positions);
}

std::optional<PlacedToken> placeToken(const DumpUnit& unit,
                                      const LogitsPair& logits,
                                      std::size_t flat) {
  return Placer(unit, logits, flat).run();
}

TensorCut cutTo(const TokenLayout& layout,
                const TokenIndex& index,
                std::span<const std::int64_t> shape) {
  TensorCut cut;
  for (const std::int64_t extent : shape) {
    cut.push_back({0, extent});
  }
  if (placesOf(shape, layout.positions).empty()) {
    return cutFlat(layout, index, shape, cut) ? cut : TensorCut();
  }
  const auto place = positionPlace(layout, shape);
  if (!place) {
    return {};
  }
  cut[*place] = {index.position, 1};
  cutSample(layout, index, *place, cut);
  return cut;
}

std::vector<double> elementsAt(const numerics::TensorView& tensor, const TensorCut& cut) {
  std::size_t last = 0;  ///< behind it, everything is taken
  for (std::size_t dim = 0; dim < cut.size(); ++dim) {
    last = cut[dim].count == tensor.shape[dim] ? last : dim;
  }
  std::size_t inner = 1;
  for (std::size_t dim = last + 1; dim < cut.size(); ++dim) {
    inner *= static_cast<std::size_t>(cut[dim].count);
  }
  std::size_t blocks = 1;
  for (std::size_t dim = 0; dim < last; ++dim) {
    blocks *= static_cast<std::size_t>(cut[dim].count);
  }
  const std::size_t size = static_cast<std::size_t>(cut[last].count) * inner;
  std::vector<double> elements(blocks * size);
  for (std::size_t block = 0; block < blocks && size > 0; ++block) {
    std::size_t rest = block;
    std::size_t stride = 1;
    std::size_t before = 0;  ///< places along the dimensions in front of `last`
    for (std::size_t dim = last; dim-- > 0;) {
      const auto count = static_cast<std::size_t>(cut[dim].count);
      before += (static_cast<std::size_t>(cut[dim].first) + rest % count) * stride;
      rest /= count;
      stride *= static_cast<std::size_t>(tensor.shape[dim]);
    }
    const std::size_t from = before * static_cast<std::size_t>(tensor.shape[last]) +
                             static_cast<std::size_t>(cut[last].first);
    numerics::readElements(tensor,
                           static_cast<std::int64_t>(from * inner),
                           1,
                           std::span(elements).subspan(block * size, size));
  }
  return elements;
}

}  // namespace ulp::analysis
