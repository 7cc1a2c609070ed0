#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QTimer>

#include "core/analysis/tensors/tensor_pair.h"
#include "views/framework/document/kept_tensors.h"
#include "views/framework/document/report_document.h"
#include "views/framework/document/selection.h"

namespace ulp::views {

class Background;

/// Why there is no pair of tensors to look at, for people.
struct TensorPairProblem {
  enum class Kind : std::uint8_t {
    NoSelection,   ///< no variant or no tensor is selected
    NoTensors,     ///< the study kept none
    NotCaptured,   ///< it kept others
    Unreadable,    ///< a file is gone or damaged
    NotComparable  ///< the shapes differ
  };
  Kind kind = Kind::NoSelection;
  QString title;
  QString text;  ///< what happened and what to do
};

/// A pair of tensors, or why there is none to look at.
struct TensorPairAnswer {
  analysis::TensorPairPtr pair;  ///< null: `problem` says why
  TensorPairProblem problem{};
};

/// Opens the captured tensors of a report once, off the GUI thread, and finds in them the tensors
/// that are selected; of a comparison of dumps it finds them in the dumps, and of one dump both
/// tensors of the pair are the same. Every request is
/// answered by one of the two signals unless a newer one replaces it. A pair whose file became
/// shorter while it was read is taken back by pairMissing().
class TensorPairSource : public QObject {
  Q_OBJECT

 public:
  explicit TensorPairSource(Background& background, QObject* parent = nullptr);

  /// Another report, or a newer state of the same: files are opened again.
  void setReport(const DocumentPtr& document);
  /// The tensor {site, pass} of the current variant and of its baseline.
  void request(const Selection& selection);

 Q_SIGNALS:
  void pairReady(const ulp::analysis::TensorPairPtr& pair);
  void pairMissing(const ulp::views::TensorPairProblem& problem);

 private:
  void receive(const TensorPairAnswer& answer);
  void checkGiven();

  Background& m_background;
  QString m_tag;
  DocumentPtr m_document;
  std::shared_ptr<KeptTensors> m_tensors;
  analysis::TensorPairPtr m_given;  ///< watched until its file turns out to be damaged
  QTimer m_watch{this};
};

/// Two runs whose tensors belong together.
struct PairedRuns {
  QString reference;
  QString variant;
};

/// Reads the elements of a tensor of two runs of a document: in the dumps that it compares, else as
/// they were kept. Opens files where that has not been done; takes as long as that takes.
[[nodiscard]] TensorPairAnswer readTensorPair(KeptTensors& tensors,
                                              const PairedRuns& runs,
                                              const Site& site,
                                              const std::stop_token& stop);

/// Reads the elements of a tensor of a comparison of dumps, the one of `place`. Opens the dumps
/// where that has not been done; takes as long as that takes. `shown`: the tensor as the document
/// calls it. `place.dumps` must not be null.
[[nodiscard]] TensorPairAnswer readDumpPair(const CaptureOrigin& place,
                                            const Site& shown,
                                            const std::stop_token& stop);

/// Why the dumps of a comparison cannot be asked, for people: what happened, where they were, and
/// what to do.
[[nodiscard]] TensorPairProblem dumpsProblem(const Error& error, const report::DumpOrigin& origin);

}  // namespace ulp::views
