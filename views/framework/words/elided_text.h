#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtGui/QFontMetricsF>

namespace ulp::views {

/// Tells whether a character belongs to a number: a digit, or the point between two of them.
[[nodiscard]] bool isOfNumber(const QString& text, qsizetype at);

/// Shortens a name to `width` pixels by its least telling part: dotted names and paths lose what
/// stands in front, then what stands behind the number of a layer, "…12…q_proj"; other names lose
/// their middle, since they differ at their ends. A number in a name is whole or gone.
[[nodiscard]] QString elidedName(const QString& name, const QFontMetricsF& metrics, double width);

/// Shortens names that stand together, each to `width` pixels. Where elidedName() would make two of
/// them the same, what tells them apart is kept, and what they share is "…": "…common_X…". Of
/// "a = b", two that are equal, each is shortened for itself.
[[nodiscard]] QStringList elidedNames(const QStringList& names,
                                      const QFontMetricsF& metrics,
                                      double width);

/// Shortens facts in a line, "a · b · c", to `width` pixels: paths lose what stands in front,
/// sentences their end or are "…" as a whole, and names are kept longest; the widest first.
[[nodiscard]] QString elidedFacts(const QString& facts, const QFontMetricsF& metrics, double width);

/// Shortens any text of a cell or heading: a number that does not fit is "…" as a whole, of a
/// sentence a dotted name is shortened, else it loses its end, all else is a name.
[[nodiscard]] QString elidedText(const QString& text, const QFontMetricsF& metrics, double width);

/// Gives "…" in place of a number that does not fit: what is left of it would be another number.
[[nodiscard]] QString elidedNumber(const QString& number,
                                   const QFontMetricsF& metrics,
                                   double width);

}  // namespace ulp::views
