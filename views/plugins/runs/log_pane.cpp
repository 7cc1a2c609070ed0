#include "views/plugins/runs/log_pane.h"

#include <algorithm>

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QVBoxLayout>

#include "views/framework/look/icons.h"
#include "views/framework/tables/table_tools.h"

namespace ulp::views {

LogPane::LogPane(QWidget* parent)
    : QWidget(parent),
      m_text(new QLineEdit(this)),
      m_level(new QComboBox(this)),
      m_follow(new QToolButton(this)),
      m_log(new QPlainTextEdit(this)) {
  m_text->setPlaceholderText(tr("Filter log"));
  m_text->setAccessibleName(tr("Filter log"));
  m_text->setToolTip(tr("Only lines with this text"));
  m_text->setClearButtonEnabled(true);
  m_level->addItems({tr("All messages"), tr("Warnings and errors"), tr("Errors")});
  m_level->setAccessibleName(tr("Level of the messages"));
  m_level->setToolTip(tr("Only messages of this level and worse"));
  m_follow->setIcon(themedIcon(QStringLiteral("down")));
  m_follow->setCheckable(true);
  m_follow->setAutoRaise(true);
  m_follow->setAccessibleName(tr("Follow the end"));
  m_follow->setToolTip(tr("Follow the end of the log"));
  growIconsWithText(*m_follow);
  m_log->setReadOnly(true);
  m_log->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_log->setMaximumBlockCount(queue::JobState::kLogLines);
  m_log->setFont(fixedFont(font()));
  m_log->setFrameShape(QFrame::NoFrame);
  m_log->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_log->setAccessibleName(tr("Log"));
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(4, 4, 4, 4);
  bar->setSpacing(4);
  bar->addWidget(m_text, 1);
  bar->addWidget(m_level);
  bar->addWidget(m_follow);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(bar);
  layout->addWidget(m_log, 1);
  connect(m_text, &QLineEdit::textChanged, this, &LogPane::onFilterChanged);
  connect(m_level, &QComboBox::currentIndexChanged, this, &LogPane::onFilterChanged);
  connect(m_follow, &QToolButton::clicked, this, &LogPane::followEnd);
  connect(m_log->verticalScrollBar(), &QScrollBar::valueChanged, this, &LogPane::updateFollow);
  connect(m_log->verticalScrollBar(), &QScrollBar::rangeChanged, this, &LogPane::updateFollow);
  updateFollow();
}

void LogPane::setJob(const queue::JobStatePtr& job) {
  const bool isSame = m_job && job && m_job->id == job->id;
  m_job = job;
  if (!isSame) {
    m_log->clear();
    m_lines = 0;
  }
  append();
}

void LogPane::onFilterChanged() {
  m_filter = {.text = m_text->text(), .least = static_cast<LogLevel>(m_level->currentIndex())};
  m_log->clear();
  m_lines = 0;
  append();
  followEnd();
}

void LogPane::append() {
  if (!m_job) {
    return;
  }
  const auto kept = static_cast<std::uint64_t>(m_job->log.size());
  const std::uint64_t dropped = m_job->logTotal - kept;
  QStringList fresh;
  for (std::uint64_t line = std::max(m_lines, dropped); line < m_job->logTotal; ++line) {
    const queue::LogLine& entry = m_job->log[static_cast<qsizetype>(line - dropped)];
    if (passes(entry, m_filter)) {
      fresh << logText(entry);
    }
  }
  m_lines = m_job->logTotal;
  if (fresh.isEmpty()) {
    return;
  }
  const bool isAtEnd = isFollowing();
  m_log->appendPlainText(fresh.join(QLatin1Char('\n')));
  if (isAtEnd) {
    followEnd();
  }
}

bool LogPane::isFollowing() const {
  const QScrollBar& bar = *m_log->verticalScrollBar();
  return bar.value() == bar.maximum();
}

void LogPane::followEnd() {
  m_log->verticalScrollBar()->setValue(m_log->verticalScrollBar()->maximum());
  updateFollow();
}

void LogPane::updateFollow() {
  m_follow->setChecked(isFollowing());
}

void LogPane::copyAll() const {
  QGuiApplication::clipboard()->setText(m_log->toPlainText());
}

}  // namespace ulp::views
