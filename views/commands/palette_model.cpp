#include "views/commands/palette_model.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

#include <QtCore/QCoreApplication>

#include "views/framework/words/site_text.h"

namespace ulp::views {
namespace {

/// As much as two letters in sequence: enough to decide between texts that match alike.
constexpr int kRecentBonus = 24;

const QString kVariantPrefix = QStringLiteral("variant:");
QString sitePrefix(Pass pass) {
  const std::string_view name = toString(pass);
  return QLatin1String(name.data(), static_cast<qsizetype>(name.size())) + u':';
}

}  // namespace

PaletteItems::PaletteItems(std::vector<PaletteItem> items) : m_items(std::move(items)) {
  const auto texts = m_items | std::views::transform(&PaletteItem::text);
  m_index = FuzzyIndex({texts.begin(), texts.end()});
}

FuzzyResult PaletteItems::search(const QString& query,
                                 const QStringList& recent,
                                 const FuzzyResult* previous,
                                 const std::stop_token& stop) const {
  FuzzyResult result = m_index.search(query, kListed, previous, stop);
  const bool isEmpty = FuzzyQuery(query).isEmpty();
  if (isEmpty && !recent.isEmpty()) {
    // What was used lately may lie beyond what is listed.
    for (int i = static_cast<int>(result.best.size()); i < m_index.size(); ++i) {
      if (recent.contains(m_items[static_cast<std::size_t>(i)].id)) {
        result.best.push_back({.index = i, .score = 0});
      }
    }
  }
  for (FuzzyHit& hit : result.best) {
    const qsizetype age = recent.indexOf(m_items[static_cast<std::size_t>(hit.index)].id);
    if (age >= 0) {
      hit.score += isEmpty ? static_cast<int>(recent.size() - age) : kRecentBonus;
    }
  }
  std::ranges::stable_sort(result.best, std::ranges::greater(), &FuzzyHit::score);
  result.best.resize(std::min(result.best.size(), kListed));
  return result;
}

std::vector<int> PaletteItems::positions(int index, const QString& query) const {
  return FuzzyQuery(query).positions(m_index.folded(index));
}

void PaletteModel::show(PaletteItemsPtr items, const FuzzyResult& result) {
  beginResetModel();
  m_items = std::move(items);
  m_query = result.query;
  m_hits = result.best;
  endResetModel();
}

const PaletteItem& PaletteModel::item(int row) const {
  return m_items->items().at(
      static_cast<std::size_t>(m_hits.at(static_cast<std::size_t>(row)).index));
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_hits.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
    return {};
  }
  const PaletteItem& shown = item(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return shown.text;
    case Qt::AccessibleTextRole:
      return shown.detail.isEmpty() ? shown.text
                                    : QStringLiteral("%1, %2").arg(shown.text, shown.detail);
    case DetailRole:
      return shown.detail;
    case PositionsRole: {
      const int place = m_hits[static_cast<std::size_t>(index.row())].index;
      const std::vector<int> found = m_items->positions(place, m_query);
      return QVariant::fromValue(QList<int>(found.begin(), found.end()));
    }
    default:
      return {};
  }
}

Qt::ItemFlags PaletteModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) {
    return Qt::NoItemFlags;
  }
  const Qt::ItemFlags base = QAbstractListModel::flags(index) | Qt::ItemNeverHasChildren;
  return item(index.row()).enabled ? base : base & ~(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
}

PaletteItemsPtr reportItems(const ReportDocument& document) {
  std::vector<PaletteItem> items;
  items.reserve(document.sites().size() + static_cast<std::size_t>(document.variantCount()));
  for (int i = 0; i < document.variantCount(); ++i) {
    const QString name = document.variantName(i);
    items.push_back(
        {.id = kVariantPrefix + name,
         .text = name,
         .detail = QCoreApplication::translate("ulp::views::ReportPalette", "variant")});
  }
  for (const Site& site : document.sites()) {
    const QString name = QString::fromStdString(site.name);
    items.push_back(
        {.id = sitePrefix(site.pass) + name, .text = name, .detail = passText(site.pass)});
  }
  return std::make_shared<const PaletteItems>(std::move(items));
}

ReportPlace placeOf(const ReportDocument& document, const QString& id) {
  if (id.startsWith(kVariantPrefix)) {
    return {.variant = document.findVariant(id.mid(kVariantPrefix.size()))};
  }
  for (const Pass pass : kPasses) {
    const QString prefix = sitePrefix(pass);
    if (id.startsWith(prefix)) {
      return {.site = document.findSite(id.mid(prefix.size()).toStdString(), pass)};
    }
  }
  return {};
}

}  // namespace ulp::views
