#pragma once

#include <QtWidgets/QWidget>

#include "runner/queue/cluster_watch.h"

class QVBoxLayout;

namespace ulp::views {

/// Studies on a cluster, a line each: how their tasks stand, and what can be done with them.
/// Hidden where there is none.
class ClusterPane : public QWidget {
  Q_OBJECT

 public:
  explicit ClusterPane(queue::ClusterWatch& watch, QWidget* parent = nullptr);

 private:
  void refresh();
  /// So that what is said stands below each other.
  [[nodiscard]] int nameWidth() const;
  void addLine(const queue::ClusterState& state);

  queue::ClusterWatch& m_watch;
  QVBoxLayout* m_lines;
};

/// How the tasks of a study stand, in words: "2 running · 3 pending (nodes are busy)".
[[nodiscard]] QString clusterText(const queue::ClusterState& state);

}  // namespace ulp::views
