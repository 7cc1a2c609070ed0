#include "views/plugins/study/variants/grid_dialog.h"

#include <algorithm>
#include <utility>

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTreeWidget>

#include "core/study/schema/schema.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/words/utf8_text.h"
#include "views/plugins/study/form/key_names.h"

namespace ulp::views {

GridDialog::GridDialog(std::vector<std::string> taken, QWidget* parent)
    : QDialog(parent),
      m_taken(std::move(taken)),
      m_keys(new QTreeWidget(this)),
      m_pattern(new QLineEdit(this)),
      m_status(new QLabel(this)),
      m_preview(new QListWidget(this)),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this)) {
  setWindowTitle(tr("Variants of all combinations"));
  setObjectName(QStringLiteral("gridDialog"));
  m_keys->setHeaderHidden(true);
  m_keys->setAccessibleName(tr("Keys and their values"));
  m_pattern->setAccessibleName(tr("Pattern of the names"));
  m_pattern->setToolTip(
      tr("A key in braces stands for its short value: {compute_dtype} is bf16 for bfloat16."));
  m_preview->setAccessibleName(tr("Variants that will be added"));
  m_status->setWordWrap(true);
  auto* form = new QFormLayout;
  form->addRow(tr("&Names"), m_pattern);
  columnOf(this,
           {new QLabel(tr("Tick the values to combine"), this),
            {m_keys, 3},
            form,
            m_status,
            {m_preview, 2},
            m_buttons},
           {.margins = QMargins(16, 16, 16, 16), .spacing = 8});
  resize(fontMetrics().averageCharWidth() * 64, fontMetrics().lineSpacing() * 32);
  fillKeys();
  connect(m_keys, &QTreeWidget::itemChanged, this, &GridDialog::refresh);
  connect(m_pattern, &QLineEdit::textEdited, this, [this](const QString& pattern) {
    m_hasOwnPattern = !pattern.isEmpty();
    refresh();
  });
  connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  refresh();
}

void GridDialog::fillKeys() {
  for (const study::Key& key : study::schemaKeys()) {
    if (key.scope != study::KeyScope::Run || key.choices.empty()) {
      continue;
    }
    auto* item = new QTreeWidgetItem(m_keys, {utf8Text(key.path)});
    item->setToolTip(0, utf8Text(key.help));
    item->setFlags(Qt::ItemIsEnabled);
    for (const QString& choice : choiceTexts(key)) {
      auto* value = new QTreeWidgetItem(item, {choice});
      value->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
      value->setCheckState(0, Qt::Unchecked);
    }
    item->setExpanded(true);
  }
}

std::vector<study::GridAxis> GridDialog::axes() const {
  std::vector<study::GridAxis> axes;
  for (int i = 0; i < m_keys->topLevelItemCount(); ++i) {
    const QTreeWidgetItem* key = m_keys->topLevelItem(i);
    study::GridAxis axis{.key = key->text(0).toStdString()};
    for (int k = 0; k < key->childCount(); ++k) {
      if (key->child(k)->checkState(0) == Qt::Checked) {
        axis.values.push_back(key->child(k)->text(0).toStdString());
      }
    }
    if (!axis.values.empty()) {
      axes.push_back(std::move(axis));
    }
  }
  return axes;
}

void GridDialog::refresh() {
  const std::vector<study::GridAxis> chosen = axes();
  if (!m_hasOwnPattern) {
    const QSignalBlocker quiet(m_pattern);
    m_pattern->setText(QString::fromStdString(study::defaultGridPattern(chosen)));
  }
  auto grid = study::makeGrid(chosen, m_pattern->text().toStdString());
  m_preview->clear();
  m_variants.clear();
  QString problem = grid ? QString() : QString::fromStdString(grid.error().message());
  for (const study::GridVariant& variant : grid ? *grid : std::vector<study::GridVariant>{}) {
    m_preview->addItem(QString::fromStdString(variant.name));
    if (std::ranges::find(m_taken, variant.name) != m_taken.end()) {
      problem = tr("The study has a variant '%1' already; change the pattern of the names.")
                    .arg(QString::fromStdString(variant.name));
    }
  }
  if (problem.isEmpty()) {
    m_variants = std::move(*grid);
    m_status->setText(tr("Variants to be added: %1").arg(m_variants.size()));
  } else {
    m_status->setText(
        chosen.empty() ? QString() : severityGlyph(Severity::Broken) + QLatin1Char(' ') + problem);
  }
  QPushButton* ok = m_buttons->button(QDialogButtonBox::Ok);
  ok->setText(tr("Add the variants"));
  ok->setEnabled(problem.isEmpty());
}

}  // namespace ulp::views
