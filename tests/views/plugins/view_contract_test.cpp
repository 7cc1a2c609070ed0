#include <gtest/gtest.h>

#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtGui/QAccessible>
#include <QtGui/QAction>
#include <QtTest/QTest>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QAbstractScrollArea>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QSplitter>

#include "core/base/text/name_limit.h"
#include "tests/support/window/model_checks.h"
#include "tests/support/window/stall_listener.h"
#include "tests/views/context_fixture.h"
#include "views/framework/view/view_host.h"
#include "views/framework/view/view_registry.h"

/// What every registered view promises. A new view is tested by being there.
namespace ulp::views {
namespace {

/// Names as long and deep as a report may have, that differ where nobody sees it, and that look
/// like something else. No two are equal.
std::string oddName(std::size_t index) {
  const std::string number = std::to_string(index);
  const auto filled = [&](const std::string& begin, std::string_view with) {
    std::string name = begin;
    while (name.size() + with.size() + number.size() <= kLongestRowName) {
      name += with;
    }
    return name + number;
  };
  constexpr std::size_t kHalf = kLongestRowName / 2 - 8;
  switch (index % 8) {
    case 0:
      return filled("model.", "x");
    case 1:
      return filled("a", ".b");
    case 2:
      return std::string(kHalf, 'x') + number + std::string(kHalf, 'x');
    case 3:
      return filled("", "<b>&amp;");
    case 4:
      return std::string("a\0\xFF\n", 4) + number;
    case 5:
      return std::string(number.size(), '.') + "/" + number;
    case 6:
      return filled("", "\xE4\xB8\xAD");
    default:
      return filled("", "word ");
  }
}

class ViewContract : public testing::TestWithParam<int> {
 protected:
  static const ViewRegistry& registry() {
    static const ViewRegistry kRegistry = builtinViews();
    return kRegistry;
  }
  [[nodiscard]] const ViewDescriptor& descriptor() const {
    return registry().all()[static_cast<std::size_t>(GetParam())];
  }

  void makeHost() {
    m_host = std::make_unique<ViewHost>(descriptor(), m_fixture.context());
    m_host->resize(900, 500);
    m_host->show();
    m_fixture.settle();
  }

  [[nodiscard]] QImage picture() {
    m_fixture.settle();
    return m_host->grab().toImage();
  }

  /// Follows a walk through the report, looks at it in both themes, checks every model.
  void exercise() {
    std::vector<std::unique_ptr<test::ModelChecks>> checks;
    for (QAbstractItemModel* model : m_host->findChildren<QAbstractItemModel*>()) {
      // Those of Qt's own widgets are Qt's business; templates and plain proxies of ours are known
      // by the name of their base.
      const QByteArray name = model->metaObject()->className();
      if (name.startsWith("ulp") || name == "QAbstractTableModel" || name == "QAbstractListModel" ||
          name == "QSortFilterProxyModel" || name == "QIdentityProxyModel") {
        checks.push_back(std::make_unique<test::ModelChecks>(model));
      }
    }
    const DocumentPtr document = m_fixture.workspace.reports.document();
    for (const char* site : {"decoder.0", "norm", "logits", "no such tensor"}) {
      m_fixture.selection.selectSite(QLatin1String(site), Pass::Backward);
      m_fixture.settle();
    }
    if (document && document->variantCount() > 0) {
      m_fixture.selection.selectRun(document->variantName(document->variantCount() - 1));
      for (const MetricInfo& metric : document->metrics()) {
        m_fixture.selection.selectMetric(metric.id);
      }
      m_fixture.selection.selectPasses(PassFilter::Forward);
      m_fixture.settle();
      m_fixture.selection.selectPasses(PassFilter::ForwardBackward);
    }
    m_fixture.themes.setChoice(ThemeChoice::Light);
    const QImage light = picture();
    m_fixture.themes.setChoice(ThemeChoice::Dark);
    const QImage dark = picture();
    m_fixture.themes.setChoice(ThemeChoice::Light);
    EXPECT_FALSE(test::isBlank(light));
    EXPECT_FALSE(test::isBlank(dark));
    EXPECT_NE(light, dark);
  }

