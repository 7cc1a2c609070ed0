#include "views/mapping/open_names_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <QtCore/QLocale>

#include "views/framework/tables/table_roles.h"

namespace ulp::views {
namespace {

constexpr std::size_t kToolTipTensors = 12;
constexpr int kScoreDigits = 2;

/// What is said of the partner rather than of the name itself.
bool isOfPartner(int column) {
  return column == OpenNamesModel::Partner || column == OpenNamesModel::Score;
}

QString scoreText(double score) {
  return QLocale().toString(score, 'f', kScoreDigits);
}

}  // namespace

OpenNamesModel::OpenNamesModel(Side side, QObject* parent)
    : QAbstractTableModel(parent), m_sideKind(side) {}

void OpenNamesModel::take(const MappingPicturePtr& picture) {
  m_picture = picture;
  const bool isBaseline = m_sideKind == Side::Baseline;
  m_own = !picture ? nullptr : isBaseline ? picture->baseline : picture->candidate;
  m_other = !picture ? nullptr : isBaseline ? picture->candidate : picture->baseline;
}

void OpenNamesModel::setPicture(const MappingPicturePtr& picture) {
  beginResetModel();
  take(picture);
  m_shown.resize(m_own ? m_own->names.size() : 0);
  std::iota(m_shown.begin(), m_shown.end(), 0);
  endResetModel();
}

void OpenNamesModel::complete(const MappingPicturePtr& picture) {
  take(picture);
  if (!m_shown.empty()) {
    Q_EMIT dataChanged(index(0, Partner), index(rowCount() - 1, Score));
  }
}

void OpenNamesModel::setShown(std::vector<int> names) {
  beginResetModel();
  m_shown = std::move(names);
  endResetModel();
}

int OpenNamesModel::nameAt(int row) const {
  return row < 0 || row >= rowCount() ? -1 : m_shown[static_cast<std::size_t>(row)];
}

int OpenNamesModel::rowOf(std::size_t name) const {
  const int wanted = static_cast<int>(name);
  const auto found = std::lower_bound(m_shown.begin(), m_shown.end(), wanted);
  return found == m_shown.end() || *found != wanted ? -1
                                                    : static_cast<int>(found - m_shown.begin());
}

std::optional<analysis::PartnerSuggestion> OpenNamesModel::suggestionAt(int row) const {
  const int name = nameAt(row);
  if (name < 0 || !m_picture->suggestions) {
    return std::nullopt;
  }
  const auto& suggestions = m_sideKind == Side::Baseline ? m_picture->suggestions->ofBaseline
                                                         : m_picture->suggestions->ofCandidate;
  const analysis::PartnerSuggestion& found = suggestions[static_cast<std::size_t>(name)];
  return found.isEmpty() ? std::nullopt : std::optional(found);
}

int OpenNamesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int OpenNamesModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QString OpenNamesModel::text(int row, int column) const {
  const analysis::OpenName& name = m_own->names[static_cast<std::size_t>(nameAt(row))];
  const auto suggestion = suggestionAt(row);
  switch (column) {
    case Name:
      return QString::fromStdString(name.name);
    case Passes:
      return passesText(*m_own, name);
    case Tensor:
      return tensorText(*m_own, name);
    case Partner:
      return suggestion ? QString::fromStdString(m_other->names[suggestion->partner].name)
             : m_picture->suggestions ? QStringLiteral("–")
                                      : QStringLiteral("…");
    default:
      return suggestion ? scoreText(suggestion->score) : QString();
  }
}

QString OpenNamesModel::toolTip(int row, int column) const {
  const analysis::OpenName& name = m_own->names[static_cast<std::size_t>(nameAt(row))];
  const auto suggestion = suggestionAt(row);
  if (!isOfPartner(column)) {
    const QString tensors = tensorsText(*m_own, name, kToolTipTensors);
    const QString place = name.module.empty() ? QString::fromStdString(name.name)
                                              : tr("%1 in %2")
                                                    .arg(QString::fromStdString(name.name),
                                                         QString::fromStdString(name.module));
    return tensors.isEmpty() ? place : place + QLatin1Char('\n') + tensors;
  }
  if (!suggestion) {
    return m_picture->suggestions ? tr("Nothing on the other side is like it") : QString();
  }
  const analysis::OpenName& partner = m_other->names[suggestion->partner];
  const QString likeness =
      std::isnan(suggestion->tensors)
          ? tr("Names alike %1; the shapes of the tensors are not known")
                .arg(scoreText(suggestion->names))
          : tr("Names alike %1, tensors %2")
                .arg(scoreText(suggestion->names), scoreText(suggestion->tensors));
  const QString mutual = suggestion->isMutual ? tr("Each is the other's best partner")
                                              : tr("It is more like another one itself");
  return QStringList{QString::fromStdString(partner.name),
                     tensorsText(*m_other, partner, kToolTipTensors),
                     likeness,
                     mutual}
      .join(QLatin1Char('\n'));
}

QVariant OpenNamesModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
    return {};
  }
  switch (role) {
    case Qt::DisplayRole:
    case RawRole:
      return text(index.row(), index.column());
    case Qt::ToolTipRole:
      return toolTip(index.row(), index.column());
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(index.column() == Score ? Qt::AlignRight | Qt::AlignVCenter
                                                         : Qt::AlignLeft | Qt::AlignVCenter);
    case DimRole: {
      const auto suggestion = suggestionAt(index.row());
      return isOfPartner(index.column()) && !(suggestion && suggestion->isMutual);
    }
    default:
      return {};
  }
}

QVariant OpenNamesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
    return {};
  }
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(section == Score ? Qt::AlignRight | Qt::AlignVCenter
                                                : Qt::AlignLeft | Qt::AlignVCenter);
  }
  if (role == Qt::ToolTipRole) {
    return section == Score ? tr("How alike names, shapes and dtypes are, from 0 to 1") : QString();
  }
  if (role != Qt::DisplayRole) {
    return {};
  }
  switch (section) {
    case Name:
      return tr("Name");
    case Passes:
      return tr("Pass");
    case Tensor:
      return tr("Tensor");
    case Partner:
      return tr("Suggested partner");
    default:
      return tr("Score");
  }
}

}  // namespace ulp::views
