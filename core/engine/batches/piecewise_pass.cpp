#include "core/engine/batches/piecewise_pass.h"

#include <vector>

#include <ATen/ATen.h>

namespace ulp::engine {
namespace {

at::Tensor logitsOf(const ForwardPass& pass,
                    const Network& network,
                    const WideBatch& batch,
                    const BatchPiece& piece,
                    KeyValueCache& cache) {
  pass.probe.pieceBegins(piece.place);
  const at::Tensor logits = network.logits({.numerics = pass.numerics,
                                            .parameters = pass.parameters,
                                            .probe = pass.probe,
                                            .layout = piece.layout,
                                            .hasBackward = pass.hasBackward,
                                            .isLast = pass.isLast,
                                            .cache = batch.isCached ? &cache : nullptr},
                                           piece.ids);
  return batch.compared.isAll ? logits : comparedOf(logits, batch.compared, piece.place);
}

}  // namespace

at::Tensor comparedLogits(const ForwardPass& pass, const Network& network, const WideBatch& batch) {
  KeyValueCache cache(batch.cacheFormat);
  std::vector<at::Tensor> parts;
  for (const BatchPiece& piece : batch.pieces) {
    parts.push_back(logitsOf(pass, network, batch, piece, cache));
  }
  pass.probe.pieceBegins({});
  return parts.size() == 1 ? parts.front() : at::cat(parts, 1);
}

at::Tensor chooseTokens(const ForwardPass& pass,
                        const Network& network,
                        WideBatch& batch,
                        std::int64_t firstChosen,
                        const std::function<void()>& chose) {
  KeyValueCache cache(batch.cacheFormat);
  at::Tensor last;  // logits of the last position of the micro-batch so far
  std::vector<at::Tensor> chosen;
  for (BatchPiece& piece : batch.pieces) {
    if (piece.place.begin >= firstChosen) {
      chosen.push_back(last.argmax(-1));
      piece.ids.narrow(0, batch.compared.firstSequence, chosen.back().size(0))
          .copy_(chosen.back().unsqueeze(1));
      chose();
    }
    // A piece of padding alone has none.
    const at::Tensor logits = logitsOf(pass, network, batch, piece, cache);
    last = logits.size(1) > 0 ? logits.select(1, -1) : last;
  }
  chosen.push_back(last.argmax(-1));
  chose();
  return at::stack(chosen, 1);
}

}  // namespace ulp::engine
