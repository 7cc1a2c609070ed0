#include "views/framework/view/view_registry.h"

#include <algorithm>
#include <tuple>
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
  const auto place =
      std::upper_bound(m_views.begin(),
                       m_views.end(),
                       descriptor,
                       [](const ViewDescriptor& a, const ViewDescriptor& b) {
                         return std::tie(a.area, a.order) < std::tie(b.area, b.order);
                       });
  m_views.insert(place, std::move(descriptor));
}

const ViewDescriptor* ViewRegistry::find(const QString& id) const {
  const auto found = std::find_if(
      m_views.begin(), m_views.end(), [&](const ViewDescriptor& view) { return view.id == id; });
  return found == m_views.end() ? nullptr : &*found;
}

const ViewDescriptor* ViewRegistry::findSubject(const QString& subject) const {
  const auto found = std::ranges::find_if(
      m_views, [&](const ViewDescriptor& view) { return view.subjects.contains(subject); });
  return found == m_views.end() ? nullptr : &*found;
}

const ViewDescriptor* ViewRegistry::findPurpose(ViewPurpose purpose) const {
  const auto found = std::find_if(m_views.begin(), m_views.end(), [&](const ViewDescriptor& view) {
    return view.purpose == purpose;
  });
  return found == m_views.end() ? nullptr : &*found;
}

const ViewDescriptor* ViewRegistry::findProof(const QString& rule) const {
  constexpr int kOverview = 1;
  const auto found = std::ranges::find_if(
      m_views, [&](const ViewDescriptor& view) { return view.proves.contains(rule); });
  return found == m_views.end() ? deeperThan(kOverview) : &*found;
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
