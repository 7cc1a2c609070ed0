#pragma once

#include <QtCore/QSortFilterProxyModel>

namespace ulp::views {

/// Sorts by SortRole: numbers as numbers, text as text, and NaN or missing values last in both
/// directions.
class NanLastProxy : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit NanLastProxy(QObject* parent = nullptr);

 protected:
  [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

}  // namespace ulp::views
