#include "views/framework/view/view_registry.h"

#include <algorithm>
#include <utility>

namespace ulp::views {
namespace {

constexpr QChar kNumberSign = QLatin1Char('#');

}  // namespace

QString registeredId(const QString& tabId) {
  return tabId.section(kNumberSign, 0, 0);
}

QString tabId(const QString& registeredId, int number) {
  return registeredId + kNumberSign + QString::number(number);
}

void ViewRegistry::add(ViewDescriptor descriptor) {
  const auto place = std::ranges::upper_bound(
      m_views, std::pair(descriptor.area, descriptor.order), {}, [](const ViewDescriptor& view) {
        return std::pair(view.area, view.order);
      });
  m_views.insert(place, std::move(descriptor));
}

const ViewDescriptor* ViewRegistry::find(const QString& id) const {
  return findIf([&](const ViewDescriptor& view) { return view.id == id; });
}

const ViewDescriptor* ViewRegistry::findSubject(const QString& subject) const {
  return findIf([&](const ViewDescriptor& view) { return view.subjects.contains(subject); });
}

const ViewDescriptor* ViewRegistry::findPurpose(ViewPurpose purpose) const {
  return findIf([&](const ViewDescriptor& view) { return view.purpose == purpose; });
}

const ViewDescriptor* ViewRegistry::findProof(const QString& rule) const {
  constexpr int kOverview = 1;
  const auto* proof =
      findIf([&](const ViewDescriptor& view) { return view.proves.contains(rule); });
  return proof == nullptr ? deeperThan(kOverview) : proof;
}

const ViewDescriptor* ViewRegistry::findTensorList() const {
  return findIf([](const ViewDescriptor& view) { return view.listsTensors; });
}

const ViewDescriptor* ViewRegistry::findIf(
    const std::function<bool(const ViewDescriptor&)>& fits) const {
  const auto found = std::ranges::find_if(m_views, fits);
  return found == m_views.end() ? nullptr : &*found;
}

const ViewDescriptor* ViewRegistry::deeperThan(int level) const {
  const ViewDescriptor* next = nullptr;
  for (const ViewDescriptor& view : m_views) {
    if (view.drillLevel > level && (next == nullptr || view.drillLevel < next->drillLevel)) {
      next = &view;
    }
  }
  return next;
}

}  // namespace ulp::views
