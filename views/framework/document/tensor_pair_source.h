#pragma once

#include <cstdint>
#include <memory>

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

/// Opens the captured tensors of a report once, off the GUI thread, and finds in them the tensors
/// that are selected; of a comparison of dumps it finds them in the dumps. Every request is
/// answered by one of the two signals unless a newer one replaces it. A pair whose file became
/// shorter while it was read is taken back by pairMissing().
class TensorPairSource : public QObject {
  Q_OBJECT

 public:
  explicit TensorPairSource(Background& background, QObject* parent = nullptr);

  /// Another report, or a newer state of the same: files are opened again.
  void setReport(const DocumentPtr& document);
  /// The tensor {site, pass} of the reference and of the current variant.
  void request(const Selection& selection);

 Q_SIGNALS:
  void pairReady(const ulp::analysis::TensorPairPtr& pair);
  void pairMissing(const ulp::views::TensorPairProblem& problem);

 private:
  struct Answer;

  void receive(const Answer& answer);
  void checkGiven();
  [[nodiscard]] QString tag() const;

  Background& m_background;
  DocumentPtr m_document;
  std::shared_ptr<KeptTensors> m_tensors;
  analysis::TensorPairPtr m_given;  ///< watched until its file turns out to be damaged
  QTimer m_watch;
};

}  // namespace ulp::views
