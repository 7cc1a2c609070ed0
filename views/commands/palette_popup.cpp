#include "views/commands/palette_popup.h"

#include <algorithm>
#include <utility>

#include <QtGui/QAccessible>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListView>

#include "views/commands/palette_delegate.h"
#include "views/framework/widgets/layouts.h"

namespace ulp::views {
namespace {

constexpr int kRows = 14;
constexpr int kColumns = 90;

const QString kPaletteItemsTag = QStringLiteral("palette-items");
const QString kPaletteSearchTag = QStringLiteral("palette-search");

}  // namespace

PalettePopup::PalettePopup(QWidget* window)
    : QFrame(window),
      m_model(new PaletteModel(this)),
      m_edit(new QLineEdit(this)),
      m_list(new QListView(this)),
      m_count(new QLabel(this)) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  columnOf(this, {m_edit, {m_list, 1}, m_count}, {.margins = QMargins(8, 8, 8, 8), .spacing = 4});
  m_edit->setClearButtonEnabled(true);
  m_list->setModel(m_model);
  m_list->setItemDelegate(new PaletteDelegate(m_list));
  m_list->setUniformItemSizes(true);
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_count->setForegroundRole(QPalette::PlaceholderText);
  m_edit->installEventFilter(this);
  window->installEventFilter(this);
  connect(m_edit, &QLineEdit::textChanged, this, &PalettePopup::search);
  connect(m_list, &QListView::clicked, this, &PalettePopup::choose);
  connect(m_list->selectionModel(),
          &QItemSelectionModel::currentChanged,
          this,
          &PalettePopup::describeCurrent);
  hide();
}

void PalettePopup::begin(const Request& request) {
  m_request = request;
  m_items.reset();
  m_last.reset();
  m_background.cancel(kPaletteSearchTag);
  setAccessibleName(request.title);
  m_edit->setAccessibleName(request.title);
  m_edit->setPlaceholderText(request.placeholder);
  m_list->setAccessibleName(request.title);
  if (!isVisible()) {
    m_focusBefore = QApplication::focusWidget();
  }
  m_edit->clear();
  place();
  QWidget::show();
  raise();
  m_edit->setFocus(Qt::PopupFocusReason);
}

void PalettePopup::open(const Request& request, PaletteItemsPtr items) {
  m_background.cancel(kPaletteItemsTag);
  begin(request);
  receive(std::move(items));
}

void PalettePopup::open(const Request& request, std::function<PaletteItemsPtr()> makeItems) {
  begin(request);
  m_model->show(nullptr, {});
  m_count->setText(tr("Reading…"));
  m_background.run<PaletteItemsPtr>(
      kPaletteItemsTag,
      this,
      [make = std::move(makeItems)](const std::stop_token&) { return make(); },
      [this](PaletteItemsPtr items) { receive(std::move(items)); });
}

void PalettePopup::receive(PaletteItemsPtr items) {
  m_items = std::move(items);
  m_last.reset();
  search();
}

void PalettePopup::search() {
  if (!m_items) {
    return;
  }
  const QString query = m_edit->text();
  if (m_items->items().size() <= kSearchedAtOnce) {
    show(m_items->search(query, m_request.recent, m_last.get()));
    return;
  }
  using ResultPtr = std::shared_ptr<const FuzzyResult>;
  m_background.run<ResultPtr>(
      kPaletteSearchTag,
      this,
      [items = m_items, query, recent = m_request.recent, last = m_last](
          const std::stop_token& stop) {
        return std::make_shared<const FuzzyResult>(items->search(query, recent, last.get(), stop));
      },
      [this](const ResultPtr& result) { show(*result); });
}

void PalettePopup::show(const FuzzyResult& result) {
  m_last = std::make_shared<const FuzzyResult>(result);
  m_model->show(m_items, result);
  const auto matched = static_cast<int>(result.matched.size());
  const auto listed = static_cast<int>(result.best.size());
  if (matched == 0) {
    m_count->setText(m_request.nothing);
  } else if (listed < matched) {
    m_count->setText(
        tr("The best %1 of %2").arg(locale().toString(listed), locale().toString(matched)));
  } else {
    m_count->setText(tr("Matches: %1").arg(locale().toString(matched)));
  }
  m_list->setCurrentIndex(m_model->index(0, 0));
  m_list->scrollToTop();
  place();
}

void PalettePopup::place() {
  const QWidget* window = parentWidget();
  const int width = std::min(window->width() - 32, fontMetrics().averageCharWidth() * kColumns);
  // As long as what is found: what lies below stays in sight.
  const int listed = std::clamp(m_model->rowCount(), 1, kRows);
  QStyleOptionViewItem option;
  option.initFrom(m_list);
  const int rows = listed * m_list->itemDelegate()->sizeHint(option, {}).height();
  const int chrome = m_edit->sizeHint().height() + m_count->sizeHint().height() + 32;
  const int height = std::min(window->height() - 32, rows + chrome);
  setGeometry((window->width() - width) / 2, 16, width, height);
}

void PalettePopup::dismiss() {
  if (!isVisible()) {
    return;
  }
  m_background.cancel(kPaletteItemsTag);
  m_background.cancel(kPaletteSearchTag);
  const bool hadFocus = isAncestorOf(QApplication::focusWidget());
  hide();
  if (hadFocus && m_focusBefore) {
    m_focusBefore->setFocus(Qt::PopupFocusReason);
  }
}

void PalettePopup::choose() {
  const QModelIndex current = m_list->currentIndex();
  if (!current.isValid() || !current.flags().testFlag(Qt::ItemIsEnabled)) {
    return;
  }
  const PaletteItem chosen = m_model->item(current.row());
  const auto run = m_request.chosen;
  // Closed first: what was chosen may move the focus or open something else.
  dismiss();
  run(chosen);
}

void PalettePopup::describeCurrent() {
  // The list never has the focus; a screen reader hears of its current row through the line edit.
  m_edit->setAccessibleDescription(m_list->currentIndex().data(Qt::AccessibleTextRole).toString());
  QAccessibleEvent event(m_edit, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&event);
}

bool PalettePopup::handleKey(int key) {
  const int row = m_list->currentIndex().row();
  const int last = m_model->rowCount() - 1;
  int wanted = 0;
  switch (key) {
    case Qt::Key_Escape:
      dismiss();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      choose();
      return true;
    case Qt::Key_Down:
      wanted = row == last ? 0 : row + 1;
      break;
    case Qt::Key_Up:
      wanted = row <= 0 ? last : row - 1;
      break;
    case Qt::Key_PageDown:
      wanted = std::min(last, row + kRows - 1);
      break;
    case Qt::Key_PageUp:
      wanted = std::max(0, row - kRows + 1);
      break;
    default:
      return false;
  }
  m_list->setCurrentIndex(m_model->index(wanted, 0));
  return true;
}

bool PalettePopup::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parent()) {
    if (event->type() == QEvent::Resize && isVisible()) {
      place();
    }
    return false;
  }
  if (event->type() == QEvent::KeyPress) {
    return handleKey(static_cast<QKeyEvent*>(event)->key());
  }
  if (event->type() == QEvent::ShortcutOverride) {
    // Nothing but what is chosen here may run while it is open.
    event->accept();
    return true;
  }
  if (event->type() == QEvent::FocusOut) {
    const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
    if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason) {
      dismiss();
    }
  }
  return false;
}

bool PalettePopup::focusNextPrevChild(bool next) {
  return handleKey(next ? Qt::Key_Down : Qt::Key_Up);
}

}  // namespace ulp::views
