#include "views/framework/document/ulp_help.h"

#include <cmath>

#include <QtCore/QCoreApplication>

#include "core/report/summary/ulp_count.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

struct UlpHelpWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::UlpHelp)
};

}  // namespace

QString ulpHelp(const ReportDocument& document, const ValuePlace& at) {
  const report::Comparison* const row = document.comparison(at.variant, at.site);
  const auto metric = static_cast<std::size_t>(at.metric);
  if (!document.countsUlp(at.metric) || row == nullptr || metric >= row->metrics.size()) {
    return {};
  }
  const bool isShown = !std::isnan(document.value(at.variant, at.site, at.metric));
  if (document.basis().relation != Relation::Error) {
    const bool isMixed = row->referenceDType != row->variantDType;
    return isShown || !isMixed
               ? QString()
               : UlpHelpWords::tr("not shown: ULP of two formats say nothing together");
  }
  if (std::isnan(row->metrics[metric])) {
    return {};
  }
  const std::optional<DType> format = report::ulpFormatOf(*row);
  const QString name = format ? utf8Text(toString(*format)) : QString();
  if (isShown) {
    return format ? UlpHelpWords::tr("in ULP of %1").arg(name) : QString();
  }
  return UlpHelpWords::tr(
             "not shown: %1 ULP of %2, which has fewer numbers; %3 is 0 where they come "
             "from, or next to 0")
      .arg(metricText(row->metrics[metric], {}),
           name,
           document.baselineOf(document.variantName(at.variant)));
}

}  // namespace ulp::views
