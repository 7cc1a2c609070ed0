#include "app/gui/window/close_question.h"

#include <QtCore/QTimer>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>

#include "app/gui/dumps/edit_mapping.h"
#include "app/gui/session/session.h"
#include "app/gui/session/window_settings.h"

namespace ulp::app {
CloseQuestion::CloseQuestion(QWidget& window, Session& session)
    : QObject(&window), m_window(window), m_session(session) {}

bool CloseQuestion::mayClose() {
  if (const QString text = workText(); !text.isEmpty() && !m_isStopConfirmed) {
    const bool isRunning = m_session.queue().isRunningHere() || m_session.comparer().isRunning() ||
                           m_session.exports().isWriting();
    ask(text, isRunning ? tr("Stop it and quit") : tr("Quit"), m_isStopConfirmed);
    return false;
  }
  if (const QString text = editsText(); !text.isEmpty() && !m_isDiscardConfirmed) {
    ask(text, tr("Discard edits and quit"), m_isDiscardConfirmed);
    return false;
  }
  return true;
}

QString CloseQuestion::workText() const {
  const queue::JobQueue& jobs = m_session.queue();
  QStringList sentences;
  if (m_session.comparer().isRunning()) {
    sentences << tr("Dumps are being compared. What is finished of that is lost.");
  }
  if (const int others = m_session.comparer().waitingCount(); others > 0) {
    sentences << tr("%n comparison(s) of dumps will not be made.", nullptr, others);
  }
  if (m_session.exports().isWriting()) {
    sentences << tr("Files are being written. What is unfinished of them is lost.");
  }
  if (jobs.isRunningHere()) {
    sentences << tr("A study is running. What it has finished stays in its run folder.");
  }
  const int waiting = jobs.waitingCount();
  const bool isKept = m_session.settings().get(kRestoreSession);
  if (waiting > 0 && !isKept) {
    sentences << tr("%n study(s) in the queue will not be run.", nullptr, waiting);
  } else if (waiting > 0 && jobs.isRunning()) {
    sentences << tr("%n study(s) in the queue will wait for the next start.", nullptr, waiting);
  }
  return sentences.join(QLatin1Char(' '));
}

QString CloseQuestion::editsText() const {
  const views::StudyDocument& study = m_session.workspace().study;
  QStringList sentences;
  if (study.hasUnsavedEdits()) {
    const QString& path = study.content().path;
    sentences
        << tr("%1 has edits that are not saved.").arg(path.isEmpty() ? tr("The new study") : path);
  }
  if (hasUnsavedMapping(m_window)) {
    sentences << tr("A mapping was changed and neither applied nor saved.");
  }
  return sentences.join(QLatin1Char(' '));
}

void CloseQuestion::ask(const QString& text, const QString& proceed, bool& isConfirmed) {
  auto* box = new QMessageBox(QMessageBox::Question, tr("Quit Ulpscope"), text, {}, &m_window);
  box->setObjectName(QStringLiteral("closeQuestion"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  QAbstractButton* go = box->addButton(proceed, QMessageBox::DestructiveRole);
  box->setDefaultButton(box->addButton(QMessageBox::Cancel));
  connect(
      box, &QMessageBox::buttonClicked, this, [this, go, &isConfirmed](QAbstractButton* clicked) {
        if (clicked == go) {
          isConfirmed = true;
          // The box is still being closed; the window follows once it is gone.
          QTimer::singleShot(0, &m_window, &QWidget::close);
        }
      });
  box->open();
}

}  // namespace ulp::app
