#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListView>
#include <QtWidgets/QMenu>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>

#include "tests/app/gui/window_fixture.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/window/stall_listener.h"
#include "tests/views/captured_report.h"
#include "tests/views/kept_log_probabilities.h"
#include "views/commands/palette_model.h"
#include "views/commands/palette_popup.h"
#include "views/framework/widgets/message_bar.h"
#include "views/framework/words/site_text.h"

/// A place that somebody asks to see, in a finding, the palette or a link, is drawn and marked.
namespace ulp::app {
namespace {

using views::PlaceMark;
using views::View;

/// What a window can open: a report on disk, or two dumps to compare.
struct Opened {
  std::string name;
  std::filesystem::path report{};
  report::DumpOrigin dumps{};
};

std::vector<Opened> filesToOpen() {
  std::vector<Opened> files;
  for (const std::filesystem::path& root :
       {test::fixture(""), std::filesystem::path(ULP_SOURCE_DIR "/resources")}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const std::filesystem::path& path = entry.path();
      const bool isReport =
          path.filename() == "precision_report.json" && report::loadReport(path).has_value();
      const std::filesystem::path other =
          path.parent_path() /
          (std::filesystem::exists(path.parent_path() / "my") ? "my" : "target");
      if (isReport) {
        files.push_back({.name = path.string(), .report = path});
      } else if (path.filename() == "golden" && std::filesystem::exists(other)) {
        files.push_back({.name = path.string(),
                         .dumps = {.baseline = {.path = path}, .candidate = {.path = other}}});
      }
    }
  }
  return files;
}

class ShowPlacesTest : public test::WindowFixture {
 protected:
  void SetUp() override {
    WindowFixture::SetUp();
    test::allowStalls(2000, "what is drawn is asked after each step, which lays out at once");
  }

  /// Opens each report and each pair of dumps of the fixtures, and reports as studies leave them.
  void forEachReport(const std::function<void()>& visit) {
    for (const Opened& file : filesToOpen()) {
      SCOPED_TRACE(file.name);
      if (file.report.empty()) {
        compare(file.dumps);
      } else {
        open({QString::fromStdString(file.report.string())});
      }
      ASSERT_NE(workspace().reports.document(), nullptr);
      visit();
    }
    for (const auto& [name, shape] :
         {std::pair("deep", test::ReportShape{}),
          std::pair("broken",
                    test::ReportShape{
                        .layers = 3, .parameterGradients = true, .nonFiniteShare = 0.05})}) {
      SCOPED_TRACE(name);
      openStudied(name, shape);
      visit();
    }
  }
  /// A report with the log-probabilities and the steps of its runs beside it.
  void openStudied(const char* name, const test::ReportShape& shape) {
    report::Report report = test::realisticReport(shape);
    test::addSteps(report);
    for (report::Run& run : report.runs) {
      if (run.name != report.reference) {
        run.logProbabilities = report::LogProbabilityError{.rms = 0.2, .largest = 1};
      }
    }
    const std::filesystem::path folder = m_folder.filePath(QLatin1String(name)).toStdString();
    std::filesystem::create_directories(folder);
    ASSERT_TRUE(report::saveReport(report, folder).has_value());
    test::keepPolicies(folder, report);
    open({QString::fromStdString(folder.string())});
  }

  /// Until every view has what it shows, and has found its place.
  void arrive() {
    for (int i = 0; i < 4; ++i) {
      settle();
    }
  }
  [[nodiscard]] const std::vector<report::Finding>& findings() {
    m_session->findings().request();
    settle();
    return *m_session->findings().findings();
  }
  [[nodiscard]] const views::Selection& selection() const {
    return m_session->selection().selection();
  }

