#include "views/framework/widgets/layouts.h"

namespace ulp::views {
namespace {

template <class Box>
Box* filled(Box* box, std::initializer_list<BoxItem> items, const BoxShape& shape) {
  if (shape.margins) {
    box->setContentsMargins(*shape.margins);
  }
  if (shape.spacing) {
    box->setSpacing(*shape.spacing);
  }
  for (const BoxItem& item : items) {
    item.addTo(*box);
  }
  return box;
}

}  // namespace

void BoxItem::addTo(QBoxLayout& box) const {
  if (m_widget != nullptr) {
    box.addWidget(m_widget, m_share);
  } else if (m_layout != nullptr) {
    box.addLayout(m_layout, m_share);
  } else if (m_pixels > 0) {
    box.addSpacing(m_pixels);
  } else {
    box.addStretch(m_share);
  }
}

QVBoxLayout* columnOf(QWidget* parent,
                      std::initializer_list<BoxItem> items,
                      const BoxShape& shape) {
  return filled(new QVBoxLayout(parent), items, shape);
}

QHBoxLayout* rowOf(QWidget* parent, std::initializer_list<BoxItem> items, const BoxShape& shape) {
  return filled(new QHBoxLayout(parent), items, shape);
}

}  // namespace ulp::views
