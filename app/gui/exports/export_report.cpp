#include "app/gui/exports/export_report.h"

#include <algorithm>
#include <array>

#include <QtCore/QCoreApplication>

#include "app/gui/exports/report_part_pane.h"
#include "core/analysis/verdict/conclusions.h"
#include "core/report/formats/format.h"
#include "views/framework/document/noise_runs.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/exports/export_dialog.h"
#include "views/framework/exports/export_jobs.h"
#include "views/framework/exports/figure.h"
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

Result<std::string> contentOf(const report::LoadedReport& loaded,
                              const std::string& id,
                              report::ExportOptions options) {
  const auto format = ULP_TRY(report::findReportFormat(id));
  if (!format.isForReading()) {
    return format.writeReport(*loaded.report, options);
  }
  options.configuration = report::ConfigurationPart::Whole;
  auto conclusions = ULP_TRY(analysis::conclusionsOf(*loaded.report, options));
  return format.writeReport(*loaded.report, options, std::move(conclusions));
}

/// Whether the tables of all tensors can be left out: of documents that are no pages with charts.
bool hasSummary(const std::string& id) {
  const auto format = report::findReportFormat(id);
  return !isPages(id) && format && format->isForReading();
}

/// What views add is read in the background, drawn here, for only here charts of Qt can be drawn,
/// and becomes part of the pages in the background again.
void writePages(views::ExportJobs& exports,
                const views::DocumentPtr& document,
                const views::ExportWish& wish,
                const report::ExportOptions& options) {
  using Exhibits = std::vector<views::Exhibit>;
  exports.prepare<Exhibits>(
      &exports,
      [document, options] { return views::viewExhibits(document, options); },
      [&exports, document, wish, options](const Exhibits& made) {
        Exhibits drawn;
        for (const views::Exhibit& exhibit : made) {
          drawn.push_back(
              views::recorded(exhibit, views::pageChartSize(exhibit, wish.format.toStdString())));
        }
        exports.writeFile(wish.file, [document, wish, options, drawn = std::move(drawn)] {
          return views::reportPages(document->loaded(), wish.format.toStdString(), options, drawn);
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
  const auto adapt = [dialog, part] {
    part->setHasSummary(hasSummary(dialog->wish().format.toStdString()));
  };
  adapt();
  QObject::connect(dialog, &views::ExportDialog::formatChanged, part, adapt);
  QObject::connect(
      dialog,
      &views::ExportDialog::exportRequested,
      &context.exports,
      [document, named, part, &exports = context.exports](const views::ExportWish& wish) {
        const std::string format = wish.format.toStdString();
        report::ExportOptions options = part->options();
        if (isPages(format)) {
          options.noise = named;
          writePages(exports, document, wish, options);
        } else {
          exports.writeFile(wish.file, [document, format, options] {
            return contentOf(document->loaded(), format, options);
          });
        }
      });
  dialog->open();
}

}  // namespace ulp::app
