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
  m_session.workspace().study.finished();
  if (const QString text = workText(); !text.isEmpty() && !m_isStopConfirmed) {
    const bool isRunning = m_session.queue().isRunningHere() || m_session.comparer().isRunning() ||
                           m_session.exports().isWriting();
    ask(text, isRunning ? tr("Stop it and quit") : tr("Quit"), m_isStopConfirmed);
    return false;
  }
  if (const QString text = editsText(); !text.isEmpty() && !m_isDiscardConfirmed) {
    askAboutEdits(text);
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

QMessageBox* CloseQuestion::makeBox(const QString& text) {
  auto* box = new QMessageBox(QMessageBox::Question, tr("Quit Ulpscope"), text, {}, &m_window);
  box->setObjectName(QStringLiteral("closeQuestion"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  return box;
}

void CloseQuestion::closeSoon() {
  QTimer::singleShot(0, &m_window, &QWidget::close);
}

void CloseQuestion::ask(const QString& text, const QString& proceed, bool& isConfirmed) {
  QMessageBox* box = makeBox(text);
  const QAbstractButton* go = box->addButton(proceed, QMessageBox::DestructiveRole);
  box->setDefaultButton(box->addButton(QMessageBox::Cancel));
  connect(go, &QAbstractButton::clicked, this, [this, &isConfirmed] {
    isConfirmed = true;
    closeSoon();
  });
  box->open();
}

void CloseQuestion::askAboutEdits(const QString& text) {
  QMessageBox* box = makeBox(text);
  views::Workspace& workspace = m_session.workspace();
  if (workspace.study.hasUnsavedEdits()) {
    QPushButton* save = box->addButton(tr("Save and quit"), QMessageBox::AcceptRole);
    box->setDefaultButton(save);
    connect(save, &QAbstractButton::clicked, this, [this, &workspace] {
      // Where it cannot be written, or no file is chosen, the window stays.
      workspace.requests.saveStudy([this] { closeSoon(); });
    });
  }
  const QAbstractButton* discard =
      box->addButton(tr("Discard edits and quit"), QMessageBox::DestructiveRole);
  box->addButton(QMessageBox::Cancel);
  if (box->defaultButton() == nullptr) {
    box->setDefaultButton(QMessageBox::Cancel);
  }
  connect(discard, &QAbstractButton::clicked, this, [this] {
    m_isDiscardConfirmed = true;
    closeSoon();
  });
  box->open();
}

}  // namespace ulp::app
