#include "views/plugins/study/study_check.h"

#include <QtCore/QDir>
#include <QtCore/QRegularExpression>

#include "core/study/study.h"

namespace ulp::views {
namespace {

QString overridesText(const study::Variant& variant) {
  QStringList parts;
  for (const auto& [path, setting] : variant.overrides) {
    parts << QStringLiteral("%1 = %2").arg(QString::fromStdString(path),
                                           QString::fromStdString(setting.value));
  }
  return parts.join(QStringLiteral(", "));
}

}  // namespace

std::vector<StudyProblem> problemsOf(const QString& message, const QString& origin) {
  static const QRegularExpression kPosition(QStringLiteral(R"(^(\d+)(?::\d+)?:\s*(.*)$)"));
  std::vector<StudyProblem> problems;
  for (const QString& line : message.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    const QString prefix = origin + QLatin1Char(':');
    const QString rest = line.startsWith(prefix) ? line.mid(prefix.size()) : line;
    const QRegularExpressionMatch position = kPosition.match(rest);
    if (position.hasMatch()) {
      problems.push_back({position.captured(1).toInt(), position.captured(2)});
    } else {
      problems.push_back({0, rest.trimmed()});
    }
  }
  return problems;
}

StudyCheck checkStudyText(const QString& text, const QString& path) {
  StudyCheck check;
  const QString origin = path.isEmpty() ? QStringLiteral("study.yaml") : path;
  const Result<study::Study> parsed = study::parseStudy(text.toStdString(), origin.toStdString());
  if (!parsed) {
    check.problems = problemsOf(QString::fromStdString(parsed.error().message()), origin);
    return check;
  }
  for (const study::Variant& variant : parsed->variants) {
    check.variants.push_back({QString::fromStdString(variant.name), overridesText(variant)});
  }
  check.model = QString::fromStdString(parsed->modelPath);
  check.outputDir = QDir().absoluteFilePath(QString::fromStdString(parsed->outputDir.string()));
  return check;
}

}  // namespace ulp::views
