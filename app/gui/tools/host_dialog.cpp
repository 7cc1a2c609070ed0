#include "app/gui/tools/host_dialog.h"

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

#include "core/remote/hosts/host.h"

namespace ulp::app {

HostDialog::HostDialog(const QStringList& recent, QWidget* parent)
    : QDialog(parent),
      m_host(new QComboBox(this)),
      m_installs(new QCheckBox(tr("&Copy Ulpscope there where it is missing"), this)),
      m_problem(new QLabel(this)) {
  setWindowTitle(tr("Run on another machine"));
  auto* label = new QLabel(tr("&Machine, as ssh knows it:"), this);
  label->setBuddy(m_host);
  m_host->setObjectName(QStringLiteral("host"));
  m_host->setAccessibleName(tr("Machine, as ssh knows it"));
  m_host->setEditable(true);
  m_host->addItems(recent);
  m_installs->setObjectName(QStringLiteral("install"));
  m_problem->setWordWrap(true);
  m_problem->setTextFormat(Qt::PlainText);
  m_problem->hide();
  auto* note = new QLabel(
      tr("Paths of the study are paths there. The study goes on when this window is closed or the "
         "connection is lost; its tensors stay there until they are looked at."),
      this);
  note->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  buttons->addButton(tr("&Run"), QDialogButtonBox::AcceptRole)->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &HostDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* rows = new QVBoxLayout(this);
  for (QWidget* each :
       std::initializer_list<QWidget*>{label, m_host, m_installs, note, m_problem, buttons}) {
    rows->addWidget(each);
  }
}

void HostDialog::accept() {
  const QString host = m_host->currentText().trimmed();
  if (const auto parsed = remote::parseHost(host.toStdString()); !parsed) {
    m_problem->setText(QString::fromStdString(parsed.error().message()));
    m_problem->show();
    return;
  }
  Q_EMIT chosen(host, m_installs->isChecked());
  QDialog::accept();
}

}  // namespace ulp::app
