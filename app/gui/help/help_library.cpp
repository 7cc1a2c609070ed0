#include "app/gui/help/help_library.h"

#include <algorithm>
#include <ranges>
#include <tuple>

#include <QtCore/QDirIterator>
#include <QtCore/QFile>
#include <QtCore/QMap>
#include <QtCore/QRegularExpression>
#include <QtCore/QUrl>

#include "views/framework/widgets/search_line.h"

namespace ulp::app {
namespace {

/// What is laid out in a few milliseconds; a section may have some more.
constexpr qsizetype kFullPage = 3600;

const QString kDocsRoot = QStringLiteral("/docs/");

/// The words of a line of Markdown as they are shown.
QString shownText(QString markdown) {
  static const QRegularExpression kLink(QStringLiteral("\\[([^\\]]*)\\]\\([^)]*\\)"));
  markdown.replace(kLink, QStringLiteral("\\1"));
  markdown.replace(QStringLiteral("\\|"), QStringLiteral("|"));
  return markdown.remove(u'`').remove(QStringLiteral("**")).trimmed();
}

QStringList cellsOf(const QString& row) {
  static const QRegularExpression kBar(QStringLiteral("(?<!\\\\)\\|"));
  QStringList cells = row.trimmed().split(kBar);
  // Rows begin and end with a bar.
  cells = cells.mid(1, std::max<qsizetype>(cells.size() - 2, 0));
  for (QString& cell : cells) {
    cell = shownText(cell);
  }
  return cells;
}

/// 1 for "# …"; 0: no heading.
int headingLevel(const QString& line) {
  qsizetype level = 0;
  while (level < line.size() && line[level] == u'#') {
    ++level;
  }
  return level > 0 && level <= 6 && level < line.size() && line[level] == u' '
             ? static_cast<int>(level)
             : 0;
}

/// Divides a document into pages, line by line.
class Paginator {
 public:
  struct Named {
    QString name;
    std::size_t page = 0;
    QString key{};
  };

  void add(const QString& line) {
    const bool isFence = line.trimmed().startsWith(QStringLiteral("```"));
    const int level = m_isCode || isFence ? 0 : headingLevel(line);
    if (level > 0) {
      addHeading(shownText(line.mid(level + 1)), level);
      m_isDue = false;
    } else if (m_isDue && !line.isEmpty()) {
      goOn();
      m_isDue = false;
    }
    const bool isRow = !m_isCode && line.startsWith(u'|');
    m_tableLine = isRow ? m_tableLine + 1 : 0;
    if (isRow) {
      addRow(line);
    } else if (line.isEmpty() && !m_isCode && isFull()) {
      m_isDue = true;
    }
    m_isCode = m_isCode != isFence;
    // Pictures are not compiled in.
    if (!line.startsWith(QStringLiteral("!["))) {
      append(line);
    }
  }

  [[nodiscard]] HelpDocument take(const QString& path) {
    return {.path = path, .title = m_title, .pages = std::move(pages)};
  }

  std::vector<HelpPage> pages;
  std::vector<Named> headings;
  std::vector<Named> rows;

 private:
  [[nodiscard]] bool isFull() const {
    return !pages.empty() && pages.back().text.size() > kFullPage;
  }

  void append(const QString& line) {
    if (pages.empty()) {
      pages.push_back({.title = m_title});
    }
    pages.back().text += line + u'\n';
  }

  void addHeading(const QString& text, int level) {
    if (m_title.isEmpty()) {
      m_title = text;
    }
    const bool isLong = !pages.empty() && pages.back().text.size() > kFullPage / 2;
    if (pages.empty() || level <= 2 || isLong) {
      pages.push_back({.title = text});
    }
    const QString anchor = headingAnchor(text);
    const int number = m_counts[anchor]++;
    headings.push_back(
        {.name = number == 0 ? anchor : QStringLiteral("%1-%2").arg(anchor).arg(number),
         .page = pages.size() - 1});
  }

  void addRow(const QString& line) {
    if (m_tableLine == 1) {
      m_tableHead = line + u'\n';
    } else if (m_tableLine == 2) {
      m_tableHead += line + u'\n';
    } else {
      if (isFull()) {
        goOn();
        pages.back().text += m_tableHead;
      }
      const QStringList cells = cellsOf(line);
      for (const QString& name : rowAnchors(cells.value(0))) {
        rows.push_back({.name = name, .page = pages.size() - 1, .key = cells.value(1)});
      }
    }
  }

  void goOn() {
    const QString title = pages.back().title;
    pages.push_back({.title = title, .isContinued = true});
  }

