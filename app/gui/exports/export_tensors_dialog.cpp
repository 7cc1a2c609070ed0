#include "app/gui/exports/export_tensors_dialog.h"

#include <algorithm>
#include <cmath>

#include <QtCore/QFileInfo>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QDoubleSpinBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

#include "app/gui/dumps/dump_side_pane.h"
#include "app/gui/dumps/path_line.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/widgets/text_label.h"

namespace ulp::app {
namespace {

constexpr double kBytesOfGb = 1e9;
constexpr double kMostGb = 1e6;

}  // namespace

ExportTensorsDialog::ExportTensorsDialog(views::Background& background, QWidget* parent)
    : QDialog(parent),
      m_exporters(dumps::builtinDumpExporters().all()),
      m_source(new DumpSidePane(DumpSidePane::Side::Source, background, this)),
      m_format(new QComboBox(this)),
      m_match(new QLineEdit(this)),
      m_statistics(new QCheckBox(tr("&Statistics in place of the elements"), this)),
      m_shards(new QDoubleSpinBox(this)),
      m_overwrite(new QCheckBox(tr("&Replace an earlier export"), this)),
      m_state(views::makeTextLabel(this)) {
  setObjectName(QStringLiteral("exportTensors"));
  setWindowTitle(tr("Export tensors"));
  auto* form = new QFormLayout;
  makeOptions(*form);
  makeTarget(*form);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  m_export = buttons->addButton(tr("&Export"), QDialogButtonBox::AcceptRole);
  m_export->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &ExportTensorsDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &ExportTensorsDialog::reject);
  views::columnOf(
      this, {m_source, form, m_state, views::BoxItem::stretch(), buttons}, {.spacing = 8});
  connect(m_source, &DumpSidePane::changed, this, &ExportTensorsDialog::updateButtons);
  resize(std::max(sizeHint().width(), fontMetrics().averageCharWidth() * 90), sizeHint().height());
  updateButtons();
}

void ExportTensorsDialog::makeOptions(QFormLayout& form) {
  m_format->setObjectName(QStringLiteral("format"));
  m_format->setAccessibleName(tr("Format"));
  for (const dumps::DumpExporter& exporter : m_exporters) {
    const QString id = QString::fromStdString(exporter.id);
    m_format->addItem(QStringLiteral("%1: %2").arg(id, QString::fromStdString(exporter.title)), id);
  }
  m_match->setObjectName(QStringLiteral("match"));
  m_match->setAccessibleName(tr("Names that match"));
  m_match->setPlaceholderText(tr("All tensors"));
  m_match->setToolTip(
      tr("Only tensors in whose name this regular expression is found, as in layers\\.3\\."));
  m_match->setClearButtonEnabled(true);
  m_statistics->setObjectName(QStringLiteral("statistics"));
  m_statistics->setToolTip(tr("Maximum, minimum, mean and norm alone, in msprobe's format"));
  m_shards->setObjectName(QStringLiteral("shards"));
  m_shards->setAccessibleName(tr("Largest file"));
  m_shards->setToolTip(tr("Where a file of a folder ends and the next one begins, in safetensors"));
  m_shards->setDecimals(3);
  m_shards->setRange(0, kMostGb);
  m_shards->setSuffix(tr(" GB"));
  m_shards->setSpecialValueText(tr("as usual (5 GB)"));
  form.addRow(tr("&Format"), m_format);
  form.addRow(tr("&Names that match"), m_match);
  form.addRow(tr("&Largest file"), m_shards);
  form.addRow(QString(), m_statistics);
  connect(m_format, &QComboBox::currentIndexChanged, this, &ExportTensorsDialog::updateButtons);
}

void ExportTensorsDialog::makeTarget(QFormLayout& form) {
  m_target = new PathLine(QStringLiteral("target"),
                          tr("Folder or file to write"),
                          {{tr("Browse…"),
                            {.title = tr("Choose a folder or file to write"),
                             .wanted = views::FileWanted::New,
                             .suggested = QStringLiteral("tensors")}}},
                          this);
  m_target->line().setToolTip(
      tr("A folder; or a file of the format, such as layer3.safetensors, for one run or step"));
  m_overwrite->setObjectName(QStringLiteral("overwrite"));
  m_overwrite->setToolTip(tr("Nothing else is ever replaced"));
  auto* name = new QLabel(tr("&Write to"), this);
  name->setBuddy(m_target);
  form.addRow(name, m_target);
  form.addRow(QString(), m_overwrite);
  connect(m_target, &PathLine::changed, this, &ExportTensorsDialog::updateButtons);
  connect(m_overwrite, &QCheckBox::toggled, this, &ExportTensorsDialog::updateButtons);
}

void ExportTensorsDialog::setSource(const report::DumpSide& source) {
  m_source->setSide(source);
  (source.path.empty() ? static_cast<QWidget*>(m_source) : m_target)->setFocus();
}

void ExportTensorsDialog::updateButtons() {
  const dumps::DumpExporter& exporter =
      m_exporters[static_cast<std::size_t>(std::max(0, m_format->currentIndex()))];
  const QString target = m_target->text();
  const bool isFile =
      !exporter.extension.empty() && target.endsWith(QString::fromStdString(exporter.extension));
  m_statistics->setEnabled(exporter.keepsStatistics);
  m_shards->setEnabled(exporter.hasShards && !isFile);
  const bool isTaken = !target.isEmpty() && QFileInfo::exists(target) && !m_overwrite->isChecked();
  m_state->setVisible(isTaken);
  m_state->setText(views::severityGlyph(views::Severity::Look) + QLatin1Char(' ') +
                   tr("%1 exists already. Name another, or allow to replace it.").arg(target));
  m_export->setEnabled(m_source->isReady() && !target.isEmpty() && !isTaken);
}

dumps::TensorExport ExportTensorsDialog::wanted() const {
  const report::DumpSide source = m_source->side();
  dumps::DumpExportOptions options{
      .match = m_match->text().toStdString(),
      .isStatisticsOnly = m_statistics->isEnabled() && m_statistics->isChecked(),
      .mayReplace = m_overwrite->isChecked()};
  if (m_shards->isEnabled() && m_shards->value() > 0) {
    options.shardBytes = static_cast<std::uint64_t>(std::llround(m_shards->value() * kBytesOfGb));
  }
  return {.source = source.path,
          .units = source.units,
          .target = m_target->path(),
          .format = m_format->currentData().toString().toStdString(),
          .options = std::move(options)};
}

void ExportTensorsDialog::accept() {
  if (m_export->isEnabled()) {
    Q_EMIT exportRequested(wanted());
    QDialog::accept();
  }
}

}  // namespace ulp::app
