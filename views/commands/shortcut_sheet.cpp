#include "views/commands/shortcut_sheet.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include <QtGui/QTextDocument>
#include <QtPrintSupport/QPrintDialog>
#include <QtPrintSupport/QPrinter>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTreeWidget>

#include "views/commands/shortcut_scheme.h"
#include "views/framework/tables/cell_delegate.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/search_line.h"

namespace ulp::views {
namespace {

QString keyText(Qt::Key key) {
  return QKeySequence(key).toString(QKeySequence::NativeText);
}

std::vector<ShortcutLine> chartLines() {
  const QString group = ShortcutSheet::tr("In every chart");
  const auto pair = [](Qt::Key a, Qt::Key b) {
    return QStringLiteral("%1, %2").arg(keyText(a), keyText(b));
  };
  return {
      {group, ShortcutSheet::tr("Previous or next tensor"), pair(Qt::Key_Left, Qt::Key_Right)},
      {group, ShortcutSheet::tr("Previous or next variant"), pair(Qt::Key_Up, Qt::Key_Down)},
      {group, ShortcutSheet::tr("First or last tensor"), pair(Qt::Key_Home, Qt::Key_End)},
      {group, ShortcutSheet::tr("Zoom in or out"), pair(Qt::Key_Plus, Qt::Key_Minus)},
      {group, ShortcutSheet::tr("Show everything"), pair(Qt::Key_F, Qt::Key_0)},
      {group, ShortcutSheet::tr("Go deeper"), keyText(Qt::Key_Return)},
  };
}

}  // namespace

std::vector<ShortcutLine> shortcutLines(const ShortcutScheme& scheme) {
  std::vector<ShortcutLine> lines;
  for (const ShortcutScheme::Row& row : scheme.rows()) {
    if (!row.keys.isEmpty()) {
      lines.push_back({row.group, row.text, keysText(row.keys)});
    }
  }
  // Views are adopted as they are made; their lines belong together all the same.
  QStringList groups;
  for (const ShortcutLine& line : lines) {
    groups << line.group;
  }
  groups.removeDuplicates();
  std::ranges::stable_sort(
      lines, {}, [&](const ShortcutLine& line) { return groups.indexOf(line.group); });
  std::ranges::move(chartLines(), std::back_inserter(lines));
  return lines;
}

std::vector<ShortcutLine> filterLines(const std::vector<ShortcutLine>& lines,
                                      const QString& query) {
  std::vector<ShortcutLine> kept;
  std::ranges::copy_if(lines, std::back_inserter(kept), [&](const ShortcutLine& line) {
    return containsWords(QStringList{line.group, line.text, line.keys}.join(u'\n'), query);
  });
  return kept;
}

QString sheetHtml(const std::vector<ShortcutLine>& lines) {
  QString html = QStringLiteral("<h2>%1</h2><table cellspacing=\"0\" cellpadding=\"3\">")
                     .arg(ShortcutSheet::tr("Keyboard shortcuts of Ulpscope").toHtmlEscaped());
  QString group;
  for (const ShortcutLine& line : lines) {
    if (line.group != group) {
      group = line.group;
      html +=
          QStringLiteral("<tr><td colspan=\"2\"><b>%1</b></td></tr>").arg(group.toHtmlEscaped());
    }
    html += QStringLiteral("<tr><td width=\"35%\">%1</td><td>%2</td></tr>")
                .arg(line.keys.toHtmlEscaped(), line.text.toHtmlEscaped());
  }
  return html + QStringLiteral("</table>");
}

QTreeWidget* makeCommandTree(QWidget* parent) {
  auto* tree = new QTreeWidget(parent);
  tree->setItemDelegate(new RoomyDelegate(tree));
  tree->setHeaderLabels({ShortcutSheet::tr("Command"), ShortcutSheet::tr("Keys")});
  tree->setRootIsDecorated(false);
  tree->setAlternatingRowColors(true);
  tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  tree->header()->setStretchLastSection(false);
  return tree;
}

ShortcutSheet::ShortcutSheet(const ShortcutScheme& scheme, QWidget* parent)
    : QDialog(parent),
      m_scheme(scheme),
      m_filter(makeSearchLine(tr("Search for a command or a key"), this)),
      m_tree(makeCommandTree(this)),
      m_nothing(new QLabel(tr("No shortcut is called that."), this)) {
  setObjectName(QStringLiteral("shortcutSheet"));
  setWindowTitle(tr("Keyboard shortcuts"));
  m_tree->setAccessibleName(tr("Keyboard shortcuts"));
  m_tree->setItemsExpandable(false);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  auto* printed = buttons->addButton(tr("&Print…"), QDialogButtonBox::ActionRole);
  // Return in the search line must not close the window.
  printed->setAutoDefault(false);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
  connect(printed, &QPushButton::clicked, this, &ShortcutSheet::print);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_filter, &QLineEdit::textChanged, this, &ShortcutSheet::refill);
  connect(&scheme, &ShortcutScheme::changed, this, &ShortcutSheet::refill);
  columnOf(this,
           {m_filter, m_nothing, {m_tree, 1}, buttons},
           {.margins = QMargins(16, 16, 16, 16), .spacing = 8});
  resize(fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 36);
  refill();
}

void ShortcutSheet::refill() {
  const std::vector<ShortcutLine> lines = filterLines(shortcutLines(m_scheme), m_filter->text());
  m_tree->clear();
  m_nothing->setVisible(lines.empty());
  QTreeWidgetItem* group = nullptr;
  for (const ShortcutLine& line : lines) {
    if (group == nullptr || group->text(0) != line.group) {
      group = new QTreeWidgetItem(m_tree, {line.group});
      QFont font = m_tree->font();
      font.setBold(true);
      group->setFont(0, font);
      group->setFirstColumnSpanned(true);
      group->setFlags(Qt::ItemIsEnabled);
    }
    new QTreeWidgetItem(group, {line.text, line.keys});
  }
  m_tree->expandAll();
}

void ShortcutSheet::print() {
  auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
  auto* dialog = new QPrintDialog(printer.get(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, printer] {
    QTextDocument document;
    document.setHtml(sheetHtml(filterLines(shortcutLines(m_scheme), m_filter->text())));
    document.print(printer.get());
  });
  connect(dialog, &QObject::destroyed, this, [printer] {});
  dialog->open();
}

}  // namespace ulp::views
