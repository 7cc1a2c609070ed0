#include "views/plugins/compare/correspondence.h"

#include <map>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "views/framework/widgets/severity.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"

namespace ulp::views {
namespace {

struct CorrespondenceWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Compare)
};

QString nameOf(const report::LoadedReport& loaded) {
  const QString folder = QString::fromStdString(loaded.folder.filename().string());
  return folder.isEmpty() ? QString::fromStdString(loaded.file.filename().string()) : folder;
}

/// A column of plain text.
template <class Row, class Text>
Column<Row> textColumn(const QString& title, Text text) {
  return {.title = title, .roles = {{Qt::DisplayRole, text}}};
}

/// With what `mapping` says of dumps.
analysis::SiteMapping mappingOf(const analysis::SiteMapping& mapping,
                                std::vector<analysis::RenameRule> rules,
                                std::map<std::string, std::string> pairs) {
  // Every rule has compiled before.
  return analysis::SiteMapping::make(std::move(rules), std::move(pairs), mapping.dumps()).value();
}

}  // namespace

Result<Correspondence> correspond(const OpenReports& open, std::size_t index) {
  const auto first = analysis::structureOf(*open.sources.front().loaded.report);
  const analysis::ReportSource& source = open.sources[index];
  const auto other = analysis::structureOf(*source.loaded.report);
  Correspondence found;
  found.diff = ULP_TRY(analysis::structureDiff(first, other, source.mapping));
  found.suggestions = analysis::suggestPairs(found.diff);
  return found;
}

std::vector<Column<ReportRow>> reportColumns() {
  return {{.title = CorrespondenceWords::tr("Report"),
           .roles = {{Qt::DisplayRole, &ReportRow::name},
                     {Qt::ToolTipRole, &ReportRow::path},
                     {RawRole, &ReportRow::path}}},
          textColumn<ReportRow>(CorrespondenceWords::tr("Model"), &ReportRow::model),
          textColumn<ReportRow>(CorrespondenceWords::tr("Runs"), &ReportRow::runs),
          {.title = CorrespondenceWords::tr("Reference"),
           .toolTip = CorrespondenceWords::tr(
               "Errors can be put side by side when all reports have the same "
               "reference: weights, tokens and settings"),
           .roles = {{Qt::DisplayRole, &ReportRow::inputs},
                     {SeverityRole, [](const ReportRow& row) {
                        return row.isFirst || row.sharesReference
                                   ? QVariant()
                                   : QVariant(static_cast<int>(Severity::Look));
                      }}}}};
}

ReportModel::Rows reportRows(const OpenReports& open) {
  auto rows = std::make_shared<std::vector<ReportRow>>();
  for (std::size_t i = 0; i < open.sources.size(); ++i) {
    const report::LoadedReport& loaded = open.sources[i].loaded;
    ReportRow row{.name = nameOf(loaded),
                  .path = QString::fromStdString(loaded.file.string()),
                  .model = QString::fromStdString(loaded.report->model.name),
                  .isFirst = i == 0,
                  .sharesReference = open.joined.sharesReference[i]};
    QStringList runs;
    for (const report::Run& run : loaded.report->runs) {
      runs << QString::fromStdString(run.name);
    }
    row.runs = runs.join(QStringLiteral(", "));
    if (row.isFirst) {
      row.inputs = QString::fromStdString(loaded.report->reference);
    } else if (row.sharesReference) {
      row.inputs = CorrespondenceWords::tr("the same");
    } else {
      row.inputs = CorrespondenceWords::tr("▲ another: weights, tokens or settings differ");
    }
    rows->push_back(std::move(row));
  }
  return rows;
}

std::vector<Column<analysis::SiteShape>> tensorListColumns() {
  using analysis::SiteShape;
  return {textColumn<SiteShape>(
              CorrespondenceWords::tr("Tensor"),
              [](const SiteShape& row) { return QString::fromStdString(row.site.name); }),
          textColumn<SiteShape>(CorrespondenceWords::tr("Pass"),
                                [](const SiteShape& row) { return passText(row.site.pass); }),
          textColumn<SiteShape>(CorrespondenceWords::tr("Shape"),
                                [](const SiteShape& row) { return shapeText(row.shape); })};
}

std::vector<Column<MappingRow>> mappingColumns() {
  return {textColumn<MappingRow>(CorrespondenceWords::tr("Kind"),
                                 [](const MappingRow& row) {
                                   return row.isRule ? CorrespondenceWords::tr("Rule")
                                                     : CorrespondenceWords::tr("Pair");
                                 }),
          textColumn<MappingRow>(CorrespondenceWords::tr("Name"), &MappingRow::name),
          textColumn<MappingRow>(CorrespondenceWords::tr("Reads as"), &MappingRow::readsAs)};
}

MappingModel::Rows mappingRows(const analysis::SiteMapping& mapping) {
  auto rows = std::make_shared<std::vector<MappingRow>>();
  for (std::size_t i = 0; i < mapping.rules().size(); ++i) {
    rows->push_back({.isRule = true,
                     .rule = i,
                     .name = QString::fromStdString(mapping.rules()[i].match),
                     .readsAs = QString::fromStdString(mapping.rules()[i].replace)});
  }
  for (const auto& [name, readsAs] : mapping.pairs()) {
    rows->push_back(
        {.name = QString::fromStdString(name), .readsAs = QString::fromStdString(readsAs)});
  }
  return rows;
}

analysis::SiteMapping without(const analysis::SiteMapping& mapping, const MappingRow& row) {
  auto rules = mapping.rules();
  auto pairs = mapping.pairs();
  if (row.isRule) {
    rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(row.rule));
  } else {
    pairs.erase(row.name.toStdString());
  }
  return mappingOf(mapping, std::move(rules), std::move(pairs));
}

analysis::SiteMapping withPairs(const analysis::SiteMapping& mapping,
                                const std::vector<std::pair<std::string, std::string>>& pairs) {
  auto all = mapping.pairs();
  for (const auto& [name, readsAs] : pairs) {
    all[name] = readsAs;
  }
  return mappingOf(mapping, mapping.rules(), std::move(all));
}

QString correspondenceText(const Correspondence& found,
                           const QString& first,
                           const QString& other) {
  const analysis::StructureDiff& diff = found.diff;
  if (diff.shapes.empty() && diff.onlyInBaseline.empty() && diff.onlyInOther.empty()) {
    return CorrespondenceWords::tr("All %1 tensors correspond.").arg(countText(diff.matched));
  }
  return CorrespondenceWords::tr(
             "%1 tensors correspond, %2 differ in shape, %3 are only in %4, %5 only in %6.")
      .arg(countText(diff.matched),
           countText(diff.shapes.size()),
           countText(diff.onlyInBaseline.size()),
           first,
           countText(diff.onlyInOther.size()),
           other);
}

}  // namespace ulp::views
