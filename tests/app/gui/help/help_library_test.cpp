#include "app/gui/help/help_library.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtWidgets/QApplication>

#include "app/gui/help/help_page.h"
#include "core/numerics/metrics/metric.h"
#include "core/report/model/report.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/words/metric_text.h"

namespace ulp::app {
namespace {

using testing::ElementsAre;

const HelpLibrary& shippedHelp() {
  static const HelpLibrary kLibrary;
  return kLibrary;
}

/// Documents of the texts, by their paths.
class WrittenDocs {
 public:
  explicit WrittenDocs(const std::vector<std::pair<QString, QString>>& texts) {
    for (const auto& [path, text] : texts) {
      const QString file = m_folder.filePath(path);
      QDir().mkpath(QFileInfo(file).path());
      QFile out(file);
      EXPECT_TRUE(out.open(QIODevice::WriteOnly));
      out.write(text.toUtf8());
    }
  }
  [[nodiscard]] HelpLibrary library() const { return HelpLibrary(m_folder.path()); }

 private:
  QTemporaryDir m_folder;
};

HelpLibrary libraryOf(const QString& text) {
  return WrittenDocs({{QStringLiteral("one.md"), text}}).library();
}

QStringList titlesIn(const HelpLibrary& library) {
  QStringList titles;
  for (const HelpPage& page : library.documents().front().pages) {
    titles << page.title + (page.isContinued ? QStringLiteral("…") : QString());
  }
  return titles;
}

/// What a link of the documentation names outside of it: a file of the sources.
QString sourceOf(const QString& document, const QString& link) {
  const QString folder = QFileInfo(QStringLiteral(ULP_SOURCE_DIR "/docs/") + document).path();
  return QDir::cleanPath(folder + u'/' + link.section(u'#', 0, 0));
}

std::vector<QString> linksIn(const QString& markdown) {
  static const QRegularExpression kLink(QStringLiteral("\\]\\(([^)\\s]+)\\)"));
  std::vector<QString> links;
  auto matches = kLink.globalMatch(markdown);
  while (matches.hasNext()) {
    links.push_back(matches.next().captured(1));
  }
  return links;
}

TEST(HelpLibrary, AnchorsAreThoseThatGitHubMakes) {
  EXPECT_EQ(headingAnchor(QStringLiteral("Bias, slope and correlation")),
            QStringLiteral("bias-slope-and-correlation"));
  EXPECT_EQ(headingAnchor(QStringLiteral("The optimizer's state")),
            QStringLiteral("the-optimizers-state"));
  EXPECT_EQ(headingAnchor(QStringLiteral("precision_report.json, schema 1")),
            QStringLiteral("precision_reportjson-schema-1"));
  const HelpLibrary library = libraryOf(QStringLiteral("# T\n## Use `x`\n## Same\n## Same\n"));
  EXPECT_EQ(library.find({QStringLiteral("one.md"), QStringLiteral("use-x")})->page, 1U);
  EXPECT_EQ(library.find({QStringLiteral("one.md"), QStringLiteral("same-1")})->page, 3U);
}

TEST(HelpLibrary, APageIsASectionAndHeadingsInCodeAreNone) {
  EXPECT_THAT(titlesIn(libraryOf(
                  QStringLiteral("# Title\ntext\n## One\n```\n## no\n```\n### In it\n## Two\n"))),
              ElementsAre(QStringLiteral("Title"), QStringLiteral("One"), QStringLiteral("Two")));
}

TEST(HelpLibrary, ALongTableGoesOnWithItsTitlesOnTheNextPage) {
  QString text = QStringLiteral("# Title\n## Keys\n| key | is |\n|---|---|\n");
  for (int i = 0; i < 400; ++i) {
    text += QStringLiteral("| `key.%1` | what it is for |\n").arg(i);
  }
  const HelpLibrary library = libraryOf(text);
  const std::vector<HelpPage>& pages = library.documents().front().pages;
  ASSERT_GT(pages.size(), 2U);
  EXPECT_TRUE(pages.back().isContinued);
  EXPECT_TRUE(pages.back().text.startsWith(QStringLiteral("| key | is |\n|---|---|\n| `key.")));
  const auto last = library.find({QStringLiteral("one.md"), QStringLiteral("key.399")});
  ASSERT_TRUE(last.has_value());
  EXPECT_EQ(last->page, pages.size() - 1);
  EXPECT_EQ(library.find({QStringLiteral("one.md"), QStringLiteral("key.400")}), std::nullopt);
}

TEST(HelpLibrary, ALongTextGoesOnAfterAParagraph) {
  const QString paragraph = QString(600, u'x');
  QString text = QStringLiteral("# Title\n");
  for (int i = 0; i < 20; ++i) {
    text += paragraph + QStringLiteral("\n\n");
  }
  const HelpLibrary library = libraryOf(text + QStringLiteral("## Last\nend\n"));
  QString joined;
  for (const HelpPage& page : library.documents().front().pages) {
    EXPECT_LE(page.text.size(), 6000);
    EXPECT_FALSE(page.text.trimmed().isEmpty());
    joined += page.text;
  }
  EXPECT_EQ(joined.count(u'x'), 20 * 600);
  const auto last = library.find({QStringLiteral("one.md"), QStringLiteral("last")});
  ASSERT_TRUE(last.has_value());
  EXPECT_EQ(library.page(*last).title, QStringLiteral("Last"));
}

TEST(HelpLibrary, SearchFindsThePagesWithEveryWordAndTitlesFirst) {
  const HelpLibrary library = libraryOf(
      QStringLiteral("# Title\nnothing\n## Other\nnoise of a floor\n## Noise floor\ntext\n"));
  const std::vector<HelpPosition> found = library.search(QStringLiteral("floor NOISE"));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(library.page(found[0]).title, QStringLiteral("Noise floor"));
  EXPECT_EQ(library.page(found[1]).title, QStringLiteral("Other"));
  EXPECT_TRUE(library.search(QStringLiteral("floor unheard")).empty());
}

TEST(ShippedHelp, HoldsTheDocumentationWithTheTourFirst) {
  const std::vector<HelpDocument>& documents = shippedHelp().documents();
  ASSERT_GT(documents.size(), 20U);
  EXPECT_EQ(documents[0].path, kTour);
  EXPECT_EQ(documents[1].path, kViewsGuide);
  for (const HelpDocument& document : documents) {
    EXPECT_FALSE(document.title.isEmpty()) << document.path.toStdString();
    QFile source(QStringLiteral(ULP_SOURCE_DIR "/docs/") + document.path);
    EXPECT_TRUE(source.exists()) << document.path.toStdString();
  }
}

TEST(ShippedHelp, EveryLinkLeadsToAPlaceInItOrToAFileOfTheSources) {
  int checked = 0;
  for (const HelpDocument& document : shippedHelp().documents()) {
    for (const HelpPage& page : document.pages) {
      for (const QString& link : linksIn(page.text)) {
        const QString what = document.path + QStringLiteral(": ") + link;
        if (link.startsWith(QStringLiteral("https:"))) {
          continue;
        }
        ++checked;
        const auto place = followLink(document.path, link);
        const bool isOfSources = !place || place->document.startsWith(QStringLiteral("decisions/"));
        if (isOfSources) {
          EXPECT_TRUE(QFile::exists(sourceOf(document.path, link))) << what.toStdString();
        } else {
          EXPECT_TRUE(shippedHelp().find(*place).has_value()) << what.toStdString();
        }
      }
    }
  }
  EXPECT_GT(checked, 100);
}

TEST(ShippedHelp, DefinesEveryMetricInARowThatThePageShows) {
  const numerics::MetricRegistry metrics = numerics::builtinMetrics();
  std::set<std::string> formulas;
  for (const numerics::Metric& metric : metrics.all()) {
    const QString id = QString::fromStdString(metric.id);
    const auto at = shippedHelp().find({kMetricsGuide, id});
    ASSERT_TRUE(at.has_value()) << metric.id;
    const auto page = makeHelpPage(shippedHelp().page(*at).text, QFont(), QPalette());
    const QTextCursor row = findAnchor(*page, id);
    ASSERT_FALSE(row.isNull()) << metric.id;
    EXPECT_TRUE(row.block().text().contains(id)) << row.block().text().toStdString();
    // What a heading explains tells which metric it is of.
    formulas.insert(metric.formula);
  }
  EXPECT_EQ(formulas.size(), metrics.all().size());
}

TEST(ShippedHelp, ExplainsEveryView) {
  const views::ViewRegistry registry = views::builtinViews();
  for (const views::ViewDescriptor& view : registry.all()) {
    const HelpPlace place =
        shippedHelp().placeOfView(view.shortcut.toString(QKeySequence::PortableText));
    EXPECT_FALSE(place.anchor.isEmpty()) << view.id.toStdString();
    EXPECT_TRUE(shippedHelp().find(place).has_value()) << place.anchor.toStdString();
  }
  EXPECT_EQ(shippedHelp().placeOfView(QStringLiteral("Alt+2")).anchor, QStringLiteral("depth"));
  EXPECT_EQ(shippedHelp().placeOfView(QStringLiteral("Alt+Shift+R")).anchor,
            QStringLiteral("rules"));
  EXPECT_TRUE(shippedHelp().placeOfView(QStringLiteral("Alt+F12")).anchor.isEmpty());
}

TEST(ShippedHelp, TheTourNamesTensorsAndVariantsOfTheExample) {
  QFile file(QStringLiteral(":/example/precision_report.json"));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QString example = QString::fromUtf8(file.readAll());
  static const QRegularExpression kName(QStringLiteral("`([a-z0-9_]+(?:\\.[a-z0-9_]+)*)`"));
  int checked = 0;
  for (const HelpPage& page : shippedHelp().documents().front().pages) {
    auto names = kName.globalMatch(page.text);
    while (names.hasNext()) {
      const QString name = names.next().captured(1);
      ++checked;
      EXPECT_TRUE(example.contains(name.section(u'.', -1))) << name.toStdString();
      EXPECT_TRUE(example.contains(u'"' + name + u'"') ||
                  name.startsWith(QStringLiteral("precision.")))
          << name.toStdString();
    }
  }
  EXPECT_GT(checked, 10);
}

}  // namespace
}  // namespace ulp::app
