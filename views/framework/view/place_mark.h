#pragma once

#include <cstdint>

#include <QtCore/QRect>
#include <QtCore/QString>

#include "core/base/site.h"

namespace ulp::views {

/// Where a view marks the selected tensor.
struct PlaceMark {
  QString site;  ///< that is drawn there: the selected tensor, or its layer where that is not drawn
  Pass pass = Pass::Forward;
  QString run;     ///< whose number is marked; empty: of no run in particular
  QString metric;  ///< id of the number that is marked; empty: of no metric in particular
  QRect area;      ///< in the view; what is seen of the mark, never empty
};

/// Whether a view shows the tensor that it was asked for.
enum class Sight : std::uint8_t {
  Seen,
  Awaited,  ///< what it is drawn from is still being read
  Absent    ///< it has no place for that tensor
};

}  // namespace ulp::views
