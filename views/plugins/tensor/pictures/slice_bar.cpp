#include "views/plugins/tensor/pictures/slice_bar.h"

#include <algorithm>

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QSpinBox>

#include "views/framework/widgets/layouts.h"
#include "views/plugins/tensor/pictures/tensor_text.h"

namespace ulp::views {

SliceBar::SliceBar(QWidget* parent)
    : QWidget(parent),
      m_rows(new QComboBox(this)),
      m_columns(new QComboBox(this)),
      m_axes(new QWidget(this)),
      m_positions(new QWidget(this)),
      m_text(new QLineEdit(this)),
      m_problem(new QLabel(this)) {
  const auto named = [this](const QString& text, QWidget* control) {
    auto* label = new QLabel(text, this);
    label->setBuddy(control);
    control->setAccessibleName(text);
    return label;
  };
  const BoxShape close{.margins = QMargins(), .spacing = 4};
  rowOf(m_axes,
        {named(tr("Rows"), m_rows),
         m_rows,
         BoxItem::space(4),
         named(tr("Columns"), m_columns),
         m_columns},
        close);
  m_text->setToolTip(tr("Slice as NumPy writes it: 0, :, 5:10, ::2, …"));
  m_text->setPlaceholderText(tr("everything"));
  m_text->setMaximumWidth(m_text->fontMetrics().averageCharWidth() * 24);
  m_problem->setForegroundRole(QPalette::PlaceholderText);
  m_problem->hide();
  rowOf(m_positions, {}, close);
  rowOf(this,
        {m_axes,
         m_positions,
         named(tr("Slice"), m_text),
         {m_text, 1},
         {m_problem, 1},
         BoxItem::stretch()},
        {.margins = QMargins(8, 0, 8, 4), .spacing = 8});
  for (QComboBox* box : {m_rows, m_columns}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(box, &QComboBox::activated, this, &SliceBar::onAxes);
  }
  connect(m_text, &QLineEdit::editingFinished, this, [this] {
    if (m_text->isModified()) {
      m_text->setModified(false);
      Q_EMIT sliceEdited(m_text->text().trimmed());
    }
  });
}

QString SliceBar::dimensionName(int dimension) const {
  const auto at = static_cast<std::size_t>(dimension);
  return dimension >= 0 && at < m_names.size() ? dimensionText(m_names[at], dimension) : QString();
}

QSpinBox* SliceBar::position(int dimension) const {
  const auto at = static_cast<std::size_t>(dimension);
  return at < m_spins.size() ? m_spins[at] : nullptr;
}

void SliceBar::setTensor(const std::vector<std::int64_t>& shape,
                         const std::vector<analysis::Dimension>& names) {
  m_shape = shape;
  m_names = names;
  m_plane = {};
  setProblem({});
}

void SliceBar::setProblem(const QString& problem) {
  m_problem->setText(problem);
  m_problem->setToolTip(problem);
  m_problem->setVisible(!problem.isEmpty());
}

void SliceBar::fillAxes(QComboBox& box, int current, bool withFolded) {
  const QSignalBlocker silent(&box);
  box.clear();
  if (withFolded && current < 0) {
    box.addItem(tr("folded"), -1);
  }
  for (int dimension = 0; dimension < static_cast<int>(m_shape.size()); ++dimension) {
    box.addItem(QStringLiteral("%1 (%2)")
                    .arg(dimensionName(dimension))
                    .arg(m_shape[static_cast<std::size_t>(dimension)]),
                dimension);
  }
  box.setCurrentIndex(std::max(0, box.findData(current)));
}

void SliceBar::setPlane(const analysis::TensorPlane& plane) {
  m_plane = plane;
  fillAxes(*m_rows, plane.rowDimension, true);
  fillAxes(*m_columns, plane.columnDimension, false);
  // A tensor of one dimension has nothing to choose.
  m_axes->setVisible(m_shape.size() > 1);
  rebuildPositions();
  const bool isWhole = std::all_of(plane.slice.begin(), plane.slice.end(), [&](const auto& range) {
    const auto d = static_cast<std::size_t>(&range - plane.slice.data());
    return !range.isIndex && range.start == 0 && range.step == 1 && range.count == plane.shape[d];
  });
  const QSignalBlocker silent(m_text);
  m_text->setText(isWhole ? QString()
                          : QString::fromStdString(analysis::sliceText(plane.slice, plane.shape)));
  m_text->setModified(false);
  m_text->setEnabled(!m_shape.empty());
  setProblem({});
}

void SliceBar::rebuildPositions() {
  std::vector<int> wanted;
  for (int d = 0; d < static_cast<int>(m_shape.size()); ++d) {
    if (d != m_plane.rowDimension && d != m_plane.columnDimension &&
        m_shape[static_cast<std::size_t>(d)] > 1) {
      wanted.push_back(d);
    }
  }
  std::vector<int> present;
  for (int d = 0; d < static_cast<int>(m_spins.size()); ++d) {
    if (m_spins[static_cast<std::size_t>(d)] != nullptr) {
      present.push_back(d);
    }
  }
  // Kept while the dimensions are the same, so that a spin box that is being used stays.
  const bool isSame = wanted == present && m_spins.size() == m_shape.size();
  if (!isSame) {
    qDeleteAll(m_positions->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    m_spins.assign(m_shape.size(), nullptr);
  }
  for (const int d : wanted) {
    const auto at = static_cast<std::size_t>(d);
    if (!isSame) {
      auto* spin = new QSpinBox(m_positions);
      spin->setAccessibleName(tr("Position in %1").arg(dimensionName(d)));
      spin->setPrefix(dimensionName(d) + QLatin1Char(' '));
      spin->setKeyboardTracking(false);
      m_positions->layout()->addWidget(spin);
      m_spins[at] = spin;
      connect(spin, &QSpinBox::valueChanged, this, [this, d](int value) { onPosition(d, value); });
    }
    const QSignalBlocker silent(m_spins[at]);
    m_spins[at]->setRange(0, static_cast<int>(m_shape[at] - 1));
    m_spins[at]->setValue(static_cast<int>(m_plane.slice[at].start));
  }
  m_positions->setVisible(!wanted.empty());
}

void SliceBar::onPosition(int dimension, int position) {
  std::vector<analysis::SliceRange> slice = m_plane.slice;
  slice[static_cast<std::size_t>(dimension)] = {position, 1, 1, true};
  Q_EMIT sliceEdited(QString::fromStdString(analysis::sliceText(slice, m_shape)));
}

void SliceBar::onAxes() {
  analysis::PlaneAxes axes{m_rows->currentData().toInt(), m_columns->currentData().toInt()};
  if (axes.rows == axes.columns) {
    // The other one gives way: rows and columns change places.
    const bool rowsChanged = axes.rows != m_plane.rowDimension;
    (rowsChanged ? axes.columns : axes.rows) =
        rowsChanged ? m_plane.rowDimension : m_plane.columnDimension;
  }
  // A dimension that the slice holds at one position becomes whole again.
  std::vector<analysis::SliceRange> slice = m_plane.slice;
  bool isWidened = false;
  for (const int dimension : {axes.rows, axes.columns}) {
    const auto at = static_cast<std::size_t>(dimension);
    if (dimension >= 0 && slice[at].isIndex) {
      slice[at] = {0, 1, m_shape[at], false};
      isWidened = true;
    }
  }
  Q_EMIT axesEdited(axes);
  if (isWidened) {
    Q_EMIT sliceEdited(QString::fromStdString(analysis::sliceText(slice, m_shape)));
  }
}

}  // namespace ulp::views
