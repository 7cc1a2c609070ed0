#include "app/gui/tools/submit_dialog.h"

#include <algorithm>

#include <QtCore/QProcess>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSpinBox>

#include "app/gui/tools/form_rows.h"
#include "core/base/text/shell_quoted.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/widgets/text_label.h"

namespace ulp::app {
namespace {

QString quotedWord(const QString& word) {
  return QString::fromStdString(shellWord(word.toStdString()));
}

QString commandOf(const QStringList& words) {
  QStringList quoted{QStringLiteral("ulpscope-cli"), QStringLiteral("submit")};
  for (const QString& word : words) {
    quoted << quotedWord(word);
  }
  return quoted.join(QLatin1Char(' '));
}

}  // namespace

QStringList SubmitWish::words() const {
  QStringList words{study};
  const auto add = [&words](const char* option, const QString& value) {
    if (!value.isEmpty()) {
      words << QLatin1String(option) << value;
    }
  };
  const auto addNumber = [&add](const char* option, int number) {
    add(option, number > 0 ? QString::number(number) : QString());
  };
  const auto addSlurm = [&words](const char* option, const QString& value) {
    if (!value.isEmpty()) {
      words << QStringLiteral("--sbatch=") + quotedWord(QLatin1String(option) + value);
    }
  };
  const auto addEach = [&add](const char* option, const QString& values) {
    for (const QString& value : QProcess::splitCommand(values)) {
      add(option, value);
    }
  };
  add("--output", output);
  addEach("--set", sets);
  addEach("--variant", variants);
  add("--device", device);
  addNumber("--threads", threads);
  addNumber("--samples-per-task", samplesPerTask);
  if (sharesReference) {
    words << QStringLiteral("--share-reference");
  }
  addSlurm("--partition=", partition);
  addSlurm("--time=", time);
  addSlurm("--gpus=", gpus);
  if (!options.isEmpty()) {
    words << QStringLiteral("--sbatch=") + options;
  }
  return words;
}

SubmitDialog::SubmitDialog(queue::ClusterWatch& watch, const QString& study, QWidget* parent)
    : QDialog(parent),
      m_watch(watch),
      m_study(study),
      m_fields(new QWidget(this)),
      m_form(new QFormLayout(m_fields)),
      m_preview(new QPlainTextEdit(this)),
      m_state(views::makeTextLabel(this)) {
  setObjectName(QStringLiteral("submit"));
  setWindowTitle(tr("Submit to Slurm"));
  m_form->setContentsMargins({});
  makeFields();
  m_preview->setObjectName(QStringLiteral("preview"));
  m_preview->setAccessibleName(tr("Command"));
  m_preview->setReadOnly(true);
  m_preview->setFont(views::fixedFont(font()));
  m_preview->setFixedHeight(fontMetrics().lineSpacing() * 5);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  m_submit = buttons->addButton(tr("&Submit"), QDialogButtonBox::ActionRole);
  m_submit->setDefault(true);
  connect(buttons, &QDialogButtonBox::rejected, this, &SubmitDialog::reject);
  connect(m_submit, &QPushButton::clicked, this, [this] {
    m_state->setText(tr("Handing the study over…"));
    m_watch.submit(wish().words());
  });
  connect(&watch, &queue::ClusterWatch::changed, this, &SubmitDialog::update);
  connect(&watch, &queue::ClusterWatch::refused, this, [this](const QString& problem) {
    m_state->setText(views::severityGlyph(views::Severity::Broken) + QLatin1Char(' ') + problem);
  });
  connect(&watch, &queue::ClusterWatch::submitted, this, [this](const QString& folder) {
    m_state->setText(tr("Submitted: %1. The view Runs shows how its tasks stand.").arg(folder));
  });
  views::columnOf(this, {m_fields, m_preview, {m_state, 1}, buttons}, {.spacing = 8});
  update();
  resize(std::max(widthForPlaceholders(*this), fontMetrics().averageCharWidth() * 90),
         sizeHint().height());
}

void SubmitDialog::makeFields() {
  auto* study = views::makeTextLabel(this);
  study->setText(m_study);
  m_form->addRow(tr("Study"), study);
  m_output =
      addLine("output", tr("&Results"), tr("Folder that all nodes see; or as the study says"));
  m_variants =
      addLine("variant", tr("&Variants"), tr("All; or their names, those with spaces in quotes"));
  m_sets = addLine("set",
                   tr("Other &values"),
                   tr("As the study says; or KEY=VALUE, such as capture.level=layer input.seed=1"));
  m_device = addLine("device", tr("&Device"), tr("As the study says; or cpu, cuda"));
  m_partition =
      addLine("partition", tr("&Partition"), tr("The cluster's default; sinfo lists them"));
  m_time = addLine("time", tr("&Time"), tr("Of a task; the partition's default, or 1:30:00"));
  m_gpus = addLine("gpus", tr("&GPUs"), tr("Of a task; none, 1, or a100:1"));
  m_threads = addNumber("threads", tr("T&hreads"), 4096, tr("one a core"));
  m_samples = addNumber("samples-per-task", tr("Samples of a tas&k"), 1'000'000, tr("all"));
  m_options = addLine("sbatch", tr("&Further options"), tr("For sbatch: --account=me --mem=16G"));
  m_shares = new QCheckBox(tr("Run the reference &once for all variants"), this);
  m_shares->setObjectName(QStringLiteral("share-reference"));
  connect(m_shares, &QCheckBox::toggled, this, &SubmitDialog::update);
  m_form->addRow(QString(), m_shares);
}

QLineEdit* SubmitDialog::addLine(const char* id, const QString& name, const QString& placeholder) {
  auto* line = addRow<QLineEdit>(*m_form, id, name);
  line->setPlaceholderText(placeholder);
  line->setToolTip(placeholder);
  connect(line, &QLineEdit::textChanged, this, &SubmitDialog::update);
  return line;
}

QSpinBox* SubmitDialog::addNumber(const char* id,
                                  const QString& name,
                                  int most,
                                  const QString& none) {
  auto* number = addRow<QSpinBox>(*m_form, id, name);
  number->setRange(0, most);
  number->setSpecialValueText(none);
  connect(number, &QSpinBox::valueChanged, this, &SubmitDialog::update);
  return number;
}

SubmitWish SubmitDialog::wish() const {
  return {.study = m_study,
          .output = m_output->text().trimmed(),
          .partition = m_partition->text().trimmed(),
          .time = m_time->text().trimmed(),
          .gpus = m_gpus->text().trimmed(),
          .options = m_options->text().trimmed(),
          .device = m_device->text().trimmed(),
          .variants = m_variants->text().trimmed(),
          .sets = m_sets->text().trimmed(),
          .threads = m_threads->value(),
          .samplesPerTask = m_samples->value(),
          .sharesReference = m_shares->isChecked()};
}

QString SubmitDialog::stateText() const {
  return m_state->text();
}

void SubmitDialog::update() {
  if (m_submit == nullptr) {
    return;
  }
  m_preview->setPlainText(commandOf(wish().words()));
  m_fields->setEnabled(!m_watch.isSubmitting());
  m_submit->setEnabled(!m_watch.isSubmitting());
}

}  // namespace ulp::app
