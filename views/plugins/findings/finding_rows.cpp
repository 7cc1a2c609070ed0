#include "views/plugins/findings/finding_rows.h"

#include <algorithm>
#include <cmath>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/base/text/format_number.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"
#include "views/framework/workspace/finding_navigator.h"

namespace ulp::views {
namespace {

using report::Finding;
using report::FindingSeverity;

struct FindingRowsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::FindingsView)
};

bool isAbout(const Finding& finding, const std::string& variant) {
  return variant.empty() || finding.runs.empty() ||
         std::find(finding.runs.begin(), finding.runs.end(), variant) != finding.runs.end();
}

QString placeOf(const Finding& finding) {
  if (finding.sites.empty()) {
    return FindingRowsWords::tr("whole run");
  }
  const Site& site = finding.sites.front();
  return QStringLiteral("%1 · %2").arg(QString::fromStdString(site.name), passText(site.pass));
}

QString runsOf(const Finding& finding) {
  QStringList names;
  for (const std::string& run : finding.runs) {
    names << QString::fromStdString(run);
  }
  return names.join(QStringLiteral(", "));
}

Severity tone(FindingSeverity severity) {
  switch (severity) {
    case FindingSeverity::Broken:
      return Severity::Broken;
    case FindingSeverity::Look:
      return Severity::Look;
    case FindingSeverity::Note:
      break;
  }
  return Severity::Fine;
}

Column<FindingRow> textColumn(const QString& title, QString (*textOf)(const FindingRow&)) {
  return {.title = title,
          .toolTip = {},
          .group = {},
          .cell = [textOf](const FindingRow& row, int role) -> QVariant {
            switch (role) {
              case Qt::DisplayRole:
              case Qt::ToolTipRole:
              case RawRole:
              case SortRole:
                return textOf(row);
              default:
                return {};
            }
          }};
}

/// What ruleTitleOf() makes of the ids that a comparison of dumps writes, for translation.
[[maybe_unused]] constexpr std::array kStoredTitles{
    QT_TRANSLATE_NOOP("ulp::Findings", "Culprit"),
    QT_TRANSLATE_NOOP("ulp::Findings", "Tokens"),
    QT_TRANSLATE_NOOP("ulp::Findings", "Repeatability")};

/// Rules of whoever made the report have an id alone: "culprit" reads "Culprit".
QString ruleTitleOf(const std::string& id, const analysis::FindingRuleRegistry& rules) {
  if (const analysis::FindingRule* rule = rules.find(id)) {
    return ruleText(rule->title);
  }
  std::string words = id;
  std::ranges::replace(words, '_', ' ');
  if (!words.empty() && words.front() >= 'a' && words.front() <= 'z') {
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
  }
  return ruleText(words);
}

QString numbersOf(const Finding& finding) {
  QStringList parts;
  for (const report::FindingNumber& number : finding.numbers) {
    parts << QStringLiteral("%1 = %2").arg(QString::fromStdString(number.name),
                                           exactText(number.value));
  }
  return parts.join(QStringLiteral("; "));
}

}  // namespace

std::array<int, 3> countBySeverity(const std::vector<Finding>& findings, const QString& variant) {
  std::array<int, 3> counts{};
  const std::string name = variant.toStdString();
  for (const Finding& finding : findings) {
    if (isAbout(finding, name)) {
      ++counts.at(static_cast<std::size_t>(finding.severity));
    }
  }
  return counts;
}

std::vector<int> filterFindings(const std::vector<Finding>& findings, const FindingFilter& filter) {
  std::vector<int> shown;
  const std::string name = filter.variant.toStdString();
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (filter.severities.at(static_cast<std::size_t>(findings[i].severity)) &&
        isAbout(findings[i], name)) {
      shown.push_back(static_cast<int>(i));
    }
  }
  return shown;
}

QString findingSeverityText(FindingSeverity severity) {
  const QString word = severity == FindingSeverity::Note ? FindingRowsWords::tr("note")
                                                         : severityWord(tone(severity));
  return severityGlyph(tone(severity)) + QLatin1Char(' ') + word;
}

QString findingNumberText(const report::FindingNumber& number) {
  if (std::isnan(number.value)) {
    return QStringLiteral("NaN");
  }
  return number.isRatio && std::isfinite(number.value)
             ? QString::fromStdString(formatPercent(number.value)) + QStringLiteral(" %")
             : QString::number(number.value, 'g', 4);
}

std::vector<FindingRow> makeFindingRows(const std::vector<report::Finding>& findings,
                                        const std::vector<int>& shown,
                                        const analysis::FindingRuleRegistry& rules) {
  std::vector<FindingRow> rows;
  for (const int index : shown) {
    const report::Finding& finding = findings[static_cast<std::size_t>(index)];
    rows.push_back({.index = index,
                    .finding = &finding,
                    .title = sentenceText(finding.title),
                    .ruleTitle = ruleTitleOf(finding.rule, rules)});
  }
  return rows;
}

std::vector<Column<FindingRow>> findingColumns() {
  std::vector<Column<FindingRow>> columns;
  columns.push_back({.title = FindingRowsWords::tr("Severity"),
                     .toolTip = {},
                     .group = {},
                     .cell = [](const FindingRow& row, int role) -> QVariant {
                       const FindingSeverity severity = row.finding->severity;
                       switch (role) {
                         case Qt::DisplayRole:
                           return findingSeverityText(severity);
                         case SortRole:
                           return static_cast<int>(severity);
                         case RawRole:
                           return QString::fromUtf8(report::toString(severity).data());
                         case SeverityRole:
                           return severity == FindingSeverity::Note
                                      ? QVariant()
                                      : QVariant(static_cast<int>(tone(severity)));
                         case DimRole:
                           return severity == FindingSeverity::Note;
                         default:
                           return {};
                       }
                     }});
  columns.push_back(
      textColumn(FindingRowsWords::tr("Finding"), [](const FindingRow& row) { return row.title; }));
  columns.push_back(textColumn(FindingRowsWords::tr("Rule"),
                               [](const FindingRow& row) { return row.ruleTitle; }));
  columns.push_back(textColumn(FindingRowsWords::tr("Where"),
                               [](const FindingRow& row) { return placeOf(*row.finding); }));
  columns.push_back(textColumn(FindingRowsWords::tr("Variants"),
                               [](const FindingRow& row) { return runsOf(*row.finding); }));
  return columns;
}

report::DataTable findingTable(const QString& title, const std::vector<FindingRow>& rows) {
  report::DataTable table{.title = title.toStdString(), .columns = {}, .rows = {}};
  for (const QString& name : {FindingRowsWords::tr("Severity"),
                              FindingRowsWords::tr("Finding"),
                              FindingRowsWords::tr("Where"),
                              FindingRowsWords::tr("Variants"),
                              FindingRowsWords::tr("Rule"),
                              FindingRowsWords::tr("Numbers")}) {
    table.columns.push_back({.title = name.toStdString(), .unit = {}, .group = {}});
  }
  for (const FindingRow& row : rows) {
    const Finding& finding = *row.finding;
    table.rows.push_back({std::string(report::toString(finding.severity)),
                          row.title.toStdString(),
                          placeOf(finding).toStdString(),
                          runsOf(finding).toStdString(),
                          row.ruleTitle.toStdString(),
                          numbersOf(finding).toStdString()});
  }
  return table;
}

}  // namespace ulp::views
