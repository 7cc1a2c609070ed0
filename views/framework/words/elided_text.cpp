#include "views/framework/words/elided_text.h"

#include <algorithm>

#include <QtCore/QStringList>

namespace ulp::views {
namespace {

const QChar kEllipsis(0x2026);

/// Takes the rest of a number away that was cut at the ellipsis of `shortened`.
QString withoutCutNumbers(const QString& shortened, const QString& whole) {
  const qsizetype at = shortened.indexOf(kEllipsis);
  if (at < 0) {
    return shortened;
  }
  QString head = shortened.left(at);
  QString tail = shortened.mid(at + 1);
  if (isOfNumber(whole, head.size())) {
    while (isOfNumber(whole, head.size() - 1)) {
      head.chop(1);
    }
  }
  if (isOfNumber(whole, whole.size() - tail.size() - 1)) {
    while (isOfNumber(whole, whole.size() - tail.size())) {
      tail.remove(0, 1);
    }
  }
  return head + kEllipsis + tail;
}

bool isNumber(const QString& part) {
  return !part.isEmpty() &&
         std::ranges::all_of(part, [](QChar letter) { return letter.isDigit(); });
}

/// The parts of a dotted name or of a path; a point between digits is one of a number.
QStringList partsOf(const QString& name, QChar separator) {
  QStringList parts{QString()};
  for (qsizetype i = 0; i < name.size(); ++i) {
    if (name.at(i) == separator && !isOfNumber(name, i)) {
      parts << QString();
    } else {
      parts.back() += name.at(i);
    }
  }
  return parts;
}

/// Shorter forms of a name of several parts, each less telling than the one before.
QStringList shorterForms(const QStringList& parts, QChar separator) {
  const auto last = parts.size() - 1;
  qsizetype layer = last - 1;
  while (layer >= 0 && !isNumber(parts[layer])) {
    --layer;
  }
  const auto from = [&](qsizetype part) { return parts.mid(part).join(separator); };
  QStringList forms;
  for (qsizetype part = 1; part <= std::max<qsizetype>(layer, 0); ++part) {
    forms << kEllipsis + from(part);
  }
  for (qsizetype part = layer + 2; part <= last; ++part) {
    forms << (layer < 0 ? kEllipsis + from(part)
                        : kEllipsis + parts[layer] + kEllipsis + from(part));
  }
  forms << kEllipsis + parts[last];
  return forms;
}

}  // namespace

bool isOfNumber(const QString& text, qsizetype at) {
  const auto isDigit = [&text](qsizetype place) {
    return place >= 0 && place < text.size() && text.at(place).isDigit();
  };
  return isDigit(at) ||
         (at >= 0 && at < text.size() && text.at(at) == u'.' && isDigit(at - 1) && isDigit(at + 1));
}

QString elidedName(const QString& name, const QFontMetricsF& metrics, double width) {
  if (metrics.horizontalAdvance(name) <= width) {
    return name;
  }
  const QChar separator = name.contains(u'/') ? u'/' : u'.';
  const QStringList parts = partsOf(name, separator);
  QString shown = name;
  if (parts.size() > 1) {
    const QStringList forms = shorterForms(parts, separator);
    // Names of others may have thousands of parts: not each form is measured.
    const auto fits = std::ranges::partition_point(
        forms, [&](const QString& form) { return metrics.horizontalAdvance(form) > width; });
    if (fits != forms.end()) {
      return *fits;
    }
    shown = parts.back();
  }
  return withoutCutNumbers(metrics.elidedText(shown, Qt::ElideMiddle, width), shown);
}

QString elidedText(const QString& text, const QFontMetricsF& metrics, double width) {
  if (metrics.horizontalAdvance(text) <= width) {
    return text;
  }
  bool isOneNumber = false;
  text.trimmed().toDouble(&isOneNumber);
  if (isOneNumber) {
    return elidedNumber(text, metrics, width);
  }
  return text.contains(u' ')
             ? withoutCutNumbers(metrics.elidedText(text, Qt::ElideRight, width), text)
             : elidedName(text, metrics, width);
}

QString elidedNumber(const QString& number, const QFontMetricsF& metrics, double width) {
  return metrics.horizontalAdvance(number) <= width ? number : QString(kEllipsis);
}

}  // namespace ulp::views
