#include "app/gui/dumps/compare_dumps_dialog.h"

#include <algorithm>

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

#include "app/gui/dumps/path_line.h"
#include "core/analysis/mapping/site_mapping.h"
#include "core/base/list_of.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/severity.h"

namespace ulp::app {

using views::BoxItem;

namespace {

/// Of the file, if there is one. Errors: those of analysis::readMappingFile().
Result<analysis::MappingFile> mappingOf(const std::filesystem::path& path, bool isFuzzy) {
  analysis::MappingFile file;
  if (!path.empty()) {
    file = ULP_TRY(analysis::readMappingFile(path));
  }
  if (isFuzzy) {
    file.mapping = ULP_TRY(analysis::withFuzzyCalls(file.mapping));
    file.text = file.mapping.toYaml();
  }
  return file;
}

}  // namespace

CompareDumpsDialog::CompareDumpsDialog(views::Background& background, QWidget* parent)
    : QDialog(parent),
      m_background(background),
      m_mappingTag(views::workTagOf(this, "read-mapping")),
      m_baseline(new DumpSidePane(DumpSidePane::Side::Baseline, background, this)),
      m_candidates(new CandidatesPane(background, this)),
      m_mappingState(new QLabel(this)),
      m_elements(new QCheckBox(tr("Compare &elements where both dumps hold them"), this)),
      m_fuzzy(new QCheckBox(tr("&Pair calls in order, whatever their numbers"), this)),
      m_swap(new QPushButton(tr("S&wap"), this)) {
  setObjectName(QStringLiteral("compareDumps"));
  setWindowTitle(tr("Compare dumps"));
  m_swap->setToolTip(tr("Make the candidate the baseline and the baseline the candidate"));
  m_swap->setAutoDefault(false);
  connect(m_swap, &QPushButton::clicked, this, &CompareDumpsDialog::swapSides);
  m_elements->setObjectName(QStringLiteral("elements"));
  m_elements->setChecked(true);
  m_elements->setToolTip(
      tr("Off: compare recorded statistics and checksums alone, which reads no "
         "file of tensors"));
  m_fuzzy->setObjectName(QStringLiteral("fuzzy"));
  m_fuzzy->setToolTip(tr("For dumps that count the calls of an operation differently"));
  connect(m_fuzzy, &QCheckBox::toggled, this, &CompareDumpsDialog::mappingEdited);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  m_compare = buttons->addButton(tr("&Compare"), QDialogButtonBox::AcceptRole);
  m_compare->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &CompareDumpsDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &CompareDumpsDialog::reject);
  views::columnOf(this,
                  {m_baseline,
                   views::rowOf(nullptr, {BoxItem::stretch(), m_swap}),
                   m_candidates,
                   makeMapping(),
                   m_elements,
                   m_fuzzy,
                   BoxItem::stretch(),
                   buttons},
                  {.spacing = 8});
  connect(m_baseline, &DumpSidePane::changed, this, &CompareDumpsDialog::updateButtons);
  connect(m_candidates, &CandidatesPane::changed, this, &CompareDumpsDialog::updateButtons);
  resize(std::max(sizeHint().width(), fontMetrics().averageCharWidth() * 90), sizeHint().height());
  updateButtons();
}

QWidget* CompareDumpsDialog::makeMapping() {
  auto* part = new QWidget(this);
  m_mappingPath =
      new PathLine(QStringLiteral("mapping"),
                   tr("Mapping file"),
                   {{tr("Browse…"),
                     {.title = tr("Choose a mapping file"),
                      .filters = {tr("Mappings (*.yaml *.yml)"), tr("All files (*)")}}}},
                   part);
  auto* name = new QLabel(tr("&Mapping"), part);
  name->setBuddy(m_mappingPath);
  m_mappingPath->line().setPlaceholderText(tr("None: names and places in the module tree decide"));
  m_mappingPath->line().setToolTip(
      tr("How names of the candidate read in those of the baseline "
         "(compare --map)"));
  m_mappingState->setTextFormat(Qt::PlainText);
  m_mappingState->setWordWrap(true);
  m_mappingState->hide();
  views::columnOf(part,
                  {views::rowOf(nullptr, {name, {m_mappingPath, 1}}), m_mappingState},
                  {.margins = QMargins()});
  m_mappingDelay.setSingleShot(true);
  m_mappingDelay.setInterval(DumpSidePane::kDelayMs);
  connect(&m_mappingDelay, &QTimer::timeout, this, &CompareDumpsDialog::readMapping);
  connect(m_mappingPath, &PathLine::changed, this, &CompareDumpsDialog::mappingEdited);
  return part;
}

void CompareDumpsDialog::mappingEdited() {
  m_background.cancel(m_mappingTag);
  m_mapping.clear();
  m_mappingState->hide();
  m_isMappingReady = m_mappingPath->text().isEmpty() && !m_fuzzy->isChecked();
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
      [path = m_mappingPath->path(), isFuzzy = m_fuzzy->isChecked()](
          const std::stop_token& /*stop*/) { return mappingOf(path, isFuzzy); },
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
  candidate().setRecent(forCandidate);
}

void CompareDumpsDialog::setOrigin(const report::DumpOrigin& origin) {
  m_baseline->setSide(origin.baseline);
  m_candidates->setSide(origin.candidate);
  m_elements->setChecked(origin.readsElements);
  m_mappingPath->line().clear();
  mappingEdited();
  (origin.baseline.path.empty() ? static_cast<QWidget*>(m_baseline) : m_candidates)->setFocus();
}

std::vector<report::DumpOrigin> CompareDumpsDialog::origins() const {
  return listOf(m_candidates->sides(), [this](const report::DumpSide& candidate) {
    return report::DumpOrigin{.baseline = m_baseline->side(),
                              .candidate = candidate,
                              .mapping = m_mapping,
                              .readsElements = m_elements->isChecked()};
  });
}

void CompareDumpsDialog::swapSides() {
  const report::DumpSide baseline = m_baseline->side();
  m_baseline->setSide(candidate().side());
  m_candidates->setSide(baseline);
  m_isMappingSwapped = !m_isMappingSwapped && !m_mappingPath->text().isEmpty();
  if (m_isMappingReady) {
    showSwappedMapping();
  }
}

void CompareDumpsDialog::updateButtons() {
  m_swap->setEnabled(m_candidates->sides().size() == 1);
  m_compare->setEnabled(m_baseline->isReady() && m_candidates->isReady() && m_isMappingReady);
}

void CompareDumpsDialog::accept() {
  if (m_compare->isEnabled()) {
    Q_EMIT compareRequested(origins());
    QDialog::accept();
  }
}

}  // namespace ulp::app
