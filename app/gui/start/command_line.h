#pragma once

#include <optional>

#include <QtCore/QSize>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include "views/framework/look/theme_manager.h"

namespace ulp::app {

/// What the program was asked to do.
struct CommandLine {
  QStringList paths;
  bool benchmarkStart = false;
  QString screenshotDir;  ///< empty: none
  QSize size = {1280, 800};
  double scale = 1;
  std::optional<views::ThemeChoice> theme;  ///< none: as the settings say
  bool resetSettings = false;
  bool newWindow = false;        ///< do not hand the files to a window that is open
  bool pseudoTranslate = false;  ///< every translated text longer and in brackets

  [[nodiscard]] bool isScripted() const { return benchmarkStart || !screenshotDir.isEmpty(); }
};

/// Text to print and the exit code, instead of a window.
struct CommandLineExit {
  QString text;
  int code = 0;  ///< 0: standard output, else standard error
};

struct CommandLineResult {
  CommandLine options;
  std::optional<CommandLineExit> exit;
};

/// `arguments` begin with the program's name. Needs no application object.
[[nodiscard]] CommandLineResult parseCommandLine(const QStringList& arguments);

}  // namespace ulp::app
