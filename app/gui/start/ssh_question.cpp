#include "app/gui/start/ssh_question.h"

#include <cstdio>

#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

namespace ulp::app {

SshAsks whatSshAsks(const QString& question, const QString& hint) {
  if (hint == QStringLiteral("none")) {
    return SshAsks::Nothing;
  }
  const bool isChoice = hint == QStringLiteral("confirm") ||
                        question.contains(QStringLiteral("(yes/no")) ||
                        question.contains(QStringLiteral("'yes' or 'no'"));
  return isChoice ? SshAsks::YesOrNo : SshAsks::Secret;
}

SshQuestion::SshQuestion(const QString& question, SshAsks asks, QWidget* parent)
    : QDialog(parent), m_asks(asks) {
  setWindowTitle(tr("ssh asks"));
  auto* text = new QLabel(question.trimmed(), this);
  text->setObjectName(QStringLiteral("question"));
  // A host says what it likes.
  text->setTextFormat(Qt::PlainText);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  text->setWordWrap(true);
  text->setMinimumWidth(fontMetrics().averageCharWidth() * 60);
  auto* rows = new QVBoxLayout(this);
  rows->addWidget(text);
  auto* buttons = new QDialogButtonBox(this);
  if (asks == SshAsks::Secret) {
    m_secret = new QLineEdit(this);
    m_secret->setObjectName(QStringLiteral("secret"));
    m_secret->setEchoMode(QLineEdit::Password);
    m_secret->setAccessibleName(question.trimmed());
    rows->addWidget(m_secret);
    buttons->setStandardButtons(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_secret->setFocus();
  } else if (asks == SshAsks::YesOrNo) {
    auto* note = new QLabel(
        tr("Compare the fingerprint with what the administrator of the machine says."), this);
    note->setWordWrap(true);
    note->setVisible(question.contains(QStringLiteral("fingerprint")));
    rows->addWidget(note);
    buttons->setStandardButtons(QDialogButtonBox::Yes | QDialogButtonBox::No);
    buttons->button(QDialogButtonBox::No)->setDefault(true);
  } else {
    buttons->setStandardButtons(QDialogButtonBox::Close);
  }
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  rows->addWidget(buttons);
}

QString SshQuestion::answer() const {
  if (m_secret != nullptr) {
    return m_secret->text();
  }
  return result() == QDialog::Accepted ? QStringLiteral("yes") : QStringLiteral("no");
}

int answerSsh(const QString& question) {
  const SshAsks asks = whatSshAsks(question, qEnvironmentVariable("SSH_ASKPASS_PROMPT"));
  SshQuestion dialog(question, asks);
  const bool isAnswered = dialog.exec() == QDialog::Accepted;
  if (asks == SshAsks::Secret && !isAnswered) {
    return 1;
  }
  std::fputs((dialog.answer() + QLatin1Char('\n')).toUtf8().constData(), stdout);
  std::fflush(stdout);
  return isAnswered ? 0 : 1;
}

}  // namespace ulp::app
