#include <QtGui/QTextDocument>
#include <QtGui/QWindow>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QGraphicsTextItem>
#include <QtWidgets/QGraphicsView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMenu>

#include "tests/app/gui/window_fixture.h"
#include "tests/support/window/stall_listener.h"
#include "views/commands/action_catalog.h"

namespace ulp::app {
namespace {

/// Markup, a key, a placeholder, and the mark of a changed document.
const QString kName = QStringLiteral("R&D <b>x<i> %1 %2 [*] end");
const QString kPart = QStringLiteral("D <b>x");
const QString kEnd = QStringLiteral("[*] end");

/// What is shown of a name is all of it, as it is.
void expectLiteral(const QString& shown, const QString& where) {
  // Texts of ours end in "…" as well, without any of the name.
  const bool isElided = shown.contains(QChar(0x2026)) && shown.contains(kName.left(3));
  EXPECT_TRUE(isElided ||
              (shown.count(kPart) == shown.count(kName) && shown.count(kEnd) == shown.count(kName)))
      << where.toStdString() << ": " << shown.toStdString();
}

class LiteralNames : public test::WindowFixture {
 protected:
  /// A report in which everything that its maker can name has that name.
  QString hostileFolder() {
    report::Report report = test::realisticReport({.layers = 2, .variants = {kName.toStdString()}});
    report.model.name = kName.toStdString();
    report.provenance.device = kName.toStdString();
    report.provenance.input = kName.toStdString();
    report.runs.front().overrides = {{"model.path", kName.toStdString()}};
    for (report::Run& run : report.runs) {
      for (report::Comparison& row : run.comparisons) {
        row.site.name += row.site.layer == 1 ? " " + kName.toStdString() : "";
      }
    }
    const QString path = m_folder.filePath(kName);
    std::filesystem::create_directories(path.toStdString());
    EXPECT_TRUE(report::saveReport(report, path.toStdString()).has_value());
    return path;
  }

  void expectLiteralWidget(const QWidget& widget) {
    const QString where = QLatin1String(widget.metaObject()->className());
    expectLiteral(widget.toolTip(), where);
    expectLiteral(widget.accessibleName(), where);
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
      m_labels += label->text().contains(kPart) ? 1 : 0;
      const bool isRich = label->textFormat() == Qt::RichText;
      EXPECT_TRUE(isRich || label->textFormat() == Qt::PlainText) << label->text().toStdString();
      QTextDocument rich;
      rich.setHtml(isRich ? label->text() : QString());
      expectLiteral(isRich ? rich.toPlainText() : label->text(), where);
    }
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
      m_buttons += button->text().contains(kPart) ? 1 : 0;
      expectLiteral(views::withoutMnemonic(button->text()), where);
    }
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget)) {
      expectLiteralCells(*view, where);
    }
    if (const auto* view = qobject_cast<const QGraphicsView*>(&widget)) {
      for (const QGraphicsItem* item : view->items()) {
        const auto* text = dynamic_cast<const QGraphicsTextItem*>(item);
        expectLiteral(text == nullptr ? QString() : text->toPlainText(), where);
      }
    }
    for (const QAction* action : widget.actions()) {
      m_actions += action->text().contains(kPart) ? 1 : 0;
      expectLiteral(views::withoutMnemonic(action->text()), where);
    }
  }

  void expectLiteralCells(const QAbstractItemView& view, const QString& where) {
    const QAbstractItemModel* model = view.model();
    for (int row = 0; model != nullptr && row < std::min(model->rowCount(), 60); ++row) {
      for (int column = 0; column < model->columnCount(); ++column) {
        for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole}) {
          const QString text = model->index(row, column).data(role).toString();
          m_cells += text.contains(kPart) ? 1 : 0;
          expectLiteral(text, where);
        }
      }
    }
  }

  int m_labels = 0;
  int m_buttons = 0;
  int m_actions = 0;
  int m_cells = 0;
};

TEST_F(LiteralNames, StandInEveryViewAsTheyAre) {
  test::allowStalls(500, "every view is made and looked at");
  open({hostileFolder()});
  views::SelectionContext& selection = m_session->selection();
  selection.selectRun(kName);
  selection.selectSite(QStringLiteral("decoder.1 ") + kName, Pass::Forward);
  showEveryView();
  for (QMenu* menu : m_window->findChildren<QMenu*>()) {
    Q_EMIT menu->aboutToShow();
  }
  for (QWidget* widget : m_window->findChildren<QWidget*>()) {
    widget->ensurePolished();
    expectLiteralWidget(*widget);
  }
  EXPECT_GT(m_labels, 0);
  EXPECT_GT(m_buttons, 0);
  EXPECT_GT(m_actions, 0);
  EXPECT_GT(m_cells, 0);
}

TEST_F(LiteralNames, StandInTheTitleOfTheWindow) {
  open({hostileFolder()});
  EXPECT_TRUE(m_window->windowHandle()->title().startsWith(kName))
      << m_window->windowHandle()->title().toStdString();
}

}  // namespace
}  // namespace ulp::app
