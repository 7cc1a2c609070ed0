#include "core/engine/batches/wide_batch.h"

#include <algorithm>
#include <string>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include "core/engine/losses/loss.h"

namespace ulp::engine {
namespace {

at::TensorOptions longs() {
  return at::TensorOptions().dtype(at::kLong);
}

PackedLayout packedLayout(const DocumentLayout& documents,
                          const LabelLayout& layout,
                          const Numerics& numerics) {
  PackedLayout packed;
  // The last token is none of the inputs: where it alone is of another document, or padding, they
  // are as others.
  if (layout.attentionDocuments.front() == layout.attentionDocuments.back()) {
    return packed;
  }
  packed.documents = longTensor(layout.attentionDocuments, numerics.device());
  if (!numerics.isFastLlm()) {
    packed.positions = longTensor(layout.positions, numerics.device());
    packed.longest = *std::max_element(layout.positions.begin(), layout.positions.end()) + 1;
  }
  if (documents.padding > 0) {
    packed.present = packed.documents < documents.documents();
  }
  return packed;
}

ComparedPart comparedPart(const BatchPlan& plan, const TokenBatch& tokens) {
  const bool isPaddedLeft = plan.side == BatchPlan::Side::Left;
  const bool hasGap = plan.prompt > 0 && !isPaddedLeft;
  return {.isAll = plan.among <= tokens.batch && plan.padding == 0,
          .firstSequence = plan.place,
          .sequences = tokens.batch,
          .firstPosition = isPaddedLeft ? plan.padding : 0,
          .positions = tokens.length,
          .beforeGap = hasGap ? plan.prompt : tokens.length,
          .gap = hasGap ? plan.padding : 0};
}

/// Where the positions of the sequences lie among all.
at::Tensor placesOf(const ComparedPart& part) {
  const at::Tensor places = at::arange(part.positions, longs()) + part.firstPosition;
  places.slice(0, part.beforeGap).add_(part.gap);
  return places;
}

/// Token ids on the host: those of the micro-batch among random ones and padding.
at::Tensor wideIds(const BatchPlan& plan,
                   const at::Tensor& own,
                   const ComparedPart& part,
                   const NetworkFacts& facts) {
  const std::int64_t width = part.positions + plan.padding;
  const std::int64_t others = std::max<std::int64_t>(plan.among - part.sequences, 0);
  at::Tensor padded =
      at::full({part.sequences, width}, std::max<std::int64_t>(facts.paddingToken, 0), longs());
  const at::Tensor places = placesOf(part);
  padded.index_copy_(1, places, own);
  if (others == 0) {
    return padded;
  }
  const at::Tensor drawn = at::randint(
      0, facts.vocabularySize, {others, width}, at::detail::createCPUGenerator(plan.seed), longs());
  return at::cat({drawn.slice(0, 0, plan.place), padded, drawn.slice(0, plan.place, others)});
}

/// What positions and padding there are where the plan pads.
struct Padding {
  at::Tensor positions;  ///< int64 [sequences, width], on the host
  at::Tensor attended;   ///< bool [sequences, width], on the device
};

Padding paddingOf(const at::Tensor& ids, const ComparedPart& part, const at::Device& device) {
  const at::Tensor attended = at::ones_like(ids, at::kBool);
  attended.narrow(0, part.firstSequence, part.sequences).fill_(false);
  attended.narrow(0, part.firstSequence, part.sequences).index_fill_(1, placesOf(part), true);
  const at::Tensor counted = attended.to(at::kLong).cumsum(-1) - 1;
  return {counted.masked_fill(attended.logical_not(), 0), attended.to(device)};
}

/// `padding` is empty where nothing is padded.
PackedLayout layoutOfPiece(const Piece& piece,
                           const Padding& padding,
                           const ComparedPart& part,
                           const at::Device& device) {
  PackedLayout layout;
  layout.begin = piece.begin;
  if (!padding.positions.defined()) {
    layout.positions = at::arange(piece.begin, piece.end, longs()).to(device);
    layout.longest = piece.end;
    return layout;
  }
  const at::Tensor positions = padding.positions.slice(1, piece.begin, piece.end);
  layout.positions = positions.to(device);
  layout.longest = positions.max().item<std::int64_t>() + 1;
  if (part.firstPosition > 0 || piece.end > part.firstPosition + part.beforeGap) {
    layout.attended = padding.attended.slice(1, 0, piece.end);
  }
  return layout;
}

/// Those of a prompt, or of all positions where there is none, in chunks; what follows one by one.
std::vector<Piece> piecesOf(const BatchPlan& plan, std::int64_t width) {
  const std::int64_t together = plan.prompt > 0 ? plan.prompt + plan.padding : width;
  const std::int64_t chunk = plan.chunkLength > 0 ? plan.chunkLength : together;
  std::vector<Piece> pieces;
  for (std::int64_t begin = 0; begin < width;) {
    const std::int64_t end = begin < together ? std::min(begin + chunk, together) : begin + 1;
    pieces.push_back({.index = pieces.size(), .begin = begin, .end = end});
    begin = end;
  }
  for (Piece& piece : pieces) {
    piece.count = pieces.size();
  }
  return pieces;
}

}  // namespace

at::Tensor comparedOf(const at::Tensor& wide, const ComparedPart& part, const Piece& piece) {
  const PositionRange range = comparedPositions(part, piece);
  return wide.narrow(0, part.firstSequence, part.sequences).narrow(1, range.begin, range.count);
}

Result<> checkBatch(const BatchPlan& plan, const TokenBatch& tokens, Semantics semantics) {
  const std::int64_t all = plan.among == 0 ? tokens.batch : plan.among;
  if (plan.among < 0 || plan.place < 0 || plan.place + tokens.batch > all) {
    return fail(ErrorCode::InvalidArgument,
                "batch.among: " + std::to_string(tokens.batch) +
                    " sequences of a micro-batch have no place " + std::to_string(plan.place) +
                    " among " + std::to_string(all));
  }
  if (plan.padding < 0 || plan.chunkLength < 0) {
    return fail(ErrorCode::InvalidArgument, "batch: padding and chunks cannot be negative");
  }
  if (plan.prompt < 0 || plan.prompt >= tokens.length) {
    return fail(ErrorCode::InvalidArgument,
                "batch: a prompt of " + std::to_string(plan.prompt) + " positions leaves none of " +
                    std::to_string(tokens.length) + " to generate");
  }
  if (plan.cacheFormat && !plan.isCached()) {
    return fail(ErrorCode::InvalidArgument,
                "batch.cache_dtype: all positions go through the network at once, without a cache");
  }
  const bool isReshaped = plan.padding > 0 || plan.isCached();
  const bool isPacked = tokens.documents.lengths.size() > 1 || tokens.documents.padding > 0;
  if (isReshaped && isPacked) {
    return fail(ErrorCode::InvalidArgument,
                "batch.padding, batch.chunk_length and generated tokens need sequences of one "
                "document without padding of its own");
  }
  if (isReshaped && semantics == Semantics::FastLlm) {
    return fail(ErrorCode::InvalidArgument,
                "batch.padding, batch.chunk_length and generated tokens need semantics: "
                "transformers");
  }
  return {};
}

WideBatch wideBatch(const BatchPlan& plan,
                    const TokenBatch& tokens,
                    const LabelLayout& layout,
                    const Numerics& numerics,
                    const NetworkFacts& facts) {
  const at::Device& device = numerics.device();
  WideBatch batch{.pieces = {},
                  .isCached = plan.isCached(),
                  .cacheFormat = plan.cacheFormat,
                  .compared = comparedPart(plan, tokens)};
  const at::Tensor own = longTensor(tokens.ids, at::kCPU)
                             .view({tokens.batch, tokens.length + 1})
                             .slice(1, 0, tokens.length);
  const at::Tensor ids = batch.compared.isAll ? own : wideIds(plan, own, batch.compared, facts);
  const std::int64_t width = ids.size(1);
  if (plan.padding == 0 && !plan.isCached()) {
    PackedLayout packed = packedLayout(tokens.documents, layout, numerics);
    at::Tensor present = ids.to(device);
    if (packed.present.defined()) {
      present = present * packed.present;
    }
    batch.pieces.push_back({{.end = width}, present, std::move(packed)});
    return batch;
  }
  const Padding padding = plan.padding > 0 ? paddingOf(ids, batch.compared, device) : Padding{};
  for (const Piece& piece : piecesOf(plan, width)) {
    batch.pieces.push_back({piece,
                            ids.slice(1, piece.begin, piece.end).to(device),
                            layoutOfPiece(piece, padding, batch.compared, device)});
  }
  return batch;
}

}  // namespace ulp::engine
