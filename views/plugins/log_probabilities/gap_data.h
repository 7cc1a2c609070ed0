#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/base/result.h"
#include "core/report/model/log_probabilities.h"
#include "core/report/model/log_probability_gap.h"
#include "core/report/model/token_texts.h"
#include "views/framework/document/report_document.h"

namespace ulp::views {

/// A run, or a file of another engine, beside the baseline.
struct GapRun {
  QString name;
  int style = 0;
  int variant = -1;  ///< of the document; -1: a file
  report::LogProbabilities values{};
  /// Nothing where the two cannot be compared; `problem` then says why.
  std::optional<report::LogProbabilityGap> gap{};
  QString problem{};
  std::vector<double> differences{};  ///< [sequences, length], NaN without a label
  /// Of the errors of baseline and run against the reference; NaN where one of them is it.
  double errorCorrelation = std::numeric_limits<double>::quiet_NaN();
};

/// All runs of a document beside its baseline.
struct GapData {
  DocumentPtr document;
  QString baseline;
  report::LogProbabilities values{};  ///< of the baseline
  std::vector<GapRun> runs{};
  std::optional<report::TokenTexts> tokens{};  ///< nothing where the folder has none
  std::vector<Error> unreadable{};             ///< of request.files, with the path
  QStringList readable{};                      ///< the others
  /// Sequences of all micro-batches but the last, which alone is captured.
  std::int64_t firstCaptured = 0;

  [[nodiscard]] int find(const QString& run) const;  ///< place in `runs`, -1: none
};
using GapDataPtr = std::shared_ptr<const GapData>;

struct GapRequest {
  DocumentPtr document;
  QStringList files{};    ///< of other engines, compared with the baseline
  double epsilon = 0.01;  ///< nats
  QStringList chosen{};   ///< runs to take; empty: all
};

/// What the runs of a document are compared with.
[[nodiscard]] QString gapBaseline(const ReportDocument& document);

/// Any thread. Errors: NotFound where the baseline has no log-probabilities; those of reading the
/// files of the study; Cancelled.
[[nodiscard]] Result<GapDataPtr> readGaps(const GapRequest& request, const std::stop_token& stop);

/// Where the logits of a token's label are, [sequence, position, id] in the capture of the last
/// micro-batch; nothing where it was not captured or its id is unknown.
[[nodiscard]] std::optional<std::vector<std::int64_t>> logitOf(const GapData& data,
                                                               std::size_t place);
/// The token whose logit an element of the logits is; nothing where it is none.
[[nodiscard]] std::optional<std::size_t> tokenOf(const GapData& data,
                                                 const std::vector<std::int64_t>& element);

}  // namespace ulp::views
