#include "views/charts/plot/depth_axis.h"

#include <gtest/gtest.h>

#include "tests/views/realistic_report.h"

namespace ulp::views::charts {
namespace {

QString labels(const DepthAxis& axis) {
  QStringList all;
  for (const DepthSlot& slot : axis.positions) {
    all << slot.label;
  }
  return all.join(QLatin1Char(' '));
}

const test::ReportShape kSmall{.layers = 3, .variants = {"bf16"}, .parameterGradients = true};

TEST(DepthAxis, FoldsForwardIntoBackward) {
  const DocumentPtr document = test::documentOf(test::realisticReport(kSmall));
  const DepthAxis axis = makeDepthAxis(*document, layerRowsId(), PassFilter::ForwardBackward);
  EXPECT_EQ(labels(axis), QStringLiteral("emb 0 1 2 norm logits logits head 2 1 0"));
  EXPECT_EQ(axis.fold, 6);
  EXPECT_EQ(axis.at(5).pass, Pass::Forward);
  EXPECT_EQ(axis.at(6).pass, Pass::Backward);
  EXPECT_EQ(axis.find(document->findSite("decoder.1", Pass::Backward)), 9);
  EXPECT_EQ(axis.find(-1), -1);
}

TEST(DepthAxis, ShowsOnePassAlone) {
  const DocumentPtr document = test::documentOf(test::realisticReport(kSmall));
  const DepthAxis backward = makeDepthAxis(*document, layerRowsId(), PassFilter::Backward);
  EXPECT_EQ(backward.fold, 0);
  EXPECT_EQ(labels(backward), QStringLiteral("logits head 2 1 0"));
  const DepthAxis forward = makeDepthAxis(*document, layerRowsId(), PassFilter::Forward);
  EXPECT_EQ(forward.fold, forward.size());
  const DepthAxis gradients =
      makeDepthAxis(*document, layerRowsId(), PassFilter::ParameterGradient);
  EXPECT_EQ(gradients.size(), 33);
}

TEST(DepthAxis, ShowsOneModuleInAllLayers) {
  const DocumentPtr document = test::documentOf(test::realisticReport(kSmall));
  const DepthAxis axis =
      makeDepthAxis(*document, QStringLiteral("mlp.down_proj"), PassFilter::ForwardBackward);
  EXPECT_EQ(labels(axis), QStringLiteral("0 1 2 2 1 0"));
  EXPECT_EQ(axis.at(1).name, QStringLiteral("model.layers.1.mlp.down_proj"));
}

TEST(DepthAxis, LabelsOnlyLayersAmongAllRows) {
  const DocumentPtr document = test::documentOf(test::realisticReport(kSmall));
  const DepthAxis axis = makeDepthAxis(*document, allRowsId(), PassFilter::Forward);
  EXPECT_EQ(axis.size(), 3 + 3 * 12);
  EXPECT_EQ(labels(axis).simplified(), QStringLiteral("emb 0 1 2 norm logits"));
}

TEST(RowKinds, ListsEveryModuleOnce) {
  const DocumentPtr document = test::documentOf(test::realisticReport(kSmall));
  const std::vector<RowKind> kinds = rowKinds(*document);
  ASSERT_EQ(kinds.size(), 2 + test::moduleNames().size());
  EXPECT_EQ(kinds[0].id, layerRowsId());
  EXPECT_EQ(kinds[2].id, QStringLiteral("input_layernorm"));
}

TEST(ModuleBelowLayer, UsesTheLayersOwnNumber) {
  const Site site{"model.layers.11.mlp.experts.11.up", "", 11, Level::Module, Pass::Forward};
  EXPECT_EQ(moduleBelowLayer(site), QStringLiteral("mlp.experts.11.up"));
  EXPECT_EQ(moduleBelowLayer({"norm", "model.norm", -1, Level::Layer, Pass::Forward}), QString());
}

TEST(DepthAxis, OfAnEmptyReportIsEmpty) {
  const DocumentPtr document = test::documentOf({});
  EXPECT_EQ(makeDepthAxis(*document, layerRowsId(), PassFilter::ForwardBackward).size(), 0);
  EXPECT_EQ(rowKinds(*document).size(), 2U);
}

}  // namespace
}  // namespace ulp::views::charts
