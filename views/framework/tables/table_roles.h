#pragma once

#include <QtCore/qnamespace.h>

namespace ulp::views {

/// What cells of every table say beyond Qt's own roles. Models know no colour: CellDelegate turns
/// these into one.
enum TableRole : int {
  SortRole = Qt::UserRole + 1,  ///< number or text to sort by; a NaN goes last in both directions
  RawRole,                      ///< exact text, as it goes to the clipboard
  DimRole,                      ///< bool: secondary, missing, or within the noise
  EmphasisRole,                 ///< bool: the one cell to look at
  SeverityRole,                 ///< int(Severity): colour of the glyph that the text begins with
  NonFiniteRole,                ///< bool: counts elements that are not numbers
  VariantRole,                  ///< int: style index of the variant whose sample precedes the text
  ProgressRole,                 ///< double, 0 … 1: painted as a bar behind the text
  GroupRole,                    ///< header: title of the group that the column belongs to
  SparklineRole,                ///< SparklinePtr: drawn in place of text
  IntervalRole                  ///< exact text of the half interval of a mean, as it is copied
};

}  // namespace ulp::views
