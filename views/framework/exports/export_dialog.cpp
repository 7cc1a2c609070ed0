#include "views/framework/exports/export_dialog.h"

#include <utility>

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QStandardPaths>
#include <QtWidgets/QBoxLayout>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

#include "views/framework/settings/settings_store.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/words/literal_text.h"

namespace ulp::views {
namespace {

constexpr int kMaxScale = 4;
constexpr double kMillimetresPerDot = 25.4 / 96;

Setting<QString> formatSetting(const QString& kind) {
  return {QStringLiteral("export/%1/format").arg(kind), {}};
}
const Setting<int> kScaleSetting{QStringLiteral("export/scale"), 2};
const Setting<QString> kFolderSetting{QStringLiteral("export/folder"), {}};

}  // namespace

ExportDialog::ExportDialog(ExportSubject subject, SettingsStore& settings, QWidget* parent)
    : QDialog(parent),
      m_subject(std::move(subject)),
      m_settings(settings),
      m_format(new QComboBox(this)),
      m_scale(new QComboBox(this)),
      m_file(new QLineEdit(this)),
      m_preview(new QLabel(this)),
      m_buttons(new QDialogButtonBox(this)) {
  setObjectName(QStringLiteral("exportDialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(literalTitle(m_subject.title));
  makeForm();
  restoreChoices();
}

void ExportDialog::makeForm() {
  m_format->setObjectName(QStringLiteral("format"));
  m_format->setAccessibleName(tr("Format"));
  for (const ExportChoice& offered : m_subject.choices) {
    m_format->addItem(QStringLiteral("%1 (%2)").arg(offered.title, offered.extension), offered.id);
  }
  m_scale->setObjectName(QStringLiteral("scale"));
  m_scale->setAccessibleName(tr("Scale"));
  for (int scale = 1; scale <= kMaxScale; ++scale) {
    m_scale->addItem(QStringLiteral("%1×").arg(scale), scale);
  }
  m_file->setObjectName(QStringLiteral("file"));
  m_file->setAccessibleName(tr("File"));
  m_file->setMinimumWidth(fontMetrics().averageCharWidth() * 48);
  m_preview->setObjectName(QStringLiteral("preview"));
  m_preview->setForegroundRole(QPalette::PlaceholderText);
  auto* browseButton = new QPushButton(tr("Browse…"), this);
  // Return exports, wherever the focus is.
  browseButton->setAutoDefault(false);
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(12);
  form->setVerticalSpacing(8);
  form->addRow(tr("F&ormat"), m_format);
  form->addRow(tr("&Scale"), m_scale);
  auto* fileLabel = new QLabel(tr("&File"), this);
  fileLabel->setBuddy(m_file);
  form->addRow(fileLabel, rowOf(nullptr, {{m_file, 1}, browseButton}, {.spacing = 8}));
  form->addRow(QString(), m_preview);
  QPushButton* go = m_buttons->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
  go->setDefault(true);
  m_buttons->addButton(QDialogButtonBox::Cancel)->setAutoDefault(false);
  m_column =
      columnOf(this, {form, m_buttons}, {.margins = QMargins(16, 16, 16, 12), .spacing = 12});
  connect(browseButton, &QPushButton::clicked, this, &ExportDialog::browse);
  connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::onFormatChanged);
  connect(m_scale, &QComboBox::currentIndexChanged, this, &ExportDialog::updatePreview);
  connect(m_file, &QLineEdit::textChanged, this, &ExportDialog::updatePreview);
  connect(m_file, &QLineEdit::editingFinished, this, &ExportDialog::onFileEdited);
  connect(m_buttons, &QDialogButtonBox::accepted, this, &ExportDialog::confirm);
  connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void ExportDialog::restoreChoices() {
  QString folder = m_settings.get(kFolderSetting);
  if (folder.isEmpty() || !QFileInfo(folder).isDir()) {
    folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  }
  if (!QFileInfo(folder).isDir()) {
    folder = QDir::homePath();
  }
  m_scale->setCurrentIndex(qBound(1, m_settings.get(kScaleSetting), kMaxScale) - 1);
  const int known = m_format->findData(m_settings.get(formatSetting(m_subject.kind)));
  m_format->setCurrentIndex(std::max(0, known));
  m_file->setText(fileWithExtension(QDir(folder).filePath(m_subject.baseName)));
  onFormatChanged();
}

const ExportChoice& ExportDialog::choice() const {
  return m_subject.choices[static_cast<std::size_t>(std::max(0, m_format->currentIndex()))];
}

QString ExportDialog::fileWithExtension(const QString& file) const {
  const QFileInfo info(file);
  QString name = info.fileName();
  if (const int format = formatOf(name); format >= 0) {
    name.chop(m_subject.choices[static_cast<std::size_t>(format)].extension.size());
  }
  return name.isEmpty() ? file : info.dir().filePath(name + choice().extension);
}

int ExportDialog::formatOf(const QString& file) const {
  int found = -1;
  qsizetype longest = 0;
  for (std::size_t i = 0; i < m_subject.choices.size(); ++i) {
    const QString& extension = m_subject.choices[i].extension;
    if (extension.size() > longest && file.endsWith(extension, Qt::CaseInsensitive)) {
      found = static_cast<int>(i);
      longest = extension.size();
    }
  }
  return found;
}

void ExportDialog::insert(QWidget& more) {
  m_column->insertWidget(m_column->count() - 1, &more);
}

void ExportDialog::onFormatChanged() {
  m_scale->setEnabled(choice().hasScale);
  m_file->setText(fileWithExtension(m_file->text()));
  updatePreview();
  Q_EMIT formatChanged();
}

/// A file name with the extension of another format means that format.
void ExportDialog::onFileEdited() {
  if (const int format = formatOf(m_file->text()); format >= 0) {
    m_format->setCurrentIndex(format);
    return;
  }
  m_file->setText(fileWithExtension(m_file->text()));
}

void ExportDialog::updatePreview() {
  const QSizeF& size = m_subject.size;
  QString text;
  if (choice().hasScale && !size.isEmpty()) {
    const QSize pixels = (size * m_scale->currentData().toInt()).toSize();
    text = tr("%1 × %2 pixels").arg(pixels.width()).arg(pixels.height());
  } else if (choice().isPicture && !size.isEmpty()) {
    const QSize millimetres = (size * kMillimetresPerDot).toSize();
    text = tr("%1 × %2 mm").arg(millimetres.width()).arg(millimetres.height());
  }
  if (QFileInfo::exists(m_file->text())) {
    const QString replaced = tr("The file exists and will be replaced.");
    text = text.isEmpty() ? replaced : QStringLiteral("%1. %2").arg(text, replaced);
  }
  m_preview->setText(text);
}

void ExportDialog::browse() {
  auto* dialog = new QFileDialog(this, m_subject.title, QFileInfo(m_file->text()).absolutePath());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  // This dialog says so itself.
  dialog->setOption(QFileDialog::DontConfirmOverwrite);
  dialog->selectFile(QFileInfo(m_file->text()).fileName());
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
    m_file->setText(file);
    onFileEdited();
  });
  dialog->open();
}

ExportWish ExportDialog::wish() const {
  return {.file = m_file->text(),
          .format = choice().id,
          .scale = choice().hasScale ? m_scale->currentData().toInt() : 1};
}

void ExportDialog::confirm() {
  onFileEdited();
  if (m_file->text().isEmpty()) {
    m_file->setFocus();
    return;
  }
  m_settings.set(formatSetting(m_subject.kind), choice().id);
  m_settings.set(kFolderSetting, QFileInfo(m_file->text()).absolutePath());
  if (choice().hasScale) {
    m_settings.set(kScaleSetting, m_scale->currentData().toInt());
  }
  Q_EMIT exportRequested(wish());
  accept();
}

}  // namespace ulp::views
