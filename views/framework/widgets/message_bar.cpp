#include "views/framework/widgets/message_bar.h"

#include <algorithm>
#include <utility>

#include <QtCore/QEvent>
#include <QtWidgets/QPushButton>

#include "views/framework/widgets/accessible_chart.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/message_row.h"

namespace ulp::views {
namespace {

constexpr int kMessagesShown = 2;
/// Of those that wait, the oldest are dropped beyond so many.
constexpr int kMessagesKept = 20;
constexpr int kMessageMargin = 12;
constexpr int kMessageColumns = 80;

}  // namespace

QString errorText(const Error& error) {
  return QString::fromStdString(error.message());
}

Message messageOf(const Error& error, const QString& topic) {
  return {.severity = Severity::Broken,
          .text = QString::fromStdString(error.message()),
          .topic = topic};
}

MessageBar::MessageBar(QWidget* over, QWidget* floor)
    : QWidget(over),
      m_floor(floor),
      m_rows(columnOf(this, {}, {.margins = QMargins(), .spacing = 4})),
      m_theme(lightTheme()) {
  setAccessibleName(tr("Messages"));
  // Beside the rows the window must not offer its own menu either.
  setContextMenuPolicy(Qt::PreventContextMenu);
  over->installEventFilter(this);
  for (QWidget* part : over->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
    part->installEventFilter(this);
  }
  if (m_floor != nullptr) {
    m_floor->installEventFilter(this);
  }
  hide();
}

void MessageBar::show(const Message& message) {
  if (!message.topic.isEmpty()) {
    dismiss(message.topic);
  }
  addRow(message);
  setLast(message);
  announce(*m_lastRow, message.text);
}

void MessageBar::addRow(const Message& message) {
  auto* row = new MessageRow(message, m_theme, this);
  for (const MessageAction& action : message.actions) {
    addAction(*row, action);
  }
  connect(row, &MessageRow::closed, row, &MessageRow::withdraw);
  connect(row, &MessageRow::ended, this, [this, row] { removeRow(*row); });
  m_rows->insertWidget(0, row);
  m_lastRow = row;
  while (m_rows->count() > kMessagesKept) {
    removeRow(rowAt(m_rows->count() - 1));
  }
  arrange();
}

void MessageBar::addAction(MessageRow& row, const MessageAction& action) {
  connect(row.addAction(action.text), &QPushButton::clicked, this, [this, &row, run = action.run] {
    if (&row == m_lastRow) {
      setLast(std::nullopt);
    }
    row.withdraw();
    run();
  });
}

void MessageBar::dismiss(const QString& topic) {
  for (int i = m_rows->count() - 1; i >= 0; --i) {
    MessageRow& row = rowAt(i);
    if (!row.isOf(topic) || row.isWithdrawn()) {
      continue;
    }
    if (row.underMouse()) {
      // The pointer may be about to press one of its buttons.
      row.withdraw();
    } else {
      removeRow(row);
    }
  }
  if (m_last && m_last->topic == topic) {
    setLast(std::nullopt);
  }
}

void MessageBar::clear() {
  while (m_rows->count() > 0) {
    removeRow(rowAt(0));
  }
}

int MessageBar::count() const {
  int rows = 0;
  for (int i = 0; i < m_rows->count(); ++i) {
    rows += rowAt(i).isWithdrawn() ? 0 : 1;
  }
  return rows;
}

void MessageBar::showLast() {
  const bool canBeSeen =
      m_lastRow != nullptr && !m_lastRow->isWithdrawn() && m_lastRow->isVisible();
  if (m_last && !canBeSeen) {
    show(Message(*m_last));
  }
}

void MessageBar::setSeverityColors(const Theme& theme) {
  m_theme = theme;
  for (int i = 0; i < m_rows->count(); ++i) {
    rowAt(i).setColors(theme);
  }
}

MessageRow& MessageBar::rowAt(int index) const {
  return *static_cast<MessageRow*>(m_rows->itemAt(index)->widget());
}

void MessageBar::removeRow(MessageRow& row) {
  m_rows->removeWidget(&row);
  row.hide();
  row.deleteLater();
  if (&row == m_lastRow) {
    m_lastRow = nullptr;
  }
  arrange();
}

void MessageBar::setLast(std::optional<Message> message) {
  m_last = std::move(message);
  Q_EMIT lastChanged();
}

void MessageBar::arrange() {
  for (int i = 0; i < m_rows->count(); ++i) {
    rowAt(i).setVisible(i < kMessagesShown);
  }
  setVisible(m_rows->count() > 0);
  place();
  raise();
}

void MessageBar::place() {
  const QWidget& over = *parentWidget();
  QRect area = over.rect();
  if (m_floor != nullptr && m_floor->isVisibleTo(&over)) {
    area.setBottom(m_floor->mapTo(&over, QPoint()).y() - 1);
  }
  area.adjust(kMessageMargin, kMessageMargin, -kMessageMargin, -kMessageMargin);
  const int width = std::min(area.width(), fontMetrics().averageCharWidth() * kMessageColumns);
  // Of rows without a text, which were withdrawn, no height follows from the width.
  const int wanted = m_rows->hasHeightForWidth() ? m_rows->totalHeightForWidth(width)
                                                 : m_rows->totalSizeHint().height();
  const int height = std::max(0, std::min(area.height(), wanted));
  setGeometry(area.right() + 1 - width, area.bottom() + 1 - height, width, height);
}

bool MessageBar::event(QEvent* event) {
  const bool isHandled = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest) {
    place();
  }
  return isHandled;
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
  const bool isArea = watched == parent() || watched == m_floor;
  switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
      if (isArea) {
        place();
      }
      break;
    case QEvent::ChildAdded:
      if (watched == parent()) {
        static_cast<QChildEvent*>(event)->child()->installEventFilter(this);
        raise();
      }
      break;
    case QEvent::ZOrderChange:
      // A dock comes to the front of its tabs, and would to that of the messages. It learns of it
      // by this event, and only while it is in front.
      if (watched != this && !isHidden()) {
        QMetaObject::invokeMethod(this, &QWidget::raise, Qt::QueuedConnection);
      }
      break;
    default:
      break;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace ulp::views
