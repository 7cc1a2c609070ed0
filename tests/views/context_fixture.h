#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "core/report/model/report.h"
#include "tests/support/window/wait_for.h"
#include "tests/views/lent_context.h"
#include "tests/views/realistic_report.h"

namespace ulp::test {

/// What a window lends to its views, and what a user does with it.
struct ContextFixture : LentContext {
  /// Saves the report as a run folder and opens it, as the user would.
  void openReport(const report::Report& report) {
    const Result<> saved = report::saveReport(report, folder.path().toStdString());
    ASSERT_TRUE(saved.has_value()) << saved.error().message();
    workspace.open({folder.path()});
    settle();
    ASSERT_NE(workspace.reports.document(), nullptr);
  }

  /// Saves the study and waits until it is done.
  [[nodiscard]] Result<> saveStudy(const QString& path) {
    Result<> result = fail(ErrorCode::Internal, "never done");
    workspace.study.save(path, [&result](const Result<>& saved) { result = saved; });
    settle();
    return result;
  }

  /// Until nothing waits in the background.
  void settle() {
    ASSERT_TRUE(test::waitFor([this] { return background.isIdle() && exports.isIdle(); }));
    QCoreApplication::processEvents();
  }
};

/// The picture shows more than one colour.
inline bool isBlank(const QImage& image) {
  const QRgb first = image.pixel(0, 0);
  for (int y = 0; y < image.height(); y += 2) {
    for (int x = 0; x < image.width(); x += 2) {
      if (image.pixel(x, y) != first) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace ulp::test
