#include "views/framework/words/filter_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QtCore/QRegularExpression>

namespace ulp::views {
namespace {

struct Comparator {
  const char* sign;
  std::function<bool(double, double)> holds;
};

const std::vector<Comparator>& comparators() {
  static const std::vector<Comparator> kComparators{{"<=", std::less_equal<>()},
                                                    {"≤", std::less_equal<>()},
                                                    {">=", std::greater_equal<>()},
                                                    {"≥", std::greater_equal<>()},
                                                    {"!=", std::not_equal_to<>()},
                                                    {"≠", std::not_equal_to<>()},
                                                    {"==", std::equal_to<>()},
                                                    {"=", std::equal_to<>()},
                                                    {"<", std::less<>()},
                                                    {">", std::greater<>()}};
  return kComparators;
}

/// Name, sign and number of a comparison.
const QRegularExpression& comparisonPattern() {
  static const QRegularExpression kPattern = [] {
    QStringList signs;
    for (const Comparator& comparator : comparators()) {
      signs << QString::fromUtf8(comparator.sign);
    }
    return QRegularExpression(
        QStringLiteral("(?<!\\S)(\"[^\"]*\"|[^\\s<>=!≤≥≠:\"]+)\\s*(%1)\\s*(\\S+(?:\\s+%)?)")
            .arg(signs.join(u'|')));
  }();
  return kPattern;
}

QString withoutQuotes(QString text) {
  static const QRegularExpression kQuoted(QStringLiteral("\"([^\"]*)\""));
  return text.replace(kQuoted, QStringLiteral("\\1"));
}

std::optional<double> parsedNumber(QString text) {
  if (text.endsWith(u'%')) {
    text.chop(1);
  }
  bool isNumber = false;
  const double number = text.trimmed().toDouble(&isNumber);
  return isNumber ? std::optional(number) : std::nullopt;
}

}  // namespace

bool FilterComparison::holdsFor(double value) const {
  return !std::isnan(value) && compare(value, *number);
}

QString takeComparisons(const QString& text,
                        const std::function<bool(const FilterComparison&)>& take) {
  QString rest;
  qsizetype end = 0;
  auto found = comparisonPattern().globalMatch(text);
  while (found.hasNext()) {
    const QRegularExpressionMatch match = found.next();
    const auto comparator = std::ranges::find_if(comparators(), [&](const Comparator& one) {
      return QString::fromUtf8(one.sign) == match.captured(2);
    });
    if (take({.name = withoutQuotes(match.captured(1)),
              .written = match.captured(3),
              .number = parsedNumber(match.captured(3)),
              .compare = comparator->holds})) {
      rest += text.mid(end, match.capturedStart() - end) + u' ';
      end = match.capturedEnd();
    }
  }
  return rest + text.mid(end);
}

QStringList filterWords(const QString& text) {
  static const QRegularExpression kWord(QStringLiteral("(?:\"[^\"]*\"|\\S)+"));
  QStringList words;
  for (const QRegularExpressionMatch& match : kWord.globalMatch(text)) {
    words << withoutQuotes(match.captured());
  }
  words.removeAll(QString());
  return words;
}

}  // namespace ulp::views
