#include "app/gui/start/command_line.h"

#include <algorithm>

#include <QtCore/QCommandLineParser>
#include <QtCore/QRegularExpression>

namespace ulp::app {
namespace {

constexpr int kWrongUse = 2;

struct Options {
  QCommandLineOption benchmark{QStringLiteral("benchmark-start"),
                               QStringLiteral("Show the first complete frame, print the "
                                              "milliseconds since process start, and exit.")};
  QCommandLineOption screenshot{
      QStringLiteral("screenshot"),
      QStringLiteral("Write a picture of every view of the opened report to <dir>, and exit. "
                     "Needs no display."),
      QStringLiteral("dir")};
  QCommandLineOption size{QStringLiteral("size"),
                          QStringLiteral("Size of the pictures, in device-independent pixels."),
                          QStringLiteral("WxH"),
                          QStringLiteral("1280x800")};
  QCommandLineOption scale{QStringLiteral("scale"),
                           QStringLiteral("Scale of the pictures, 1 to 4."),
                           QStringLiteral("factor"),
                           QStringLiteral("1")};
  QCommandLineOption theme{QStringLiteral("theme"),
                           QStringLiteral("light, dark, high-contrast, or system."),
                           QStringLiteral("theme")};
  QCommandLineOption reset{
      QStringLiteral("reset-settings"),
      QStringLiteral("Forget settings, recent files, window layout and the last session.")};
  QCommandLineOption newWindow{
      QStringLiteral("new-window"),
      QStringLiteral("Open a window of its own instead of using the one that is open.")};
  QCommandLineOption pseudo{
      QStringLiteral("pseudo-translate"),
      QStringLiteral("Show every translatable text 40 % longer and in brackets, to find texts "
                     "that are cut off or cannot be translated.")};
};

CommandLineResult wrongUse(const QString& text) {
  return {.options = {},
          .exit = CommandLineExit{QStringLiteral("ulpscope: %1\n").arg(text), kWrongUse}};
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

}  // namespace

CommandLineResult parseCommandLine(const QStringList& arguments) {
  QCommandLineParser parser;
  const Options known;
  parser.setApplicationDescription(QStringLiteral("Shows where a language model loses precision."));
  parser.addPositionalArgument(QStringLiteral("path"),
                               QStringLiteral("Run folder, report (.json) or study (.yaml); two "
                                              "dumps are compared (FOLDER#RUN for a run)."),
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
    return {.options = {}, .exit = CommandLineExit{helpOf(parser), 0}};
  }
  if (parser.isSet(version)) {
    return {.options = {},
            .exit = CommandLineExit{QStringLiteral("ulpscope " ULP_VERSION "\n"), 0}};
  }
  CommandLine options;
  options.paths = parser.positionalArguments();
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
  return {.options = options, .exit = std::nullopt};
}

}  // namespace ulp::app
