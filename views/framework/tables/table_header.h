#pragma once

#include <map>
#include <set>

#include <QtCore/QRect>
#include <QtWidgets/QHeaderView>

namespace ulp::views {

/// The header of all tables: flat, titles aligned with their cells, an arrow at the sorted column.
/// Neighbouring columns of one group (GroupRole) share a title above theirs, with a thin line
/// between groups; without groups that band is not there.
class TableHeader : public QHeaderView {
  Q_OBJECT

 public:
  explicit TableHeader(QWidget* parent = nullptr);

  [[nodiscard]] QSize sizeHint() const override;
  /// Width that the title of a column needs.
  [[nodiscard]] int titleWidth(int logicalIndex) const;
  /// Widens the columns of groups that are narrower than their title; not what the user has
  /// dragged.
  void fitGroups();
  /// Makes a column as wide as a number in it needs, soon; not one that the user has dragged.
  void askForRoom(int column, int width);
  /// Tells whether the user has dragged a column to the width that it has.
  [[nodiscard]] bool isUserSized(int column) const { return m_userSized.contains(column); }
  /// Says how much of the left edge something covers, for header and cells alike.
  void setCovered(int width);
  /// The part of a cell's or a heading's room, in the coordinates of the viewport, that can be
  /// seen.
  [[nodiscard]] QRect seen(const QRect& room) const;

 Q_SIGNALS:
  void seenPartChanged();

 protected:
  void mouseMoveEvent(QMouseEvent* event) override;
  void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
  [[nodiscard]] QSize sectionSizeFromContents(int logicalIndex) const override;

 private:
  [[nodiscard]] bool hasGroups() const;
  [[nodiscard]] int bandHeight() const { return hasGroups() ? fontMetrics().height() + 4 : 0; }
  [[nodiscard]] QString group(int logicalIndex) const;
  [[nodiscard]] QString groupAtVisual(int visualIndex) const;
  void paintGroup(QPainter& painter, const QRect& band, int logicalIndex) const;
  void paintSortArrow(QPainter& painter, const QRect& title) const;
  void giveRoom();

  std::map<int, int> m_wanted;  ///< widths by column
  std::set<int> m_userSized;
  int m_covered = 0;
  bool m_isDragged = false;
};

}  // namespace ulp::views
