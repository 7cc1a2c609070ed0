#include "views/framework/exports/pdf_outline.h"

#include <iterator>
#include <optional>
#include <utility>

#include <QtCore/QRegularExpression>

/// QPdfWriter knows no outline. It is appended as an incremental update (ISO 32000-1, 7.5.6): the
/// bytes before it stay as they are.
namespace ulp::views {
namespace {

/// "12" of "/Root 12 0 R" or "/Size 12"; nothing: there is none.
std::optional<qsizetype> numberBehind(const QByteArray& text, const QByteArray& key) {
  const qsizetype at = text.indexOf(key + ' ');
  if (at < 0) {
    return std::nullopt;
  }
  const qsizetype from = at + key.size() + 1;
  qsizetype end = from;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') {
    ++end;
  }
  bool isNumber = false;
  const qsizetype number = text.mid(from, end - from).toLongLong(&isNumber);
  return isNumber ? std::optional(number) : std::nullopt;
}

/// The table of objects at the end of a document, and what its trailer says.
class Objects {
 public:
  explicit Objects(const QByteArray& pdf) : m_pdf(pdf) {
    const qsizetype last = pdf.lastIndexOf("startxref\n");
    const qsizetype trailer = pdf.lastIndexOf("trailer\n");
    if (last < 0 || trailer < 0) {
      return;
    }
    bool isNumber = false;
    const QByteArray at = pdf.mid(last + qsizetype(sizeof("startxref\n")) - 1);
    m_table = at.left(at.indexOf('\n')).toLongLong(&isNumber);
    m_trailer = pdf.mid(trailer, last - trailer);
    m_entries = pdf.indexOf('\n', pdf.indexOf('\n', m_table) + 1) + 1;
    m_isKnown = isNumber && pdf.mid(m_table, 7) == "xref\n0 " && m_entries > 0;
  }

  [[nodiscard]] bool isKnown() const { return m_isKnown; }
  [[nodiscard]] qsizetype table() const { return m_table; }
  [[nodiscard]] std::optional<qsizetype> inTrailer(const char* key) const {
    return numberBehind(m_trailer, key);
  }
  /// "<< … >>"; empty: there is no such object.
  [[nodiscard]] QByteArray object(qsizetype number) const {
    constexpr qsizetype kEntry = 20;
    constexpr qsizetype kOffset = 10;
    const qsizetype at = m_pdf.mid(m_entries + kEntry * number, kOffset).toLongLong();
    const QByteArray head = QByteArray::number(number) + " 0 obj\n";
    if (m_pdf.mid(at, head.size()) != head) {
      return {};
    }
    const qsizetype from = at + head.size();
    return m_pdf.mid(from, m_pdf.indexOf("endobj", from) - from);
  }

 private:
  const QByteArray& m_pdf;
  QByteArray m_trailer;
  qsizetype m_table = 0;
  qsizetype m_entries = 0;
  bool m_isKnown = false;
};

/// Numbers of the objects that are pages, in order.
std::vector<qsizetype> pagesOf(const QByteArray& tree) {
  static const QRegularExpression kReference(QStringLiteral("(\\d+) 0 R"));
  const qsizetype from = tree.indexOf('[', tree.indexOf("/Kids"));
  const QString kids = QString::fromLatin1(tree.mid(from, tree.indexOf(']', from) - from));
  std::vector<qsizetype> pages;
  for (auto matches = kReference.globalMatch(kids); matches.hasNext();) {
    pages.push_back(matches.next().captured(1).toLongLong());
  }
  return pages;
}

QByteArray reference(qsizetype number) {
  return QByteArray::number(number) + " 0 R";
}

QByteArray textOf(const QString& text) {
  QByteArray hex = "<FEFF";
  for (const QChar unit : text) {
    hex += QByteArray::number(unit.unicode(), 16).rightJustified(4, '0');
  }
  return hex + '>';
}

/// Writes objects behind a document.
class Update {
 public:
  explicit Update(QByteArray pdf) : m_pdf(std::move(pdf)) {}

  void add(qsizetype number, const QByteArray& content) {
    m_table += QByteArray::number(number) + " 1\n" +
               QByteArray::number(m_pdf.size()).rightJustified(10, '0') + " 00000 n \n";
    m_pdf += QByteArray::number(number) + " 0 obj\n" + content + "\nendobj\n";
  }
  [[nodiscard]] QByteArray finish(const QByteArray& trailer) && {
    const qsizetype table = m_pdf.size();
    return m_pdf + "xref\n" + m_table + "trailer\n<<\n" + trailer + ">>\nstartxref\n" +
           QByteArray::number(table) + "\n%%EOF\n";
  }

 private:
  QByteArray m_pdf;
  QByteArray m_table;
};

}  // namespace

QByteArray withOutline(QByteArray pdf, const std::vector<PdfBookmark>& bookmarks) {
  const Objects objects(pdf);
  const auto root = objects.inTrailer("/Root");
  const auto size = objects.inTrailer("/Size");
  const auto info = objects.inTrailer("/Info");
  if (bookmarks.empty() || !objects.isKnown() || !root || !size || !info) {
    return pdf;
  }
  QByteArray catalog = objects.object(*root);
  const auto tree = numberBehind(catalog, "/Pages");
  const std::vector<qsizetype> pages =
      tree ? pagesOf(objects.object(*tree)) : std::vector<qsizetype>();
  const qsizetype begin = catalog.indexOf("<<");
  for (const PdfBookmark& bookmark : bookmarks) {
    if (bookmark.page < 1 || bookmark.page > std::ssize(pages) || begin < 0) {
      return pdf;
    }
  }
  const qsizetype outline = *size;
  const qsizetype first = outline + 1;
  const qsizetype last = outline + std::ssize(bookmarks);
  catalog.insert(begin + 2, "\n/Outlines " + reference(outline) + "\n/PageMode /UseOutlines");
  const QByteArray trailer = "/Size " + QByteArray::number(last + 1) + "\n/Info " +
                             reference(*info) + "\n/Root " + reference(*root) + "\n/Prev " +
                             QByteArray::number(objects.table()) + "\n";
  Update update(std::move(pdf));
  update.add(*root, catalog.trimmed());
  update.add(outline,
             "<<\n/Type /Outlines\n/First " + reference(first) + "\n/Last " + reference(last) +
                 "\n/Count " + QByteArray::number(std::ssize(bookmarks)) + "\n>>");
  for (std::size_t i = 0; i < bookmarks.size(); ++i) {
    const PdfBookmark& bookmark = bookmarks[i];
    const qsizetype number = first + static_cast<qsizetype>(i);
    update.add(number,
               "<<\n/Title " + textOf(bookmark.title) + "\n/Parent " + reference(outline) +
                   (number > first ? "\n/Prev " + reference(number - 1) : QByteArray()) +
                   (number < last ? "\n/Next " + reference(number + 1) : QByteArray()) +
                   "\n/Dest [" + reference(pages[static_cast<std::size_t>(bookmark.page - 1)]) +
                   " /XYZ null " + QByteArray::number(bookmark.top, 'f', 1) + " null]\n>>");
  }
  return std::move(update).finish(trailer);
}

}  // namespace ulp::views
