#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"

namespace ulp::engine {

/// A token batch as losses and attention read it; Fast-LLM's batch preparation with one predicted
/// token per position. Position t of a row predicts token t + 1.
struct LabelLayout {
  static constexpr std::int64_t kIgnored = -100;

  std::vector<std::int64_t> labels{};  ///< [batch × length]; kIgnored: no label
  std::vector<std::int64_t>
      labelCounts{};  ///< [batch × length] labels in the document of token t+1
  /// [batch × length] document of token t, from 0; padding belongs to the last document of its row.
  std::vector<std::int64_t> segments{};
  std::vector<std::int64_t> attentionDocuments{};  ///< [length] as segments, padding apart
  std::vector<std::int64_t> positions{};           ///< [length] from 0 in each document
  std::int64_t documents = 0;                      ///< of all rows, without padding
  std::int64_t labelTotal = 0;
};

/// Errors: InvalidArgument when the documents do not fill the sequence, a document is empty, an
/// unlabelled range lies outside, or no label is left.
[[nodiscard]] Result<LabelLayout> layOutLabels(const TokenBatch& tokens);

}  // namespace ulp::engine
