#include "app/gui/tools/engine_dialog.h"

#include <utility>

#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QPlainTextEdit>

#include "views/framework/tables/table_tools.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/severity.h"

namespace ulp::app {

EngineDialog::EngineDialog(QString worker, QWidget* parent)
    : QDialog(parent),
      m_worker(std::move(worker)),
      m_waiting{QStringLiteral("doctor"), QStringLiteral("models")},
      m_process(new QProcess),
      m_text(new QPlainTextEdit(this)) {
  setObjectName(QStringLiteral("engine"));
  setWindowTitle(tr("Devices and models"));
  m_text->setObjectName(QStringLiteral("engineText"));
  m_text->setAccessibleName(tr("Devices and models"));
  m_text->setPlaceholderText(tr("Asking the engine…"));
  m_text->setReadOnly(true);
  m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_text->setFont(views::fixedFont(font()));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &EngineDialog::reject);
  views::columnOf(this, {{m_text, 1}, buttons}, {.spacing = 8});
  connect(m_process, &QProcess::finished, this, [this] {
    append(QString::fromUtf8(m_process->readAllStandardOutput()));
    append(QString::fromUtf8(m_process->readAllStandardError()));
    askNext();
  });
  connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) {
      m_waiting.clear();
      m_isAsking = false;
      append(views::severityGlyph(views::Severity::Broken) + QLatin1Char(' ') +
             tr("%1 cannot be started: %2").arg(m_worker, m_process->errorString()));
    }
  });
  resize(fontMetrics().averageCharWidth() * 110, fontMetrics().lineSpacing() * 24);
  askNext();
}

EngineDialog::~EngineDialog() {
  m_process->disconnect(this);
  if (m_process->state() == QProcess::NotRunning) {
    m_process->deleteLater();
    return;
  }
  // It would wait for its process when it is destroyed.
  connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
  m_process->kill();
}

QString EngineDialog::text() const {
  return m_text->toPlainText();
}

void EngineDialog::askNext() {
  m_isAsking = !m_waiting.isEmpty();
  if (m_isAsking) {
    m_process->start(m_worker, {m_waiting.takeFirst()});
  }
}

void EngineDialog::append(const QString& text) {
  if (!text.trimmed().isEmpty()) {
    m_text->appendPlainText(text);
  }
}

}  // namespace ulp::app
