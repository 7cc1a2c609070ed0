#pragma once

#include <vector>

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace ulp::views {

/// A heading of a document for printing, and where it stands.
struct PdfBookmark {
  QString title;
  int page = 1;
  double top = 0;  ///< of the heading, in points from the lower edge of its page
};

/// Adds the outline that readers show beside the pages of a PDF as QPdfWriter writes it. As it
/// stands where it is of another form, or where there is no bookmark.
[[nodiscard]] QByteArray withOutline(QByteArray pdf, const std::vector<PdfBookmark>& bookmarks);

}  // namespace ulp::views
