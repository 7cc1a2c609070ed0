#include "runner/worker/capture/reversed_sequences.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <span>

#include "core/base/list_of.h"

namespace ulp::worker {
namespace {

using engine::ClipDecisions;
using engine::TokenBatch;

/// Blocks of equal size in reverse order; each stays as it is.
template <class Value>
void reverseBlocks(std::span<Value> values, std::size_t blocks) {
  const std::size_t size = blocks == 0 ? 0 : values.size() / blocks;
  for (std::size_t i = 0; i < blocks / 2; ++i) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * size);
    const auto last = values.begin() + static_cast<std::ptrdiff_t>((blocks - 1 - i) * size);
    std::swap_ranges(first, first + static_cast<std::ptrdiff_t>(size), last);
  }
}

/// Reverses within each micro-batch, of which each has its number of values in all.
template <class Value>
Result<> reverseEach(std::vector<Value>& values,
                     const std::vector<TokenBatch>& microBatches,
                     const std::vector<std::size_t>& counts) {
  if (values.empty()) {
    return {};
  }
  if (std::accumulate(counts.begin(), counts.end(), std::size_t{0}) != values.size()) {
    return fail(ErrorCode::Internal,
                fmt::format("noise_floor: batch_order: {} values do not belong to the sequences",
                            values.size()));
  }
  std::size_t begin = 0;
  for (std::size_t i = 0; i < microBatches.size(); ++i) {
    reverseBlocks(std::span(values).subspan(begin, counts[i]),
                  static_cast<std::size_t>(microBatches[i].batch));
    begin += counts[i];
  }
  return {};
}

/// How many of the units that `clips` decides on each micro-batch has.
std::vector<std::size_t> unitCounts(const ClipDecisions& clips,
                                    const std::vector<TokenBatch>& microBatches,
                                    const std::vector<std::uint8_t>& isLabel) {
  std::vector<std::size_t> counts;
  auto next = isLabel.begin();
  for (const TokenBatch& tokens : microBatches) {
    const std::int64_t positions = tokens.batch * tokens.length;
    const auto end = next + std::min(positions, isLabel.end() - next);
    const auto labels = static_cast<std::size_t>(std::count(next, end, 1));
    next = end;
    counts.push_back(clips.unit == ClipDecisions::Unit::Token
                         ? labels
                         : static_cast<std::size_t>(tokens.batch * tokens.documents.documents()));
  }
  return counts;
}

engine::Capture withReversedBlocks(const engine::Capture& capture, std::size_t blocks) {
  const auto bytes = static_cast<std::size_t>(capture.view.sizeBytes());
  const auto restored = std::make_shared<std::vector<std::byte>>(bytes);
  std::memcpy(restored->data(), capture.view.data, bytes);
  reverseBlocks(std::span(*restored), blocks);
  engine::Capture copy = capture;
  copy.view.data = restored->data();
  copy.owner = restored;
  return copy;
}

}  // namespace

TokenBatch reversedSequences(const TokenBatch& tokens) {
  TokenBatch reversed = tokens;
  const auto sequences = static_cast<std::size_t>(tokens.batch);
  reverseBlocks(std::span(reversed.ids), sequences);
  reverseBlocks(std::span(reversed.policy.advantages), sequences);
  reverseBlocks(std::span(reversed.policy.oldLogProbabilities), sequences);
  return reversed;
}

std::shared_ptr<const std::vector<std::int64_t>> RestoringObserver::restoredKeys(
    const std::vector<std::int64_t>& keys) const {
  auto restored = std::make_shared<std::vector<std::int64_t>>(keys);
  const std::int64_t tokens = m_sequences * m_length;
  for (std::int64_t& key : *restored) {
    const std::int64_t token = key % tokens;
    const std::int64_t sequence = m_sequences - 1 - token / m_length;
    key += sequence * m_length + token % m_length - token;
  }
  return restored;
}

std::optional<bool> RestoringObserver::isOfSequences(const Site& site,
                                                     const std::vector<std::int64_t>& shape) const {
  // Frequencies are of no token, however many there are.
  if (isOfParameters(site.pass) || shape.empty() || site.name.ends_with("rotary_emb.inv_freq")) {
    return false;
  }
  const std::int64_t first = shape.front();
  if (!m_known) {
    const bool fits = first == m_sequences || first == m_sequences * m_length;
    return fits || first == 1 ? std::optional(fits) : std::nullopt;
  }
  const auto row = m_known->find({site.pass, site.name});
  const bool fits = row != m_known->end() && (!row->second || first % m_sequences == 0);
  return fits ? std::optional(row->second) : std::nullopt;
}

Result<> RestoringObserver::observe(const Site& site, const engine::Capture& capture) {
  const numerics::TensorView& view = capture.view;
  if (capture.keys) {
    engine::Capture renamed = capture;
    renamed.keys = restoredKeys(*capture.keys);
    return m_inner.observe(site, renamed);
  }
  const auto isTurned = isOfSequences(site, view.shape);
  if (!isTurned) {
    m_leftOut.insert(site);
    return {};
  }
  if (!*isTurned) {
    return m_inner.observe(site, capture);
  }
  const auto sequences = static_cast<std::size_t>(m_sequences);
  if (capture.device != nullptr) {
    const engine::Capture restored =
        ULP_TRY(whileDoing(site.name, capture.device->withReversedBlocks(sequences)));
    return m_inner.observe(site, restored);
  }
  return m_inner.observe(site, withReversedBlocks(capture, sequences));
}

Result<> RestoringObserver::observeChoice(const engine::ExpertChoice& choice) {
  const auto sequences = static_cast<std::size_t>(m_sequences);
  engine::ExpertChoice restored = choice;
  restored.chosen = withReversedBlocks(choice.chosen, sequences);
  restored.scores = withReversedBlocks(choice.scores, sequences);
  return m_inner.observeChoice(restored);
}

Result<> restoreSequences(engine::RunOutcome& outcome,
                          const std::vector<TokenBatch>& microBatches) {
  const auto positions = listOf(microBatches, [](const TokenBatch& tokens) {
    return static_cast<std::size_t>(tokens.batch * tokens.length);
  });
  ULP_TRY(reverseEach(outcome.tokens.logProbabilities, microBatches, positions));
  ULP_TRY(reverseEach(outcome.tokens.isLabel, microBatches, positions));
  for (engine::LossTermOutcome& term : outcome.terms) {
    const auto counts = unitCounts(term.clips, microBatches, outcome.tokens.isLabel);
    ULP_TRY(reverseEach(term.clips.stopped, microBatches, counts));
    ULP_TRY(reverseEach(term.clips.region, microBatches, counts));
  }
  return {};
}

}  // namespace ulp::worker
