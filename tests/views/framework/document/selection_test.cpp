#include "views/framework/document/selection.h"

#include <gtest/gtest.h>

#include <QtCore/QJsonDocument>

namespace ulp::views {
namespace {

TEST(SelectionJson, ReadsWhatItWrites) {
  Selection selection;
  selection.runs = {QStringLiteral("bf16"), QStringLiteral("残差 fp32")};
  selection.noise = QStringLiteral("sdpa");
  selection.site = QStringLiteral("decoder.11");
  selection.pass = Pass::Backward;
  selection.metric = QStringLiteral("rms_rel");
  selection.shown = PassFilter::Optimizer;
  selection.slice = QStringLiteral("0, :, 3");
  selection.element = {0, 127, 9'007'199'254'740'000};
  const QByteArray text = QJsonDocument(toJson(selection)).toJson();
  EXPECT_EQ(selectionFromJson(QJsonDocument::fromJson(text).object()), selection);
}

TEST(SelectionJson, WhatCannotBeReadIsAsInAFreshOne) {
  const QJsonObject damaged{{QStringLiteral("runs"), 7},
                            {QStringLiteral("pass"), QStringLiteral("sideways")},
                            {QStringLiteral("shown"), 99}};
  EXPECT_EQ(selectionFromJson(damaged), Selection());
}

}  // namespace
}  // namespace ulp::views
