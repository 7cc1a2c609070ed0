#include "views/framework/words/wrapped_text.h"

#include <algorithm>
#include <utility>

#include "views/framework/words/elided_text.h"

namespace ulp::views {
namespace {

/// "1.89 %" stays together.
bool isWordEnd(const QString& text, qsizetype at) {
  return text.at(at) == u'\n' ||
         (text.at(at) == u' ' && (at + 1 >= text.size() || text.at(at + 1) != u'%'));
}

/// Tells whether a line may end behind a character within a word.
bool isPartEnd(const QString& word, qsizetype at) {
  const QChar letter = word.at(at);
  return QStringLiteral("._/,;:-[(=").contains(letter) && !isOfNumber(word, at) &&
         !(letter == u'-' && at + 1 < word.size() && word.at(at + 1).isDigit());
}

/// What ends where `isEnd` says so, with the character at which it does.
QStringList cutAt(const QString& text, bool (*isEnd)(const QString& text, qsizetype at)) {
  QStringList parts;
  qsizetype from = 0;
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (isEnd(text, i)) {
      parts << text.mid(from, i + 1 - from);
      from = i + 1;
    }
  }
  if (from < text.size()) {
    parts << text.mid(from);
  }
  return parts;
}

/// How many characters of a part fit; a number stays whole where anything else can break. At least
/// one.
qsizetype fittingLength(const QString& part, const QFontMetricsF& metrics, double width) {
  qsizetype length = 1;
  double filled = 0;
  for (; length < part.size(); ++length) {
    filled = metrics.horizontalAdvance(part.left(length + 1));
    if (filled > width) {
      break;
    }
  }
  qsizetype whole = length;
  while (whole > 0 && isOfNumber(part, whole - 1) && isOfNumber(part, whole)) {
    --whole;
  }
  return whole > 0 ? whole : length;
}

QString trimmedEnd(QString line) {
  while (line.endsWith(u' ') || line.endsWith(u'\n')) {
    line.chop(1);
  }
  return line;
}

/// Lines that are being filled.
class Wrapping {
 public:
  Wrapping(const QFontMetricsF& metrics, double width) : m_metrics(metrics), m_width(width) {}

  void addWord(const QString& word) {
    // A long name begins on a line that is less than half full, rather than leaving it empty.
    if (fits(m_line + word)) {
      m_line += word;
    } else if (fits(word) && m_metrics.horizontalAdvance(m_line) > m_width / 2) {
      endLine();
      m_line = word;
    } else {
      for (const QString& part : cutAt(word, isPartEnd)) {
        addPart(part);
      }
    }
    if (word.endsWith(u'\n')) {
      endLine();
    }
  }
  [[nodiscard]] QStringList take() {
    if (!m_line.isEmpty() || m_lines.isEmpty()) {
      endLine();
    }
    return std::move(m_lines);
  }

 private:
  [[nodiscard]] bool fits(const QString& text) const {
    return m_metrics.horizontalAdvance(trimmedEnd(text)) <= m_width;
  }
  void endLine() {
    m_lines << trimmedEnd(m_line);
    m_line.clear();
  }
  void addPart(QString part) {
    if (!m_line.isEmpty() && !fits(m_line + part)) {
      endLine();
    }
    while (!fits(part) && part.size() > 1) {
      m_line = part.left(fittingLength(part, m_metrics, m_width));
      part.remove(0, m_line.size());
      endLine();
    }
    m_line += part;
  }

  const QFontMetricsF& m_metrics;
  double m_width;
  QStringList m_lines;
  QString m_line;
};

}  // namespace

QStringList wrappedText(const QString& text, const QFontMetricsF& metrics, double width) {
  if (!text.contains(u'\n') && metrics.horizontalAdvance(text) <= width) {
    return {text};
  }
  Wrapping wrapping(metrics, width);
  for (const QString& word : cutAt(text, isWordEnd)) {
    wrapping.addWord(word);
  }
  return wrapping.take();
}

double widestPart(const QString& text, const QFontMetricsF& metrics) {
  double widest = 0;
  for (const QString& word : cutAt(text, isWordEnd)) {
    for (const QString& part : cutAt(word, isPartEnd)) {
      widest = std::max(widest, metrics.horizontalAdvance(trimmedEnd(part)));
    }
  }
  return widest;
}

double widestWord(const QString& text, const QFontMetricsF& metrics) {
  double widest = 0;
  for (const QString& word : cutAt(text, isWordEnd)) {
    widest = std::max(widest, metrics.horizontalAdvance(trimmedEnd(word)));
  }
  return widest;
}

}  // namespace ulp::views