  /// The view that has the keyboard; null: none.
  [[nodiscard]] View* viewInFocus() const {
    for (const ViewDocks::Place& place : m_window->docks().places()) {
      if (place.host->isAncestorOf(QApplication::focusWidget())) {
        return place.host->view();
      }
    }
    return nullptr;
  }
  /// Views that a user sees.
  [[nodiscard]] std::vector<View*> viewsInFront() const {
    std::vector<View*> seen;
    for (const ViewDocks::Place& place : m_window->docks().places()) {
      if (place.host->view() != nullptr && place.host->isInFront() && place.host->isVisible()) {
        seen.push_back(place.host->view());
      }
    }
    return seen;
  }
  /// Whether the mark lies open on the screen, of the current run, and of the metric that is shown.
  void expectOnScreen(const View& view, const PlaceMark& mark) const {
    EXPECT_FALSE(mark.area.isEmpty());
    EXPECT_TRUE(view.rect().contains(mark.area));
    const QPoint middle = view.mapTo(m_window.get(), mark.area.center());
    const QWidget* top = m_window->childAt(middle);
    EXPECT_TRUE(top != nullptr && (top == &view || view.isAncestorOf(top)));
    EXPECT_TRUE(mark.run.isEmpty() || mark.run == selection().run()) << mark.run.toStdString();
    EXPECT_TRUE(mark.metric.isEmpty() || mark.metric == selection().metric);
  }
  /// The view marks this very tensor, and looks otherwise there without it.
  void expectMarked(View* view, const QString& site, Pass pass) {
    ASSERT_NE(view, nullptr);
    SCOPED_TRACE(view->accessibleName().toStdString());
    const auto mark = view->placeMark();
    ASSERT_TRUE(mark) << site.toStdString() << " is not marked";
    EXPECT_EQ(mark->site, site);
    EXPECT_EQ(mark->pass, pass);
    expectOnScreen(*view, *mark);
    const auto picture = [&] { return view->grab(mark->area).toImage(); };
    const QImage marked = picture();
    const views::Selection here = selection();
    const views::Selection other = elsewhere(here);
    m_session->selection().amend(other);
    settle();
    EXPECT_TRUE(other == here || picture() != marked) << "nothing is drawn at the mark";
    m_session->selection().amend(here);
    settle();
  }
  /// The same, at another tensor of the same pass.
  [[nodiscard]] views::Selection elsewhere(views::Selection there) const {
    for (const Site& site : workspace().reports.document()->sites()) {
      const QString name = QString::fromStdString(site.name);
      if (site.pass == there.pass && site.name != "loss" && name != there.site) {
        there.site = name;
        there.element.clear();
        return there;
      }
    }
    return there;
  }
  /// In some view that is in front, this very tensor is marked; what others mark is its layer.
  void expectMarkedSomewhere(const QString& site, Pass pass) {
    const views::ReportDocument& document = *workspace().reports.document();
    const Site& wanted =
        document.sites()[static_cast<std::size_t>(document.findSite(site.toStdString(), pass))];
    int exact = 0;
    for (const View* view : viewsInFront()) {
      const auto mark = view->placeMark();
      if (!mark) {
        continue;
      }
      SCOPED_TRACE(view->accessibleName().toStdString());
      expectOnScreen(*view, *mark);
      EXPECT_EQ(mark->pass, pass);
      const int marked = document.findSite(mark->site.toStdString(), mark->pass);
      exact += mark->site == site ? 1 : 0;
      EXPECT_TRUE(mark->site == site ||
                  document.sites()[static_cast<std::size_t>(marked)].layer == wanted.layer)
          << mark->site.toStdString() << " for " << site.toStdString();
    }
    EXPECT_GT(exact, 0) << "no view shows " << site.toStdString();
  }

  void showMe(int finding) {
    show("findings");
    View* view = host("findings")->view();
    auto* table = view->findChild<QTableView*>(QStringLiteral("findings"));
    ASSERT_NE(table, nullptr);
    ASSERT_LT(finding, table->model()->rowCount());
    const QModelIndex index = table->model()->index(finding, 0);
    table->scrollTo(index);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(index).center());
    for (QAction* action : view->actions()) {
      if (action->text() == QStringLiteral("Show me")) {
        action->trigger();
      }
    }
    arrive();
  }

