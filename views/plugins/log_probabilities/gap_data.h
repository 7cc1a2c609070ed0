#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/base/result.h"
#include "core/report/model/log_probabilities.h"
#include "core/report/model/log_probability_gap.h"
#include "core/report/model/token_texts.h"
#include "views/framework/document/report_document.h"

namespace ulp::views {

/// What runs are compared with, and what is known of its tokens.
struct GapBaseline {
  QString name;
  report::LogProbabilities values{};
  std::optional<report::TokenTexts> tokens{};  ///< nothing where the folder has none
  /// Of the reference of its report.
  std::optional<report::LogProbabilities> reference{};
  /// Sequences of all micro-batches but the last, which alone is captured.
  std::int64_t firstCaptured = 0;
};
using GapBaselinePtr = std::shared_ptr<const GapBaseline>;

/// A run, or a file of another engine, beside its baseline.
struct GapRun {
  QString name;
  int style = 0;
  int variant = -1;  ///< of the document; -1: a file
  GapBaselinePtr baseline{};
  report::LogProbabilities values{};
  /// Nothing where the two cannot be compared; `problem` says why, or there is `notFinite`.
  std::optional<report::LogProbabilityGap> gap{};
  QString problem{};
  /// Counts and NaN where no token is finite in both.
  std::optional<report::LogProbabilityError> notFinite{};
  std::vector<double> differences{};  ///< [sequences, length], NaN without a label
  /// Of the errors of baseline and run against the reference; NaN where one of them is it.
  double errorCorrelation = std::numeric_limits<double>::quiet_NaN();
};

/// All runs of a document beside their baselines.
struct GapData {
  DocumentPtr document;
  GapBaselinePtr baseline;  ///< of the document: what files are compared with
  std::vector<GapRun> runs{};
  std::vector<Error> unreadable{};  ///< of request.files, with the path
  QStringList readable{};           ///< the others

  [[nodiscard]] int find(const QString& run) const;  ///< place in `runs`, -1: none
  /// What the runs are compared with, one after the other.
  [[nodiscard]] QString baselineNames() const;
};
using GapDataPtr = std::shared_ptr<const GapData>;

struct GapRequest {
  DocumentPtr document;
  QStringList files{};    ///< of other engines, compared with the baseline
  double epsilon = 0.01;  ///< nats
  QStringList chosen{};   ///< runs to take; empty: all
};

/// What a run of a document is compared with: a reference of another report with that of the first
/// one.
[[nodiscard]] QString gapBaseline(const ReportDocument& document, const QString& run);
/// Returns the style of the variant of that name, else kReferenceStyle.
[[nodiscard]] int runStyle(const ReportDocument& document, const QString& run);

/// Any thread. Errors: NotFound where the baseline has no log-probabilities; those of reading the
/// files of the study; Cancelled.
[[nodiscard]] Result<GapDataPtr> readGaps(const GapRequest& request, const std::stop_token& stop);

/// Where the logits of a token's label are, [sequence, position, id] in the capture of the last
/// micro-batch; nothing where it was not captured or its id is unknown.
[[nodiscard]] std::optional<std::vector<std::int64_t>> logitOf(const GapBaseline& baseline,
                                                               std::size_t place);
/// The token whose logit an element of the logits is; nothing where it is none.
[[nodiscard]] std::optional<std::size_t> tokenOf(const GapBaseline& baseline,
                                                 const std::vector<std::int64_t>& element);

/// What the logits of a run and of its baseline say, where both were kept whole.
struct LogitsGap {
  double tokens = std::numeric_limits<double>::quiet_NaN();     ///< whose logits were kept
  double meanKl = std::numeric_limits<double>::quiet_NaN();     ///< KL(A ‖ B), nats
  double largestKl = std::numeric_limits<double>::quiet_NaN();  ///< of a token
  double topAgreement = std::numeric_limits<double>::quiet_NaN();
};

/// The gap of one run, by its place in data.runs.
using PlacedLogitsGap = std::pair<std::size_t, LogitsGap>;

/// Compares the logits that the runs kept, whole, with those of their baselines; runs without, and
/// those of other tokens, are passed over. `publish` gets each as it is done. Any thread; reads
/// tensors. Errors: of reading them; Cancelled.
[[nodiscard]] Result<> readLogitsGaps(const GapDataPtr& data,
                                      const std::stop_token& stop,
                                      const std::function<void(PlacedLogitsGap)>& publish);

/// Whether some run may have kept its logits: the folder holds tensors, the report has the row.
[[nodiscard]] bool mayHaveLogits(const GapData& data);

}  // namespace ulp::views