  test::ContextFixture m_fixture;
  std::unique_ptr<ViewHost> m_host;
};

TEST_P(ViewContract, DescribesItself) {
  const ViewDescriptor& view = descriptor();
  EXPECT_FALSE(view.id.isEmpty());
  EXPECT_FALSE(view.title.isEmpty());
  EXPECT_FALSE(view.toolTip.isEmpty());
  EXPECT_FALSE(view.shortcut.isEmpty());
  EXPECT_TRUE(QFile::exists(QStringLiteral(":/icons/%1.svg").arg(view.icon)))
      << view.icon.toStdString();
  EXPECT_EQ(registry().find(view.id)->title, view.title);
}

TEST_P(ViewContract, WorksWithoutAReport) {
  makeHost();
  exercise();
}

TEST_P(ViewContract, WorksWithAnEmptyReport) {
  report::Report report;
  report.reference = "reference";
  m_fixture.openReport(report);
  makeHost();
  exercise();
}

TEST_P(ViewContract, WorksWithASmallReport) {
  makeHost();
  m_fixture.openReport(test::realisticReport({.layers = 4, .parameterGradients = true}));
  exercise();
}

TEST_P(ViewContract, WorksWithTheLongestAndTheOddestNames) {
  auto report = test::realisticReport({.layers = 4, .parameterGradients = true});
  for (report::Run& run : report.runs) {
    for (std::size_t i = 0; i < run.comparisons.size(); ++i) {
      Site& site = run.comparisons[i].site;
      site.name = oddName(i);
      site.module = site.name;
    }
  }
  m_fixture.openReport(report);
  makeHost();
  exercise();
}

TEST_P(ViewContract, WorksWithNanEverywhere) {
  m_fixture.openReport(
      test::realisticReport({.layers = 6, .nonFiniteShare = 0.9, .missingShare = 0.2}));
  makeHost();
  exercise();
}

TEST_P(ViewContract, WorksWithOneTensorOfOneVariant) {
  report::Report report = test::realisticReport({.layers = 1, .variants = {"a"}, .modules = false});
  report.runs[1].comparisons.resize(1);
  m_fixture.openReport(report);
  makeHost();
  exercise();
}

TEST_P(ViewContract, WorksWithAThousandLayersAndTwentyVariants) {
  test::allowStalls(150, "pictures of the whole view are taken, which draws all of it at once");
  std::vector<std::string> names;
  for (int i = 0; i < 20; ++i) {
    names.push_back("a_variant_with_a_long_name_" + std::to_string(i));
  }
  m_fixture.openReport(
      test::realisticReport({.layers = 1000, .variants = names, .modules = false}));
  makeHost();
  exercise();
}

TEST_P(ViewContract, FollowsReportsAsTheyGrowAndGo) {
  makeHost();
  const test::ReportShape shape{.layers = 4};
  report::Report report = test::realisticReport(shape);
  report::Report partial = report;
  partial.runs.resize(2);
  m_fixture.openReport(partial);
  const Selection before = m_fixture.selection.selection();
  ASSERT_TRUE(report::saveReport(report, m_fixture.folder.path().toStdString()).has_value());
  m_fixture.workspace.reports.reload();
  m_fixture.settle();
  EXPECT_EQ(m_fixture.selection.selection(), before);
  EXPECT_EQ(m_fixture.workspace.reports.document()->variantCount(), 4);
  m_fixture.workspace.closeAll();
  exercise();
}

TEST_P(ViewContract, RestoresWhatItSaved) {
  m_fixture.openReport(test::realisticReport({.layers = 4}));
  makeHost();
  const QJsonObject state = m_host->saveState();
  ViewHost second(descriptor(), m_fixture.context());
  second.restoreState(state);
  EXPECT_EQ(second.saveState(), state);
  second.show();
  m_fixture.settle();
  EXPECT_EQ(second.saveState(), state);
  // Nonsense from a damaged settings file is not taken over.
  second.restoreState({{QStringLiteral("rows"), 7}, {QStringLiteral("hidden"), true}});
  m_fixture.settle();
  EXPECT_FALSE(test::isBlank(second.grab().toImage()));
}

TEST_P(ViewContract, EveryControlHasAName) {
  m_fixture.openReport(test::realisticReport({.layers = 4}));
  makeHost();
  for (QWidget* widget : m_host->findChildren<QWidget*>()) {
    const bool container = qobject_cast<QHeaderView*>(widget) != nullptr ||
                           qobject_cast<QScrollBar*>(widget) != nullptr ||
                           qobject_cast<QSplitterHandle*>(widget) != nullptr;
    if (container || widget->focusPolicy() == Qt::NoFocus || !widget->isVisibleTo(m_host.get())) {
      continue;
    }
    const bool internal = widget->objectName().startsWith(QLatin1String("qt_")) ||
                          widget->metaObject()->className() == QByteArray("QTableCornerButton") ||
                          widget->metaObject()->className() == QByteArray("QComboBoxListView");
    // What a screen reader is told: the name given, or the text of a button or label.
    const QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(widget);
    ASSERT_NE(spoken, nullptr);
    EXPECT_TRUE(internal || !spoken->text(QAccessible::Name).isEmpty())
        << widget->metaObject()->className() << ' ' << widget->objectName().toStdString();
  }
  for (const QAction* action : m_host->view()->viewActions()) {
    EXPECT_FALSE(action->text().isEmpty());
    EXPECT_FALSE(action->icon().isNull());
  }
}

TEST_P(ViewContract, IsMadeOnFirstShowOnly) {
  ViewHost host(descriptor(), m_fixture.context());
  EXPECT_EQ(host.view(), nullptr);
  host.show();
  EXPECT_NE(host.view(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    Views,
    ViewContract,
    testing::Range(0, static_cast<int>(builtinViews().all().size())),
    [](const testing::TestParamInfo<int>& view) {
      return builtinViews().all()[static_cast<std::size_t>(view.param)].id.toStdString();
    });

TEST(ViewRegistry, KeepsIdsAndShortcutsApart) {
  const ViewRegistry registry = builtinViews();
  std::set<QString> ids;
  std::set<QString> shortcuts;
  for (const ViewDescriptor& view : registry.all()) {
    EXPECT_TRUE(ids.insert(view.id).second) << view.id.toStdString();
    EXPECT_TRUE(shortcuts.insert(view.shortcut.toString()).second) << view.id.toStdString();
  }
  EXPECT_EQ(registry.find(QStringLiteral("no such view")), nullptr);
}

TEST(ViewSubjects, AreUniqueAndDrawWithoutAWindow) {
  const DocumentPtr document = test::documentOf(test::realisticReport({.layers = 3}));
  const ViewRegistry registry = builtinViews();
  QStringList known;
  for (const ViewDescriptor& view : registry.all()) {
    EXPECT_EQ(view.subjects.isEmpty(), view.draw == nullptr) << view.id.toStdString();
    for (const QString& subject : view.subjects) {
      EXPECT_FALSE(known.contains(subject)) << subject.toStdString();
      known << subject;
      EXPECT_EQ(registry.findSubject(subject)->id, view.id);
      const auto exhibit = view.draw({.what = subject,
                                      .metric = QStringLiteral("rms_rel"),
                                      .shown = PassFilter::ForwardBackward,
                                      .document = document,
                                      .chosen = document->loaded().report});
      if (!exhibit) {
        EXPECT_EQ(exhibit.error().code(), ErrorCode::NotFound) << exhibit.error().message();
        continue;
      }
      EXPECT_EQ(exhibit->id, subject);
      EXPECT_FALSE(exhibit->title.isEmpty());
      EXPECT_FALSE(exhibit->table().columns.empty()) << subject.toStdString();
    }
  }
  EXPECT_TRUE(known.contains(QStringLiteral("heatmap")));
  EXPECT_EQ(registry.findSubject(QStringLiteral("cake")), nullptr);
}

/// The help of the command line lists them by this file.
TEST(ViewSubjects, StandInTheHeaderThatTheCommandLineReads) {
  static const QRegularExpression kQuoted(QStringLiteral("\"([a-z-]+)\""));
  const ViewRegistry registry = builtinViews();
  for (const ViewDescriptor& view : registry.all()) {
    QFile header(QStringLiteral(ULP_SOURCE_DIR "/views/plugins/%1/subjects.h").arg(view.id));
    EXPECT_EQ(header.open(QIODevice::ReadOnly), !view.subjects.isEmpty()) << view.id.toStdString();
    QStringList listed;
    for (const auto& match : kQuoted.globalMatch(QString::fromUtf8(header.readAll()))) {
      listed << match.captured(1);
    }
    EXPECT_EQ(listed, view.subjects) << view.id.toStdString();
  }
}

TEST(ViewRegistry, EnterLeadsThroughThreeLevels) {
  const ViewRegistry registry = builtinViews();
  const ViewDescriptor* next = registry.findPurpose(ViewPurpose::Report);
  ASSERT_NE(next, nullptr);
  int steps = 0;
  while ((next = registry.deeperThan(next->drillLevel)) != nullptr) {
    ++steps;
  }
  EXPECT_GE(steps, 2);
}

}  // namespace
}  // namespace ulp::views
