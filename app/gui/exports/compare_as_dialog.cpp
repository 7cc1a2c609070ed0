#include "app/gui/exports/compare_as_dialog.h"

#include <algorithm>

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

#include "app/gui/dumps/path_line.h"
#include "views/framework/widgets/layouts.h"

namespace ulp::app {

using compat::CompareOption;
using views::FileWanted;

CompareAsDialog::CompareAsDialog(QWidget* parent)
    : QDialog(parent),
      m_tools(compat::builtinComparators().all()),
      m_form(new QFormLayout),
      m_tool(new QComboBox(this)),
      m_spreadsheet(new QCheckBox(tr("Write a &spreadsheet (.xlsx)"), this)),
      m_fuzzy(new QCheckBox(tr("&Pair calls in order, whatever their numbers"), this)),
      m_highlight(new QCheckBox(tr("&Highlight"), this)),
      m_level(new QComboBox(this)) {
  setObjectName(QStringLiteral("compareAs"));
  setWindowTitle(tr("Compare as another tool"));
  m_tool->setObjectName(QStringLiteral("tool"));
  m_tool->setAccessibleName(tr("Tool"));
  m_tool->setToolTip(tr("Whose files are written, cell by cell as it would"));
  for (const compat::Comparator& one : m_tools) {
    const QString id = QString::fromStdString(one.id);
    m_tool->addItem(QStringLiteral("%1: %2").arg(id, QString::fromStdString(one.title)), id);
  }
  m_form->addRow(tr("&Tool"), m_tool);
  makeSides();
  makeOptions();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  m_compare = buttons->addButton(tr("&Compare"), QDialogButtonBox::AcceptRole);
  m_compare->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &CompareAsDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &CompareAsDialog::reject);
  connect(m_tool, &QComboBox::currentIndexChanged, this, &CompareAsDialog::showTool);
  views::columnOf(this, {m_form, views::BoxItem::stretch(), buttons}, {.spacing = 8});
  showTool();
  updateButtons();
  resize(std::max(sizeHint().width(), fontMetrics().averageCharWidth() * 90), sizeHint().height());
}

void CompareAsDialog::makeSides() {
  const auto add = [&](const char* id, const QString& name, const QString& spoken) {
    auto* line = new PathLine(
        QLatin1String(id),
        spoken,
        {{tr("File…"), {.title = tr("Choose a file")}},
         {tr("Folder…"), {.title = tr("Choose a folder"), .wanted = FileWanted::Folder}}},
        this);
    auto* label = new QLabel(name, this);
    label->setBuddy(line);
    m_form->addRow(label, line);
    connect(line, &PathLine::changed, this, &CompareAsDialog::updateButtons);
    return line;
  };
  m_golden = add("golden", tr("&Golden side"), tr("Path of the golden side"));
  m_golden->line().setPlaceholderText(tr("A dump; or a compare.json of msprobe 8.x for both"));
  m_target = add("target", tr("&Under test"), tr("Path of the side under test"));
  m_target->line().setPlaceholderText(tr("The dump that is compared with it"));
  m_output = new PathLine(
      QStringLiteral("output"),
      tr("Folder of the results"),
      {{tr("Folder…"),
        {.title = tr("Choose a folder for the results"), .wanted = FileWanted::Folder}}},
      this);
  m_output->line().setPlaceholderText(tr("Made where it is missing; nothing in it is replaced"));
  auto* label = new QLabel(tr("&Write to"), this);
  label->setBuddy(m_output);
  m_form->addRow(label, m_output);
  connect(m_output, &PathLine::changed, this, &CompareAsDialog::updateButtons);
}

