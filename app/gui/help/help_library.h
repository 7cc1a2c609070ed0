#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <QtCore/QString>
#include <QtCore/QStringList>

namespace ulp::app {

/// Where something stands in the documentation.
struct HelpPlace {
  QString document;  ///< below docs: "guide/views.md"
  /// Of a heading, as GitHub makes it, or what begins the row of a table: "rms_rel". Empty: the
  /// start.
  QString anchor{};
};

/// What is shown at once of a document: a section, or a part of one that is long, so that no page
/// takes long to lay out.
struct HelpPage {
  QString title;
  bool isContinued = false;  ///< goes on with the section of the page before
  QString text;              ///< Markdown, without pictures
};

struct HelpDocument {
  QString path;  ///< as in HelpPlace
  QString title;
  std::vector<HelpPage> pages;
};

/// A page, by the numbers of its document and of the page in it.
struct HelpPosition {
  std::size_t document = 0;
  std::size_t page = 0;

  [[nodiscard]] bool operator==(const HelpPosition&) const = default;
};

/// The documentation that is compiled into the program.
class HelpLibrary {
 public:
  /// Reads every Markdown file below `folder`.
  explicit HelpLibrary(const QString& folder = QStringLiteral(":/docs"));

  /// Those of the guide come first, the descriptions of file formats last.
  [[nodiscard]] const std::vector<HelpDocument>& documents() const { return m_documents; }
  [[nodiscard]] const HelpDocument& document(HelpPosition at) const {
    return m_documents[at.document];
  }
  [[nodiscard]] const HelpPage& page(HelpPosition at) const {
    return m_documents[at.document].pages[at.page];
  }
  /// The page that holds the place; nothing: there is no such document, or no such anchor in it.
  [[nodiscard]] std::optional<HelpPosition> find(const HelpPlace& place) const;
  /// The pages that hold every word, those that are called so first.
  [[nodiscard]] std::vector<HelpPosition> search(const QString& words) const;
  /// The section of the guide to the views about the view that Alt and a letter or number brings
  /// up, as its table has the key: "Alt+2". The start where it has none.
  [[nodiscard]] HelpPlace placeOfView(const QString& key) const;

 private:
  /// A heading, or a row by what stands in its first cell.
  struct Anchor {
    QString name;
    std::size_t page = 0;
    QString key{};  ///< second cell of a row
  };

  void add(const QString& path, const QString& markdown);

  std::vector<HelpDocument> m_documents;
  std::vector<std::vector<Anchor>> m_anchors;  ///< of each document; headings before rows
};

/// The guide to the views, and the definitions of the metrics.
inline const QString kViewsGuide = QStringLiteral("guide/views.md");
inline const QString kMetricsGuide = QStringLiteral("metrics.md");
inline const QString kTour = QStringLiteral("guide/tour.md");

/// The anchor that GitHub gives a heading: "Several samples" is "several-samples".
[[nodiscard]] QString headingAnchor(const QString& heading);
/// What a row can be asked for by: each of the names in its first cell, as it is and as an anchor.
[[nodiscard]] QStringList rowAnchors(const QString& cell);
/// Where a link in a document leads; nothing: out of the documentation.
[[nodiscard]] std::optional<HelpPlace> followLink(const QString& document, const QString& link);

}  // namespace ulp::app
