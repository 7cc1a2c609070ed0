#include "views/framework/widgets/message_row.h"

#include <chrono>

#include <QtCore/QPropertyAnimation>
#include <QtCore/QRegularExpression>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QMouseEvent>
#include <QtWidgets/QApplication>
#include <QtWidgets/QGraphicsOpacityEffect>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QToolButton>

#include "core/base/text/elided.h"
#include "views/framework/look/icons.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/severity.h"

namespace ulp::views {
namespace {

constexpr std::chrono::milliseconds kReadingTime{5000};
constexpr std::chrono::milliseconds kWithdrawnTime{1000};
constexpr int kFadeMs = 150;
/// Bytes of a text that are shown: what happened and the remedy stand at its ends. More would cover
/// the place to which the message leads.
constexpr std::size_t kMostBytesShown = 400;

/// The text with places where lines may break inside words that are longer than a line, as paths
/// are. What is copied is the text itself.
QString breakableText(const QString& text) {
  static const QRegularExpression kLongWord(QStringLiteral("\\S{40,}"));
  static const QRegularExpression kPart(QStringLiteral("([/\\\\]|\\w{30})"));
  QString broken;
  qsizetype done = 0;
  for (auto word = kLongWord.globalMatch(text); word.hasNext();) {
    const QRegularExpressionMatch match = word.next();
    broken += text.mid(done, match.capturedStart() - done);
    broken += match.captured().replace(kPart, QStringLiteral("\\1") + QChar(0x200B));
    done = match.capturedEnd();
  }
  return broken + text.mid(done);
}

}  // namespace

MessageRow::MessageRow(const Message& message, const Theme& theme, QWidget* parent)
    : QFrame(parent),
      m_severity(message.severity),
      m_topic(message.topic),
      m_fades(message.severity == Severity::Fine && !message.stays),
      m_glyph(new QLabel(this)) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  m_glyph->setText(severityGlyph(message.severity));
  m_glyph->setAccessibleName(severityWord(message.severity));
  const std::string shown = elided(message.text.toStdString(), kMostBytesShown);
  auto* text = new QLabel(breakableText(QString::fromStdString(shown)), this);
  text->setTextFormat(Qt::PlainText);
  text->setWordWrap(true);
  text->setAccessibleName(message.text);
  m_layout = rowOf(this, {m_glyph, {text, 1}}, {.margins = QMargins(12, 4, 4, 4), .spacing = 8});
  m_actionPlace = m_layout->count();
  connect(
      addButton("copy", tr("Copy message")), &QToolButton::clicked, this, [copied = message.text] {
        QGuiApplication::clipboard()->setText(copied);
      });
  connect(
      addButton("close", tr("Dismiss message")), &QToolButton::clicked, this, &MessageRow::closed);
  setColors(theme);
  m_timer.setSingleShot(true);
  connect(&m_timer, &QTimer::timeout, this, &MessageRow::fade);
}

QToolButton* MessageRow::addButton(const char* icon, const QString& name) {
  auto* button = new QToolButton(this);
  setUpToolButton(*button, {.icon = QLatin1String(icon), .name = name});
  m_layout->addWidget(button, 0, Qt::AlignTop);
  return button;
}

QPushButton* MessageRow::addAction(const QString& text) {
  auto* button = new QPushButton(text, this);
  // A click leaves the keyboard in the view.
  button->setFocusPolicy(Qt::TabFocus);
  m_layout->insertWidget(m_actionPlace++, button);
  return button;
}

void MessageRow::setColors(const Theme& theme) {
  QPalette palette = m_glyph->palette();
  palette.setColor(QPalette::WindowText, theme.severityColor(m_severity));
  m_glyph->setPalette(palette);
}

void MessageRow::withdraw() {
  // Whatever follows in its place moves there later.
  setFixedHeight(height());
  setFrameShape(QFrame::NoFrame);
  setAutoFillBackground(false);
  for (QWidget* part : findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
    part->hide();
  }
  // Hiding what the pointer is in looks as if it had left the row: only now that counts.
  m_isWithdrawn = true;
  m_timer.start(kWithdrawnTime);
}

void MessageRow::fade() {
  if (m_isWithdrawn) {
    Q_EMIT ended();
    return;
  }
  if (isAncestorOf(QApplication::focusWidget())) {
    m_timer.start(kReadingTime);
    return;
  }
  auto* effect = new QGraphicsOpacityEffect(this);
  setGraphicsEffect(effect);
  auto* animation = new QPropertyAnimation(effect, "opacity", this);
  animation->setDuration(kFadeMs);
  animation->setStartValue(1.0);
  animation->setEndValue(0.0);
  connect(animation, &QPropertyAnimation::finished, this, &MessageRow::ended);
  animation->start();
}

void MessageRow::showEvent(QShowEvent* event) {
  QFrame::showEvent(event);
  if (m_fades && !m_isWithdrawn) {
    m_timer.start(kReadingTime);
  }
}

void MessageRow::enterEvent(QEnterEvent* event) {
  QFrame::enterEvent(event);
  if (!m_isWithdrawn) {
    m_timer.stop();
  }
}

void MessageRow::leaveEvent(QEvent* event) {
  QFrame::leaveEvent(event);
  if (m_isWithdrawn) {
    Q_EMIT ended();
  } else if (m_fades) {
    m_timer.start(kReadingTime);
  }
}

// Nothing that is pressed here is for what the message lies over.
void MessageRow::mousePressEvent(QMouseEvent* event) {
  event->accept();
}

void MessageRow::mouseDoubleClickEvent(QMouseEvent* event) {
  event->accept();
}

}  // namespace ulp::views