  /// Chooses a tensor in the palette, by its name and pass.
  void goTo(const QString& site, Pass pass) {
    QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier);
    auto* palette = m_window->findChild<views::PalettePopup*>();
    ASSERT_TRUE(palette != nullptr && palette->isVisible());
    palette->findChild<QLineEdit*>()->setText(site);
    ASSERT_TRUE(test::waitFor([&] { return palette->isSettled(); }));
    auto* list = palette->findChild<QListView*>();
    for (int row = 0; row < list->model()->rowCount(); ++row) {
      const QModelIndex index = list->model()->index(row, 0);
      if (index.data().toString() == site &&
          index.data(views::PaletteModel::DetailRole).toString() == views::passText(pass)) {
        list->setCurrentIndex(index);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        arrive();
        return;
      }
    }
    FAIL() << site.toStdString() << " is not in the palette";
  }
  /// Tensors of every kind: of each level and pass, within layers and outside.
  [[nodiscard]] std::vector<Site> someSites() const {
    const views::ReportDocument& document = *workspace().reports.document();
    std::vector<Site> some;
    std::set<std::tuple<Level, Pass, bool>> kinds;
    for (const Site& site : document.sites()) {
      if (kinds.insert({site.level, site.pass, site.layer < 0}).second) {
        some.push_back(site);
      }
    }
    return some;
  }
};

TEST_F(ShowPlacesTest, ShowMeOfEveryFindingShowsItsTensor) {
  int shown = 0;
  forEachReport([&] {
    for (int i = 0; i < std::ssize(findings()); ++i) {
      const report::Finding finding = findings()[static_cast<std::size_t>(i)];
      SCOPED_TRACE(finding.rule + ": " + finding.title.text());
      showMe(i);
      if (finding.sites.empty()) {
        continue;
      }
      EXPECT_TRUE(finding.isAbout(selection().run().toStdString()));
      expectMarked(viewInFocus(),
                   QString::fromStdString(finding.sites.front().name),
                   finding.sites.front().pass);
      ++shown;
    }
  });
  EXPECT_GT(shown, 30);
}

TEST_F(ShowPlacesTest, ShowMeLeadsToTheViewOfTheProof) {
  openStudied("studied", {.layers = 3});
  std::set<std::string> rules;
  for (int i = 0; i < std::ssize(findings()); ++i) {
    const report::Finding finding = findings()[static_cast<std::size_t>(i)];
    showMe(i);
    const auto* proof = m_session->registry().findProof(QString::fromStdString(finding.rule));
    EXPECT_EQ(viewInFocus(), m_window->docks().host(proof->id)->view()) << finding.rule;
    rules.insert(finding.rule);
  }
  EXPECT_TRUE(rules.contains("log_probability_gap"));
}

TEST_F(ShowPlacesTest, APlaceChosenInThePaletteIsShownInTheViewThatIsInFront) {
  const std::vector<const char*> kViews{"depth", "heatmap", "table"};
  std::size_t chosen = 0;
  forEachReport([&] {
    for (const Site& site : someSites()) {
      const char* view = kViews[chosen++ % kViews.size()];
      show(view);
      goTo(QString::fromStdString(site.name), site.pass);
      if (site.name == "loss") {
        expectMarkedSomewhere(QStringLiteral("loss"), site.pass);
        continue;
      }
      expectMarked(host(view)->view(), QString::fromStdString(site.name), site.pass);
    }
  });
}

TEST_F(ShowPlacesTest, InTheOverviewAModuleIsMarkedAtItsLayer) {
  open({reportFolder(QStringLiteral("smollm2"))});
  show("overview");
  goTo(QStringLiteral("model.layers.2.mlp.up_proj"), Pass::Forward);
  expectMarkedSomewhere(QStringLiteral("model.layers.2.mlp.up_proj"), Pass::Forward);
  const auto mark = host("overview")->view()->placeMark();
  ASSERT_TRUE(mark);
  EXPECT_EQ(mark->site, QStringLiteral("decoder.2"));
}

TEST_F(ShowPlacesTest, WhereNothingInFrontCanShowThePlaceTheErrorByDepthDoes) {
  open({reportFolder(QStringLiteral("smollm2"))});
  host("details")->parentWidget()->hide();
  show("study");
  goTo(QStringLiteral("model.layers.2.mlp.up_proj"), Pass::Forward);
  expectMarked(host("depth")->view(), QStringLiteral("model.layers.2.mlp.up_proj"), Pass::Forward);
}

TEST_F(ShowPlacesTest, TheLossWhichNoChartDrawsIsShownInTheTable) {
  open({reportFolder(QStringLiteral("smollm2"))});
  host("details")->parentWidget()->hide();
  for (const char* view : {"depth", "study"}) {
    show(view);
    goTo(QStringLiteral("loss"), Pass::Forward);
    EXPECT_EQ(viewInFocus(), host("table")->view()) << "from " << view;
    expectMarked(host("table")->view(), QStringLiteral("loss"), Pass::Forward);
  }
}

