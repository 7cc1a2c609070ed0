#include "views/plugins/findings/finding_rows.h"

#include <algorithm>
#include <cmath>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/analysis/findings/finding_rule.h"
#include "core/base/text/format_number.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"
#include "views/framework/words/term_text.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

using report::Finding;
using report::FindingSeverity;

struct FindingRowsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::FindingsView)
};

/// Of variant and tensor alone. A tensor counts wherever it stands in the finding.
class FindingSubject {
 public:
  explicit FindingSubject(const FindingFilter& filter)
      : m_variant(filter.variant.toStdString()),
        m_tensor(filter.tensor.toStdString()),
        m_pass(filter.pass) {}

  [[nodiscard]] bool isOf(const Finding& finding) const {
    return (m_variant.empty() || finding.isAbout(m_variant)) &&
           (m_tensor.empty() || std::ranges::any_of(finding.sites, [this](const Site& site) {
              return site.name == m_tensor && site.pass == m_pass;
            }));
  }

 private:
  std::string m_variant;
  std::string m_tensor;
  Pass m_pass;
};

QString placeOf(const Finding& finding) {
  if (finding.sites.empty()) {
    return FindingRowsWords::tr("whole run");
  }
  return siteText(finding.sites.front());
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
  return {.title = title, .roles = textRoles<FindingRow>(textOf)};
}

/// What analysis::ruleTitle() makes of the ids that a comparison of dumps writes, for translation.
[[maybe_unused]] constexpr std::array kStoredTitles{
    QT_TRANSLATE_NOOP("ulp::Findings", "Culprit"),
    QT_TRANSLATE_NOOP("ulp::Findings", "Tokens"),
    QT_TRANSLATE_NOOP("ulp::Findings", "Repeatability")};

QString numbersOf(const Finding& finding) {
  QStringList parts;
  for (const report::FindingNumber& number : finding.numbers) {
    parts << QStringLiteral("%1 = %2").arg(QString::fromStdString(number.label()),
                                           exactText(number.value));
  }
  return parts.join(QStringLiteral("; "));
}

}  // namespace

std::array<int, 3> countBySeverity(const std::vector<Finding>& findings,
                                   const FindingFilter& filter) {
  std::array<int, 3> counts{};
  const FindingSubject subject(filter);
  for (const Finding& finding : findings) {
    if (subject.isOf(finding)) {
      ++counts.at(static_cast<std::size_t>(finding.severity));
    }
  }
  return counts;
}

std::vector<int> filterFindings(const std::vector<Finding>& findings, const FindingFilter& filter) {
  std::vector<int> shown;
  const FindingSubject subject(filter);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (filter.severities.at(static_cast<std::size_t>(findings[i].severity)) &&
        subject.isOf(findings[i])) {
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
  if (number.isRatio && std::isfinite(number.value)) {
    return QString::fromStdString(formatPercent(number.value)) + QStringLiteral(" %");
  }
  const bool isCount = number.value == std::round(number.value);
  return QString::fromStdString(isCount ? analysis::numberText(number.value)
                                        : formatSignificant(number.value));
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
                    .ruleTitle = ruleText(analysis::ruleTitle(finding.rule, rules))});
  }
  return rows;
}

std::vector<Column<FindingRow>> findingColumns() {
  const auto isNote = [](const FindingRow& row) {
    return row.finding->severity == FindingSeverity::Note;
  };
  return {
      {.title = FindingRowsWords::tr("Severity"),
       .roles = {{Qt::DisplayRole,
                  [](const FindingRow& row) { return findingSeverityText(row.finding->severity); }},
                 {SortRole,
                  [](const FindingRow& row) { return static_cast<int>(row.finding->severity); }},
                 {RawRole,
                  [](const FindingRow& row) {
                    return utf8Text(report::toString(row.finding->severity));
                  }},
                 {SeverityRole,
                  [isNote](const FindingRow& row) {
                    return isNote(row) ? QVariant()
                                       : QVariant(static_cast<int>(tone(row.finding->severity)));
                  }},
                 {DimRole, isNote}}},
      textColumn(FindingRowsWords::tr("Where"),
                 [](const FindingRow& row) { return placeOf(*row.finding); }),
      textColumn(FindingRowsWords::tr("Variants"),
                 [](const FindingRow& row) { return runsOf(*row.finding); }),
      textColumn(FindingRowsWords::tr("Finding"), [](const FindingRow& row) { return row.title; }),
      textColumn(FindingRowsWords::tr("Rule"),
                 [](const FindingRow& row) { return row.ruleTitle; })};
}

report::DataTable findingTable(const QString& title, const std::vector<FindingRow>& rows) {
  std::vector<Column<FindingRow>> columns = findingColumns();
  // Written tables have the sentence in front of place and variants.
  std::ranges::rotate(columns.begin() + 1, columns.begin() + 3, columns.begin() + 4);
  columns.push_back(textColumn(FindingRowsWords::tr("Numbers"),
                               [](const FindingRow& row) { return numbersOf(*row.finding); }));
  return dataOf(title, columns, rows);
}

}  // namespace ulp::views
