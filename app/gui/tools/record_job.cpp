#include "app/gui/tools/record_job.h"

#include <csignal>
#include <utility>

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

namespace ulp::app {
namespace {

/// After which a program that was asked to end is killed.
constexpr int kKillAfterMs = 700;
constexpr qsizetype kLongestLine = 2000;

std::int64_t countOf(const QJsonObject& event, const char* key) {
  return event.value(QLatin1String(key)).toInteger();
}

}  // namespace

QStringList wordsOf(const QString& commandLine) {
  QStringList words;
  QString word;
  QChar quote;
  bool isWord = false;
  for (qsizetype i = 0; i < commandLine.size(); ++i) {
    const QChar c = commandLine[i];
    const bool isOutside = quote.isNull();
    if (isOutside && c.isSpace()) {
      if (std::exchange(isWord, false)) {
        words << std::exchange(word, {});
      }
      continue;
    }
    isWord = true;
    const bool isEscape =
        c == QLatin1Char('\\') && quote != QLatin1Char('\'') && i + 1 < commandLine.size();
    if (isEscape) {
      word += commandLine[++i];
    } else if (isOutside && (c == QLatin1Char('\'') || c == QLatin1Char('"'))) {
      quote = c;
    } else if (c == quote) {
      quote = QChar();
    } else {
      word += c;
    }
  }
  return isWord ? words << word : words;
}

QStringList RecordWish::words() const {
  QStringList words{
      QStringLiteral("record"), QStringLiteral("--progress"), QStringLiteral("jsonl")};
  const auto add = [&words](const char* option, const QString& value) {
    if (!value.isEmpty()) {
      words << QLatin1String(option) << value;
    }
  };
  add("--out", folder);
  add("--config", config);
  add("--level", level);
  add("--task", task);
  add("--modules", modules);
  for (const QString& each : list) {
    add("--list", each);
  }
  if (!scope.isEmpty()) {
    words << QStringLiteral("--scope") << scope;
  }
  for (const QString& each : dataMode) {
    add("--data-mode", each);
  }
  add("--ranks", ranks);
  add("--steps", steps);
  add("--steps-by", stepsBy);
  add("--tokens", tokens);
  if (hasStack) {
    words << QStringLiteral("--stack");
  }
  if (hasWeights) {
    words << QStringLiteral("--weights");
  }
  return words << QStringLiteral("--") << command;
}

RecordJob::RecordJob(QString worker, QObject* parent)
    : QObject(parent), m_worker(std::move(worker)), m_process(new QProcess), m_impatience(this) {
  m_impatience.setSingleShot(true);
  m_impatience.setInterval(kKillAfterMs);
  connect(&m_impatience, &QTimer::timeout, this, &RecordJob::tell);
  m_process->setStandardInputFile(QProcess::nullDevice());
  connect(m_process, &QProcess::readyReadStandardOutput, this, &RecordJob::readEvents);
  connect(m_process, &QProcess::readyReadStandardError, this, &RecordJob::readMessages);
  connect(m_process, &QProcess::finished, this, [this] {
    readEvents();
    readMessages();
    // Without a word of the worker the last line says what was wrong.
    finish(m_hasEnd ? m_end.problem : m_lastMessage);
  });
  connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) {
      finish(tr("%1 cannot be started: %2").arg(m_worker, m_process->errorString()));
    }
  });
}

RecordJob::~RecordJob() {
  m_process->disconnect(this);
  if (m_process->state() == QProcess::NotRunning) {
    m_process->deleteLater();
    return;
  }
  // It would wait for its process when it is destroyed.
  connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
  tell();
}

void RecordJob::start(const RecordWish& wish) {
  m_events = {};
  m_messages = {};
  m_end = {};
  m_lastMessage.clear();
  m_hasEnd = false;
  m_isRunning = true;
  m_process->start(m_worker, wish.words(), QIODevice::ReadOnly);
}

void RecordJob::stop() {
  if (m_isRunning && !m_end.wasStopped) {
    m_end.wasStopped = true;
    tell();
    m_impatience.start();
  }
}

void RecordJob::tell() {
  if (const auto pid = m_process->processId(); pid > 0) {
    ::kill(static_cast<pid_t>(pid), SIGINT);
  }
}

void RecordJob::readEvents() {
  for (const QByteArray& line : m_events.feed(m_process->readAllStandardOutput())) {
    takeEvent(line);
  }
}

void RecordJob::readMessages() {
  for (const QByteArray& line : m_messages.feed(m_process->readAllStandardError())) {
    const QString text = QString::fromUtf8(line.left(kLongestLine)).trimmed();
    if (!text.isEmpty()) {
      m_lastMessage = text;
      Q_EMIT said(text);
    }
  }
}

void RecordJob::takeEvent(const QByteArray& line) {
  const QJsonObject event = QJsonDocument::fromJson(line).object();
  const QString kind = event.value(QLatin1String("event")).toString();
  if (kind.isEmpty()) {
    return;
  }
  Q_EMIT progressed({.steps = countOf(event, "steps"),
                     .tensors = countOf(event, "tensors"),
                     .bytes = countOf(event, "bytes"),
                     .ranks = countOf(event, "ranks")});
  if (kind == QLatin1String("finished")) {
    m_hasEnd = true;
    m_end.folder = event.value(QLatin1String("folder")).toString();
    m_end.problem = event.value(QLatin1String("problem")).toString();
    m_end.exitCode = static_cast<int>(countOf(event, "exit_code"));
  }
}

void RecordJob::finish(const QString& problem) {
  if (!std::exchange(m_isRunning, false)) {
    return;
  }
  m_impatience.stop();
  m_end.problem = problem;
  Q_EMIT ended(m_end);
}

}  // namespace ulp::app
