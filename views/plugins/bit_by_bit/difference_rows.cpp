#include "views/plugins/bit_by_bit/difference_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtCore/QCoreApplication>

#include "core/base/text/format_number.h"
#include "views/framework/document/other_inputs.h"
#include "views/framework/words/literal_text.h"
#include "views/framework/words/site_text.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

using analysis::FirstUnequal;

/// Names in one list; more are counted.
constexpr std::size_t kNames = 8;

struct BitByBitWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::BitByBitView)
};

QString numberText(double value) {
  return QString::fromStdString(formatSignificant(value));
}

QString ratio(double value) {
  return QString::fromStdString(analysis::ratioText(value));
}

QString shareOf(double value) {
  return QString::fromStdString(analysis::equalShareText(value));
}

DifferenceRow rowOf(const ComparedPair& compared, std::size_t index, bool isFirst) {
  const report::Comparison& row = compared.row(index);
  return {
      .row = &row, .isFirst = isFirst, .numbers = analysis::numbersOf(*compared.pair.report, row)};
}

QString linkTo(std::size_t index, const Site& site, Pass pass) {
  const QString name = shortName(site.name).toHtmlEscaped();
  const QString link = QStringLiteral("<a href=\"%1\">%2</a>").arg(QString::number(index), name);
  return site.pass == pass ? link : QStringLiteral("%1 (%2)").arg(link, passText(site.pass));
}

QString joined(QStringList links) {
  const qsizetype all = links.size();
  if (all <= static_cast<qsizetype>(kNames)) {
    return links.join(QStringLiteral(", "));
  }
  links.resize(static_cast<qsizetype>(kNames));
  return BitByBitWords::tr("%1 and %2 more")
      .arg(links.join(QStringLiteral(", ")), QString::number(all - static_cast<qsizetype>(kNames)));
}

QString linksOf(const ComparedPair& compared, const std::vector<std::size_t>& rows, Pass pass) {
  QStringList links;
  for (const std::size_t index : rows) {
    // The rest is counted: a pass may have thousands.
    links << (links.size() < static_cast<qsizetype>(kNames)
                  ? linkTo(index, compared.row(index).site, pass)
                  : QString());
  }
  return joined(std::move(links));
}

QString linksOf(const ComparedPair& compared, const std::vector<Site>& sites, Pass pass) {
  QStringList links;
  for (const Site& site : sites) {
    const report::Comparison* row = analysis::findRow(*compared.pair.rows, site.name, site.pass);
    links << linkTo(
        static_cast<std::size_t>(row - compared.pair.rows->comparisons.data()), site, pass);
  }
  return joined(std::move(links));
}

/// A line of what is said of a tensor: quiet what, then the value.
QString lineOf(const QString& what, const QString& html) {
  return QStringLiteral("<tr><td style=\"padding-right: 12px\">%1</td><td>%2</td></tr>")
      .arg(what.toHtmlEscaped(), html);
}

QString anglesText(const FirstUnequal& first) {
  QStringList texts;
  for (const analysis::AngleError& angle : first.angles) {
    texts << BitByBitWords::tr("%1 rad at position %2")
                 .arg(QString::fromStdString(formatSignificant(angle.radians, 2)),
                      QString::number(angle.position));
  }
  return texts.join(QStringLiteral(", "));
}

QString numberLines(const ComparedPair& compared, const report::Comparison& row) {
  const analysis::DifferenceNumbers numbers = analysis::numbersOf(*compared.pair.report, row);
  QString text = lineOf(BitByBitWords::tr("Equal elements"),
                        BitByBitWords::tr("%1 of %2")
                            .arg(shareOf(numbers.equal), QString::number(row.count))
                            .toHtmlEscaped()) +
                 lineOf(BitByBitWords::tr("Relative error"),
                        BitByBitWords::tr("%1 RMS, %2 at most")
                            .arg(ratio(numbers.rms), ratio(numbers.maxRel))
                            .toHtmlEscaped()) +
                 lineOf(QStringLiteral("|d|"),
                        BitByBitWords::tr("%1 on average, %2 at most")
                            .arg(numberText(numbers.meanDiff), numberText(numbers.maxDiff))
                            .toHtmlEscaped());
  if (row.referenceNonFinite != row.variantNonFinite) {
    text += lineOf(BitByBitWords::tr("Not finite"),
                   BitByBitWords::tr("%1 elements and %2")
                       .arg(row.referenceNonFinite.total())
                       .arg(row.variantNonFinite.total())
                       .toHtmlEscaped());
  }
  return text;
}

