#include "views/framework/widgets/message_bar.h"

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QToolButton>

#include "views/framework/look/icons.h"
#include "views/framework/widgets/accessible_chart.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/severity.h"

namespace ulp::views {
namespace {

const char* const kTopicProperty = "ulpTopic";

QToolButton* makeButton(const QString& iconName, const QString& name, QWidget* parent) {
  auto* button = new QToolButton(parent);
  setUpToolButton(*button, {.icon = iconName, .name = name});
  return button;
}

/// Wrapped text as tall as its lines at its width; one line until it knows its width. QLabel alone
/// guesses, and a toolbar keeps the height that it was told first.
class WrappedText : public QLabel {
 public:
  WrappedText(const QString& text, QWidget* parent) : QLabel(text, parent) {
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setAccessibleName(text);
    // Layouts would ask for the height at a width that they guess, too.
    QSizePolicy policy = sizePolicy();
    policy.setHeightForWidth(false);
    setSizePolicy(policy);
  }

  [[nodiscard]] QSize sizeHint() const override {
    return {QLabel::sizeHint().width(), textHeight()};
  }
  [[nodiscard]] QSize minimumSizeHint() const override {
    return {QLabel::minimumSizeHint().width(), textHeight()};
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QLabel::resizeEvent(event);
    m_hasWidth = true;
    updateGeometry();
  }

 private:
  [[nodiscard]] int textHeight() const {
    return m_hasWidth ? heightForWidth(width()) : fontMetrics().height();
  }

  bool m_hasWidth = false;
};

/// One message: glyph, text, actions, copy, close.
class MessageRow : public QWidget {
 public:
  MessageRow(const Message& message, const Theme& theme, QWidget* parent)
      : QWidget(parent), m_severity(message.severity), m_glyph(new QLabel(this)) {
    setProperty(kTopicProperty, message.topic);
    m_glyph->setText(severityGlyph(message.severity));
    m_glyph->setAccessibleName(severityWord(message.severity));
    rowOf(this,
          {m_glyph, {new WrappedText(message.text, this), 1}},
          {.margins = QMargins(12, 4, 8, 4), .spacing = 8});
    layout()->setAlignment(m_glyph, Qt::AlignVCenter);
    setColors(theme);
  }

  QPushButton* addAction(const QString& text) {
    auto* button = new QPushButton(text, this);
    layout()->addWidget(button);
    return button;
  }
  void addButton(QToolButton* button) { layout()->addWidget(button); }

  void setColors(const Theme& theme) {
    QPalette palette = m_glyph->palette();
    palette.setColor(QPalette::WindowText, theme.severityColor(m_severity));
    m_glyph->setPalette(palette);
  }

 private:
  Severity m_severity;
  QLabel* m_glyph;
};

}  // namespace

QString errorText(const Error& error) {
  return QString::fromStdString(error.message());
}

Message messageOf(const Error& error, const QString& topic) {
  return {.severity = Severity::Broken,
          .text = QString::fromStdString(error.message()),
          .topic = topic};
}

MessageBar::MessageBar(QWidget* parent)
    : QWidget(parent), m_rows(columnOf(this, {}, kTight)), m_theme(lightTheme()) {
  setAccessibleName(tr("Messages"));
  hide();
}

void MessageBar::show(const Message& message) {
  if (!message.topic.isEmpty()) {
    dismiss(message.topic);
  }
  auto* row = new MessageRow(message, m_theme, this);
  for (const MessageAction& action : message.actions) {
    QPushButton* button = row->addAction(action.text);
    connect(button, &QPushButton::clicked, this, [this, row, run = action.run] {
      removeRow(row);
      run();
    });
  }
  QToolButton* copy = makeButton(QStringLiteral("copy"), tr("Copy message"), row);
  connect(copy, &QToolButton::clicked, this, [text = message.text] {
    QGuiApplication::clipboard()->setText(text);
  });
  row->addButton(copy);
  QToolButton* close = makeButton(QStringLiteral("close"), tr("Dismiss message"), row);
  connect(close, &QToolButton::clicked, this, [this, row] { removeRow(row); });
  row->addButton(close);
  m_rows->insertWidget(0, row);
  while (m_rows->count() > kMaxMessages) {
    removeRow(m_rows->itemAt(m_rows->count() - 1)->widget());
  }
  setVisible(true);
  Q_EMIT countChanged();
  announce(*row, message.text);
}

void MessageBar::dismiss(const QString& topic) {
  for (int i = m_rows->count() - 1; i >= 0; --i) {
    QWidget* row = m_rows->itemAt(i)->widget();
    if (row->property(kTopicProperty).toString() == topic) {
      removeRow(row);
    }
  }
}

void MessageBar::clear() {
  while (m_rows->count() > 0) {
    removeRow(m_rows->itemAt(0)->widget());
  }
}

int MessageBar::count() const {
  return m_rows->count();
}

void MessageBar::setSeverityColors(const Theme& theme) {
  m_theme = theme;
  for (int i = 0; i < m_rows->count(); ++i) {
    static_cast<MessageRow*>(m_rows->itemAt(i)->widget())->setColors(theme);
  }
}

void MessageBar::removeRow(QWidget* row) {
  m_rows->removeWidget(row);
  row->hide();
  row->deleteLater();
  setVisible(m_rows->count() > 0);
  Q_EMIT countChanged();
}

}  // namespace ulp::views
