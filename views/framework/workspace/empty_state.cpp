#include "views/framework/workspace/empty_state.h"

#include <utility>

#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/scrolled.h"
#include "views/framework/workspace/window_requests.h"

namespace ulp::views {

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent),
      m_title(new QLabel(this)),
      m_text(new QLabel(this)),
      m_button(new QPushButton(this)) {
  QFont font = m_title->font();
  font.setPointSizeF(font.pointSizeF() * 1.2);
  m_title->setFont(font);
  for (QLabel* label : {m_title, m_text}) {
    label->setTextFormat(Qt::PlainText);
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
  }
  m_text->setForegroundRole(QPalette::PlaceholderText);
  columnOf(this,
           {BoxItem::stretch(2), m_title, m_text, BoxItem::space(4), m_button, BoxItem::stretch(3)},
           {.margins = QMargins(16, 16, 16, 16), .spacing = 8});
  layout()->setAlignment(m_button, Qt::AlignCenter);
  m_button->hide();
  connect(m_button, &QPushButton::clicked, this, [this] { m_onClick(); });
}

void EmptyState::setText(const QString& title, const QString& text) {
  m_title->setText(title);
  m_text->setText(text);
  m_text->setHidden(text.isEmpty());
}

void EmptyState::setNoReport(const QString& text, WindowRequests& requests) {
  setText(tr("No report is open"), text);
  setButton(tr("Open a report…"), [&requests] { requests.askForReport(); });
}

void EmptyState::setButton(const QString& text, std::function<void()> onClick) {
  m_button->setText(text);
  m_button->show();
  m_onClick = std::move(onClick);
}

void EmptyState::hideButton() {
  m_button->hide();
}

PageStack::PageStack(QWidget* parent, QWidget* page)
    : QStackedLayout(parent), m_empty(new EmptyState(parent)) {
  addWidget(scrolled(m_empty));
  addWidget(page);
}

void PageStack::showEmpty(const QString& title,
                          const QString& text,
                          const QString& button,
                          std::function<void()> onClick) {
  m_empty->setText(title, text);
  if (onClick) {
    m_empty->setButton(button, std::move(onClick));
  } else {
    m_empty->hideButton();
  }
  setCurrentIndex(0);
}

void PageStack::showNoReport(const QString& text, WindowRequests& requests) {
  m_empty->setNoReport(text, requests);
  setCurrentIndex(0);
}

}  // namespace ulp::views
