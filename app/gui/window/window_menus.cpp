#include "app/gui/window/window_menus.h"

#include <QtCore/QCoreApplication>
#include <QtGui/QAction>
#include <QtGui/QActionGroup>
#include <QtWidgets/QApplication>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMainWindow>
#include <QtWidgets/QMenuBar>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QToolBar>

#include "app/gui/bars/selection_bar.h"
#include "app/gui/session/session.h"
#include "app/gui/session/window_settings.h"
#include "app/gui/window/file_commands.h"
#include "app/gui/window/layout_commands.h"
#include "app/gui/window/view_docks.h"
#include "views/commands/action_catalog.h"
#include "views/framework/look/icons.h"
#include "views/framework/widgets/focus_return.h"

namespace ulp::app {
namespace {

struct WindowMenusWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::app::WindowMenus)
};

void makeFileMenu(QMenu& file, const MenuParts& parts) {
  parts.actions.addTo(
      file, {"file.open", "file.open-folder", "file.open-location", "file.paste-location"});
  QMenu* recent = file.addMenu(WindowMenusWords::tr("Open r&ecent"));
  recent->setProperty(views::kFilledLater, true);
  recent->setObjectName(QStringLiteral("recent"));
  // Where the dumps of a pair lie: two pairs may have the same names.
  recent->setToolTipsVisible(true);
  QObject::connect(recent, &QMenu::aboutToShow, &parts.files, [recent, &files = parts.files] {
    files.fillRecentMenu(*recent);
  });
  parts.actions.addTo(file,
                      {"file.compare-dumps",
                       "file.compare-as",
                       "file.record",
                       "file.save-comparison",
                       "",
                       "file.new",
                       "file.save",
                       "file.save-as",
                       "",
                       "file.reload",
                       "file.export",
                       "file.export-tensors",
                       "",
                       "file.settings",
                       "",
                       "file.quit"});
}

void makeThemeMenu(QMenu& themes, Session& session) {
  auto* group = new QActionGroup(&themes);
  const auto add = [&](const QString& text, views::ThemeChoice choice) {
    QAction* action = themes.addAction(text, &themes, [&session, choice] {
      session.settings().set(kTheme, views::toText(choice));
    });
    action->setCheckable(true);
    action->setObjectName(QStringLiteral("theme.") + views::toText(choice));
    group->addAction(action);
    const auto sync = [&session, action, choice] {
      action->setChecked(session.themes().choice() == choice);
    };
    QObject::connect(&themes, &QMenu::aboutToShow, action, sync);
    sync();
  };
  add(WindowMenusWords::tr("As the &system"), views::ThemeChoice::System);
  add(WindowMenusWords::tr("&Light"), views::ThemeChoice::Light);
  add(WindowMenusWords::tr("&Dark"), views::ThemeChoice::Dark);
  add(WindowMenusWords::tr("&High contrast"), views::ThemeChoice::HighContrast);
}

void makeViewMenu(QMenu& menu, const MenuParts& parts) {
  for (const ViewDocks::Place& place : parts.docks.places()) {
    menu.addAction(parts.actions[QStringLiteral("view.") + place.descriptor.id]);
  }
  parts.actions.addTo(
      menu, {"", "bookmark.add", "view.another", "view.beside", "view.link", "view.lock"});
  QMenu* panels = menu.addMenu(WindowMenusWords::tr("&Panels"));
  for (const ViewDocks::Place& place : parts.docks.places()) {
    panels->addAction(place.dock->toggleViewAction());
  }
  QMenu* layouts = menu.addMenu(WindowMenusWords::tr("La&yout"));
  layouts->setObjectName(QStringLiteral("layouts"));
  parts.layouts.fillWhenOpened(*layouts);
  menu.addSeparator();
  makeThemeMenu(*menu.addMenu(WindowMenusWords::tr("&Theme")), parts.session);
}

void showAbout(QWidget& window) {
  auto* box = new QMessageBox(
      QMessageBox::NoIcon,
      WindowMenusWords::tr("About Ulpscope"),
      WindowMenusWords::tr("Ulpscope %1\nWhere does a language model lose its bits?\n\nQt %2")
          .arg(QApplication::applicationVersion(), QLatin1String(qVersion())),
      QMessageBox::Close,
      &window);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->open();
}

}  // namespace

void makeMenus(const MenuParts& parts) {
  QMenuBar& bar = *parts.window.menuBar();
  const ActionTable& actions = parts.actions;
  makeFileMenu(*bar.addMenu(WindowMenusWords::tr("&File")), parts);
  actions.addTo(*bar.addMenu(WindowMenusWords::tr("&Edit")), {"edit.undo", "edit.redo"});
  actions.addTo(*bar.addMenu(WindowMenusWords::tr("&Run")),
                {"run.start",
                 "run.start-on",
                 "run.submit",
                 "run.add",
                 "",
                 "run.pause",
                 "run.stop",
                 "",
                 "run.tokenize",
                 "run.devices"});
  makeViewMenu(*bar.addMenu(WindowMenusWords::tr("&View")), parts);
  actions.addTo(*bar.addMenu(WindowMenusWords::tr("&Compare")),
                {"compare.add",
                 "compare.baseline",
                 "compare.reference",
                 "compare.relation",
                 "compare.mapping"});
  actions.addTo(*bar.addMenu(WindowMenusWords::tr("&Go")),
                {"go.back",
                 "go.forward",
                 "",
                 "go.next-finding",
                 "go.previous-finding",
                 "go.next-non-finite",
                 "go.previous-non-finite",
                 "go.next-jump",
                 "go.previous-jump",
                 "",
                 "go.tensor",
                 "go.parent",
                 "go.next-block",
                 "go.previous-block",
                 "",
                 "go.next-panel",
                 "go.previous-panel"});
  QMenu& help = *bar.addMenu(WindowMenusWords::tr("&Help"));
  actions.addTo(help,
                {"help.topic",
                 "help.guide",
                 "help.metrics",
                 "help.tour",
                 "",
                 "help.commands",
                 "help.shortcuts",
                 ""});
  help.addAction(WindowMenusWords::tr("&About Ulpscope"),
                 &parts.window,
                 [&window = parts.window] { showAbout(window); })
      ->setObjectName(QStringLiteral("help.about"));
}

void makeToolBar(QMainWindow& window, Session& session, const ActionTable& actions) {
  QToolBar* bar = window.addToolBar(WindowMenusWords::tr("Toolbar"));
  bar->setObjectName(QStringLiteral("toolbar"));
  bar->setMovable(false);
  views::growIconsWithText(*bar);
  const auto addBox = [bar](QComboBox* box) {
    bar->addWidget(box);
    new views::FocusReturn(*box);
  };
  const auto add = [&window, bar, addBox](const QString& text, QComboBox* box) {
    auto* label = new QLabel(text, &window);
    label->setContentsMargins(8, 0, 4, 0);
    label->setBuddy(box);
    bar->addWidget(label);
    addBox(box);
  };
  actions.addTo(
      *bar,
      {"file.open", "file.new", "", "run.start", "run.stop", "", "go.back", "go.forward", ""});
  views::ReportSet& reports = session.workspace().reports;
  views::SelectionContext& selection = session.selection();
  add(WindowMenusWords::tr("&Metric"), new MetricBox(reports, selection, &window));
  add(WindowMenusWords::tr("&Pass"), new PassBox(selection, &window));
  bar->addSeparator();
  add(WindowMenusWords::tr("&Baseline"), new BaselineBox(reports, selection, &window));
  addBox(new RelationBox(selection, &window));
}

}  // namespace ulp::app
