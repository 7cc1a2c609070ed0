#include "views/framework/tables/nan_last_proxy.h"

#include <cmath>

#include "views/framework/tables/table_roles.h"

namespace ulp::views {
namespace {

bool isMissing(const QVariant& value) {
  return !value.isValid() || (value.typeId() == QMetaType::Double && std::isnan(value.toDouble()));
}

}  // namespace

NanLastProxy::NanLastProxy(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(SortRole);
  setDynamicSortFilter(true);
}

bool NanLastProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const QVariant a = left.data(SortRole);
  const QVariant b = right.data(SortRole);
  const bool aMissing = isMissing(a);
  const bool bMissing = isMissing(b);
  if (aMissing || bMissing) {
    // The proxy swaps the arguments to sort downwards, so "last" depends on the direction.
    return sortOrder() == Qt::AscendingOrder ? !aMissing && bMissing : aMissing && !bMissing;
  }
  return QSortFilterProxyModel::lessThan(left, right);
}

}  // namespace ulp::views
