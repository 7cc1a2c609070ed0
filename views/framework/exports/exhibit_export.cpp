#include "views/framework/exports/exhibit_export.h"

#include <algorithm>

#include <QtCore/QCoreApplication>

#include "core/report/formats/format.h"
#include "core/report/tables/data_table.h"
#include "views/framework/exports/printed_pages.h"

namespace ulp::views {
namespace {

/// About two hundred pages.
constexpr std::size_t kMaxPrintedRows = 10'000;

struct ExhibitExportWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::ExhibitExport)
};

Result<std::string> textOf(Result<QByteArray> bytes) {
  if (!bytes) {
    return tl::unexpected<Error>(std::move(bytes.error()));
  }
  return bytes->toStdString();
}

}  // namespace

std::vector<ExportChoice> exhibitFormats() {
  const auto picture = [](const QString& id, const QString& title) {
    return ExportChoice{.id = id,
                        .title = title,
                        .extension = u'.' + id,
                        .hasScale = id == QLatin1String("png"),
                        .isPicture = true};
  };
  std::vector<ExportChoice> formats{
      picture(QStringLiteral("png"), ExhibitExportWords::tr("PNG picture")),
      picture(QStringLiteral("svg"), ExhibitExportWords::tr("SVG picture")),
      picture(QStringLiteral("pdf"), ExhibitExportWords::tr("PDF document"))};
  for (const report::Format& format : report::tableFormats()) {
    formats.push_back({.id = QString::fromStdString(format.id),
                       .title = QString::fromStdString(format.title),
                       .extension = QString::fromStdString(format.extension)});
  }
  return formats;
}

TakenExhibit TakenExhibit::take(const Exhibit& exhibit,
                                const QString& provenance,
                                const QSizeF& size) {
  TakenExhibit taken;
  taken.m_title = exhibit.title;
  taken.m_provenance = provenance;
  if (exhibit.paint) {
    taken.m_figure = Figure::make(exhibit, provenance, size);
  }
  if (exhibit.isTableThreadSafe) {
    taken.m_table = exhibit.table;
  } else {
    taken.m_table = [table = std::make_shared<const report::DataTable>(exhibit.table())] {
      return *table;
    };
  }
  return taken;
}

Figure TakenExhibit::figure() const {
  if (m_figure) {
    return *m_figure;
  }
  return Figure::make({.title = m_title, .table = m_table}, m_provenance);
}

Result<std::string> TakenExhibit::write(const QString& format, double scale) const {
  if (format == QLatin1String("png")) {
    return textOf(figure().toPng(scale));
  }
  if (format == QLatin1String("svg")) {
    return textOf(figure().toSvg());
  }
  if (format == QLatin1String("pdf")) {
    if (m_figure) {
      return textOf(m_figure->toPdf());
    }
    PrintedPages pages(m_title, m_provenance);
    pages.addTable(report::formatTable(m_table(), kMaxPrintedRows));
    return textOf(pages.finish());
  }
  report::DataTable table = m_table();
  table.source = m_provenance.toStdString();
  return report::writeTable(table, format.toStdString());
}

Result<TakenExhibit::Copy> TakenExhibit::copy(double imageScale) const {
  const report::DataTable table = m_table();
  std::string tsv = ULP_TRY(report::writeTable(table, "tsv"));
  std::string html;
  report::appendHtmlTable(html, report::formatTable(table));
  const Figure shown = figure();
  QByteArray svg = ULP_TRY(shown.toSvg());
  return Copy{QByteArray::fromStdString(tsv),
              QString::fromStdString(html),
              shown.toImage(imageScale),
              std::move(svg)};
}

std::unique_ptr<QMimeData> mimeData(const TakenExhibit::Copy& copy) {
  auto data = std::make_unique<QMimeData>();
  data->setText(QString::fromUtf8(copy.text));
  data->setHtml(copy.html);
  data->setImageData(copy.image);
  data->setData(QStringLiteral("image/svg+xml"), copy.svg);
  return data;
}

}  // namespace ulp::views
