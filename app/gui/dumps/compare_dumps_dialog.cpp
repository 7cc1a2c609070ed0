#include "app/gui/dumps/compare_dumps_dialog.h"

#include <algorithm>

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

#include "core/analysis/mapping/site_mapping.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/file_dialog.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/severity.h"

namespace ulp::app {

using views::BoxItem;

CompareDumpsDialog::CompareDumpsDialog(views::Background& background, QWidget* parent)
    : QDialog(parent),
      m_background(background),
      m_mappingTag(views::workTagOf(this, "read-mapping")),
      m_baseline(new DumpSidePane(DumpSidePane::Side::Baseline, background, this)),
      m_candidate(new DumpSidePane(DumpSidePane::Side::Candidate, background, this)),
      m_mappingPath(new QLineEdit(this)),
      m_mappingState(new QLabel(this)),
      m_elements(new QCheckBox(tr("Compare &elements where both dumps hold them"), this)) {
  setWindowTitle(tr("Compare dumps"));
  auto* swap = new QPushButton(tr("S&wap"), this);
  swap->setToolTip(tr("Make the candidate the baseline and the baseline the candidate"));
  swap->setAutoDefault(false);
  connect(swap, &QPushButton::clicked, this, &CompareDumpsDialog::swapSides);
  m_elements->setChecked(true);
  m_elements->setToolTip(
      tr("Off: compare recorded statistics and checksums alone, which reads no "
         "file of tensors"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  m_compare = buttons->addButton(tr("&Compare"), QDialogButtonBox::AcceptRole);
  m_compare->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &CompareDumpsDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &CompareDumpsDialog::reject);
  views::columnOf(this,
                  {m_baseline,
                   views::rowOf(nullptr, {BoxItem::stretch(), swap}),
                   m_candidate,
                   makeMapping(),
                   m_elements,
                   BoxItem::stretch(),
                   buttons},
                  {.spacing = 8});
  for (DumpSidePane* side : {m_baseline, m_candidate}) {
    connect(side, &DumpSidePane::changed, this, &CompareDumpsDialog::updateButtons);
  }
  resize(std::max(sizeHint().width(), fontMetrics().averageCharWidth() * 90), sizeHint().height());
  updateButtons();
}

QWidget* CompareDumpsDialog::makeMapping() {
  auto* part = new QWidget(this);
  auto* name = new QLabel(tr("&Mapping"), part);
  name->setBuddy(m_mappingPath);
  m_mappingPath->setPlaceholderText(tr("None: names and places in the module tree decide"));
  m_mappingPath->setAccessibleName(tr("Mapping file"));
  m_mappingPath->setObjectName(QStringLiteral("mapping"));
  m_mappingPath->setToolTip(
      tr("How names of the candidate read in those of the baseline "
         "(compare --map)"));
  m_mappingPath->setClearButtonEnabled(true);
  auto* browse = new QPushButton(tr("Browse…"), part);
  browse->setToolTip(tr("Choose a mapping file"));
  browse->setAutoDefault(false);
  m_mappingState->setTextFormat(Qt::PlainText);
  m_mappingState->setWordWrap(true);
  m_mappingState->hide();
  views::columnOf(part,
                  {views::rowOf(nullptr, {name, {m_mappingPath, 1}, browse}), m_mappingState},
                  {.margins = QMargins()});
  m_mappingDelay.setSingleShot(true);
  m_mappingDelay.setInterval(DumpSidePane::kDelayMs);
  connect(&m_mappingDelay, &QTimer::timeout, this, &CompareDumpsDialog::readMapping);
  connect(m_mappingPath, &QLineEdit::textChanged, this, &CompareDumpsDialog::mappingEdited);
  connect(browse, &QPushButton::clicked, this, &CompareDumpsDialog::chooseMapping);
  return part;
}

void CompareDumpsDialog::chooseMapping() {
  views::askForFile(this,
                    {.title = tr("Choose a mapping file"),
                     .filters = {tr("Mappings (*.yaml *.yml)"), tr("All files (*)")}},
                    [this](const QString& path) { m_mappingPath->setText(path); });
}

void CompareDumpsDialog::mappingEdited() {
  m_background.cancel(m_mappingTag);
  m_mapping.clear();
  m_mappingState->hide();
  m_isMappingReady = m_mappingPath->text().trimmed().isEmpty();
  m_isMappingSwapped = false;
  if (m_isMappingReady) {
    m_mappingDelay.stop();
  } else {
    m_mappingDelay.start();
  }
  updateButtons();
}

void CompareDumpsDialog::readMapping() {
  m_background.run<Result<analysis::MappingFile>>(
      m_mappingTag,
      this,
      [path = m_mappingPath->text().trimmed().toStdString()](const std::stop_token& /*stop*/) {
        return analysis::readMappingFile(path);
      },
      [this](const Result<analysis::MappingFile>& file) { showMapping(file); });
}

void CompareDumpsDialog::showMapping(const Result<analysis::MappingFile>& file) {
  m_isMappingReady = file.has_value();
  m_mapping = file ? file->text : std::string();
  m_mappingState->setVisible(!file);
  if (!file) {
    m_mappingState->setText(views::severityGlyph(views::Severity::Broken) + QLatin1Char(' ') +
                            QString::fromStdString(file.error().message()));
  } else {
    showSwappedMapping();
  }
  updateButtons();
}

void CompareDumpsDialog::showSwappedMapping() {
  m_mappingState->setVisible(m_isMappingSwapped);
  if (m_isMappingSwapped) {
    m_mappingState->setText(views::severityGlyph(views::Severity::Look) + QLatin1Char(' ') +
                            tr("A mapping says how names of the candidate read in those of the "
                               "baseline. This one was chosen before the sides were swapped."));
  }
}

void CompareDumpsDialog::setRecent(const std::vector<report::DumpOrigin>& recent) {
  QStringList baselines;
  QStringList candidates;
  for (const report::DumpOrigin& origin : recent) {
    baselines << QString::fromStdString(origin.baseline.path.string());
    candidates << QString::fromStdString(origin.candidate.path.string());
  }
  candidates.removeAll(QString());  // single dumps were opened, too
  QStringList forBaseline = baselines + candidates;
  QStringList forCandidate = candidates + baselines;
  forBaseline.removeDuplicates();
  forCandidate.removeDuplicates();
  m_baseline->setRecent(forBaseline);
  m_candidate->setRecent(forCandidate);
}

void CompareDumpsDialog::setOrigin(const report::DumpOrigin& origin) {
  m_baseline->setSide(origin.baseline);
  m_candidate->setSide(origin.candidate);
  m_elements->setChecked(origin.readsElements);
  m_mappingPath->clear();
  mappingEdited();
  QWidget* missing = origin.baseline.path.empty() ? m_baseline : m_candidate;
  missing->setFocus();
}

report::DumpOrigin CompareDumpsDialog::origin() const {
  return {.baseline = m_baseline->side(),
          .candidate = m_candidate->side(),
          .mapping = m_mapping,
          .readsElements = m_elements->isChecked()};
}

void CompareDumpsDialog::swapSides() {
  const report::DumpSide baseline = m_baseline->side();
  m_baseline->setSide(m_candidate->side());
  m_candidate->setSide(baseline);
  m_isMappingSwapped = !m_isMappingSwapped && !m_mappingPath->text().trimmed().isEmpty();
  if (m_isMappingReady) {
    showSwappedMapping();
  }
}

void CompareDumpsDialog::updateButtons() {
  m_compare->setEnabled(m_baseline->isReady() && m_candidate->isReady() && m_isMappingReady);
}

void CompareDumpsDialog::accept() {
  if (m_compare->isEnabled()) {
    Q_EMIT compareRequested(origin());
    QDialog::accept();
  }
}

}  // namespace ulp::app
