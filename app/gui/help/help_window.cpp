#include "app/gui/help/help_window.h"

#include <algorithm>

#include <QtCore/QEvent>
#include <QtCore/QPointer>
#include <QtGui/QAction>
#include <QtGui/QDesktopServices>
#include <QtGui/QScreen>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTextBrowser>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QTreeWidget>

#include "app/gui/help/help_page.h"
#include "views/framework/look/icons.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/search_line.h"
#include "views/framework/widgets/text_label.h"

namespace ulp::app {
namespace {

constexpr QSize kUsualSize{980, 680};
constexpr int kNarrowWidth = 440;
constexpr int kContentsWidth = 270;
constexpr int kDocumentRole = Qt::UserRole;
constexpr int kPageRole = Qt::UserRole + 1;

const QString kNextPage = QStringLiteral("help-next:");

/// Nothing: a title above documents.
std::optional<HelpPosition> positionOf(const QTreeWidgetItem& item) {
  const QVariant document = item.data(0, kDocumentRole);
  return document.isValid() ? std::optional(HelpPosition{document.toULongLong(),
                                                         item.data(0, kPageRole).toULongLong()})
                            : std::nullopt;
}

QToolButton* makeButton(QAction& action, QWidget* parent) {
  auto* button = new QToolButton(parent);
  views::setUpToolButton(*button, action);
  return button;
}

}  // namespace

HelpWindow::HelpWindow(const HelpLibrary& library, QWidget* owner)
    : QWidget(owner, Qt::Window),
      m_library(library),
      m_search(views::makeSearchLine(tr("Search the help"), this)),
      m_contents(new QTreeWidget(this)),
      m_browser(new QTextBrowser(this)),
      m_status(views::makeTextLabel(this)),
      m_openOutside(new QPushButton(tr("&Open in the browser"), this)) {
  setObjectName(QStringLiteral("help"));
  setWindowTitle(tr("Help"));
  makeActions();
  m_contents->setHeaderHidden(true);
  m_contents->setAccessibleName(tr("Contents"));
  m_contents->setUniformRowHeights(true);
  m_contents->setMinimumWidth(1);
  m_browser->setOpenLinks(false);
  m_browser->setMinimumWidth(1);
  m_openOutside->hide();
  auto* split = new QSplitter(this);
  split->addWidget(m_contents);
  split->addWidget(m_browser);
  split->setStretchFactor(1, 1);
  split->setSizes({kContentsWidth, kUsualSize.width() - kContentsWidth});
  auto* tools = views::rowOf(nullptr,
                             {makeButton(*m_contentsShown, this),
                              makeButton(*m_back, this),
                              makeButton(*m_forward, this),
                              {m_search, 1}});
  auto* bottom = views::rowOf(nullptr, {{m_status, 1}, m_openOutside});
  views::columnOf(this, {tools, {split, 1}, bottom}, {.margins = QMargins(6, 6, 6, 6)});
  connect(m_search, &QLineEdit::textChanged, this, &HelpWindow::fillResults);
  connect(m_search, &QLineEdit::returnPressed, this, [this] {
    const QTreeWidgetItem* first = m_contents->topLevelItem(0);
    if (first != nullptr && !m_search->text().trimmed().isEmpty()) {
      m_contents->setCurrentItem(m_contents->topLevelItem(0));
    }
  });
  connect(m_contents, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    const auto at = item == nullptr ? std::nullopt : positionOf(*item);
    if (at && *at != position()) {
      visit({.at = *at});
    }
  });
  connect(m_browser, &QTextBrowser::anchorClicked, this, &HelpWindow::follow);
  connect(m_browser, &QTextBrowser::highlighted, this, &HelpWindow::tellLink);
  connect(m_openOutside, &QPushButton::clicked, this, [this] {
    QDesktopServices::openUrl(m_outside);
    say({});
  });
  resize(kUsualSize.boundedTo(screen()->availableSize()));
  fillContents();
}

