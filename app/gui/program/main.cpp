#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "core/base/files/plugin_library.h"
#include "core/base/files/spare_libraries.h"

namespace {

constexpr int kCannotStart = 1;

/// The window is a library: what it links is not on every machine.
int openWindow(int argc, char** argv) {
  ulp::openSpareLibraries();
  const auto plugin = ulp::openPlugin({.what = "window",
                                       .file = "libulpscope_window.so",
                                       .variable = "ULP_WINDOW_LIBRARY",
                                       .symbol = "ulpscopeWindow",
                                       .remedy = "install Ulpscope again"});
  if (!plugin) {
    std::fprintf(stderr, "ulpscope: %s\n", plugin.error().message().c_str());
    return kCannotStart;
  }
  return reinterpret_cast<int (*)(int, char**)>(plugin->entry)(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  const int code = openWindow(argc, argv);
  std::fflush(nullptr);
  // Work that hangs may still be there (views::Background), and must not meet static objects that
  // are being destroyed.
  std::_Exit(code);
}
