#include "views/plugins/study/text/yaml_highlighter.h"

#include <QtCore/QRegularExpression>

namespace ulp::views {

YamlHighlighter::YamlHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {}

void YamlHighlighter::setTheme(const Theme& theme) {
  m_key.setForeground(theme.palette.color(QPalette::Link));
  m_comment.setForeground(theme.dimText);
  rehighlight();
}

qsizetype commentStart(const QString& line) {
  QChar quote;
  for (qsizetype i = 0; i < line.size(); ++i) {
    const QChar c = line[i];
    if (!quote.isNull()) {
      quote = c == quote ? QChar() : quote;
    } else if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
      quote = c;
    } else if (c == QLatin1Char('#') && (i == 0 || line[i - 1].isSpace())) {
      return i;
    }
  }
  return line.size();
}

void YamlHighlighter::highlightBlock(const QString& text) {
  static const QRegularExpression kKey(QStringLiteral(R"(([\w.\-/]+)\s*:(?=\s|$))"));
  const qsizetype comment = commentStart(text);
  auto keys = kKey.globalMatch(text.left(comment));
  while (keys.hasNext()) {
    const auto key = keys.next();
    setFormat(
        static_cast<int>(key.capturedStart(1)), static_cast<int>(key.capturedLength(1)), m_key);
  }
  setFormat(static_cast<int>(comment), static_cast<int>(text.size() - comment), m_comment);
}

}  // namespace ulp::views
