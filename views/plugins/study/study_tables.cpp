#include "views/plugins/study/study_tables.h"

#include <QtCore/QCoreApplication>

#include "views/framework/widgets/severity.h"
#include "views/framework/words/utf8_text.h"
#include "views/plugins/study/variants/variants_model.h"

namespace ulp::views {
namespace {

struct StudyTablesWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::StudyTables)
};

QString lineText(const StudyProblem& problem) {
  const QString glyph = severityGlyph(problem.severity);
  return problem.line > 0 ? QStringLiteral("%1 %2").arg(glyph).arg(problem.line) : glyph;
}

}  // namespace

std::vector<Column<StudyProblem>> problemColumns() {
  const auto severity = [](const StudyProblem& problem) {
    return static_cast<int>(problem.severity);
  };
  const auto word = [](const StudyProblem& problem) { return severityWord(problem.severity); };
  return {{.title = StudyTablesWords::tr("Line"),
           .roles = {{Qt::DisplayRole, lineText},
                     {RawRole, &StudyProblem::line},
                     {SeverityRole, severity},
                     {Qt::ToolTipRole, word}}},
          {.title = StudyTablesWords::tr("Problem"),
           .roles = textRoles<StudyProblem>(&StudyProblem::text)}};
}

report::DataTable effectiveDataTable(const study::EffectiveTable& table) {
  report::DataTable data{.title = StudyTablesWords::tr("Effective configuration").toStdString(),
                         .columns = {{.title = StudyTablesWords::tr("Key").toStdString()}}};
  for (const std::string& run : table.runs) {
    data.columns.push_back({StudyTablesWords::tr("value").toStdString(), {}, run});
    data.columns.push_back({StudyTablesWords::tr("set by").toStdString(), {}, run});
  }
  for (const study::EffectiveRow& row : table.rows) {
    std::vector<report::DataCell> cells{row.key};
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const study::Setting& cell = row.cells[i];
      cells.push_back(cell.value.empty() ? report::DataCell() : report::DataCell(cell.value));
      cells.emplace_back(originText(cell.origin, i == 0).toStdString());
    }
    data.rows.push_back(std::move(cells));
  }
  return data;
}

QString keyHelp(const study::Key& key) {
  return QStringLiteral("%1: %2").arg(utf8Text(key.path), utf8Text(key.help));
}

QString ownerText(const study::KeyOwner& owner) {
  switch (owner.kind) {
    case study::KeyOwner::Kind::Study:
      return {};
    case study::KeyOwner::Kind::Reference:
      return StudyTablesWords::tr("the reference");
    case study::KeyOwner::Kind::Variant:
      return StudyTablesWords::tr("variant %1").arg(QString::fromStdString(owner.variant));
  }
  return {};
}

QString stepText(const study::KeyOwner& owner, const QString& key) {
  const bool isStudy = owner.kind == study::KeyOwner::Kind::Study;
  return StudyTablesWords::tr("change of %1").arg(isStudy ? key : ownerText(owner));
}

QString stateText(const StudyCheck& check, bool isReadOnly) {
  if (!check.isValid()) {
    return StudyTablesWords::tr("%1 Problems: %2")
        .arg(severityGlyph(Severity::Broken))
        .arg(check.problems.size());
  }
  const auto variants = check.study->variants.size();
  if (isReadOnly) {
    return StudyTablesWords::tr("Variants: %1").arg(variants);
  }
  const QString runs =
      variants == 0 ? StudyTablesWords::tr("Ready to run: the reference alone")
      : variants == 1
          ? StudyTablesWords::tr("Ready to run: the reference and one variant")
          : StudyTablesWords::tr("Ready to run: the reference and %1 variants").arg(variants);
  return severityGlyph(Severity::Fine) + QLatin1Char(' ') + runs;
}

QString forecastText(const StudyCheck& check, const StudyForecast& forecast) {
  if (!forecast.missing.isEmpty()) {
    return StudyTablesWords::tr("%1 Cannot run yet: %2")
        .arg(severityGlyph(Severity::Look), forecast.missing);
  }
  const QString estimate = estimateText(forecast);
  const QString second = estimate.isEmpty()
                             ? StudyTablesWords::tr("No estimate: %1").arg(forecast.basis)
                             : QStringLiteral("%1 (%2)").arg(estimate, forecast.basis);
  QStringList lines{stateText(check, false), second};
  if (const QString device = deviceText(forecast); !device.isEmpty()) {
    lines << device;
  }
  if (const QString shortage = shortageText(forecast); !shortage.isEmpty()) {
    lines << severityGlyph(Severity::Look) + QLatin1Char(' ') + shortage;
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace ulp::views
