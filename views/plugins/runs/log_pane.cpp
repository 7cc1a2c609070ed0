#include "views/plugins/runs/log_pane.h"

#include <algorithm>

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QToolButton>

#include "views/framework/look/icons.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/search_line.h"

namespace ulp::views {
namespace {

/// Of a level's name; an unknown one is Info.
LogLevel logLevel(const QString& name) {
  if (name == QLatin1String("error")) {
    return LogLevel::Error;
  }
  return name == QLatin1String("warning") ? LogLevel::Warning : LogLevel::Info;
}

}  // namespace

bool passes(const queue::LogLine& line, const LogFilter& filter) {
  return logLevel(line.level) >= filter.least &&
         (filter.text.isEmpty() || line.text.contains(filter.text, Qt::CaseInsensitive));
}

QString logText(const queue::LogLine& line) {
  const QString time = line.time.isValid()
                           ? line.time.toString(QStringLiteral("HH:mm:ss")) + QStringLiteral("  ")
                           : QString();
  return logLevel(line.level) == LogLevel::Info
             ? time + line.text
             : QStringLiteral("%1%2: %3").arg(time, line.level, line.text);
}

LogPane::LogPane(QWidget* parent)
    : QWidget(parent),
      m_text(makeSearchLine(tr("Filter log"), this)),
      m_level(new QComboBox(this)),
      m_follow(new QToolButton(this)),
      m_log(new QPlainTextEdit(this)) {
  m_text->setToolTip(tr("Only lines with this text"));
  m_level->addItems({tr("All messages"), tr("Warnings and errors"), tr("Errors")});
  m_level->setAccessibleName(tr("Level of the messages"));
  m_level->setToolTip(tr("Only messages of this level and worse"));
  setUpToolButton(*m_follow,
                  {.icon = QStringLiteral("down"),
                   .name = tr("Follow the end"),
                   .toolTip = tr("Follow the end of the log")});
  m_follow->setCheckable(true);
  m_log->setReadOnly(true);
  m_log->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_log->setMaximumBlockCount(queue::JobState::kLogLines);
  m_log->setFont(fixedFont(font()));
  m_log->setFrameShape(QFrame::NoFrame);
  m_log->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_log->setAccessibleName(tr("Log"));
  auto* bar = rowOf(
      nullptr, {{m_text, 1}, m_level, m_follow}, {.margins = QMargins(4, 4, 4, 4), .spacing = 4});
  columnOf(this, {bar, {m_log, 1}}, kTight);
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
