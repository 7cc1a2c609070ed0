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

const OpenSidePtr& sideOf(const MappingPicture& picture, OpenNamesModel::Side side) {
  return side == OpenNamesModel::Side::Baseline ? picture.baseline : picture.candidate;
}

QString scoreText(double score) {
  return QLocale().toString(score, 'f', kScoreDigits);
}

}  // namespace

OpenNamesModel::OpenNamesModel(Side side, QObject* parent)
    : RowTableModel(parent), m_sideKind(side) {
  setContent(columns(), m_shown);
}

std::vector<Column<int>> OpenNamesModel::columns() const {
  const auto column = [this](ColumnId id, const QString& title) {
    return Column<int>{.title = title,
                       .cell = [this, id](int name, int role) { return cell(name, id, role); }};
  };
  std::vector<Column<int>> all{column(Name, tr("Name")),
                               column(Partner, tr("Suggested partner")),
                               column(Score, tr("Score")),
                               column(Tensor, tr("Tensor")),
                               column(Passes, tr("Pass"))};
  all[Score].toolTip = tr("How alike names, shapes and dtypes are, from 0 to 1");
  all[Score].alignment = kNumberAlignment;
  return all;
}

void OpenNamesModel::take(const MappingPicturePtr& picture) {
  m_picture = picture;
  const Side other = m_sideKind == Side::Baseline ? Side::Candidate : Side::Baseline;
  m_own = picture ? sideOf(*picture, m_sideKind) : nullptr;
  m_other = picture ? sideOf(*picture, other) : nullptr;
}

void OpenNamesModel::setPicture(const MappingPicturePtr& picture) {
  std::vector<int> all(picture ? sideOf(*picture, m_sideKind)->names.size() : 0);
  std::iota(all.begin(), all.end(), 0);
  take(picture);
  setShown(std::move(all));
}

void OpenNamesModel::complete(const MappingPicturePtr& picture) {
  take(picture);
  if (!m_shown->empty()) {
    Q_EMIT dataChanged(index(0, Partner), index(rowCount() - 1, Score));
  }
}

void OpenNamesModel::setShown(std::vector<int> names) {
  m_shown = std::make_shared<const std::vector<int>>(std::move(names));
  // Resets: another list has nothing chosen.
  setContent(columns(), m_shown);
}

int OpenNamesModel::nameAt(int row) const {
  return row < 0 || row >= rowCount() ? -1 : this->row(row);
}

int OpenNamesModel::rowOf(std::size_t name) const {
  const int wanted = static_cast<int>(name);
  const auto found = std::ranges::lower_bound(*m_shown, wanted);
  return found == m_shown->end() || *found != wanted ? -1
                                                     : static_cast<int>(found - m_shown->begin());
}

std::optional<analysis::PartnerSuggestion> OpenNamesModel::suggestionAt(int row) const {
  const int name = nameAt(row);
  return name < 0 ? std::nullopt : suggestionOf(name);
}

std::optional<analysis::PartnerSuggestion> OpenNamesModel::suggestionOf(int name) const {
  if (!m_picture->suggestions) {
    return std::nullopt;
  }
  const auto& suggestions = m_sideKind == Side::Baseline ? m_picture->suggestions->ofBaseline
                                                         : m_picture->suggestions->ofCandidate;
  const analysis::PartnerSuggestion& found = suggestions[static_cast<std::size_t>(name)];
  return found.isEmpty() ? std::nullopt : std::optional(found);
}

QString OpenNamesModel::text(int at, ColumnId column) const {
  const analysis::OpenName& name = m_own->names[static_cast<std::size_t>(at)];
  const auto suggestion = suggestionOf(at);
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

QString OpenNamesModel::toolTip(int at, ColumnId column) const {
  const analysis::OpenName& name = m_own->names[static_cast<std::size_t>(at)];
  const auto suggestion = suggestionOf(at);
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

QVariant OpenNamesModel::cell(int name, ColumnId column, int role) const {
  switch (role) {
    case Qt::DisplayRole:
    case RawRole:
      return text(name, column);
    case Qt::ToolTipRole:
      return toolTip(name, column);
    case DimRole: {
      const auto suggestion = suggestionOf(name);
      return isOfPartner(column) && !(suggestion && suggestion->isMutual);
    }
    default:
      return {};
  }
}

}  // namespace ulp::views
