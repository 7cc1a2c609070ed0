#pragma once

#include <memory>

#include <QtCore/QString>
#include <QtGui/QFont>
#include <QtGui/QPalette>
#include <QtGui/QTextCursor>
#include <QtGui/QTextDocument>

namespace ulp::app {

/// Lays out a page of Markdown in a widget's font and colours, with lines around the cells of
/// tables.
[[nodiscard]] std::unique_ptr<QTextDocument> makeHelpPage(const QString& markdown,
                                                          const QFont& font,
                                                          const QPalette& palette);
/// The heading or the first cell of the row that an anchor names; a null cursor: the page has
/// neither.
[[nodiscard]] QTextCursor findAnchor(QTextDocument& page, const QString& anchor);
/// Puts a link behind all that the page holds.
void appendLink(QTextDocument& page, const QString& text, const QString& link);

}  // namespace ulp::app
