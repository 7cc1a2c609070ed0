#include "views/framework/view/viewpoint.h"

#include <gtest/gtest.h>

namespace ulp::views {
namespace {

using Names = std::vector<AxisName>;

NamedAxis axisOf(const Names& names) {
  return {.count = static_cast<int>(names.size()),
          .at = [&names](int index) { return names[static_cast<std::size_t>(index)]; }};
}

AxisName layerName(int index, Pass pass = Pass::Forward) {
  return {.name = QStringLiteral("decoder.%1").arg(index), .pass = pass, .layer = index};
}

AxisName module(int index, const QString& name) {
  return {.name = QStringLiteral("layers.%1.%2").arg(index).arg(name),
          .pass = Pass::Forward,
          .layer = index};
}

/// Layer rows of `count` layers, forward.
Names layers(int count) {
  Names names;
  for (int i = 0; i < count; ++i) {
    names.push_back(layerName(i));
  }
  return names;
}

TEST(Viewpoint, APlaceIsFoundByItsNameWhereverThatStands) {
  const Names small = layers(4);
  Names large = layers(12);
  large.insert(large.begin(), {.name = QStringLiteral("embeddings")});
  const NamedPlace place = placeAt(axisOf(small), 2.25);
  EXPECT_EQ(place.nearest, layerName(2));
  EXPECT_DOUBLE_EQ(place.offset, 0.25);
  EXPECT_DOUBLE_EQ(positionOf(axisOf(large), place).value_or(-1), 3.25);
}

TEST(Viewpoint, APlaceBeyondTheEndKeepsItsDistance) {
  const Names names = layers(4);
  EXPECT_DOUBLE_EQ(positionOf(axisOf(names), placeAt(axisOf(names), 3.6)).value_or(-1), 3.6);
  EXPECT_DOUBLE_EQ(positionOf(axisOf(names), placeAt(axisOf(names), -0.6)).value_or(-1), -0.6);
}

TEST(Viewpoint, ANameThatIsMissingIsLookedForInItsLayer) {
  // Two modules a layer on one axis, the layer itself on the other.
  const Names modules{module(0, QStringLiteral("attn")),
                      module(0, QStringLiteral("mlp")),
                      module(1, QStringLiteral("attn")),
                      module(1, QStringLiteral("mlp"))};
  const Names rows = layers(2);
  // The middle of the second layer is the boundary of its modules.
  EXPECT_DOUBLE_EQ(positionOf(axisOf(rows), placeAt(axisOf(modules), 2.5)).value_or(-1), 1);
  EXPECT_DOUBLE_EQ(positionOf(axisOf(rows), placeAt(axisOf(modules), 1.5)).value_or(-1), 0.5);
  EXPECT_DOUBLE_EQ(positionOf(axisOf(modules), placeAt(axisOf(rows), 1)).value_or(-1), 2.5);
}

TEST(Viewpoint, ALayerThatIsMissingIsLookedForInItsPass) {
  const Names small = layers(4);
  const Names large = layers(8);
  // Three quarters of the depth of eight layers are three quarters of that of four.
  EXPECT_DOUBLE_EQ(positionOf(axisOf(small), placeAt(axisOf(large), 5.5)).value_or(-1), 2.5);
}

TEST(Viewpoint, AnotherPassIsNowhere) {
  const Names forward = layers(4);
  const Names backward{layerName(1, Pass::Backward), layerName(0, Pass::Backward)};
  EXPECT_FALSE(positionOf(axisOf(forward), placeAt(axisOf(backward), 0)).has_value());
  const NamedSpan span =
      spanOf(QStringLiteral("tensors"), axisOf(backward), {.low = 0, .high = 1}, false);
  EXPECT_FALSE(partOf(axisOf(forward), span).has_value());
}

TEST(Viewpoint, AnEmptyAxisIsSeenWhole) {
  const NamedSpan span = spanOf(QStringLiteral("tensors"), {}, {.low = 0, .high = 1}, false);
  EXPECT_TRUE(span.isWhole);
}

TEST(Viewpoint, ExtentsAreUnitedByTheirAxis) {
  const QString error = QStringLiteral("rms_rel");
  const QString scale = QStringLiteral("cosine");
  const std::vector<AxisExtent> extents =
      united({{.extents = {{.id = error, .low = -4, .high = -1}}},
              {.extents = {{.id = scale, .low = 0, .high = 1}}},
              {.extents = {{.id = error, .low = -3, .high = 0}}}});
  EXPECT_EQ(extents,
            (std::vector<AxisExtent>{{.id = error, .low = -4, .high = 0},
                                     {.id = scale, .low = 0, .high = 1}}));
}

}  // namespace
}  // namespace ulp::views
