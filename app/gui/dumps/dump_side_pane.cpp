#include "app/gui/dumps/dump_side_pane.h"

#include <algorithm>
#include <set>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QSignalBlocker>
#include <QtCore/QStringList>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

#include "core/comparing/align/dump_sides.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/file_dialog.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/widgets/text_label.h"
#include "views/framework/words/term_text.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::app {
namespace {

const std::string kReference = "reference";

std::optional<std::int64_t> numberOf(const QComboBox& box) {
  bool isNumber = false;
  const qlonglong number = box.currentData().toLongLong(&isNumber);
  return box.currentData().isValid() && isNumber ? std::optional<std::int64_t>(number)
                                                 : std::nullopt;
}

void select(QComboBox& box, const QString& text) {
  if (const int wanted = box.findText(text); wanted >= 0) {
    box.setCurrentIndex(wanted);
  }
}

struct DumpSideWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::app::DumpSidePane)
};

/// What a side is called: in the frame, by a screen reader, in object names.
struct SideNames {
  QString title;
  QString path;
  QString id;
};

SideNames namesOf(DumpSidePane::Side side) {
  switch (side) {
    case DumpSidePane::Side::Baseline:
      return {DumpSideWords::tr("Baseline"),
              DumpSideWords::tr("Path of the baseline"),
              QStringLiteral("baseline")};
    case DumpSidePane::Side::Candidate:
      return {DumpSideWords::tr("Candidate"),
              DumpSideWords::tr("Path of the candidate"),
              QStringLiteral("candidate")};
    case DumpSidePane::Side::Source:
      break;
  }
  return {DumpSideWords::tr("Source"),
          DumpSideWords::tr("Path of the source"),
          QStringLiteral("source")};
}

}  // namespace

DumpSidePane::DumpSidePane(Side side, views::Background& background, QWidget* parent)
    : QGroupBox(namesOf(side).title, parent),
      m_side(side),
      m_background(background),
      m_tag(views::workTagOf(this, "recognise-dump")),
      m_path(new QComboBox(this)),
      m_state(views::makeTextLabel(this)) {
  m_path->setEditable(true);
  m_path->setInsertPolicy(QComboBox::NoInsert);
  m_path->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_path->setMinimumContentsLength(40);
  m_path->lineEdit()->setPlaceholderText(tr("A dump: folder or file; FOLDER#RUN for a run"));
  setObjectName(namesOf(side).id);
  m_path->setObjectName(QStringLiteral("path"));
  m_path->setAccessibleName(namesOf(side).path);
  m_path->setToolTip(
      tr("What %1 or Ulpscope recorded, or files of tensors (.pt, .npy, .safetensors, .h5); "
         "recognised by content. Files of elements without a header: FILE:TYPE[SHAPE]@OFFSET, as "
         "in a.bin:float32[4,-1]@64")
          .arg(recordingTools()));
  auto* file = new QPushButton(tr("File…"), this);
  file->setToolTip(tr("Choose a file"));
  auto* folder = new QPushButton(tr("Folder…"), this);
  folder->setToolTip(tr("Choose a folder"));
  auto* form = new QFormLayout(this);
  form->addRow(views::rowOf(nullptr, {{m_path, 1}, file, folder}));
  form->addRow(m_state);
  makeUnits(*form);
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &DumpSidePane::recognise);
  connect(m_path, &QComboBox::editTextChanged, this, [this] {
    m_wanted = {};
    pathEdited();
  });
  connect(file, &QPushButton::clicked, this, [this] { chooseFile(false); });
  connect(folder, &QPushButton::clicked, this, [this] { chooseFile(true); });
  setFocusProxy(m_path);
  setState(tr("Nothing chosen yet."), false);
}

void DumpSidePane::makeUnits(QFormLayout& form) {
  const std::array<QString, AxisCount> names{tr("Run"), tr("Step"), tr("Rank"), tr("Token")};
  constexpr std::array<const char*, AxisCount> kIds{"run", "step", "rank", "token"};
  auto* row = new QHBoxLayout;
  for (std::size_t axis = 0; axis < AxisCount; ++axis) {
    auto* name = new QLabel(names.at(axis), this);
    auto* box = new QComboBox(this);
    box->setAccessibleName(names.at(axis));
    box->setObjectName(QLatin1String(kIds.at(axis)));
    box->setToolTip(m_side == Side::Source ? tr("These units of the dump alone")
                                           : tr("Compare these units of the dump alone"));
    name->setBuddy(box);
    row->addWidget(name);
    row->addWidget(box);
    connect(box, &QComboBox::activated, this, &DumpSidePane::changed);
    m_axisNames.at(axis) = name;
    m_axes.at(axis) = box;
  }
  showAxes();
  row->addStretch(1);
  form.addRow(row);
}

QString DumpSidePane::stateText() const {
  return m_state->text();
}

void DumpSidePane::setState(const QString& text, bool isProblem) {
  m_state->setText(
      isProblem ? views::severityGlyph(views::Severity::Broken) + QLatin1Char(' ') + text : text);
  m_state->setForegroundRole(isProblem ? QPalette::WindowText : QPalette::PlaceholderText);
}

void DumpSidePane::setRecent(const QStringList& paths) {
  const QSignalBlocker silent(m_path);
  const QString shown = m_path->currentText();
  m_path->clear();
  m_path->addItems(paths);
  m_path->setEditText(shown);
}

void DumpSidePane::setSide(const report::DumpSide& side) {
  m_wanted = side.units;
  {
    const QSignalBlocker silent(m_path);
    m_path->setEditText(QString::fromStdString(side.path.string()));
  }
  pathEdited();
  recognise();
}