void CompareAsDialog::makeOptions() {
  const auto mapping = [this](const char* id, const QString& spoken) {
    return new PathLine(
        QLatin1String(id),
        spoken,
        {{tr("Browse…"),
          {.title = tr("Choose a mapping file"),
           .filters = {tr("Mappings (*.yaml *.yml *.json)"), tr("All files (*)")}}}},
        this);
  };
  m_spreadsheet->setObjectName(QStringLiteral("spreadsheet"));
  m_fuzzy->setObjectName(QStringLiteral("fuzzy"));
  m_highlight->setObjectName(QStringLiteral("highlight"));
  m_dataMapping = mapping("data-mapping", tr("Data mapping"));
  m_cellMapping = mapping("cell-mapping", tr("Cell mapping"));
  m_level->setObjectName(QStringLiteral("level"));
  m_level->setAccessibleName(tr("Level"));
  addOption(CompareOption::DataMapping, tr("&Data mapping"), m_dataMapping);
  addOption(CompareOption::CellMapping, tr("C&ell mapping"), m_cellMapping);
  addOption(CompareOption::Level, tr("&Level"), m_level);
  addOption(CompareOption::Fuzzy, {}, m_fuzzy);
  addOption(CompareOption::Highlight, {}, m_highlight);
  addOption(CompareOption::Spreadsheet, {}, m_spreadsheet);
}

void CompareAsDialog::addOption(CompareOption option, const QString& name, QWidget* field) {
  auto* label = new QLabel(name, this);
  label->setBuddy(field);
  m_form->addRow(label, field);
  m_fields.emplace(option, field);
}

const compat::Comparator& CompareAsDialog::tool() const {
  return m_tools[static_cast<std::size_t>(std::max(0, m_tool->currentIndex()))];
}

void CompareAsDialog::showTool() {
  m_level->clear();
  m_level->addItem(tr("as usual"), QString());
  for (const auto& [option, field] : m_fields) {
    const compat::TakenOption* taken = tool().find(option);
    m_form->setRowVisible(field, taken != nullptr);
    if (taken == nullptr) {
      continue;
    }
    const auto name =
        QString::fromLatin1(taken->original.data(), static_cast<qsizetype>(taken->original.size()));
    field->setToolTip(name.isEmpty() ? QString() : tr("The tool's %1").arg(name));
    for (const std::string& value : taken->values) {
      m_level->addItem(QString::fromStdString(value), QString::fromStdString(value));
    }
  }
}

void CompareAsDialog::setSides(const std::filesystem::path& golden,
                               const std::filesystem::path& target) {
  m_golden->line().setText(QString::fromStdString(golden.string()));
  m_target->line().setText(QString::fromStdString(target.string()));
  (golden.empty() ? m_golden : target.empty() ? m_target : m_output)->setFocus();
}

void CompareAsDialog::updateButtons() {
  const bool namesBoth = m_golden->text().endsWith(QLatin1String(".json"));
  const bool hasSides = !m_golden->text().isEmpty() && (namesBoth || !m_target->text().isEmpty());
  m_compare->setEnabled(hasSides && !m_output->text().isEmpty());
}

CompareAsWish CompareAsDialog::wish() const {
  const auto isTaken = [this](CompareOption option) { return tool().find(option) != nullptr; };
  const auto pathOf = [&](CompareOption option, const PathLine& line) {
    return isTaken(option) ? line.path() : std::filesystem::path();
  };
  return {.tool = tool().id,
          .request = {
              .target = m_target->path(),
              .golden = m_golden->path(),
              .output = m_output->path(),
              .isSpreadsheet = isTaken(CompareOption::Spreadsheet) && m_spreadsheet->isChecked(),
              .isFuzzy = isTaken(CompareOption::Fuzzy) && m_fuzzy->isChecked(),
              .isHighlighted = isTaken(CompareOption::Highlight) && m_highlight->isChecked(),
              .dataMapping = pathOf(CompareOption::DataMapping, *m_dataMapping),
              .cellMapping = pathOf(CompareOption::CellMapping, *m_cellMapping),
              .level = m_level->currentData().toString().toStdString()}};
}

void CompareAsDialog::accept() {
  if (m_compare->isEnabled()) {
    Q_EMIT compareRequested(wish());
    QDialog::accept();
  }
}

}  // namespace ulp::app