/// Names of operations that have no row, so that nothing can be opened there.
QString operationsText(const std::vector<std::string>& names) {
  return names.empty() ? BitByBitWords::tr("nothing") : joined(textsOf(names));
}

QString operationsLine(const ComparedPair& compared, const FirstUnequal& first) {
  if (first.operations.empty() && first.baselineOperations.empty()) {
    return {};
  }
  return lineOf(BitByBitWords::tr("Made by another operation"),
                BitByBitWords::tr("%1 in %2, %3 in %4")
                    .arg(operationsText(first.baselineOperations),
                         shortName(compared.pair.baselineLabel),
                         operationsText(first.operations),
                         shortName(compared.pair.candidateLabel))
                    .toHtmlEscaped());
}

QString inputsOf(const ComparedPair& compared, const FirstUnequal& first, Pass pass) {
  if (isOfParameters(pass)) {
    return {};
  }
  QString text;
  if (!first.equalInputs.empty()) {
    text +=
        lineOf(BitByBitWords::tr("Inputs that agree"), linksOf(compared, first.equalInputs, pass));
  }
  if (!first.differentInputs.empty()) {
    text += lineOf(BitByBitWords::tr("Inputs that differ"),
                   linksOf(compared, first.differentInputs, pass));
  }
  const bool hasOperations = !first.operations.empty() || !first.baselineOperations.empty();
  if (first.equalInputs.empty() && first.differentInputs.empty() && !hasOperations) {
    text += lineOf(BitByBitWords::tr("Inputs"),
                   BitByBitWords::tr("none of the compared tensors").toHtmlEscaped());
  }
  return text;
}

QString sectionOf(const ComparedPair& compared, const FirstUnequal& first) {
  const report::Comparison& row = compared.row(first.row);
  const Pass pass = row.site.pass;
  QString lines = numberLines(compared, row);
  if (!first.angles.empty()) {
    lines +=
        lineOf(BitByBitWords::tr("Angles are off by up to"), anglesText(first).toHtmlEscaped());
  }
  lines += operationsLine(compared, first) + inputsOf(compared, first, pass);
  lines += lineOf(BitByBitWords::tr("Equal before it"),
                  first.equalBefore.empty() ? BitByBitWords::tr("nothing").toHtmlEscaped()
                                            : linksOf(compared, first.equalBefore, pass));
  if (!first.equalBehind.empty()) {
    lines += lineOf(BitByBitWords::tr("Equal all the same behind it"),
                    linksOf(compared, first.equalBehind, pass));
  }
  const QString title =
      BitByBitWords::tr("First difference, %1:").arg(passText(pass)).toHtmlEscaped();
  return QStringLiteral("<p><b>%1 %2</b></p><table cellspacing=\"0\">%3</table>")
      .arg(title, linkTo(first.row, row.site, pass), lines);
}

CellRoles<DifferenceRow> percentCells(double analysis::DifferenceNumbers::*member,
                                      std::string (*text)(double ratio)) {
  return numberRoles<DifferenceRow>(
      [member](const DifferenceRow& row) { return row.numbers.*member * 100; },
      [text](double percent) { return QString::fromStdString(text(percent / 100)); });
}

CellRoles<DifferenceRow> cells(double analysis::DifferenceNumbers::*member,
                               QString (*text)(double)) {
  return numberRoles<DifferenceRow>(
      [member](const DifferenceRow& row) { return row.numbers.*member; }, text);
}

}  // namespace

std::vector<DifferenceRow> differenceRows(const ComparedPair& compared) {
  std::vector<DifferenceRow> rows;
  for (const auto& first : compared.difference.firsts) {
    if (!first) {
      continue;
    }
    rows.push_back(rowOf(compared, first->row, true));
    for (const std::size_t index : first->consequences) {
      rows.push_back(rowOf(compared, index, false));
    }
  }
  return rows;
}

