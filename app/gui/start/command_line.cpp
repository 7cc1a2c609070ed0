#include "app/gui/start/command_line.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <QtCore/QCommandLineParser>
#include <QtCore/QFileInfo>
#include <QtCore/QRegularExpression>

namespace ulp::app {
namespace {

constexpr int kWrongUse = 2;

QCommandLineOption option(const char* name,
                          const char* help,
                          const char* value = "",
                          const char* standard = "") {
  return {QString::fromUtf8(name),
          QString::fromUtf8(help),
          QString::fromUtf8(value),
          QString::fromUtf8(standard)};
}

struct Options {
  QCommandLineOption benchmark = option(
      "benchmark-start",
      "Show the first complete frame, print the milliseconds since process start, and exit.");
  QCommandLineOption screenshot = option(
      "screenshot",
      "Write a picture of every view of the opened report to <dir>, and exit. Needs no display.",
      "dir");
  QCommandLineOption size =
      option("size", "Size of the pictures, in device-independent pixels.", "WxH", "1280x800");
  QCommandLineOption scale = option("scale", "Scale of the pictures, 1 to 4.", "factor", "1");
  QCommandLineOption theme = option("theme", "light, dark, high-contrast, or system.", "theme");
  QCommandLineOption reset = option(
      "reset-settings", "Forget settings, recent files, window layout and the last session.");
  QCommandLineOption newWindow =
      option("new-window", "Open a window of its own instead of using the one that is open.");
  QCommandLineOption pseudo =
      option("pseudo-translate",
             "Show every translatable text 40 % longer and in brackets, to find texts that are "
             "cut off or cannot be translated.");
};

CommandLineResult instead(const QString& text, int code = 0) {
  return {.exit = CommandLineExit{text, code}};
}

CommandLineResult wrongUse(const QString& text) {
  return instead(QStringLiteral("ulpscope: %1\n").arg(text), kWrongUse);
}

/// Qt takes the program's name from the application, which is made after the command line is read.
QString helpOf(const QCommandLineParser& parser) {
  const QString text = parser.helpText();
  return QStringLiteral("Usage: ulpscope") +
         text.mid(std::max<qsizetype>(0, text.indexOf(QLatin1String(" [options]"))));
}

std::optional<QSize> parseSize(const QString& text) {
  static const QRegularExpression kSize(QStringLiteral("^(\\d{2,5})x(\\d{2,5})$"));
  const QRegularExpressionMatch match = kSize.match(text);
  if (!match.hasMatch()) {
    return std::nullopt;
  }
  const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
  return size.width() <= 16384 && size.height() <= 16384 ? std::optional(size) : std::nullopt;
}

/// A path that leads nowhere, since the working folder was deleted; else an empty one.
QString pathWithoutFolder(const QStringList& paths) {
  std::error_code gone;
  static_cast<void>(std::filesystem::current_path(gone));
  const auto found =
      std::ranges::find_if(paths, [](const QString& path) { return QFileInfo(path).isRelative(); });
  return gone && found != paths.end() ? *found : QString();
}

}  // namespace

CommandLineResult parseCommandLine(const QStringList& arguments) {
  QCommandLineParser parser;
  const Options known;
  parser.setApplicationDescription(QStringLiteral("Shows where a language model loses precision."));
  parser.addPositionalArgument(QStringLiteral("path"),
                               QStringLiteral("Run folder, report (.json), study (.yaml) or dump; "
                                              "two dumps are compared (FOLDER#RUN for a run)."),
                               QStringLiteral("[PATH…]"));
  const QCommandLineOption help = parser.addHelpOption();
  const QCommandLineOption version = parser.addVersionOption();
  parser.addOptions({known.benchmark,
                     known.screenshot,
                     known.size,
                     known.scale,
                     known.theme,
                     known.reset,
                     known.newWindow,
                     known.pseudo});
  if (!parser.parse(arguments)) {
    return wrongUse(parser.errorText());
  }
  if (parser.isSet(help)) {
    return instead(helpOf(parser));
  }
  if (parser.isSet(version)) {
    return instead(QStringLiteral("ulpscope " ULP_VERSION "\n"));
  }
  CommandLine options;
  options.paths = parser.positionalArguments();
  if (const QString lost = pathWithoutFolder(options.paths); !lost.isEmpty()) {
    return wrongUse(QStringLiteral("%1: the folder that this was started in does not exist any "
                                   "more; give a path that begins with /")
                        .arg(lost));
  }
  options.benchmarkStart = parser.isSet(known.benchmark);
  options.screenshotDir = parser.value(known.screenshot);
  options.resetSettings = parser.isSet(known.reset);
  options.newWindow = parser.isSet(known.newWindow);
  options.pseudoTranslate = parser.isSet(known.pseudo);
  const std::optional<QSize> size = parseSize(parser.value(known.size));
  if (!size) {
    return wrongUse(
        QStringLiteral("--size %1: not of the form 1280x800").arg(parser.value(known.size)));
  }
  options.size = *size;
  bool isNumber = false;
  options.scale = parser.value(known.scale).toDouble(&isNumber);
  if (!isNumber || !(options.scale >= 1 && options.scale <= 4)) {
    return wrongUse(
        QStringLiteral("--scale %1: not a number from 1 to 4").arg(parser.value(known.scale)));
  }
  if (parser.isSet(known.theme)) {
    options.theme = views::parseThemeChoice(parser.value(known.theme));
    if (!options.theme) {
      return wrongUse(QStringLiteral("--theme %1: not one of light, dark, high-contrast, system")
                          .arg(parser.value(known.theme)));
    }
  }
  return {.options = options};
}

}  // namespace ulp::app
