#pragma once

#include <QtGui/QSyntaxHighlighter>

#include "views/framework/look/theme.h"

namespace ulp::views {

/// Sets keys apart from values and comments, and marks lines with errors.
class YamlHighlighter : public QSyntaxHighlighter {
  Q_OBJECT

 public:
  explicit YamlHighlighter(QTextDocument* document);

  void setTheme(const Theme& theme);

 protected:
  void highlightBlock(const QString& text) override;

 private:
  QTextCharFormat m_key;
  QTextCharFormat m_comment;
};

/// Where the comment of a line begins (a '#' outside quotes, at the start or behind a space), or
/// the line's length.
[[nodiscard]] qsizetype commentStart(const QString& line);

}  // namespace ulp::views
