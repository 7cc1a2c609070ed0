#pragma once

#include <cstdint>
#include <vector>

#include <QtCore/QJsonObject>
#include <QtCore/QMetaType>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/base/site.h"

namespace ulp::views {

/// What views show of a run.
enum class Relation : std::uint8_t {
  Error,       ///< its error against the baseline
  Difference,  ///< its error less that of the baseline, both against the reference
  Ratio        ///< its error as a multiple of that of the baseline
};

/// Which rows charts and tables show.
enum class PassFilter : std::uint8_t {
  ForwardBackward,
  Forward,
  Backward,
  ParameterGradient,
  Optimizer,
  All
};

[[nodiscard]] bool accepts(PassFilter filter, Pass pass);
/// The filter that shows a pass among what belongs to it.
[[nodiscard]] PassFilter filterOf(Pass pass);
/// The filter of what has an axis of layers, on which parameters stand alone: of all passes forward
/// and backward.
[[nodiscard]] PassFilter onAxis(PassFilter filter);

/// What the user looks at, shared by all views. A value: copied, compared, kept in the history.
struct Selection {
  QString baseline;  ///< what runs are compared with; empty: the reference of the report
  Relation relation = Relation::Error;
  QString noise;              ///< variant below whose errors nothing means anything; empty: none
  QStringList runs;           ///< selected variants, the current one first; empty: none
  QString site;               ///< row name of the current tensor; empty: none
  Pass pass = Pass::Forward;  ///< of the current tensor
  QString metric;             ///< id of the metric that charts and summaries show
  PassFilter shown = PassFilter::ForwardBackward;
  QString slice;                      ///< of the current tensor, as NumPy writes it; empty: all
  std::vector<std::int64_t> element;  ///< position in the current tensor; empty: none

  [[nodiscard]] QString run() const { return runs.isEmpty() ? QString() : runs.front(); }
  friend bool operator==(const Selection&, const Selection&) = default;
};

/// A selection as it is written to files of the window: session, bookmarks.
[[nodiscard]] QJsonObject toJson(const Selection& selection);
/// What cannot be read is as in a fresh selection.
[[nodiscard]] Selection selectionFromJson(const QJsonObject& json);

/// A point under the mouse, shown by every linked view and in words in the status bar.
struct Hover {
  QString run;  ///< may be empty: the whole row
  QString site;
  Pass pass = Pass::Forward;

  [[nodiscard]] bool isEmpty() const { return site.isEmpty(); }
  friend bool operator==(const Hover&, const Hover&) = default;
};

}  // namespace ulp::views

Q_DECLARE_METATYPE(ulp::views::Selection)
Q_DECLARE_METATYPE(ulp::views::Hover)
