#include "views/charts/plot/variant_legend.h"

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QCheckBox>

namespace ulp::views::charts {
namespace {

std::vector<LegendEntry> entries(int count) {
  std::vector<LegendEntry> all;
  for (int i = 0; i < count; ++i) {
    all.push_back({QStringLiteral("a rather long name of a variant number %1").arg(i), i});
  }
  return all;
}

TEST(VariantLegend, ACheckboxHidesItsVariant) {
  VariantLegend legend;
  legend.setEntries(entries(3), lightTheme());
  const QSignalSpy changed(&legend, &VariantLegend::visibilityChanged);
  legend.findChildren<QCheckBox*>()[1]->click();
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(legend.visibleEntries(), (std::vector<bool>{true, false, true}));
}

TEST(VariantLegend, KeepsWhatIsCheckedWhileTheVariantsAreTheSame) {
  VariantLegend legend;
  legend.setEntries(entries(3), lightTheme());
  legend.findChildren<QCheckBox*>()[0]->click();
  legend.setEntries(entries(3), darkTheme());
  EXPECT_EQ(legend.visibleEntries(), (std::vector<bool>{false, true, true}));
  legend.setEntries(entries(4), darkTheme());
  EXPECT_EQ(legend.visibleEntries(), std::vector<bool>(4, true));
}

TEST(VariantLegend, WhatWasHiddenComesBackHiddenWithTheEntries) {
  const QStringList hidden{entries(3)[0].name, entries(3)[2].name};
  VariantLegend legend;
  legend.setHiddenNames(hidden);
  EXPECT_EQ(legend.hiddenNames(), hidden) << "until there are entries";
  const QSignalSpy changed(&legend, &VariantLegend::visibilityChanged);
  legend.setEntries({}, lightTheme());
  legend.setEntries(entries(3), lightTheme());
  EXPECT_EQ(changed.count(), 0);
  EXPECT_EQ(legend.visibleEntries(), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(legend.hiddenNames(), hidden);
  legend.setHiddenNames({});
  EXPECT_EQ(legend.visibleEntries(), std::vector<bool>(3, true));
  EXPECT_EQ(changed.count(), 2);
}

TEST(VariantLegend, TellsTheWholeNameToReaders) {
  VariantLegend legend;
  legend.setEntries(entries(1), lightTheme());
  const QCheckBox* box = legend.findChild<QCheckBox*>();
  EXPECT_EQ(box->accessibleName(), entries(1)[0].name);
  EXPECT_LT(box->text().size(), entries(1)[0].name.size());
}

TEST(VariantLegend, NamesTheNoiseAndKeepsWhatIsChecked) {
  VariantLegend legend;
  legend.setEntries(entries(3), lightTheme());
  legend.findChildren<QCheckBox*>()[0]->click();
  const QSignalSpy requested(&legend, &VariantLegend::noiseRequested);
  QCheckBox* box = legend.findChildren<QCheckBox*>()[1];
  ASSERT_EQ(box->contextMenuPolicy(), Qt::ActionsContextMenu);
  box->actions().front()->trigger();
  ASSERT_EQ(requested.count(), 1);
  EXPECT_EQ(requested[0][0].toString(), entries(3)[1].name);
  std::vector<LegendEntry> marked = entries(3);
  marked[1].isNoise = true;
  legend.setEntries(marked, lightTheme());
  EXPECT_EQ(legend.findChildren<QCheckBox*>()[1], box) << "its menu may be open";
  EXPECT_EQ(box->accessibleName(), QStringLiteral("noise: ") + marked[1].name);
  EXPECT_TRUE(box->actions().front()->isChecked());
  EXPECT_EQ(legend.visibleEntries(), (std::vector<bool>{false, true, true}));
}

}  // namespace
}  // namespace ulp::views::charts
