#include "views/framework/widgets/split_sizes.h"

#include <QtCore/QVariant>
#include <QtWidgets/QSplitter>

namespace ulp::views {
namespace {

const char* const kMovedProperty = "ulpMoved";

}  // namespace

void divideUntilMoved(QSplitter& split, const QList<int>& sizes) {
  if (!split.property(kMovedProperty).isValid()) {
    split.setProperty(kMovedProperty, false);
    QObject::connect(&split, &QSplitter::splitterMoved, &split, [&split] {
      split.setProperty(kMovedProperty, true);
    });
  }
  if (!split.property(kMovedProperty).toBool()) {
    split.setSizes(sizes);
  }
}

}  // namespace ulp::views
