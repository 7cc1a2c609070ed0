#pragma once

#include <functional>
#include <optional>

#include <QtCore/QString>
#include <QtCore/QStringList>

namespace ulp::views {

/// A comparison in a line that filters rows: `rms_rel > 5`, `nan>0`, `"RMS rel" <= 3 %`.
struct FilterComparison {
  QString name;                                 ///< of the value, without quotes
  QString written;                              ///< what it is compared with
  std::optional<double> number;                 ///< the same; nothing: it is no number
  std::function<bool(double, double)> compare;  ///< the value with the number

  /// Tells whether a value fulfils it; NaN, a value that does not exist, fulfils nothing, not even
  /// that it is another one. There is a number.
  [[nodiscard]] bool holdsFor(double value) const;
};

/// Hands the comparisons of a line to `take`, in their order, and returns the line without those
/// that it takes: a name may have such signs in it.
[[nodiscard]] QString takeComparisons(const QString& text,
                                      const std::function<bool(const FilterComparison&)>& take);

/// The words of a line, of which one may have blanks between quotes; a quote without another one is
/// a letter.
[[nodiscard]] QStringList filterWords(const QString& text);

}  // namespace ulp::views