void HelpWindow::makeActions() {
  const auto make = [this](const QString& text, const char* icon, const QKeySequence& key) {
    auto* action = new QAction(views::themedIcon(QLatin1String(icon)), text, this);
    action->setShortcut(key);
    action->setToolTip(QStringLiteral("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
    addAction(action);
    return action;
  };
  m_contentsShown = make(tr("Contents"), "panels", QKeySequence(Qt::CTRL | Qt::Key_T));
  m_contentsShown->setCheckable(true);
  m_contentsShown->setChecked(true);
  connect(m_contentsShown, &QAction::toggled, m_contents, &QWidget::setVisible);
  m_back = make(tr("Back"), "back", QKeySequence(Qt::ALT | Qt::Key_Left));
  connect(m_back, &QAction::triggered, this, [this] { step(-1); });
  m_forward = make(tr("Forward"), "forward", QKeySequence(Qt::ALT | Qt::Key_Right));
  connect(m_forward, &QAction::triggered, this, [this] { step(1); });
  auto* search = make(tr("Search"), "search", QKeySequence::Find);
  connect(search, &QAction::triggered, m_search, [this] {
    m_contentsShown->setChecked(true);
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
  });
  auto* close = make(tr("Close"), "close", QKeySequence(Qt::Key_Escape));
  connect(close, &QAction::triggered, this, &QWidget::close);
}

void HelpWindow::open(const HelpPlace& place) {
  // Laid out in its size before it scrolls to the place.
  show();
  raise();
  activateWindow();
  m_browser->setFocus();
  if (const auto at = m_library.find(place)) {
    visit({.at = *at, .anchor = place.anchor});
  } else {
    if (!m_hasPage && !m_library.documents().empty()) {
      visit({});
    }
    sayMissing(place.anchor.isEmpty() ? place.document : place.document + u'#' + place.anchor);
  }
}

void HelpWindow::setBeside(bool isBeside) {
  if (isBeside == m_isBeside) {
    return;
  }
  m_isBeside = isBeside;
  m_contentsShown->setChecked(!isBeside);
  if (!isBeside) {
    resize(kUsualSize.boundedTo(screen()->availableSize()));
    return;
  }
  const QRect owner = parentWidget()->frameGeometry();
  const QRect room = parentWidget()->screen()->availableGeometry();
  // Beside the window where the screen has room, else over its right edge.
  const int left = std::min(owner.right() + 1, room.right() - kNarrowWidth);
  const int top = std::max(owner.top(), room.top());
  resize(QSize(kNarrowWidth, kUsualSize.height()).boundedTo(room.size()));
  move(std::max(left, room.left()), top);
}

void HelpWindow::follow(const QUrl& link) {
  const HelpPosition here = position();
  if (link.toString() == kNextPage) {
    visit({.at = nextOf(here)});
    return;
  }
  if (!link.isRelative()) {
    m_outside = link;
    say(tr("%1 is not part of this help.").arg(link.toDisplayString()));
    m_openOutside->show();
    return;
  }
  const auto place = followLink(m_library.document(here).path, link.toString());
  if (place && m_library.find(*place)) {
    open(*place);
  } else {
    sayMissing(link.toString());
  }
}

void HelpWindow::tellLink(const QUrl& link) {
  if (m_openOutside->isHidden()) {
    say(link.isRelative() || link.isEmpty()
            ? QString()
            : tr("%1, outside of this help").arg(link.toDisplayString()));
  }
}

void HelpWindow::say(const QString& text) {
  m_status->setText(text);
  m_openOutside->hide();
}

void HelpWindow::sayMissing(const QString& place) {
  say(tr("This help has no place %1. It may be a file of Ulpscope's sources.").arg(place));
}

HelpPosition HelpWindow::nextOf(HelpPosition at) const {
  return at.page + 1 < m_library.document(at).pages.size() ? HelpPosition{at.document, at.page + 1}
                                                           : at;
}

void HelpWindow::visit(const Visit& place) {
  if (m_hasPage) {
    m_visits[m_visit].scroll = m_browser->verticalScrollBar()->value();
    m_visits.resize(m_visit + 1);
  } else {
    m_visits.clear();
  }
  m_hasPage = true;
  m_visits.push_back(place);
  m_visit = m_visits.size() - 1;
  showPage();
}

void HelpWindow::step(int direction) {
  const auto wanted = static_cast<std::ptrdiff_t>(m_visit) + direction;
  if (wanted < 0 || wanted >= std::ssize(m_visits)) {
    return;
  }
  m_visits[m_visit].scroll = m_browser->verticalScrollBar()->value();
  m_visit = static_cast<std::size_t>(wanted);
  showPage();
}

void HelpWindow::showPage() {
  const Visit visit = m_visits[m_visit];
  const HelpDocument& document = m_library.document(visit.at);
  const HelpPage& page = m_library.page(visit.at);
  say({});
  std::unique_ptr<QTextDocument> shown = makeHelpPage(page.text, m_browser->font(), palette());
  if (const HelpPosition next = nextOf(visit.at); next != visit.at) {
    appendLink(*shown, tr("Next: %1").arg(titleOf(next)), kNextPage);
  }
  shown->setParent(m_browser);
  const QPointer<QTextDocument> before = m_browser->document();
  // Their cursors must not outlive their document.
  m_browser->setExtraSelections({});
  m_browser->setDocument(shown.release());
  delete before;
  setWindowTitle(tr("%1 – Help").arg(document.title));
  m_browser->setAccessibleName(titleOf(visit.at));
  m_back->setEnabled(m_visit > 0);
  m_forward->setEnabled(m_visit + 1 < m_visits.size());
  markFound();
  if (visit.scroll) {
    m_browser->verticalScrollBar()->setValue(*visit.scroll);
  } else {
    goToAnchor(visit.anchor);
  }
  showPosition();
}

QString HelpWindow::titleOf(HelpPosition at) const {
  const HelpPage& page = m_library.page(at);
  return page.isContinued ? tr("%1, continued").arg(page.title) : page.title;
}

void HelpWindow::goToAnchor(const QString& anchor) {
  const QTextCursor place =
      anchor.isEmpty() ? QTextCursor() : findAnchor(*m_browser->document(), anchor);
  QScrollBar& bar = *m_browser->verticalScrollBar();
  if (place.isNull()) {
    bar.setValue(0);
    return;
  }
  m_browser->setTextCursor(place);
  const bool isHeading = place.blockFormat().headingLevel() > 0;
  // The titles above a row stay in sight where they are near.
  const int above = isHeading ? m_browser->fontMetrics().height() / 2 : m_browser->height() / 3;
  bar.setValue(bar.value() + m_browser->cursorRect(place).top() - above);
  if (!isHeading) {
    QTextCursor row = place;
    row.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    mark({row});
  }
}

void HelpWindow::mark(const QList<QTextCursor>& places) {
  QList<QTextEdit::ExtraSelection> marks;
  for (const QTextCursor& place : places) {
    QTextEdit::ExtraSelection one;
    one.cursor = place;
    one.format.setBackground(palette().highlight());
    one.format.setForeground(palette().highlightedText());
    marks << one;
  }
  m_browser->setExtraSelections(marks);
}

void HelpWindow::markFound() {
  QList<QTextCursor> found;
  for (const QString& word : m_search->text().simplified().split(u' ', Qt::SkipEmptyParts)) {
    QTextCursor at(m_browser->document());
    while (!(at = m_browser->document()->find(word, at)).isNull()) {
      found << at;
    }
  }
  mark(found);
}

void HelpWindow::addItem(QTreeWidgetItem& parent, const QString& text, HelpPosition at) {
  auto* item = new QTreeWidgetItem(&parent, {text});
  item->setData(0, kDocumentRole, static_cast<qulonglong>(at.document));
  item->setData(0, kPageRole, static_cast<qulonglong>(at.page));
  item->setToolTip(0, text);
}

void HelpWindow::fillContents() {
  const QSignalBlocker blocker(m_contents);
  m_contents->clear();
  m_contents->setRootIsDecorated(true);
  const std::vector<HelpDocument>& documents = m_library.documents();
  QTreeWidgetItem* group = nullptr;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const QString title = documents[i].path.startsWith(QStringLiteral("guide/")) ? tr("Guide")
                          : documents[i].path.startsWith(QStringLiteral("formats/"))
                              ? tr("File formats")
                              : tr("Reference");
    if (group == nullptr || group->text(0) != title) {
      group = new QTreeWidgetItem(m_contents, {title});
      group->setFlags(Qt::ItemIsEnabled);
      group->setExpanded(true);
    }
    addItem(*group, documents[i].title, {i, 0});
    QTreeWidgetItem& document = *group->child(group->childCount() - 1);
    for (std::size_t page = 1; page < documents[i].pages.size(); ++page) {
      addItem(document, titleOf({i, page}), {i, page});
    }
  }
  showPosition();
}

void HelpWindow::fillResults(const QString& words) {
  if (words.trimmed().isEmpty()) {
    fillContents();
    markFound();
    return;
  }
  m_contentsShown->setChecked(true);
  const QSignalBlocker blocker(m_contents);
  m_contents->clear();
  m_contents->setRootIsDecorated(false);
  for (const HelpPosition at : m_library.search(words)) {
    const QString title = m_library.document(at).title;
    addItem(*m_contents->invisibleRootItem(),
            at.page == 0 ? title : QStringLiteral("%1 – %2").arg(titleOf(at), title),
            at);
  }
  const int count = m_contents->topLevelItemCount();
  say(count == 0 ? tr("No page has all of these words.") : tr("Pages found: %1").arg(count));
  markFound();
}

void HelpWindow::showPosition() {
  const QSignalBlocker blocker(m_contents);
  m_contents->setCurrentItem(nullptr);
  if (!m_hasPage) {
    return;
  }
  for (QTreeWidgetItemIterator item(m_contents); *item != nullptr; ++item) {
    if (positionOf(**item) == position()) {
      m_contents->setCurrentItem(*item);
      m_contents->scrollToItem(*item);
      (*item)->setExpanded(true);
      return;
    }
  }
}

void HelpWindow::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  const bool isLook = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange;
  if (isLook && m_hasPage) {
    m_visits[m_visit].scroll = m_browser->verticalScrollBar()->value();
    showPage();
  }
}

}  // namespace ulp::app
