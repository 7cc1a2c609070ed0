#include "views/mapping/open_names_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include <QtCore/QLocale>

#include "views/framework/tables/table_roles.h"

namespace ulp::views {
namespace {

constexpr std::size_t kToolTipTensors = 12;
constexpr int kScoreDigits = 2;

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
  using Text = std::function<QString(int)>;
  const auto column = [](const QString& title, const Text& text, const Text& toolTip) {
    return Column<int>{.title = title,
                       .roles = {{Qt::DisplayRole, text}, {Qt::ToolTipRole, toolTip}}};
  };
  const Text ofName = [this](int name) { return toolTipOf(name); };
  const Text ofPartner = [this](int name) { return toolTipOfPartner(name); };
  std::vector<Column<int>> all{
      column(
          tr("Name"), [this](int name) { return QString::fromStdString(own(name).name); }, ofName),
      column(
          tr("Suggested partner"), [this](int name) { return partnerText(name); }, ofPartner),
      column(
          tr("Score"),
          [this](int name) {
            const auto suggestion = suggestionOf(name);
            return suggestion ? scoreText(suggestion->score) : QString();
          },
          ofPartner),
      column(
          tr("Tensor"), [this](int name) { return tensorText(*m_own, own(name)); }, ofName),
      column(
          tr("Pass"), [this](int name) { return passesText(*m_own, own(name)); }, ofName)};
  for (const ColumnId id : {Partner, Score}) {
    all[id].roles[DimRole] = [this](int name) {
      const auto suggestion = suggestionOf(name);
      return !suggestion || !suggestion->isMutual;
    };
  }
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
  take(picture);
  showAll();
}

void OpenNamesModel::showAll() {
  std::vector<int> all(m_own ? m_own->names.size() : 0);
  std::iota(all.begin(), all.end(), 0);
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

QString OpenNamesModel::partnerText(int name) const {
  if (const auto suggestion = suggestionOf(name)) {
    return QString::fromStdString(m_other->names[suggestion->partner].name);
  }
  return m_picture->suggestions ? QStringLiteral("–") : QStringLiteral("…");
}

QString OpenNamesModel::toolTipOf(int at) const {
  const analysis::OpenName& name = own(at);
  const QString tensors = tensorsText(*m_own, name, kToolTipTensors);
  const QString place = name.module.empty() ? QString::fromStdString(name.name)
                                            : tr("%1 in %2")
                                                  .arg(QString::fromStdString(name.name),
                                                       QString::fromStdString(name.module));
  return tensors.isEmpty() ? place : place + QLatin1Char('\n') + tensors;
}

QString OpenNamesModel::toolTipOfPartner(int name) const {
  const auto suggestion = suggestionOf(name);
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

}  // namespace ulp::views