TEST_F(ShowPlacesTest, StepKeysShowWhereTheyLead) {
  int steps = 0;
  forEachReport([&] {
    EXPECT_GE(findings().size(), 0U);
    for (const char* view : {"depth", "heatmap", "table"}) {
      show(view);
      for (const char* step : {"go.next-finding",
                               "go.previous-non-finite",
                               "go.next-jump",
                               "go.next-block",
                               "go.parent",
                               "go.previous-finding"}) {
        const views::Selection before = selection();
        trigger(step);
        arrive();
        if (selection() == before || selection().site.isEmpty()) {
          continue;
        }
        SCOPED_TRACE(std::string(step) + " in " + view);
        expectMarkedSomewhere(selection().site, selection().pass);
        ++steps;
      }
    }
  });
  EXPECT_GT(steps, 50);
}

TEST_F(ShowPlacesTest, BreadcrumbsShowWhereTheyLead) {
  open({reportFolder(QStringLiteral("smollm2"))});
  const auto choose = [this](const QString& crumb, const QString& entry) {
    for (auto* button : m_window->findChildren<QToolButton*>()) {
      if (button->isVisible() && button->toolTip() == crumb && button->menu() != nullptr) {
        Q_EMIT button->menu()->aboutToShow();
        for (QAction* action : button->menu()->actions()) {
          if (action->text() == entry) {
            action->trigger();
            arrive();
            return;
          }
        }
      }
    }
    FAIL() << crumb.toStdString() << " does not offer " << entry.toStdString();
  };
  for (const char* view : {"depth", "heatmap", "table"}) {
    show(view);
    goTo(QStringLiteral("model.layers.2.mlp.up_proj"), Pass::Forward);
    choose(QStringLiteral("Module"), QStringLiteral("mlp.down_proj"));
    expectMarked(host(view)->view(), QStringLiteral("model.layers.2.mlp.down_proj"), Pass::Forward);
    choose(QStringLiteral("Pass"), QStringLiteral("backward"));
    expectMarked(
        host(view)->view(), QStringLiteral("model.layers.2.mlp.down_proj"), Pass::Backward);
    const QString other = workspace().reports.document()->variantName(1);
    choose(QStringLiteral("Variant"), other);
    EXPECT_EQ(selection().run(), other);
    expectMarked(
        host(view)->view(), QStringLiteral("model.layers.2.mlp.down_proj"), Pass::Backward);
  }
}

TEST_F(ShowPlacesTest, BookmarksShowTheirPlaces) {
  open({reportFolder(QStringLiteral("smollm2"))});
  goTo(QStringLiteral("model.layers.2.mlp.up_proj"), Pass::Backward);
  trigger("bookmark.add");
  settle();
  for (const char* view : {"depth", "heatmap", "table"}) {
    show(view);
    goTo(QStringLiteral("decoder.0"), Pass::Forward);
    trigger("bookmark.1");
    arrive();
    expectMarked(host(view)->view(), QStringLiteral("model.layers.2.mlp.up_proj"), Pass::Backward);
  }
}

TEST_F(ShowPlacesTest, ATensorThatWasKeptIsMarkedWhereItsElementsAreShown) {
  const std::filesystem::path folder = m_folder.filePath(QStringLiteral("kept")).toStdString();
  std::filesystem::create_directories(folder);
  test::saveCapturedReport(folder,
                           {{.name = "embeddings", .shape = {4, 6}, .values = test::wave(24)},
                            {.name = "decoder.0", .shape = {4, 6}, .values = test::wave(24, 3)}});
  open({QString::fromStdString(folder.string())});
  show("tensor");
  goTo(QStringLiteral("decoder.0"), Pass::Forward);
  expectMarked(host("tensor")->view(), QStringLiteral("decoder.0"), Pass::Forward);
  const QRect whole = host("tensor")->view()->placeMark()->area;
  m_session->selection().selectElement({1, 2});
  arrive();
  expectMarked(host("tensor")->view(), QStringLiteral("decoder.0"), Pass::Forward);
  EXPECT_LT(host("tensor")->view()->placeMark()->area.width(), whole.width() / 2)
      << "the element alone";
  goTo(QStringLiteral("norm"), Pass::Forward);
  EXPECT_FALSE(host("tensor")->view()->placeMark()) << "it was not kept";
}

