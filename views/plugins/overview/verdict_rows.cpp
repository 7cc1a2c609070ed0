#include "views/plugins/overview/verdict_rows.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>
#include <QtGui/QFont>
#include <QtGui/QGuiApplication>
#include <QtGui/QPalette>

#include "core/analysis/findings/all_findings.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"
#include "views/framework/words/term_text.h"

namespace ulp::views {
namespace {

using analysis::RunVerdict;
using analysis::VerdictPart;

constexpr qsizetype kRunsNamed = 3;

struct VerdictWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Overview)
};

Severity severityOf(const RunVerdict& verdict) {
  if (verdict.severity == report::FindingSeverity::Broken) {
    return Severity::Broken;
  }
  return verdict.severity == report::FindingSeverity::Look ? Severity::Look : Severity::Fine;
}

QString runCell(const VerdictRow& row) {
  return severityGlyph(severityOf(row.verdict)) + QLatin1Char(' ') +
         QString::fromStdString(row.verdict.run);
}

CellRoles<VerdictRow> runRolesOf() {
  return {{Qt::DisplayRole, runCell},
          {RawRole, [](const VerdictRow& row) { return QString::fromStdString(row.verdict.run); }},
          {VariantRole, &VerdictRow::style},
          {SeverityRole,
           [](const VerdictRow& row) {
             const Severity severity = severityOf(row.verdict);
             return severity == Severity::Fine ? QVariant() : QVariant(static_cast<int>(severity));
           }},
          {Qt::ToolTipRole, [](const VerdictRow& row) {
             return QStringLiteral("%1\n%2").arg(QString::fromStdString(row.verdict.run),
                                                 severityWord(severityOf(row.verdict)));
           }}};
}

QString partText(const VerdictPart& part) {
  return part.isKnown() ? sentenceText(part.text) : missingText();
}

/// The words, the place in full, and every digit of the numbers.
QString partHelp(const VerdictPart& part) {
  QStringList lines{partText(part)};
  if (part.site) {
    lines << siteText(*part.site);
  }
  if (!part.otherRun.empty()) {
    lines << VerdictWords::tr("beside %1").arg(QString::fromStdString(part.otherRun));
  }
  for (const report::FindingNumber& number : part.numbers) {
    lines << QStringLiteral("%1 = %2").arg(ruleText(number.name), exactText(number.value));
  }
  if (part.isWithinNoise) {
    lines << VerdictWords::tr("within the noise, which need not mean anything");
  }
  return lines.join(QLatin1Char('\n'));
}

CellRoles<VerdictRow> partRoles(VerdictPart RunVerdict::*part) {
  const auto its = [part](const VerdictRow& row) -> const VerdictPart& {
    return row.verdict.*part;
  };
  return {
      {Qt::DisplayRole, [its](const VerdictRow& row) { return partText(its(row)); }},
      {Qt::ToolTipRole, [its](const VerdictRow& row) { return partHelp(its(row)); }},
      {DimRole, [its](const VerdictRow& row) { return !its(row).site || its(row).isWithinNoise; }},
      {Qt::FontRole,
       [its](const VerdictRow& row) {
         QFont font;
         font.setUnderline(true);
         return its(row).site ? QVariant(font) : QVariant();
       }},
      {Qt::ForegroundRole, [its](const VerdictRow& row) {
         return its(row).site ? QVariant(QGuiApplication::palette().brush(QPalette::Link))
                              : QVariant();
       }}};
}

/// "a, b and 3 more".
QString listed(const QStringList& names) {
  const QString text = names.mid(0, kRunsNamed).join(QStringLiteral(", "));
  return names.size() <= kRunsNamed
             ? text
             : VerdictWords::tr("%1 and %2 more").arg(text).arg(names.size() - kRunsNamed);
}

QString agreementHeadline(const std::vector<analysis::RunAgreement>& agreements) {
  QStringList equal;
  QStringList differ;
  QStringList alone;
  for (const analysis::RunAgreement& agreement : agreements) {
    const QString run = QString::fromStdString(agreement.run);
    (agreement.partner.empty() ? alone : agreement.isEqual() ? equal : differ) << run;
  }
  QStringList sentences;
  if (!differ.isEmpty()) {
    sentences << VerdictWords::tr("The reports differ in %1").arg(listed(differ));
  } else if (!equal.isEmpty()) {
    sentences << VerdictWords::tr("The runs that the reports share are equal bit for bit");
  }
  if (!differ.isEmpty() && !equal.isEmpty()) {
    sentences << VerdictWords::tr("equal bit for bit: %1").arg(listed(equal));
  }
  if (!alone.isEmpty()) {
    sentences << VerdictWords::tr("not in the first report: %1").arg(listed(alone));
  }
  return sentences.join(QStringLiteral(" · "));
}

