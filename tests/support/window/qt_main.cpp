#include <cstdarg>
#include <memory>
#include <sched.h>

#include <gtest/gtest.h>

#include <QtGui/QFontMetrics>

#include "tests/support/window/stall_listener.h"

#if defined(__SANITIZE_THREAD__)
// Qt starts a process by a clone() that shares all memory with this one until exec(). The
// sanitizer takes it for a fork(), and this process for the new one, whose other threads are gone.
extern "C" int __clone(int (*start)(void*), void* stack, int flags, void* argument, ...) noexcept;

extern "C" int clone(int (*start)(void*), void* stack, int flags, void* argument, ...) noexcept {
  std::va_list rest;
  va_start(rest, argument);
  auto* const parentId = va_arg(rest, void*);
  auto* const tls = va_arg(rest, void*);
  auto* const childId = va_arg(rest, void*);
  va_end(rest);
  return __clone(start, stack, flags, argument, parentId, tls, childId);
}
#endif

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  if (!qEnvironmentVariableIsSet("FONTCONFIG_FILE")) {
    qputenv("FONTCONFIG_FILE", ULP_SOURCE_DIR "/tests/support/fonts.conf");
  }
  ulp::views::ResponsiveApplication app(argc, argv);
  // Fonts are looked for at their first use. Where that cannot be cached it takes longer than an
  // event may.
  static_cast<void>(QFontMetrics(QApplication::font()).horizontalAdvance(QStringLiteral("a 数")));
  // GoogleTest takes ownership; behind its own listeners, so that it ends a test before they do.
  testing::UnitTest::GetInstance()->listeners().Append(
      std::make_unique<ulp::test::StallListener>(app).release());
  return RUN_ALL_TESTS();
}
