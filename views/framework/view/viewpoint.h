#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <QtCore/QString>

#include "core/base/site.h"

namespace ulp::views {

/// One position of an axis that has names instead of numbers: a tensor, a layer, a variant.
struct AxisName {
  QString name;
  Pass pass = Pass::Forward;
  int layer = -1;  ///< that it belongs to; -1: none

  friend bool operator==(const AxisName&, const AxisName&) = default;
};

/// The positions of such an axis. The function is called while a place is looked for.
struct NamedAxis {
  int count = 0;
  std::function<AxisName(int index)> at;
};

/// A place on an axis of names, in terms that hold on another axis too: one with other, more or
/// fewer positions.
struct NamedPlace {
  AxisName nearest;
  double offset = 0;       ///< from its middle, in positions
  double partOfLayer = 0;  ///< 0…1 between the ends of its layer
  double partOfPass = 0;   ///< 0…1 between the ends of its pass
};

/// `position`: index of the nearest position, plus how far its middle is away. Needs an axis that
/// is not empty.
[[nodiscard]] NamedPlace placeAt(const NamedAxis& axis, double position);
/// Where a place is on an axis: at the position of its name, else as far in its layer, else as far
/// in its pass. Nothing: the axis does not have that pass.
[[nodiscard]] std::optional<double> positionOf(const NamedAxis& axis, const NamedPlace& place);

/// What is seen of an axis of names. `id` says what its names are.
struct NamedSpan {
  QString id;
  NamedPlace low;
  NamedPlace high;
  bool isWhole = true;  ///< and so are those that follow, whatever they have
};
/// What is seen of an axis of numbers. `id` says what its numbers are.
struct NumberSpan {
  QString id;
  double low = 0;
  double high = 1;
  bool isWhole = true;
};
/// What an axis of numbers must reach over to show the data of a view.
struct AxisExtent {
  QString id;
  double low = 0;
  double high = 1;

  friend bool operator==(const AxisExtent&, const AxisExtent&) = default;
};

/// What part of its data a view shows, in coordinates of the data: two views of one kind that show
/// different reports understand each other. An axis that only one of them has is left alone.
struct Viewpoint {
  std::vector<NamedSpan> names;
  std::vector<NumberSpan> numbers;
  std::vector<AxisExtent> extents;
  std::optional<NamedPlace> pin;                    ///< the second cursor
  std::optional<QString> slice;                     ///< as NumPy writes it
  std::optional<std::vector<std::int64_t>> cursor;  ///< element under the mouse; empty: none

  [[nodiscard]] bool isEmpty() const { return names.empty() && numbers.empty(); }
  [[nodiscard]] const NamedSpan* findNames(const QString& id) const;
  [[nodiscard]] const NumberSpan* findNumbers(const QString& id) const;
};

/// Part of an axis, in its own positions.
struct AxisPart {
  double low = 0;
  double high = 1;
};
[[nodiscard]] NamedSpan spanOf(const QString& id,
                               const NamedAxis& axis,
                               const AxisPart& seen,
                               bool isWhole);
/// Nothing: the axis does not have what the span shows.
[[nodiscard]] std::optional<AxisPart> partOf(const NamedAxis& axis, const NamedSpan& span);

/// One extent for each axis that several views share, over all of them.
[[nodiscard]] std::vector<AxisExtent> united(const std::vector<Viewpoint>& viewpoints);

}  // namespace ulp::views
