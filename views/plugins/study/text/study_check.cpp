#include "views/plugins/study/text/study_check.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <QtCore/QDir>
#include <QtCore/QRegularExpression>

#include "core/report/model/effective_config.h"
#include "core/study/editing/study_completion.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

/// Whether a word or value ends before `at`: with a comment, a separator, or the colon of a key.
bool endsBefore(const QString& line, qsizetype at) {
  const bool isLast = at + 1 == line.size();
  return QStringLiteral(",]}").contains(line[at]) ||
         (line[at].isSpace() && !isLast && line[at + 1] == QLatin1Char('#')) ||
         (line[at] == QLatin1Char(':') && (isLast || line[at + 1].isSpace()));
}

/// Length of the word or value that begins at `start`.
int wordLength(const QString& line, qsizetype start) {
  if (start >= line.size()) {
    return 1;
  }
  const QChar quote = line[start];
  if (quote == QLatin1Char('"') || quote == QLatin1Char('\'')) {
    const qsizetype close = line.indexOf(quote, start + 1);
    if (close > 0) {
      return static_cast<int>(close + 1 - start);
    }
  }
  qsizetype last = line.size();
  while (last > start + 1 && line[last - 1].isSpace()) {
    --last;
  }
  qsizetype end = start + 1;
  while (end < last && !endsBefore(line, end)) {
    ++end;
  }
  return static_cast<int>(end - start);
}

/// Fills in what depends on the text of the problem's line.
void locate(StudyProblem& problem, int byteColumn, const QStringList& lines, const QString& yaml) {
  if (problem.line < 1 || problem.line > lines.size()) {
    return;
  }
  const QString& line = lines[problem.line - 1];
  const QByteArray bytes = line.toUtf8();
  const qsizetype start = QString::fromUtf8(bytes.left(std::max(0, byteColumn - 1))).size();
  problem.column = byteColumn > 0 ? static_cast<int>(start) + 1 : 0;
  problem.length = byteColumn > 0 ? wordLength(line, start) : static_cast<int>(line.size());
  qsizetype before = start;
  for (int i = 0; i + 1 < problem.line; ++i) {
    before += lines[i].size() + 1;
  }
  const auto offset = static_cast<std::size_t>(yaml.left(before).toUtf8().size());
  const std::string text = yaml.toStdString();
  if (const study::Key* key = study::keyAt(text, offset)) {
    problem.key = utf8Text(key->path);
  }
  const std::vector<std::string> parents = study::contextAt(text, offset).parents;
  problem.isOverride =
      !parents.empty() && (parents.front() == "variants" || parents.front() == "reference");
}

std::vector<StudyProblem> warningsOf(const study::Study& study, const QString& yaml) {
  const QStringList lines = yaml.split(QLatin1Char('\n'));
  std::vector<StudyProblem> problems;
  for (const std::string& warning : study.warnings) {
    StudyProblem problem{.severity = Severity::Look, .text = QString::fromStdString(warning)};
    // A warning begins with the key that has no effect.
    const auto setting = study.settings.find(warning.substr(0, warning.find(' ')));
    if (setting != study.settings.end()) {
      problem.line = setting->second.position.line;
      locate(problem, setting->second.position.column, lines, yaml);
    }
    problems.push_back(std::move(problem));
  }
  return problems;
}

std::optional<study::Origin> originNamed(std::string_view name) {
  using enum study::Origin;
  for (const study::Origin origin : {Default, Study, ReferenceFp32, Variant, CommandLine, Run}) {
    if (study::toString(origin) == name) {
      return origin;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<StudyProblem> problemsOf(const QString& message,
                                     const QString& origin,
                                     const QString& yaml) {
  static const QRegularExpression kPosition(QStringLiteral(R"(^(\d+)(?::(\d+))?:\s*(.*)$)"));
  const QStringList lines = yaml.split(QLatin1Char('\n'));
  std::vector<StudyProblem> problems;
  for (const QString& line : message.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    const QString prefix = origin + QLatin1Char(':');
    const QString rest = line.startsWith(prefix) ? line.mid(prefix.size()) : line;
    const QRegularExpressionMatch position = kPosition.match(rest);
    StudyProblem problem{.text = rest.trimmed()};
    if (position.hasMatch()) {
      problem.line = position.captured(1).toInt();
      problem.text = position.captured(3);
      locate(problem, position.captured(2).toInt(), lines, yaml);
    }
    problems.push_back(std::move(problem));
  }
  return problems;
}

void takeRecorded(study::EffectiveTable& table, const report::Report& report) {
  const auto config = report::effectiveConfig(report).value_or(report::EffectiveConfig{});
  for (study::EffectiveRow& row : table.rows) {
    for (std::size_t run = 0; run < row.cells.size(); ++run) {
      const report::EffectiveKeys& keys = report::keysOf(config, table.runs[run]);
      const auto recorded = keys.find(row.key);
      if (recorded == keys.end()) {
        continue;
      }
      study::Setting& cell = row.cells[run];
      cell.value = recorded->second.value;
      cell.follows = recorded->second.follows;
      cell.origin = originNamed(recorded->second.origin).value_or(cell.origin);
    }
    row.differs = std::ranges::any_of(row.cells, [&row](const study::Setting& cell) {
      return cell.value != row.cells.front().value;
    });
  }
}

StudyCheck checkStudyText(const QString& text, const QString& path) {
  StudyCheck check;
  check.text = text;
  const QString origin = path.isEmpty() ? QStringLiteral("study.yaml") : path;
  const std::string yaml = text.toStdString();
  if (auto tree = study::parseYaml(yaml, origin.toStdString())) {
    check.tree = std::make_shared<const study::YamlNode>(std::move(*tree));
  }
  Result<study::Study> parsed = study::parseStudy(yaml, origin.toStdString());
  if (!parsed) {
    check.problems = problemsOf(QString::fromStdString(parsed.error().message()), origin, text);
    return check;
  }
  check.problems = warningsOf(*parsed, text);
  check.effective = study::effectiveTable(*parsed);
  std::filesystem::path output = parsed->outputDir;
  if (parsed->settings.find("output_dir")->second.origin == study::Origin::Default &&
      !path.isEmpty()) {
    output = std::filesystem::path("runs") / std::filesystem::path(path.toStdString()).stem();
  }
  check.outputDir = QDir().absoluteFilePath(QString::fromStdString(output.string()));
  parsed->file = path.toStdString();
  check.study = std::make_shared<const study::Study>(std::move(*parsed));
  return check;
}

}  // namespace ulp::views