report::DumpSide DumpSidePane::side() const {
  report::DumpSide side = analysis::parseSide(m_path->currentText().trimmed().toStdString());
  if (!m_isReady) {
    // FOLDER#RUN, before anybody has looked.
    const std::string typed = std::move(side.units.run);
    side.units = m_wanted;
    side.units.run = m_wanted.run.empty() ? typed : m_wanted.run;
    return side;
  }
  side.units.run = m_axes[Run]->currentData().toString().toStdString();
  side.units.step = numberOf(*m_axes[Step]);
  side.units.rank = numberOf(*m_axes[Rank]);
  side.units.token = numberOf(*m_axes[Token]);
  return side;
}

void DumpSidePane::chooseFile(bool isFolder) {
  views::askForFile(this,
                    {.title = isFolder ? tr("Choose a dump") : tr("Choose a file"),
                     .wanted = isFolder ? views::FileWanted::Folder : views::FileWanted::Existing},
                    [this](const QString& path) { setSide({.path = path.toStdString()}); });
}

void DumpSidePane::pathEdited() {
  m_isReady = false;
  m_background.cancel(m_tag);
  std::ranges::for_each(m_axes, &QComboBox::clear);
  showAxes();
  if (m_path->currentText().trimmed().isEmpty()) {
    m_delay.stop();
    setState(tr("Nothing chosen yet."), false);
  } else {
    setState(tr("Looking…"), false);
    m_delay.start();
  }
  Q_EMIT changed();
}

void DumpSidePane::recognise() {
  m_delay.stop();
  const QString text = m_path->currentText().trimmed();
  if (text.isEmpty()) {
    return;
  }
  const report::DumpSide side = analysis::parseSide(text.toStdString());
  if (!side.units.run.empty()) {
    m_wanted.run = side.units.run;
  }
  m_background.run<Result<analysis::RecognisedDump>>(
      m_tag,
      this,
      [path = side.path](const std::stop_token& stop) {
        return analysis::recogniseDump(path, stop);
      },
      [this, path = side.path](const Result<analysis::RecognisedDump>& found) {
        const Result<> chosen =
            found ? analysis::checkUnits(*found, {.path = path, .units = m_wanted}) : Result<>();
        if (chosen) {
          show(found);
        } else {
          show(tl::unexpected<Error>(chosen.error()));
        }
      });
}

void DumpSidePane::show(const Result<analysis::RecognisedDump>& found) {
  if (!found) {
    setState(QString::fromStdString(found.error().message()), true);
    Q_EMIT changed();
    return;
  }
  QString text = tr("%1, %n unit(s)", nullptr, static_cast<int>(found->units.size()))
                     .arg(QString::fromStdString(found->format));
  if (!found->notes.empty()) {
    text += QLatin1Char('\n') + views::sentenceText(found->notes.front());
  }
  setState(text, false);
  fillUnits(found->units);
  m_wanted = {};
  m_isReady = !found->units.empty();
  Q_EMIT changed();
}

void DumpSidePane::fillRuns(const std::vector<UnitAxes>& units) {
  QComboBox& box = *m_axes[Run];
  for (const UnitAxes& unit : units) {
    const QString run = QString::fromStdString(unit.run);
    if (!run.isEmpty() && box.findText(run) < 0) {
      box.addItem(run, run);
    }
  }
  if (box.count() == 0) {
    return;
  }
  if (m_side == Side::Source) {
    if (box.count() > 1) {
      box.insertItem(0, tr("all"));
      box.setCurrentIndex(0);
    }
    select(box, QString::fromStdString(m_wanted.run));
    return;
  }
  const int reference = box.findText(QString::fromStdString(kReference));
  const int variant = reference == 0 && box.count() > 1 ? 1 : 0;
  box.setCurrentIndex(m_side == Side::Baseline && reference >= 0 ? reference : variant);
  select(box, QString::fromStdString(m_wanted.run));
}

void DumpSidePane::fillUnits(const std::vector<UnitAxes>& units) {
  using Value = std::optional<std::int64_t> UnitAxes::*;
  fillRuns(units);
  const auto axes = std::to_array<std::pair<Axis, Value>>(
      {{Step, &UnitAxes::step}, {Rank, &UnitAxes::rank}, {Token, &UnitAxes::token}});
  for (const auto& [axis, value] : axes) {
    std::set<std::int64_t> numbers;
    for (const UnitAxes& unit : units) {
      if (unit.*value) {
        numbers.insert(*(unit.*value));
      }
    }
    QComboBox& box = *m_axes.at(axis);
    if (numbers.size() > 1) {
      box.addItem(tr("all"));
    }
    for (const std::int64_t number : numbers) {
      box.addItem(QString::number(number), QVariant::fromValue<qlonglong>(number));
    }
    if (m_wanted.*value) {
      select(box, QString::number(*(m_wanted.*value)));
    }
  }
  showAxes();
}

void DumpSidePane::showAxes() {
  for (std::size_t axis = 0; axis < AxisCount; ++axis) {
    const bool isThere = m_axes.at(axis)->count() > 0;
    m_axes.at(axis)->setVisible(isThere);
    m_axisNames.at(axis)->setVisible(isThere);
  }
}

namespace {

struct RecordingToolsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::app::RecordingTools)
};

}  // namespace

QString recordingTools() {
  return views::textsOf(analysis::recordingTools()).join(RecordingToolsWords::tr(", "));
}

}  // namespace ulp::app
