#pragma once

#include <string>
#include <utility>
#include <vector>

#include <QtCore/QBuffer>
#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtGui/QPageLayout>
#include <QtGui/QPainter>
#include <QtGui/QPdfWriter>

#include "core/base/result.h"
#include "core/report/tables/text_table.h"
#include "views/framework/exports/pdf_outline.h"

namespace ulp::views {

class Figure;
struct TableLayout;

/// A document for printing: A4 pages filled from top to bottom, with page numbers, and an outline
/// of the headings. Tables go on over pages and repeat their headings. May be used on any thread.
class PrintedPages {
 public:
  /// `footer` stands at the bottom of each page, beside its number.
  PrintedPages(const QString& title, QString footer);

  void addTitle(const QString& text);
  void addParagraph(const QString& text);
  /// Lines "name  value", of which the values stand below each other.
  void addFacts(const std::vector<std::pair<std::string, std::string>>& facts);
  /// With its title as heading, and its note; both stay with the first rows. Rows are never split,
  /// and a small table stands on one page. A wide table gets pages in landscape, one that is wider
  /// still follows in parts of some columns each.
  void addTable(const report::TextTable& table);
  /// As wide as the page at most.
  void addFigure(const Figure& figure);

  [[nodiscard]] int pageCount() const { return m_page; }
  /// The document; nothing can be added afterwards. Errors: Internal.
  [[nodiscard]] Result<QByteArray> finish();

 private:
  QIODevice* openBuffer();
  void beginPage();
  void newPage();
  /// What follows stands on pages of this orientation.
  void setOrientation(QPageLayout::Orientation orientation);
  [[nodiscard]] double portraitWidth() const;
  [[nodiscard]] double landscapeWidth() const;
  /// Begins a page where less room than that is left.
  void need(double height);
  /// A heading and a note; the page goes on with at least `next` below them.
  void addHeading(const QString& text, const QString& note, double next);
  /// The rows of a table, on as many pages as they take.
  void addRows(const report::TextTable& table, const TableLayout& layout);
  void paintText(const QString& text, const QFont& font, const QColor& color, double left = 0);
  void paintFooter();
  /// What comes next is found by this title.
  void addBookmark(const QString& title);

  QString m_footer;
  QByteArray m_bytes;
  QBuffer m_buffer;
  QPdfWriter m_writer;
  QPainter m_painter;
  double m_width = 0;   ///< of the page that is being filled, in units of 1/96 inch
  double m_height = 0;  ///< without the footer
  double m_y = 0;       ///< down to where it is filled, from the top margin
  int m_page = 1;
  std::vector<PdfBookmark> m_bookmarks;
  bool m_isOpen = false;
};

}  // namespace ulp::views