std::vector<Column<DifferenceRow>> differenceColumns() {
  using Numbers = analysis::DifferenceNumbers;
  const auto name = [](const DifferenceRow& row) {
    return QString::fromStdString(row.row->site.name);
  };
  const auto isFirst = [](const DifferenceRow& row) { return row.isFirst; };
  Column<DifferenceRow> tensor{.title = BitByBitWords::tr("Tensor"),
                               .roles = textRoles<DifferenceRow>(name)};
  tensor.roles[EmphasisRole] = isFirst;
  return {
      std::move(tensor),
      {.title = BitByBitWords::tr("Pass"),
       .roles = textRoles<DifferenceRow>(
           [](const DifferenceRow& row) { return passText(row.row->site.pass); })},
      {.title = QStringLiteral("Equal, %"),
       .toolTip = BitByBitWords::tr("Share of the elements with the same value in both runs"),
       .alignment = kNumberAlignment,
       .roles = percentCells(&Numbers::equal, analysis::equalPercentText)},
      {.title = QStringLiteral("RMS rel, %"),
       .toolTip = BitByBitWords::tr("Root mean square of the difference over that of the baseline"),
       .alignment = kNumberAlignment,
       .roles = percentCells(&Numbers::rms, formatPercent)},
      {.title = QStringLiteral("Mean |d|"),
       .alignment = kNumberAlignment,
       .roles = cells(&Numbers::meanDiff, numberText)},
      {.title = QStringLiteral("Max |d|"),
       .alignment = kNumberAlignment,
       .roles = cells(&Numbers::maxDiff, numberText)}};
}

QString headingOf(const ComparedPair& compared) {
  const analysis::RunPair& pair = compared.pair;
  const auto tensors = static_cast<int>(compared.difference.divergence.tensors());
  const QString candidate = shortName(pair.candidateLabel);
  const QString baseline = shortName(pair.baselineLabel);
  if (compared.difference.isEqual()) {
    return BitByBitWords::tr(
               "%1 and %2 are equal: every compared element of %n tensor(s)", nullptr, tensors)
        .arg(candidate, baseline);
  }
  return BitByBitWords::tr(
             "%1 differs from %2: %3 of %n compared tensor(s) are equal", nullptr, tensors)
      .arg(candidate, baseline, QString::number(compared.difference.divergence.equal()));
}

QStringList notesOf(const ComparedPair& compared) {
  QStringList notes;
  const QString inputs =
      otherInputsText(analysis::otherInputs(*compared.pair.baseline.loaded.report,
                                            *compared.pair.candidate.loaded.report),
                      QString::fromStdString(compared.pair.baselineLabel));
  if (!inputs.isEmpty()) {
    notes << BitByBitWords::tr("%1 has %2; what differs is not precision alone.")
                 .arg(QString::fromStdString(compared.pair.candidateLabel), inputs);
  }
  if (!compared.difference.loneGradients.empty()) {
    notes << BitByBitWords::tr("Only one of the runs has a gradient of %1.")
                 .arg(joined(textsOf(compared.difference.loneGradients)));
  }
  if (compared.difference.sampled > 0) {
    notes << BitByBitWords::tr("Of %n tensor(s) only samples were kept and compared.",
                               nullptr,
                               static_cast<int>(compared.difference.sampled));
  }
  if (compared.pair.unmatched > 0) {
    notes << BitByBitWords::tr("%n tensor(s) were kept by one of the runs alone.",
                               nullptr,
                               static_cast<int>(compared.pair.unmatched));
  }
  if (compared.pair.misshapen > 0) {
    notes << BitByBitWords::tr(
        "%n tensor(s) have different shapes in the two runs and were not compared; do they have "
        "the same input?",
        nullptr,
        static_cast<int>(compared.pair.misshapen));
  }
  for (const std::string& problem : compared.pair.problems) {
    notes << QString::fromStdString(problem);
  }
  return notes;
}

QString accountOf(const ComparedPair& compared) {
  QString html;
  const auto& passes = compared.difference.divergence.passes;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const analysis::PassDifference& pass = passes.at(i);
    if (const auto& first = compared.difference.firsts[i]) {
      html += sectionOf(compared, *first);
    } else if (!pass.rows.empty() && !compared.difference.isEqual()) {
      html +=
          QStringLiteral("<p>%1</p>")
              .arg(BitByBitWords::tr(
                       "%1: all %n tensor(s) equal", nullptr, static_cast<int>(pass.rows.size()))
                       .arg(passName(pass.pass))
                       .toHtmlEscaped());
    }
  }
  return html;
}

}  // namespace ulp::views
