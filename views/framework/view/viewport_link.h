#pragma once

#include <vector>

#include <QtCore/QObject>
#include <QtCore/QStringList>

#include "views/framework/view/viewpoint.h"

namespace ulp::views {

class View;
class ViewHost;

/// Views of one kind that show the same part of their data: what one of them shows after a zoom,
/// the others show too. Views know nothing of each other.
class ViewportLink : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// A view whose descriptor says that its viewport can be linked. One that is linked takes over
  /// what those show that were linked before.
  void setLinked(ViewHost& host, bool linked);
  [[nodiscard]] bool isLinked(const ViewHost& host) const;
  /// Ids of the tabs that are linked.
  [[nodiscard]] QStringList linkedIds() const;

 Q_SIGNALS:
  void linkedChanged(ulp::views::ViewHost* host, bool linked);

 private:
  void join(View& view);
  void leave(View& view);
  /// Shows in a view with other data what those of its kind show.
  void takeOver(View& view);
  /// Shows the others of its kind what a view shows.
  void publish(const View& from);
  /// Axes of numbers that several views have get one scale.
  void shareExtents(const QString& kind);
  /// Views of a kind that are linked and have been made.
  [[nodiscard]] std::vector<View*> members(const QString& kind) const;
  [[nodiscard]] ViewHost* hostOf(const View& view) const;

  std::vector<ViewHost*> m_hosts;
  bool m_isPublishing = false;
};

}  // namespace ulp::views
