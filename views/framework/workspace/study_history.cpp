#include "views/framework/workspace/study_history.h"

#include <algorithm>
#include <utility>

namespace ulp::views {
namespace {

constexpr int kMergeMs = 2000;

}  // namespace

StudyEdit::StudyEdit(
    QString before, QString after, const QString& step, EditMerge merge, Apply apply)
    : QUndoCommand(step),
      m_before(std::move(before)),
      m_after(std::move(after)),
      m_merge(std::move(merge)),
      m_apply(std::move(apply)) {
  m_age.start();
}

bool StudyEdit::mergeWith(const QUndoCommand* other) {
  const auto* next = dynamic_cast<const StudyEdit*>(other);
  if (next == nullptr || next->m_merge.id != m_merge.id || next->text() != text() ||
      m_age.hasExpired(kMergeMs) || next->m_before != m_after) {
    return false;
  }
  if (m_merge.isTyping && !continuesTyping(changeBetween(m_before, m_after),
                                           changeBetween(next->m_before, next->m_after))) {
    return false;
  }
  m_after = next->m_after;
  m_age.restart();
  setObsolete(m_after == m_before);
  return true;
}

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
