#include <gtest/gtest.h>

#include <QtTest/QTest>
#include <QtWidgets/QTableView>

#include "tests/views/context_fixture.h"
#include "views/framework/view/view_host.h"

namespace ulp::views {
namespace {

TEST(TableTabs, OfALargeReportAreFilledBoth) {
  test::ContextFixture fixture;
  fixture.openReport(test::realisticReport({.layers = 126}));
  const ViewRegistry registry = builtinViews();
  const ViewDescriptor& table = *registry.find(QStringLiteral("table"));
  ViewHost first(table, fixture.context());
  ViewHost second(table, fixture.context());
  first.show();
  second.show();
  fixture.settle();
  for (const ViewHost* host : {&first, &second}) {
    EXPECT_GT(host->findChild<QTableView*>()->model()->rowCount(), 3000);
  }
}

}  // namespace
}  // namespace ulp::views
