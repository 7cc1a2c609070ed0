#include "views/framework/document/selection_context.h"

#include <gtest/gtest.h>

#include <QtTest/QSignalSpy>

namespace ulp::views {
namespace {

Selection at(const QString& site) {
  Selection selection;
  selection.runs = {QStringLiteral("bf16")};
  selection.site = site;
  selection.metric = QStringLiteral("rms_rel");
  return selection;
}

TEST(SelectionContext, GoesBackAndForwardToExactlyTheSameState) {
  SelectionContext context;
  context.reset(at(QStringLiteral("a")));
  context.selectSite(QStringLiteral("b"), Pass::Backward);
  context.selectMetric(QStringLiteral("cosine"));
  context.selectPasses(PassFilter::Forward);
  const Selection last = context.selection();
  context.goBack();
  context.goBack();
  EXPECT_EQ(context.selection().site, QStringLiteral("b"));
  EXPECT_EQ(context.selection().pass, Pass::Backward);
  EXPECT_EQ(context.selection().metric, QStringLiteral("rms_rel"));
  context.goBack();
  EXPECT_EQ(context.selection(), at(QStringLiteral("a")));
  EXPECT_FALSE(context.canGoBack());
  context.goForward();
  context.goForward();
  context.goForward();
  EXPECT_EQ(context.selection(), last);
  EXPECT_FALSE(context.canGoForward());
}

TEST(SelectionContext, KeepsSliceAndElementOnlyWithinOneTensor) {
  SelectionContext context;
  context.reset(at(QStringLiteral("a")));
  context.selectSlice(QStringLiteral("0, :, 5"));
  context.selectElement({0, 3, 5});
  context.selectRun(QStringLiteral("fp16"));
  context.selectSite(QStringLiteral("a"), Pass::Forward);
  EXPECT_EQ(context.selection().slice, QStringLiteral("0, :, 5"));
  EXPECT_EQ(context.selection().element, (std::vector<std::int64_t>{0, 3, 5}));
  context.selectSite(QStringLiteral("a"), Pass::Backward);
  EXPECT_TRUE(context.selection().slice.isEmpty());
  EXPECT_TRUE(context.selection().element.empty());
  context.goBack();
  EXPECT_EQ(context.selection().element, (std::vector<std::int64_t>{0, 3, 5}));
}

TEST(SelectionContext, DropsWhatLayAheadWhenSelectingAnew) {
  SelectionContext context;
  context.reset(at(QStringLiteral("a")));
  context.selectSite(QStringLiteral("b"), Pass::Forward);
  context.goBack();
  context.selectRun(QStringLiteral("fp16"));
  EXPECT_FALSE(context.canGoForward());
  EXPECT_EQ(context.selection().site, QStringLiteral("a"));
  EXPECT_EQ(context.selection().run(), QStringLiteral("fp16"));
}

TEST(SelectionContext, SaysNothingWhenNothingChanges) {
  SelectionContext context;
  context.reset(at(QStringLiteral("a")));
  const QSignalSpy changed(&context, &SelectionContext::selectionChanged);
  const QSignalSpy hovered(&context, &SelectionContext::hoverChanged);
  context.select(at(QStringLiteral("a")));
  context.setHover({});
  EXPECT_EQ(changed.count(), 0);
  EXPECT_EQ(hovered.count(), 0);
  context.setHover({.run = {}, .site = QStringLiteral("a"), .pass = Pass::Forward});
  EXPECT_EQ(hovered.count(), 1);
}

TEST(SelectionContext, KeepsABoundedHistory) {
  SelectionContext context;
  context.reset(at(QStringLiteral("start")));
  for (int i = 0; i < 2000; ++i) {
    context.selectSite(QString::number(i), Pass::Forward);
  }
  int steps = 0;
  while (context.canGoBack()) {
    context.goBack();
    ++steps;
  }
  EXPECT_EQ(steps, 499);
  EXPECT_EQ(context.selection().site, QStringLiteral("1500"));
}

TEST(PassFilter, AcceptsItsPasses) {
  EXPECT_TRUE(accepts(PassFilter::ForwardBackward, Pass::Forward));
  EXPECT_TRUE(accepts(PassFilter::ForwardBackward, Pass::Backward));
  EXPECT_FALSE(accepts(PassFilter::ForwardBackward, Pass::ParameterGradient));
  EXPECT_FALSE(accepts(PassFilter::Forward, Pass::Backward));
  EXPECT_TRUE(accepts(PassFilter::ParameterGradient, Pass::ParameterGradient));
  EXPECT_FALSE(accepts(PassFilter::ForwardBackward, Pass::Optimizer));
  EXPECT_TRUE(accepts(PassFilter::Optimizer, Pass::Optimizer));
  for (const Pass pass : kPasses) {
    EXPECT_TRUE(accepts(filterOf(pass), pass)) << toString(pass);
  }
}

}  // namespace
}  // namespace ulp::views
