#include "views/framework/workspace/text_change.h"

#include <algorithm>

namespace ulp::views {

TextChange changeBetween(const QString& before, const QString& after) {
  const qsizetype shorter = std::min(before.size(), after.size());
  qsizetype head = 0;
  while (head < shorter && before[head] == after[head]) {
    ++head;
  }
  // A pair of surrogates is one character.
  if (head > 0 && before[head - 1].isHighSurrogate()) {
    --head;
  }
  qsizetype tail = 0;
  while (tail < shorter - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }
  if (tail > 0 && before[before.size() - tail].isLowSurrogate()) {
    --tail;
  }
  return {head,
          before.mid(head, before.size() - head - tail),
          after.mid(head, after.size() - head - tail)};
}

bool continuesTyping(const TextChange& first, const TextChange& next) {
  const bool types = first.removed.isEmpty() && next.removed.isEmpty() &&
                     next.at == first.at + first.inserted.size() &&
                     !next.inserted.contains(QLatin1Char('\n'));
  const bool deletesBack = first.inserted.isEmpty() && next.inserted.isEmpty() &&
                           next.at + next.removed.size() == first.at;
  const bool deletesAhead =
      first.inserted.isEmpty() && next.inserted.isEmpty() && next.at == first.at;
  return types || deletesBack || deletesAhead;
}

QString asShown(const QString& text) {
  QString shown = text;
  shown.replace(QLatin1String("\r\n"), QLatin1String("\n"));
  for (QChar& c : shown) {
    if (c == QLatin1Char('\r') || c == QChar::ParagraphSeparator || c == QChar::LineSeparator) {
      c = QLatin1Char('\n');
    } else if (c == QChar::Nbsp) {
      c = QLatin1Char(' ');
    }
  }
  return shown;
}

QString withShownEdit(const QString& text, const QString& shown) {
  const TextChange change = changeBetween(asShown(text), shown);
  if (change.isEmpty()) {
    return text;
  }
  // A line end of two characters is one where it is shown.
  const auto behind = [&text](qsizetype from, qsizetype steps) {
    for (; steps > 0 && from < text.size(); --steps) {
      const bool isPair = text[from] == QLatin1Char('\r') && from + 1 < text.size() &&
                          text[from + 1] == QLatin1Char('\n');
      from += isPair ? 2 : 1;
    }
    return from;
  };
  const qsizetype begin = behind(0, change.at);
  const qsizetype end = behind(begin, change.removed.size());
  QString inserted = change.inserted;
  const qsizetype newline = text.indexOf(QLatin1Char('\n'));
  if (newline > 0 && text[newline - 1] == QLatin1Char('\r')) {
    inserted.replace(QLatin1String("\n"), QLatin1String("\r\n"));
  }
  return text.left(begin) + inserted + text.mid(end);
}

}  // namespace ulp::views
