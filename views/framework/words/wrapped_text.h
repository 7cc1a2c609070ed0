#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtGui/QFontMetricsF>

namespace ulp::views {

/// Breaks a text into lines of at most `width` pixels: at blanks, then behind the separators of
/// names ("model.layers.3." / "self_attn"), then anywhere but within a number. Nothing is lost but
/// the blanks at which lines end.
[[nodiscard]] QStringList wrappedText(const QString& text,
                                      const QFontMetricsF& metrics,
                                      double width);

/// Width of the longest word of a text.
[[nodiscard]] double widestWord(const QString& text, const QFontMetricsF& metrics);

/// Width of the longest part of a text that wrappedText() keeps whole where it can.
[[nodiscard]] double widestPart(const QString& text, const QFontMetricsF& metrics);

}  // namespace ulp::views
