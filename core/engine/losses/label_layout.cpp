#include "core/engine/losses/label_layout.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace ulp::engine {
namespace {

/// Lengths of all documents of a row, the padding last.
Result<std::vector<std::int64_t>> rowLengths(const TokenBatch& tokens) {
  const DocumentLayout& layout = tokens.documents;
  const std::int64_t width = tokens.length + 1;
  std::vector<std::int64_t> lengths = layout.lengths;
  if (lengths.empty()) {
    lengths.push_back(width - layout.padding);
  }
  const auto shortest = std::min_element(lengths.begin(), lengths.end());
  const std::int64_t total = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  if (*shortest < 1 || layout.padding < 0 || total + layout.padding != width) {
    return fail(ErrorCode::InvalidArgument,
                "input.documents: " + std::to_string(lengths.size()) + " documents of " +
                    std::to_string(total) + " tokens and " + std::to_string(layout.padding) +
                    " of padding do not fill the " + std::to_string(width) +
                    " tokens of a sequence");
  }
  if (layout.padding > 0) {
    lengths.push_back(layout.padding);
  }
  return lengths;
}

/// What holds for every row: document of each token (the padding's comes last), position in it, and
/// whether it is a label.
struct RowLayout {
  std::vector<std::int64_t> document;
  std::vector<std::int64_t> position;
  std::vector<bool> isLabel;
  std::vector<std::int64_t> labelsOf;  ///< by document
};

RowLayout layOutRow(const DocumentLayout& layout, const std::vector<std::int64_t>& lengths) {
  RowLayout row;
  for (std::size_t document = 0; document < lengths.size(); ++document) {
    for (std::int64_t position = 0; position < lengths[document]; ++position) {
      row.document.push_back(static_cast<std::int64_t>(document));
      row.position.push_back(position);
      row.isLabel.push_back(position > 0);
    }
  }
  const auto unlabel = [&row](std::int64_t begin, std::int64_t end) {
    std::fill(row.isLabel.begin() + begin, row.isLabel.begin() + end, false);
  };
  const auto width = static_cast<std::int64_t>(row.document.size());
  unlabel(width - layout.padding, width);
  for (const auto& [begin, end] : layout.unlabelled) {
    unlabel(begin, end);
  }
  row.labelsOf.resize(lengths.size());
  for (std::size_t token = 0; token < row.document.size(); ++token) {
    row.labelsOf[static_cast<std::size_t>(row.document[token])] += row.isLabel[token] ? 1 : 0;
  }
  return row;
}

Result<> checkRanges(const TokenBatch& tokens) {
  for (const auto& [begin, end] : tokens.documents.unlabelled) {
    if (begin < 0 || end < begin || end > tokens.length + 1) {
      return fail(ErrorCode::InvalidArgument,
                  "input.unlabelled: [" + std::to_string(begin) + ", " + std::to_string(end) +
                      ") is no range of the " + std::to_string(tokens.length + 1) +
                      " tokens of a sequence");
    }
  }
  return {};
}

}  // namespace

Result<LabelLayout> layOutLabels(const TokenBatch& tokens) {
  ULP_TRY(checkRanges(tokens));
  const auto lengths = ULP_TRY(rowLengths(tokens));
  const RowLayout row = layOutRow(tokens.documents, lengths);
  const auto length = static_cast<std::size_t>(tokens.length);
  const std::int64_t perRow = tokens.documents.documents();
  LabelLayout layout;
  layout.documents = perRow * tokens.batch;
  layout.attentionDocuments.assign(row.document.begin(), row.document.end() - 1);
  layout.positions.assign(row.position.begin(), row.position.end() - 1);
  for (std::int64_t b = 0; b < tokens.batch; ++b) {
    const std::int64_t* ids = tokens.ids.data() + b * (tokens.length + 1);
    for (std::size_t t = 0; t < length; ++t) {
      const bool isLabel = row.isLabel[t + 1];
      layout.labels.push_back(isLabel ? ids[t + 1] : LabelLayout::kIgnored);
      layout.labelCounts.push_back(row.labelsOf[static_cast<std::size_t>(row.document[t + 1])]);
      layout.segments.push_back(b * perRow + std::min(row.document[t], perRow - 1));
      layout.labelTotal += isLabel ? 1 : 0;
    }
  }
  if (layout.labelTotal == 0) {
    return fail(ErrorCode::InvalidArgument,
                "input: no token is left to predict; a document needs two tokens, of which the "
                "second is labelled");
  }
  return layout;
}

}  // namespace ulp::engine
