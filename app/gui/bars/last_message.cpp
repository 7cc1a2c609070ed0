#include "app/gui/bars/last_message.h"

#include "views/framework/widgets/message_bar.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/words/literal_text.h"

namespace ulp::app {
namespace {

constexpr int kLastMessageColumns = 40;

}  // namespace

LastMessage::LastMessage(views::MessageBar& messages, QWidget* parent)
    : QToolButton(parent), m_messages(messages) {
  setObjectName(QStringLiteral("lastMessage"));
  setAutoRaise(true);
  // Without a text it would ask for the height of an icon, and the bar change with the first one.
  setToolButtonStyle(Qt::ToolButtonTextOnly);
  // Its text must not make the window wider.
  setMinimumWidth(1);
  connect(this, &QToolButton::clicked, &m_messages, &views::MessageBar::showLast);
  connect(&m_messages, &views::MessageBar::lastChanged, this, &LastMessage::refresh);
  refresh();
}

void LastMessage::refresh() {
  setVisible(m_messages.last().has_value());
  if (!m_messages.last()) {
    return;
  }
  const views::Message& last = *m_messages.last();
  const QString line =
      QStringLiteral("%1 %2").arg(views::severityGlyph(last.severity), last.text.simplified());
  const int width = fontMetrics().averageCharWidth() * kLastMessageColumns;
  setText(views::literalText(fontMetrics().elidedText(line, Qt::ElideRight, width)));
  setToolTip(tr("Show the last message again"));
  setAccessibleName(tr("Last message: %1").arg(last.text));
}

}  // namespace ulp::app
