#include "app/gui/exports/export_report.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <QtCore/QCoreApplication>

#include "app/gui/exports/report_part_pane.h"
#include "core/analysis/verdict/conclusions.h"
#include "core/base/stop_scope.h"
#include "core/report/formats/format.h"
#include "core/report/model/token_texts.h"
#include "views/framework/document/noise_runs.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/exports/export_dialog.h"
#include "views/framework/exports/export_jobs.h"
#include "views/framework/exports/figure.h"
#include "views/framework/workspace/report_rules.h"
#include "views/framework/workspace/workspace.h"
#include "views/printing/report_pages.h"
#include "views/printing/report_pictures.h"

namespace ulp::app {
namespace {

struct ExportReportWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::app::ExportReport)
};

/// Pages with charts, in the order in which readers want them.
constexpr std::array<const char*, 2> kPages{"html", "pdf"};

std::vector<views::ExportChoice> choices() {
  std::vector<views::ExportChoice> offered{
      {.id = QStringLiteral("html"),
       .title = ExportReportWords::tr("Web page with charts"),
       .extension = QStringLiteral(".html")},
      {.id = QStringLiteral("pdf"),
       .title = ExportReportWords::tr("PDF with charts, for printing"),
       .extension = QStringLiteral(".pdf")}};
  std::vector<report::Format> tables = report::reportFormats();
  std::erase_if(tables, [](const report::Format& format) { return format.windowOrder == 0; });
  std::ranges::sort(tables, {}, &report::Format::windowOrder);
  for (const report::Format& format : tables) {
    offered.push_back({.id = QString::fromStdString(format.id),
                       .title = QString::fromStdString(format.title),
                       .extension = QString::fromStdString(format.extension)});
  }
  return offered;
}

bool isPages(const std::string& format) {
  return std::find(kPages.begin(), kPages.end(), format) != kPages.end();
}

/// What is exported of a report, and by which rules its rows are judged.
struct WantedReport {
  views::DocumentPtr document;
  report::ExportOptions options;
  std::optional<views::RulesChoice> rules;
};

Result<std::optional<analysis::JudgedReport>> judged(const WantedReport& wanted) {
  if (!wanted.rules) {
    return std::nullopt;
  }
  return ULP_TRY(
      views::judgeForExport(wanted.document, *wanted.rules, wanted.options, currentStop()));
}

Result<std::string> contentOf(const WantedReport& wanted, const std::string& id) {
  const auto format = ULP_TRY(report::findReportFormat(id));
  report::ExportOptions options = wanted.options;
  options.configuration =
      format.isForReading() ? report::ConfigurationPart::Whole : report::ConfigurationPart::None;
  options.tokens = report::tokensByPosition(wanted.document->loaded().folder);
  const auto rules = ULP_TRY(judged(wanted));
  return analysis::writeConcluded(
      wanted.document->report(), format, options, rules ? &*rules : nullptr);
}

bool isForReading(const std::string& id) {
  const auto format = report::findReportFormat(id);
  return isPages(id) || (format && format->isForReading());
}

/// Whether the tables of all tensors can be left out: of documents that are no pages with charts.
bool hasSummary(const std::string& id) {
  return !isPages(id) && isForReading(id);
}

/// What views add is read in the background, drawn here, for only here charts of Qt can be drawn,
/// and becomes part of the pages in the background again.
void writePages(views::ExportJobs& exports,
                const WantedReport& wanted,
                const views::ExportWish& wish) {
  using Exhibits = std::vector<views::Exhibit>;
  exports.prepare<Exhibits>(
      &exports,
      [wanted] { return views::viewExhibits(wanted.document, wanted.options); },
      [&exports, wanted, wish](const Exhibits& made) {
        Exhibits drawn;
        for (const views::Exhibit& exhibit : made) {
          drawn.push_back(
              views::recorded(exhibit, views::pageChartSize(exhibit, wish.format.toStdString())));
        }
        exports.writeFile(
            wish.file, [wanted, wish, drawn = std::move(drawn)]() -> Result<std::string> {
              const auto rules = ULP_TRY(judged(wanted));
              return views::reportPages(
                  wanted.document->loaded(),
                  wish.format.toStdString(),
                  wanted.options,
                  drawn,
                  rules ? analysis::judgementOf(*rules) : report::DocumentJudgement());
            });
      });
}

QString baseName(const report::LoadedReport& loaded) {
  const QString folder = QString::fromStdString(loaded.folder.filename().string());
  return folder.isEmpty() ? QStringLiteral("report") : folder;
}

}  // namespace

void askToExportReport(const views::ViewContext& context, QWidget* parent) {
  const views::DocumentPtr document = context.workspace.reports.document();
  if (!document) {
    return;
  }
  const views::NoiseRuns noise = views::noiseRuns(*document, context.selection.selection());
  // The noise floor is drawn without being named.
  const std::string named = noise.isFloor ? std::string() : noise.name.toStdString();
  auto* dialog = new views::ExportDialog({.kind = QStringLiteral("report"),
                                          .title = ExportReportWords::tr("Export report"),
                                          .baseName = baseName(document->loaded()),
                                          .choices = choices()},
                                         context.settings,
                                         parent);
  auto* part = new ReportPartPane(*document, dialog);
  dialog->insert(*part);
  const auto& rules =
      views::ReportRules::of(context.workspace.reports, context.settings, context.background);
  const bool isJudged = !rules.choice().text.isEmpty() && !rules.problem();
  const auto adapt = [dialog, part, isJudged] {
    const std::string format = dialog->wish().format.toStdString();
    part->setHasSummary(hasSummary(format));
    part->setHasRules(isJudged && isForReading(format));
  };
  adapt();
  QObject::connect(dialog, &views::ExportDialog::formatChanged, part, adapt);
  QObject::connect(dialog,
                   &views::ExportDialog::exportRequested,
                   &context.exports,
                   [document, named, part, choice = rules.choice(), &exports = context.exports](
                       const views::ExportWish& wish) {
                     const std::string format = wish.format.toStdString();
                     WantedReport wanted{document, part->options(), std::nullopt};
                     if (part->wantsRules()) {
                       wanted.rules = choice;
                     }
                     if (isPages(format)) {
                       wanted.options.noise = named;
                       writePages(exports, wanted, wish);
                     } else {
                       exports.writeFile(wish.file,
                                         [wanted, format] { return contentOf(wanted, format); });
                     }
                   });
  dialog->open();
}

}  // namespace ulp::app
