#include "app/gui/help/help_page.h"

#include <QtGui/QTextBlock>
#include <QtGui/QTextFrame>
#include <QtGui/QTextTable>

#include "app/gui/help/help_library.h"

namespace ulp::app {
namespace {

constexpr int kPageMargin = 16;
constexpr double kIndent = 20;
constexpr int kTablePadding = 4;

void styleTable(QTextTable& table, const QPalette& palette) {
  QTextTableFormat format = table.format();
  format.setBorder(1);
  format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
  format.setBorderBrush(palette.mid());
  format.setBorderCollapse(true);
  format.setCellSpacing(0);
  format.setCellPadding(kTablePadding);
  format.setTopMargin(kTablePadding);
  format.setBottomMargin(2 * kTablePadding);
  format.setHeaderRowCount(1);
  table.setFormat(format);
  for (int column = 0; column < table.columns(); ++column) {
    QTextTableCell cell = table.cellAt(0, column);
    QTextCharFormat title = cell.format();
    title.setBackground(palette.alternateBase());
    cell.setFormat(title);
  }
}

void styleBlock(const QTextBlock& block, int lineHeight, const QPalette& palette) {
  QTextCursor cursor(block);
  QTextBlockFormat format = block.blockFormat();
  const int level = format.headingLevel();
  if (level > 0) {
    format.setTopMargin(block.position() == 0 ? 0 : lineHeight);
    format.setBottomMargin(lineHeight / 3.0);
    cursor.setBlockFormat(format);
    cursor.select(QTextCursor::BlockUnderCursor);
    QTextCharFormat letters;
    letters.setProperty(QTextFormat::FontSizeAdjustment, level == 1 ? 2 : level == 2 ? 1 : 0);
    cursor.mergeCharFormat(letters);
  } else if (format.hasProperty(QTextFormat::BlockCodeFence) ||
             format.hasProperty(QTextFormat::BlockCodeLanguage)) {
    format.setBackground(palette.alternateBase());
    cursor.setBlockFormat(format);
  }
}

}  // namespace

std::unique_ptr<QTextDocument> makeHelpPage(const QString& markdown,
                                            const QFont& font,
                                            const QPalette& palette) {
  auto page = std::make_unique<QTextDocument>();
  page->setUndoRedoEnabled(false);
  page->setDefaultFont(font);
  page->setDocumentMargin(kPageMargin);
  page->setIndentWidth(kIndent);
  page->setMarkdown(markdown);
  for (QTextFrame* frame : page->rootFrame()->childFrames()) {
    if (auto* table = qobject_cast<QTextTable*>(frame)) {
      styleTable(*table, palette);
    }
  }
  const int lineHeight = QFontMetrics(font).height();
  for (QTextBlock block = page->begin(); block.isValid(); block = block.next()) {
    styleBlock(block, lineHeight, palette);
  }
  return page;
}

QTextCursor findAnchor(QTextDocument& page, const QString& anchor) {
  for (QTextBlock block = page.begin(); block.isValid(); block = block.next()) {
    if (block.blockFormat().headingLevel() > 0 && headingAnchor(block.text()) == anchor) {
      return QTextCursor(block);
    }
  }
  for (QTextFrame* frame : page.rootFrame()->childFrames()) {
    const auto* table = qobject_cast<QTextTable*>(frame);
    for (int row = 1; table != nullptr && row < table->rows(); ++row) {
      const QTextCursor start = table->cellAt(row, 0).firstCursorPosition();
      if (rowAnchors(start.block().text()).contains(anchor)) {
        return start;
      }
    }
  }
  return {};
}

void appendLink(QTextDocument& page, const QString& text, const QString& link) {
  QTextCursor cursor(&page);
  cursor.movePosition(QTextCursor::End);
  QTextBlockFormat block;
  block.setTopMargin(kPageMargin);
  QTextCharFormat format;
  format.setAnchor(true);
  format.setAnchorHref(link);
  format.setForeground(QPalette().link());
  format.setFontUnderline(true);
  cursor.insertBlock(block, {});
  cursor.insertText(text, format);
}

}  // namespace ulp::app
