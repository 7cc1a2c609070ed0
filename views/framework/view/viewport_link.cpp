#include "views/framework/view/viewport_link.h"

#include <algorithm>

#include <QtCore/QScopedValueRollback>

#include "views/framework/view/view_host.h"

namespace ulp::views {

bool ViewportLink::isLinked(const ViewHost& host) const {
  return std::ranges::find(m_hosts, &host) != m_hosts.end();
}

QStringList ViewportLink::linkedIds() const {
  QStringList ids;
  for (const ViewHost* host : m_hosts) {
    ids << host->descriptor().id;
  }
  return ids;
}

void ViewportLink::setLinked(ViewHost& host, bool linked) {
  if (linked == isLinked(host) || (linked && !host.descriptor().hasViewport)) {
    return;
  }
  if (linked) {
    m_hosts.push_back(&host);
    connect(&host, &ViewHost::viewMade, this, [this](View* view) { join(*view); });
    connect(&host, &QObject::destroyed, this, [this, gone = &host] { std::erase(m_hosts, gone); });
    if (host.view() != nullptr) {
      join(*host.view());
    }
  } else {
    host.disconnect(this);
    std::erase(m_hosts, &host);
    if (host.view() != nullptr) {
      leave(*host.view());
    }
  }
  Q_EMIT linkedChanged(&host, linked);
}

void ViewportLink::join(View& view) {
  connect(&view, &View::viewpointChanged, this, [this, &view] { publish(view); });
  connect(&view, &View::contentReplaced, this, [this, &view] { takeOver(view); });
  takeOver(view);
}

void ViewportLink::takeOver(View& view) {
  const ViewHost* host = hostOf(view);
  if (host == nullptr || m_isPublishing) {
    return;
  }
  const QString kind = registeredId(host->descriptor().id);
  {
    const QScopedValueRollback guard(m_isPublishing, true);
    shareExtents(kind);
    for (const View* other : members(kind)) {
      const Viewpoint viewpoint = other == &view ? Viewpoint{} : other->viewpoint();
      if (!viewpoint.isEmpty()) {
        view.follow(viewpoint);
        break;
      }
    }
  }
  publish(view);
}

void ViewportLink::leave(View& view) {
  view.disconnect(this);
  view.shareExtents({});
  for (const ViewHost* host : m_hosts) {
    shareExtents(registeredId(host->descriptor().id));
  }
}

ViewHost* ViewportLink::hostOf(const View& view) const {
  const auto found = std::ranges::find_if(
      m_hosts, [&view](const ViewHost* host) { return host->view() == &view; });
  return found == m_hosts.end() ? nullptr : *found;
}

std::vector<View*> ViewportLink::members(const QString& kind) const {
  std::vector<View*> views;
  for (const ViewHost* host : m_hosts) {
    if (host->view() != nullptr && registeredId(host->descriptor().id) == kind) {
      views.push_back(host->view());
    }
  }
  return views;
}

void ViewportLink::publish(const View& from) {
  const ViewHost* host = hostOf(from);
  // What a view shows because another one does is not passed on.
  if (host == nullptr || m_isPublishing) {
    return;
  }
  const QScopedValueRollback guard(m_isPublishing, true);
  const QString kind = registeredId(host->descriptor().id);
  shareExtents(kind);
  const Viewpoint viewpoint = from.viewpoint();
  for (View* view : members(kind)) {
    if (view != &from) {
      view->follow(viewpoint);
    }
  }
}

void ViewportLink::shareExtents(const QString& kind) {
  const std::vector<View*> views = members(kind);
  std::vector<Viewpoint> viewpoints;
  viewpoints.reserve(views.size());
  for (const View* view : views) {
    viewpoints.push_back(view->viewpoint());
  }
  const std::vector<AxisExtent> extents = united(viewpoints);
  for (View* view : views) {
    view->shareExtents(extents);
  }
}

}  // namespace ulp::views
