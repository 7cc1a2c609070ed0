#include "app/gui/exports/export_dumps.h"

#include <filesystem>
#include <system_error>

#include <QtCore/QCoreApplication>

#include "app/gui/dumps/edit_mapping.h"
#include "app/gui/exports/compare_as_dialog.h"
#include "app/gui/exports/export_tensors_dialog.h"
#include "core/base/stop_scope.h"
#include "core/base/text/format_number.h"
#include "core/base/work_meter.h"
#include "core/comparing/align/dump_sides.h"
#include "views/framework/exports/export_jobs.h"
#include "views/framework/words/utf8_text.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::app {
namespace {

struct ExportDumpsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::app::ExportDumps)
};

QString textOf(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

/// The dump that is open first; empty: something else is.
report::DumpSide openDump(const views::ReportSet& reports) {
  const bool isDump = !reports.sources().empty() && reports.sources().front().loaded.report->dumps;
  return isDump ? reports.sources().front().loaded.report->dumps->baseline : report::DumpSide();
}

/// That dump, or the folder of a study that kept tensors.
report::DumpSide openSource(const views::ReportSet& reports) {
  report::DumpSide source = openDump(reports);
  if (source.path.empty() && !reports.sources().empty()) {
    const std::filesystem::path& folder = reports.sources().front().loaded.folder;
    std::error_code ignored;
    if (std::filesystem::exists(folder / "tensors.h5", ignored)) {
      source.path = folder;
    }
  }
  return source;
}

Result<views::WrittenFiles> writeTensors(const dumps::TensorExport& wanted) {
  const auto outcome = ULP_TRY(dumps::exportTensors(wanted, currentStop(), metered()));
  const auto rows = static_cast<int>(outcome.rows);
  const QString written = ExportDumpsWords::tr("Wrote %1: %n tensor(s), %2.", nullptr, rows);
  const QString size = QString::fromStdString(formatBytes(outcome.bytes));
  return views::WrittenFiles{.text = written.arg(textOf(wanted.target), size),
                             .notes = views::textsOf(outcome.notes)};
}

Result<views::WrittenFiles> writeComparison(CompareAsWish wish) {
  compat::CompareRequest& request = wish.request;
  auto sides =
      ULP_TRY(analysis::givenOrNamed({.baseline = request.golden, .candidate = request.target}));
  request.golden = std::move(sides.baseline);
  request.target = std::move(sides.candidate);
  const auto outcome = ULP_TRY(compat::compareAs(wish.tool, request, currentStop(), metered()));
  QStringList notes = views::textsOf(outcome.notes);
  for (const Error& failure : outcome.failures) {
    notes << views::errorText(failure);
  }
  QStringList names;
  for (const std::filesystem::path& file : outcome.files) {
    names << textOf(file.filename());
  }
  return views::WrittenFiles{
      .text = ExportDumpsWords::tr("Wrote to %1: %2.")
                  .arg(textOf(request.output), names.join(ExportDumpsWords::tr(", "))),
      .notes = std::move(notes)};
}

}  // namespace

void askToExportTensors(const views::ViewContext& context, QWidget* parent) {
  auto* dialog = new ExportTensorsDialog(context.background, parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setSource(openSource(context.workspace.reports));
  QObject::connect(dialog,
                   &ExportTensorsDialog::exportRequested,
                   &context.exports,
                   [&exports = context.exports](const dumps::TensorExport& wanted) {
                     exports.write(textOf(wanted.target),
                                   [wanted] { return writeTensors(wanted); });
                   });
  dialog->open();
}

void askToCompareAs(const views::ViewContext& context, QWidget* parent) {
  auto* dialog = new CompareAsDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  if (const report::DumpOrigin* open = comparedDumps(context.workspace.reports)) {
    dialog->setSides(open->baseline.path, open->candidate.path);
  } else {
    dialog->setSides(openDump(context.workspace.reports).path, {});
  }
  QObject::connect(dialog,
                   &CompareAsDialog::compareRequested,
                   &context.exports,
                   [&exports = context.exports](const CompareAsWish& wish) {
                     exports.write(textOf(wish.request.output),
                                   [wish] { return writeComparison(wish); });
                   });
  dialog->open();
}

}  // namespace ulp::app
