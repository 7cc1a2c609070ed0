#include "views/commands/report_palette.h"

#include <QtCore/QCoreApplication>

#include "views/framework/words/site_text.h"

namespace ulp::views {
namespace {

QString variantPrefix() {
  return QStringLiteral("variant:");
}
QString sitePrefix(Pass pass) {
  const std::string_view name = toString(pass);
  return QLatin1String(name.data(), static_cast<qsizetype>(name.size())) + u':';
}

}  // namespace

PaletteItemsPtr reportItems(const ReportDocument& document) {
  std::vector<PaletteItem> items;
  items.reserve(document.sites().size() + static_cast<std::size_t>(document.variantCount()));
  for (int i = 0; i < document.variantCount(); ++i) {
    const QString name = document.variantName(i);
    items.push_back(
        {.id = variantPrefix() + name,
         .text = name,
         .detail = QCoreApplication::translate("ulp::views::ReportPalette", "variant")});
  }
  for (const Site& site : document.sites()) {
    const QString name = QString::fromStdString(site.name);
    items.push_back(
        {.id = sitePrefix(site.pass) + name, .text = name, .detail = passText(site.pass)});
  }
  return std::make_shared<const PaletteItems>(std::move(items));
}

ReportPlace placeOf(const ReportDocument& document, const QString& id) {
  if (id.startsWith(variantPrefix())) {
    return {.variant = document.findVariant(id.mid(variantPrefix().size()))};
  }
  for (const Pass pass : kPasses) {
    const QString prefix = sitePrefix(pass);
    if (id.startsWith(prefix)) {
      return {.site = document.findSite(id.mid(prefix.size()).toStdString(), pass)};
    }
  }
  return {};
}

}  // namespace ulp::views
