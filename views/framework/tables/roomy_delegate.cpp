#include "views/framework/tables/roomy_delegate.h"

#include <algorithm>

#include "views/framework/tables/table_tools.h"

namespace ulp::views {

QSize RoomyDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QSize size = QStyledItemDelegate::sizeHint(option, index);
  return {size.width(), std::max(size.height(), rowHeight(option.fontMetrics))};
}

}  // namespace ulp::views
