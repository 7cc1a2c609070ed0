#pragma once

#include <algorithm>

#include <QtCore/QStringList>
#include <QtWidgets/QLineEdit>

namespace ulp::views {

/// Makes a line to type in what is looked for; `hint` says what, also to screen readers.
[[nodiscard]] inline QLineEdit* makeSearchLine(const QString& hint, QWidget* parent) {
  auto* line = new QLineEdit(parent);
  line->setPlaceholderText(hint);
  line->setAccessibleName(hint);
  line->setClearButtonEnabled(true);
  return line;
}

/// Tells whether a text contains every word of a query, without regard to case.
[[nodiscard]] inline bool containsWords(const QString& text, const QString& query) {
  return std::ranges::all_of(
      query.simplified().split(u' ', Qt::SkipEmptyParts),
      [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace ulp::views
