#pragma once

#include <memory>

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include "core/base/result.h"
#include "core/report/tables/text_table.h"

namespace ulp::views {

class Figure;

/// A document for printing: A4 pages filled from top to bottom, with page numbers. Tables go on
/// over pages and repeat their headings. May be used on any thread.
class PrintedPages {
 public:
  /// `footer` stands at the bottom of each page, beside its number.
  PrintedPages(const QString& title, const QString& footer);
  ~PrintedPages();
  PrintedPages(const PrintedPages&) = delete;
  PrintedPages& operator=(const PrintedPages&) = delete;

  void addTitle(const QString& text);
  /// Stays with what follows it.
  void addHeading(const QString& text);
  void addParagraph(const QString& text);
  /// A line "name  value".
  void addFact(const QString& name, const QString& value);
  /// With its title as heading, and its note. A wide table gets pages in landscape.
  void addTable(const report::TextTable& table);
  /// As wide as the page at most.
  void addFigure(const Figure& figure);

  [[nodiscard]] int pageCount() const;
  /// The document; nothing can be added afterwards. Errors: Internal.
  [[nodiscard]] Result<QByteArray> finish();

 private:
  class Sheet;
  std::unique_ptr<Sheet> m_sheet;
};

}  // namespace ulp::views
