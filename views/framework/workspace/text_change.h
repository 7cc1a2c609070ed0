#pragma once

#include <QtCore/QString>

namespace ulp::views {

/// What makes one text another: at `at`, `removed` gives way to `inserted`. The smallest such
/// change, so that cursors and scroll positions outside it stay.
struct TextChange {
  qsizetype at = 0;
  QString removed;
  QString inserted;

  [[nodiscard]] bool isEmpty() const { return removed.isEmpty() && inserted.isEmpty(); }
};

[[nodiscard]] TextChange changeBetween(const QString& before, const QString& after);

/// `next` goes on with the typing or deleting of `first`: one step back should undo both.
[[nodiscard]] bool continuesTyping(const TextChange& first, const TextChange& next);

/// A text as a QPlainTextEdit gives it back: every line end is '\n', every no-break space a space.
[[nodiscard]] QString asShown(const QString& text);
/// `text` after its shown form was edited to `shown`: what the edit did not touch keeps its line
/// ends and spaces; new lines end as the text's first line does.
[[nodiscard]] QString withShownEdit(const QString& text, const QString& shown);

}  // namespace ulp::views