TEST_F(ShowPlacesTest, AMessageKeepsNoViewFromComingToTheFront) {
  open({reportFolder(QStringLiteral("smollm2"))});
  workspace().messages.raise({.text = QStringLiteral("stays")});
  ASSERT_FALSE(findings().empty());
  showMe(0);
  expectMarked(host("depth")->view(), selection().site, selection().pass);
  EXPECT_TRUE(m_window->messages().isVisible());
  EXPECT_EQ(m_window->children().last(), &m_window->messages());
}

TEST_F(ShowPlacesTest, LinksOfTheVerdictShowTheirPlaces) {
  int followed = 0;
  forEachReport([&] {
    show("overview");
    m_session->findings().request();
    arrive();
    auto* verdicts = host("overview")->view()->findChild<QTableView*>(QStringLiteral("verdicts"));
    for (int row = 0; row < verdicts->model()->rowCount(); ++row) {
      for (int column = 0; column < verdicts->model()->columnCount(); ++column) {
        show("overview");
        const QModelIndex index = verdicts->model()->index(row, column);
        if (!index.data(Qt::FontRole).isValid()) {
          continue;
        }
        SCOPED_TRACE(index.data().toString().toStdString());
        verdicts->scrollTo(index);
        QTest::mouseClick(
            verdicts->viewport(), Qt::LeftButton, {}, verdicts->visualRect(index).center());
        arrive();
        expectMarked(viewInFocus(), selection().site, selection().pass);
        ++followed;
      }
    }
  });
  EXPECT_GT(followed, 10);
}

TEST_F(ShowPlacesTest, WhatWasChangedForAPlaceIsToldAndCanBeChangedBack) {
  open({reportFolder(QStringLiteral("smollm2"))});
  show("depth");
  const auto rows = [this] {
    for (const QWidget* control : host("depth")->view()->titleControls()) {
      if (const auto* box = qobject_cast<const QComboBox*>(control)) {
        return box->currentText();
      }
    }
    return QString();
  };
  ASSERT_EQ(rows(), QStringLiteral("Layers"));
  goTo(QStringLiteral("model.layers.2.mlp.up_proj"), Pass::Forward);
  EXPECT_EQ(rows(), QStringLiteral("mlp.up_proj"));
  ASSERT_EQ(m_window->messages().count(), 1);
  QPushButton* back = nullptr;
  for (auto* button : m_window->messages().findChildren<QPushButton*>()) {
    back = button->text() == QStringLiteral("Change back") ? button : back;
  }
  ASSERT_NE(back, nullptr);
  QTest::mouseClick(back, Qt::LeftButton);
  settle();
  EXPECT_EQ(rows(), QStringLiteral("Layers"));
  const auto mark = host("depth")->view()->placeMark();
  ASSERT_TRUE(mark) << "at its layer";
  EXPECT_EQ(mark->site, QStringLiteral("decoder.2"));
}

TEST_F(ShowPlacesTest, TheFilterOfTheTableGivesWayToAPlaceThatItLeavesOut) {
  open({reportFolder(QStringLiteral("smollm2"))});
  show("table");
  auto* filter = host("table")->view()->findChild<QLineEdit*>();
  filter->setText(QStringLiteral("down_proj"));
  goTo(QStringLiteral("model.layers.3.mlp.down_proj"), Pass::Forward);
  EXPECT_EQ(filter->text(), QStringLiteral("down_proj")) << "it shows that one";
  goTo(QStringLiteral("model.layers.3.mlp.up_proj"), Pass::Forward);
  EXPECT_EQ(filter->text(), QString());
  expectMarked(host("table")->view(), QStringLiteral("model.layers.3.mlp.up_proj"), Pass::Forward);
}

TEST_F(ShowPlacesTest, ALockedViewStaysAndAnotherTabShowsThePlace) {
  open({reportFolder(QStringLiteral("smollm2"))});
  show("depth");
  host("depth")->setLocked(true);
  const std::size_t before = m_window->docks().places().size();
  ASSERT_FALSE(findings().empty());
  showMe(0);
  EXPECT_EQ(m_window->docks().places().size(), before + 1);
  expectMarked(viewInFocus(), selection().site, selection().pass);
  EXPECT_NE(viewInFocus(), host("depth")->view());
}

}  // namespace
}  // namespace ulp::app
