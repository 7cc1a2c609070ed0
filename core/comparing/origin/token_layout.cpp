#include "core/comparing/origin/token_layout.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

#include "core/base/shape.h"
#include "core/comparing/match/row_identity.h"
#include "core/comparing/origin/execution_order.h"
#include "core/numerics/tensor_view.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/tensor_parts.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using Shape = std::vector<std::int64_t>;

/// Nothing: no shape can have so many.
std::optional<std::int64_t> tokensIn(std::span<const std::int64_t> extents) {
  const auto count = tensors::checkedCount(extents);
  return count ? std::optional(static_cast<std::int64_t>(*count)) : std::nullopt;
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
  for (const std::size_t row : its.rows()) {
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

class TokenPlacer {
 public:
  TokenPlacer(const DumpUnit& unit, const LogitsPair& logits, std::size_t flat)
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
    const auto count = tokensIn(tokens);
    const auto embedded = tokensIn(m_embedded.tokens);
    // The file may hold more tokens than its recorded shape.
    if (!count || !embedded || m_flat >= *count) {
      return std::nullopt;
    }
    if (*count < *embedded) {
      return amongLast(tokens);
    }
    if (*count <= 1) {
      return std::nullopt;
    }
    return tokens.size() == 2 ? inRectangle(tokens) : inRow(tokens, *count, *count == *embedded);
  }

 private:
  /// All tokens one behind the other.
  [[nodiscard]] PlacedToken inRow(const Shape& tokens, std::int64_t count, bool isAll) const {
    const bool isOfSamples =
        m_shape.size() == 3 && m_shape[m_isNamedSequenceFirst ? 0 : 1] == 1 && tokens.size() == 1;
    const bool isOfRows = isAll && m_embedded.tokens.size() == 2;
    return PlacedToken{.layout = {.positions = count,
                                  .isSequenceFirst = m_isNamedSequenceFirst,
                                  .isOrdered = !isOfSamples,
                                  .embeddedRows = isOfRows ? m_embedded.tokens[0] : 0},
                       .index = {.sample = 0, .position = m_flat}};
  }

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

/// Where the token stands among all tokens in a row, and how many there are.
struct FlatToken {
  std::int64_t place = 0;
  std::int64_t tokens = 0;
};

/// Nothing: the layout has no such token.
std::optional<FlatToken> flatToken(const TokenLayout& layout, const TokenIndex& index) {
  const auto isBelow = [](std::int64_t value, std::int64_t end) {
    return value >= 0 && value < end;
  };
  const auto tokens = tokensIn(std::array{layout.samples, layout.positions});
  if (!tokens || !isBelow(index.sample, layout.samples) ||
      !isBelow(index.position, layout.positions)) {
    return std::nullopt;
  }
  return FlatToken{.place = layout.isSequenceFirst
                                ? index.position * layout.samples + index.sample
                                : index.sample * layout.positions + index.position,
                   .tokens = *tokens};
}

/// The only dimension in which all tokens can stand.
bool cutFlat(const FlatToken& flat, std::span<const std::int64_t> shape, TensorCut& cut) {
  const auto place = onlyPlace(placesOf(shape, flat.tokens), shape.size());
  if (place) {
    cut[*place] = {flat.place, 1};
  }
  return place.has_value();
}

/// The first two dimensions, as the embeddings have them where the logits have one.
bool cutRows(const TokenLayout& layout,
             const FlatToken& flat,
             std::span<const std::int64_t> shape,
             TensorCut& cut) {
  const std::int64_t rows = layout.embeddedRows;
  if (rows < 1 || shape.size() < 2 || shape[0] != rows || flat.tokens % rows != 0 ||
      shape[1] != flat.tokens / rows) {
    return false;
  }
  cut[0] = {flat.place / shape[1], 1};
  cut[1] = {flat.place % shape[1], 1};
  return true;
}

/// The first dimension that holds more than one; the last one, where none does.
std::size_t leadingPlace(std::span<const std::int64_t> shape) {
  std::size_t dim = 0;
  while (dim + 1 < shape.size() && shape[dim] == 1) {
    ++dim;
  }
  return dim;
}

bool isWithin(const TensorCut& cut, std::span<const std::int64_t> shape) {
  return std::equal(cut.begin(),
                    cut.end(),
                    shape.begin(),
                    shape.end(),
                    [](const dumps::Run& run, std::int64_t extent) {
                      return run.first >= 0 && run.count >= 0 && run.first <= extent &&
                             run.count <= extent - run.first;
                    });
}

}  // namespace

std::string TokenLayout::text() const {
  return isSequenceFirst ? fmt::format("positions × samples: {} × {}", positions, samples)
                         : fmt::format("samples × positions: {} × {}", samples, positions);
}

std::optional<PlacedToken> placeToken(const DumpUnit& unit,
                                      const LogitsPair& logits,
                                      std::size_t flat) {
  return TokenPlacer(unit, logits, flat).run();
}

TensorCut cutTo(const TokenLayout& layout,
                const TokenIndex& index,
                std::span<const std::int64_t> shape) {
  const auto flat = flatToken(layout, index);
  if (!flat || shape.empty()) {
    return {};
  }
  TensorCut cut;
  for (const std::int64_t extent : shape) {
    cut.push_back({0, extent});
  }
  if (cutRows(layout, *flat, shape, cut)) {
    return cut;
  }
  const std::vector<std::size_t> places = placesOf(shape, layout.positions);
  if (places.empty()) {
    return cutFlat(*flat, shape, cut) ? cut : TensorCut();
  }
  // A size of heads or hidden states may be as large as the sequence is long.
  const std::size_t leading = leadingPlace(shape);
  const bool isLastAlone = places.front() + 1 == shape.size() && leading < places.front();
  if (isLastAlone && layout.samples > 1 && shape[leading] == flat->tokens) {
    cut[leading] = {flat->place, 1};
    return cut;
  }
  const bool isMatrix = squeezed(shape).size() == 2;
  if (isLastAlone && isMatrix && shape[leading] != layout.samples) {
    return {};
  }
  const auto place = positionPlace(layout, shape);
  if (!place) {
    return {};
  }
  cut[*place] = {index.position, 1};
  cutSample(layout, index, *place, cut);
  return cut;
}

std::vector<double> elementsAt(const tensors::Tensor& tensor, const TensorCut& cut) {
  const std::vector<std::int64_t>& shape = tensor.view.shape;
  if (cut.empty() || !isWithin(cut, shape)) {
    return {};
  }
  std::size_t last = 0;  ///< behind it, everything is taken
  for (std::size_t dim = 0; dim < cut.size(); ++dim) {
    last = cut[dim].count == shape[dim] ? last : dim;
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
      stride *= static_cast<std::size_t>(shape[dim]);
    }
    const std::size_t from =
        before * static_cast<std::size_t>(shape[last]) + static_cast<std::size_t>(cut[last].first);
    const auto first = static_cast<std::int64_t>(from * inner);
    // What does not come is told by checkIntact().
    static_cast<void>(
        tensors::bring(tensor, {.first = first, .columns = static_cast<std::int64_t>(size)}));
    numerics::readElements(tensor.view, first, 1, std::span(elements).subspan(block * size, size));
  }
  return elements;
}

}  // namespace ulp::analysis
