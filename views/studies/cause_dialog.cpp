#include "views/studies/cause_dialog.h"

#include <algorithm>

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSpinBox>

#include "views/framework/widgets/file_dialog.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/text_label.h"
#include "views/studies/device_offers.h"

namespace ulp::views {
namespace {

/// As the command line allows.
constexpr int kMostThreads = 4096;
constexpr int kLinesOfSets = 3;

}  // namespace

CauseDialog::CauseDialog(const CauseQuestion& question,
                         const CauseSettings& usual,
                         const CauseSettings& asked,
                         QWidget* parent)
    : QDialog(parent),
      m_folder(new QLineEdit(asked.folder, this)),
      m_replaces(new QCheckBox(tr("&Replace results that the folder holds"), this)),
      m_device(new QComboBox(this)),
      m_threads(new QSpinBox(this)),
      m_sets(new QPlainTextEdit(asked.sets.join(QLatin1Char('\n')), this)) {
  setObjectName(QStringLiteral("causeDialog"));
  setWindowTitle(tr("Prove the cause"));
  setUpRuns(usual, asked);
  QLabel* what = makeTextLabel(this);
  what->setText(tr("Why %1 differs from %2").arg(question.candidate, question.baseline));
  auto* form = new QFormLayout;
  form->addRow(tr("&Folder"), makeFolder(usual, asked));
  form->addRow(QString(), m_replaces);
  form->addRow(tr("&Device"), m_device);
  form->addRow(tr("&Threads"), m_threads);
  form->addRow(tr("&Settings"), m_sets);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  buttons->addButton(tr("&Prove the cause"), QDialogButtonBox::AcceptRole)->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  columnOf(this, {what, form, BoxItem::stretch(), buttons}, {.spacing = 12});
  resize(std::max(sizeHint().width(), fontMetrics().averageCharWidth() * 76), sizeHint().height());
}

QWidget* CauseDialog::makeFolder(const CauseSettings& usual, const CauseSettings& asked) {
  m_folder->setObjectName(QStringLiteral("proofFolder"));
  m_folder->setPlaceholderText(usual.folder);
  m_folder->setToolTip(
      tr("Where these runs go. Empty: %1, or the next free of -2, -3 … where that holds other "
         "things")
          .arg(usual.folder));
  m_replaces->setObjectName(QStringLiteral("proofReplaces"));
  m_replaces->setChecked(asked.results == CauseResults::Replace);
  m_replaces->setToolTip(
      tr("Off: runs of this proof are kept and continued, and other things are left alone"));
  auto* browse = new QPushButton(tr("&Browse…"), this);
  browse->setAutoDefault(false);
  connect(browse, &QPushButton::clicked, this, [this] {
    askForFile(this,
               {.title = tr("Choose a folder for these runs"), .wanted = FileWanted::Folder},
               [this](const QString& path) { m_folder->setText(path); });
  });
  auto* row = new QWidget(this);
  rowOf(row, {{m_folder, 1}, browse}, {.margins = QMargins(), .spacing = 8});
  row->setFocusProxy(m_folder);
  return row;
}

void CauseDialog::setUpRuns(const CauseSettings& usual, const CauseSettings& asked) {
  m_device->setObjectName(QStringLiteral("proofDevice"));
  m_device->setEditable(true);
  m_device->addItem(usual.device.isEmpty() ? tr("as the study says")
                                           : tr("%1, as the runs").arg(usual.device));
  for (const QString& device : usualDevices()) {
    offerDevice(device, device);
  }
  m_device->setCurrentText(asked.device.isEmpty() ? m_device->itemText(0) : asked.device);
  m_device->setToolTip(tr("auto, cpu, cuda or cuda:N. Another device makes other numbers"));
  m_threads->setObjectName(QStringLiteral("proofThreads"));
  m_threads->setRange(0, kMostThreads);
  m_threads->setSpecialValueText(usual.threads == 0 ? tr("one a core")
                                                    : tr("%1, as the runs").arg(usual.threads));
  m_threads->setValue(asked.threads);
  m_threads->setToolTip(
      tr("Threads on the CPU. Another number may change the last bits of results"));
  m_sets->setObjectName(QStringLiteral("proofSets"));
  m_sets->setPlaceholderText(
      tr("KEY=VALUE, one a line, such as %1").arg(QStringLiteral("model.path=/models/smollm2")));
  m_sets->setToolTip(tr("Settings for every one of these runs, in place of those of the study"));
  m_sets->setTabChangesFocus(true);
  m_sets->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_sets->setFixedHeight(fontMetrics().lineSpacing() * (kLinesOfSets + 1));
}

void CauseDialog::offerDevice(const QString& device, const QString& text) {
  m_device->addItem(text, device);
}

CauseSettings CauseDialog::settings() const {
  const QString device = m_device->currentText().trimmed();
  const int offered = m_device->findText(device);
  QStringList sets;
  for (const QString& line : m_sets->toPlainText().split(QLatin1Char('\n'))) {
    if (!line.trimmed().isEmpty()) {
      sets << line.trimmed();
    }
  }
  return {.folder = m_folder->text().trimmed(),
          .device = offered < 0 ? device : m_device->itemData(offered).toString(),
          .threads = m_threads->value(),
          .sets = sets,
          .results = m_replaces->isChecked() ? CauseResults::Replace : CauseResults::GoOn};
}

}  // namespace ulp::views