void addAgreement(const OpenReports& open, Verdicts& verdicts) {
  const auto agreements = analysis::compareRuns(open.joined, open.sources);
  for (const analysis::RunAgreement& agreement : agreements) {
    const auto row = std::ranges::find(
        verdicts.rows, agreement.run, [](const VerdictRow& each) { return each.verdict.run; });
    if (row != verdicts.rows.end()) {
      row->verdict.sameElsewhere = partOf(agreement);
    }
  }
  verdicts.headline = agreementHeadline(agreements);
}

}  // namespace

Result<Verdicts> makeVerdicts(const VerdictRequest& request, const std::stop_token& stop) {
  const ReportDocument& document = *request.document;
  const report::Report& judged = judgedReport(document);
  FindingNavigator::Findings findings = request.findings;
  if (!findings) {
    auto own = ULP_TRY(analysis::allFindings(judged));
    findings = std::make_shared<const std::vector<report::Finding>>(std::move(own));
  }
  Verdicts verdicts;
  for (RunVerdict& verdict :
       analysis::findVerdicts(judged, *findings, request.metric, request.limits, stop)) {
    const int variant = document.findVariant(QString::fromStdString(verdict.run));
    if (variant >= 0) {
      verdicts.rows.push_back({std::move(verdict), document.styleOf(variant)});
    }
  }
  if (const OpenReports& open = *document.basis().open; open.sources.size() > 1) {
    addAgreement(open, verdicts);
  }
  return verdicts;
}

std::vector<VerdictColumn> verdictColumns(const std::vector<VerdictRow>& rows,
                                          bool areUnits,
                                          bool areOfOneDump) {
  const VerdictColumn born =
      areUnits ? VerdictColumn{VerdictWords::tr("Starts at"),
                               areOfOneDump
                                   ? VerdictWords::tr("The call that makes NaN or infinity")
                                   : VerdictWords::tr("The call where the error starts, and why"),
                               &RunVerdict::born}
               : VerdictColumn{VerdictWords::tr("Born at"),
                               VerdictWords::tr("The first tensor whose error exceeds what its "
                                                "inputs explain: what came in and what it has"),
                               &RunVerdict::born};
  std::vector<VerdictColumn> columns{
      {areUnits ? VerdictWords::tr("Unit") : VerdictWords::tr("Variant"), {}, nullptr},
      born,
      {areOfOneDump ? VerdictWords::tr("Why") : VerdictWords::tr("How sure"),
       {},
       &RunVerdict::sureness},
      {VerdictWords::tr("Grows forward"),
       VerdictWords::tr("The largest rise of the relative error along the layers, forward"),
       &RunVerdict::grows},
      {VerdictWords::tr("Worst layer"),
       VerdictWords::tr("The worst number among the outputs of layers and their gradients"),
       &RunVerdict::worst},
      {VerdictWords::tr("Helps most"),
       VerdictWords::tr("The one setting that lowers the error of the logits most, among the "
                        "variants that differ in it alone"),
       &RunVerdict::helps},
      {VerdictWords::tr("In the first report"),
       VerdictWords::tr("Whether the run of this name there has the same numbers"),
       &RunVerdict::sameElsewhere}};
  std::erase_if(columns, [&](const VerdictColumn& column) {
    return column.part != nullptr && std::ranges::none_of(rows, [&](const VerdictRow& row) {
             return (row.verdict.*column.part).isKnown();
           });
  });
  return columns;
}

std::vector<Column<VerdictRow>> verdictModelColumns(const std::vector<VerdictColumn>& columns) {
  std::vector<Column<VerdictRow>> shown;
  for (const VerdictColumn& column : columns) {
    shown.push_back({.title = column.title,
                     .toolTip = column.toolTip,
                     .roles = column.part == nullptr ? runRolesOf() : partRoles(column.part)});
  }
  return shown;
}

}  // namespace ulp::views