  QString m_title;
  QString m_tableHead;
  int m_tableLine = 0;  ///< 1 for the titles of a table; 0: not in one
  bool m_isCode = false;
  bool m_isDue = false;         ///< a page that is full ends with the paragraph
  QMap<QString, int> m_counts;  ///< headings of a name so far
};

/// Position in the contents: the tour and the views first, then by title.
auto orderOf(const HelpDocument& document) {
  const int part = document.path.startsWith(QStringLiteral("guide/"))     ? 0
                   : document.path.startsWith(QStringLiteral("formats/")) ? 2
                                                                          : 1;
  const int first = document.path == kTour           ? 0
                    : document.path == kViewsGuide   ? 1
                    : document.path == kMetricsGuide ? 0
                                                     : 2;
  return std::tuple(part, first, document.title.toCaseFolded(), document.path);
}

}  // namespace

QString headingAnchor(const QString& heading) {
  QString anchor;
  for (const QChar c : heading.toLower()) {
    if (c.isLetterOrNumber() || c == u'-' || c == u'_') {
      anchor += c;
    } else if (c == u' ') {
      anchor += u'-';
    }
  }
  return anchor;
}

QStringList rowAnchors(const QString& cell) {
  QStringList anchors;
  for (const QString& name : cell.split(QStringLiteral(", "), Qt::SkipEmptyParts)) {
    anchors << name << headingAnchor(name);
  }
  anchors.removeDuplicates();
  anchors.removeAll(QString());
  return anchors;
}

std::optional<HelpPlace> followLink(const QString& document, const QString& link) {
  const QUrl url = QUrl(QStringLiteral("help:") + kDocsRoot + document).resolved(QUrl(link));
  const QString path = url.path();
  if (url.scheme() != QLatin1String("help") || !path.startsWith(kDocsRoot)) {
    return std::nullopt;
  }
  return HelpPlace{path.mid(kDocsRoot.size()), url.fragment(QUrl::FullyDecoded)};
}

HelpLibrary::HelpLibrary(const QString& folder) {
  QDirIterator files(folder, {QStringLiteral("*.md")}, QDir::Files, QDirIterator::Subdirectories);
  QMap<QString, QString> texts;
  while (files.hasNext()) {
    QFile file(files.next());
    if (file.open(QIODevice::ReadOnly)) {
      texts.insert(file.fileName().mid(folder.size() + 1), QString::fromUtf8(file.readAll()));
    }
  }
  for (auto text = texts.cbegin(); text != texts.cend(); ++text) {
    add(text.key(), text.value());
  }
}

void HelpLibrary::add(const QString& path, const QString& markdown) {
  Paginator paginator;
  for (const QString& line : markdown.split(u'\n')) {
    paginator.add(line);
  }
  std::vector<Anchor> anchors;
  for (const auto* named : {&paginator.headings, &paginator.rows}) {
    for (const Paginator::Named& one : *named) {
      anchors.push_back({one.name, one.page, one.key});
    }
  }
  HelpDocument document = paginator.take(path);
  const auto place = std::ranges::upper_bound(m_documents, orderOf(document), {}, orderOf);
  m_anchors.insert(m_anchors.begin() + (place - m_documents.begin()), std::move(anchors));
  m_documents.insert(place, std::move(document));
}

std::optional<HelpPosition> HelpLibrary::find(const HelpPlace& place) const {
  const auto document = std::ranges::find(m_documents, place.document, &HelpDocument::path);
  if (document == m_documents.end()) {
    return std::nullopt;
  }
  const auto number = static_cast<std::size_t>(document - m_documents.begin());
  if (place.anchor.isEmpty()) {
    return HelpPosition{number, 0};
  }
  const auto anchor = std::ranges::find(m_anchors[number], place.anchor, &Anchor::name);
  return anchor == m_anchors[number].end() ? std::nullopt
                                           : std::optional(HelpPosition{number, anchor->page});
}

std::vector<HelpPosition> HelpLibrary::search(const QString& words) const {
  std::vector<HelpPosition> titled;
  std::vector<HelpPosition> others;
  for (std::size_t document = 0; document < m_documents.size(); ++document) {
    const std::vector<HelpPage>& pages = m_documents[document].pages;
    for (std::size_t page = 0; page < pages.size(); ++page) {
      if (views::containsWords(pages[page].title, words)) {
        titled.push_back({document, page});
      } else if (views::containsWords(pages[page].text, words)) {
        others.push_back({document, page});
      }
    }
  }
  titled.insert(titled.end(), others.begin(), others.end());
  return titled;
}

HelpPlace HelpLibrary::placeOfView(const QString& key) const {
  const std::optional<HelpPosition> guide = find({kViewsGuide});
  if (!guide || key.isEmpty()) {
    return {kViewsGuide};
  }
  const std::vector<Anchor>& anchors = m_anchors[guide->document];
  const auto row = std::ranges::find(anchors, key, &Anchor::key);
  // The section of that name, where there is one, stands before the row.
  return {kViewsGuide, row == anchors.end() ? QString() : headingAnchor(row->name)};
}

}  // namespace ulp::app
