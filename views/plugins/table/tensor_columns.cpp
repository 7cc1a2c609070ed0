#include "views/plugins/table/tensor_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

#include <QtCore/QCoreApplication>

#include "views/framework/document/least_non_finite.h"
#include "views/framework/document/ulp_help.h"
#include "views/framework/words/site_text.h"
#include "views/framework/workspace/report_rules.h"

namespace ulp::views {
namespace {

struct TensorColumnsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::TensorTableModel)
};
struct SampleColumnsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::TensorTable)
};

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// What a row is about.
struct ShownTensor {
  const ReportDocument& document;
  const TensorRow& row;

  [[nodiscard]] const Site& site() const {
    return document.sites()[static_cast<std::size_t>(row.site)];
  }
  [[nodiscard]] const report::Comparison& comparison() const {
    return *document.comparison(row.variant, row.site);
  }
  [[nodiscard]] double halfInterval(const report::Spread& spread) const {
    return report::halfInterval(spread, document.variant(row.variant).samples);
  }
};

using TensorNumber = std::function<double(const ShownTensor&)>;
using Text = std::function<QVariant(const ShownTensor&)>;

/// Of each site, where its name stands among the others; the same for equal names.
std::vector<double> nameRanks(const std::vector<Site>& sites) {
  std::vector<std::size_t> order(sites.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto nameOf = [&](std::size_t i) { return std::string_view(sites[i].name); };
  std::ranges::stable_sort(order, {}, nameOf);
  std::vector<double> ranks(sites.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool equal = i > 0 && nameOf(order[i]) == nameOf(order[i - 1]);
    ranks[order[i]] = equal ? ranks[order[i - 1]] : static_cast<double>(i);
  }
  return ranks;
}

/// The first bytes of the name as a number: enough to bring equal types together, in order.
double dtypeKey(const std::string& name) {
  double key = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    key = key * 256 + (i < name.size() ? static_cast<unsigned char>(name[i]) : 0);
  }
  return key;
}

QString nonFiniteHelp(const report::Comparison& comparison, const QString& baseline) {
  const auto line = [](const QString& who, const numerics::NonFiniteCounts& counts) {
    return QStringLiteral("%1: %2 NaN, %3 +Inf, %4 −Inf")
        .arg(who)
        .arg(static_cast<qulonglong>(counts.nan))
        .arg(static_cast<qulonglong>(counts.positiveInfinity))
        .arg(static_cast<qulonglong>(counts.negativeInfinity));
  };
  return line(TensorColumnsWords::tr("variant"), comparison.variantNonFinite) + QLatin1Char('\n') +
         line(baseline, comparison.referenceNonFinite);
}

/// Puts the columns of a report behind each other. What it returns of each is valid until the next.
class ColumnMaker {
 public:
  explicit ColumnMaker(const ReportDocument& document) : m_document(document) {}

  void addBeforeMetrics();
  void addRules(const RuleVerdictsPtr& verdicts);
  void addMetric(int metric, const NoiseRuns& noise);
  void addInterval(int metric, MetricInfo info);
  void addFloor(int metric, MetricInfo info);
  void addGain();
  void addFlippedTokens();

  [[nodiscard]] std::vector<TensorTableColumn> take() { return std::move(m_columns); }

 private:
  template <class Use>
  [[nodiscard]] auto ofRow(Use use) const {
    return [&document = m_document, use](const TensorRow& row) {
      return use(ShownTensor{document, row});
    };
  }

  TensorTableColumn& add(const QString& id, const MetricInfo& info, const TensorNumber& key) {
    TensorTableColumn& column = m_columns.emplace_back();
    column.title = metricHeader(info);
    column.id = id;
    column.info = info;
    column.key = ofRow(key);
    return column;
  }

  /// Text, dim beside the values.
  TensorTableColumn& addText(const QString& id,
                             const QString& title,
                             Text text,
                             const TensorNumber& key) {
    TensorTableColumn& column = add(id, {.label = title}, key);
    column.roles = {{Qt::DisplayRole, ofRow(text)}, {DimRole, [](const auto&) { return true; }}};
    column.exported = ofRow([text = std::move(text)](const ShownTensor& at) {
      return text(at).toString().toStdString();
    });
    return column;
  }

  /// The same of numbers, which `text` writes.
  TensorTableColumn& addCount(const QString& id,
                              const QString& title,
                              const Text& text,
                              const TensorNumber& number) {
    TensorTableColumn& column = addText(id, title, text, number);
    column.alignment = kNumberAlignment;
    column.exported =
        ofRow([number](const ShownTensor& at) { return report::numberCell(number(at)); });
    return column;
  }

  /// Values in the unit of a metric (a ratio for percentages), which `text` writes.
  TensorTableColumn& addValue(const QString& id,
                              const MetricInfo& info,
                              const QString& help,
                              const TensorNumber& value,
                              std::function<QString(double)> text) {
    TensorTableColumn& column = add(id, info, value);
    column.toolTip = help;
    column.alignment = kNumberAlignment;
    column.roles = numberRoles<TensorRow>(column.key, std::move(text), [info](double number) {
      return exactText(inUnit(number, info));
    });
    column.roles[DimRole] = ofRow([value](const ShownTensor& at) {
      const double number = value(at);
      return std::isnan(number) || number == 0;
    });
    column.exported = ofRow([value, info](const ShownTensor& at) {
      return report::numberCell(inUnit(value(at), info));
    });
    return column;
  }

  /// Half intervals.
  TensorTableColumn& addWidth(const QString& id,
                              const MetricInfo& info,
                              const QString& help,
                              const TensorNumber& width,
                              const ColumnFormat& format) {
    return addValue(id, info, help, width, [format](double number) { return format.text(number); });
  }

  const ReportDocument& m_document;
  std::vector<TensorTableColumn> m_columns;
};

/// What TensorColumn names, in its order.
void ColumnMaker::addBeforeMetrics() {
  using At = const ShownTensor&;
  TensorTableColumn& name = addText(
      QStringLiteral("tensor"),
      TensorColumnsWords::tr("Tensor"),
      [](At at) { return QString::fromStdString(at.site().name); },
      [ranks = std::make_shared<std::vector<double>>()](At at) {
        if (ranks->empty()) {
          *ranks = nameRanks(at.document.sites());
        }
        return (*ranks)[static_cast<std::size_t>(at.row.site)];
      });
  name.roles.erase(DimRole);
  name.roles[Qt::ToolTipRole] =
      ofRow([](At at) { return QString::fromStdString(at.site().module); });
  addText(
      QStringLiteral("pass"),
      TensorColumnsWords::tr("Pass"),
      [](At at) { return passText(at.site().pass); },
      [](At at) { return static_cast<double>(at.site().pass); });
  const auto layerOr = [](const QString& missing) {
    return [missing](At at) {
      return at.site().layer < 0 ? QVariant(missing) : QVariant(at.site().layer);
    };
  };
  addCount(QStringLiteral("layer"),
           TensorColumnsWords::tr("Layer"),
           layerOr(missingText()),
           [](At at) { return at.site().layer < 0 ? kUnknown : at.site().layer; })
      .roles[RawRole] = ofRow(layerOr({}));
  TensorTableColumn& variant = addText(
      QStringLiteral("variant"),
      TensorColumnsWords::tr("Variant"),
      [](At at) { return at.document.variantName(at.row.variant); },
      [](At at) { return at.row.variant; });
  variant.roles.erase(DimRole);
  variant.roles[VariantRole] = ofRow([](At at) { return at.document.styleOf(at.row.variant); });
  addText(
      QStringLiteral("shape"),
      TensorColumnsWords::tr("Shape"),
      [](At at) { return shapeText(at.comparison().shape); },
      [](At at) { return static_cast<double>(at.comparison().count); });
  addText(
      QStringLiteral("dtype"),
      TensorColumnsWords::tr("Format"),
      [](At at) { return QString::fromStdString(at.comparison().variantDType); },
      [](At at) { return dtypeKey(at.comparison().variantDType); });
  const auto count = [](At at) {
    return static_cast<qulonglong>(at.comparison().variantNonFinite.total());
  };
  TensorTableColumn& nonFinite = addCount(
      QStringLiteral("nonfinite"),
      TensorColumnsWords::tr("Not finite"),
      [count](At at) {
        const QString least =
            isLeastNonFinite(at.document, at.comparison()) ? QStringLiteral("≥ ") : QString();
        return least + QString::number(count(at));
      },
      [count](At at) { return static_cast<double>(count(at)); });
  nonFinite.roles[NonFiniteRole] = ofRow([count](At at) { return count(at) > 0; });
  nonFinite.roles[Qt::ToolTipRole] = ofRow([](At at) {
    return nonFiniteHelp(at.comparison(),
                         at.document.baselineOf(at.document.variantName(at.row.variant)));
  });
}

void ColumnMaker::addRules(const RuleVerdictsPtr& verdicts) {
  using analysis::Judgement;
  const auto verdictAt = [verdicts](const ShownTensor& at) {
    return verdicts == nullptr ? nullptr : verdicts->find(at.row.variant, at.row.site);
  };
  const auto judgementAt = [verdictAt](const ShownTensor& at) {
    const analysis::RowVerdict* const verdict = verdictAt(at);
    return verdict == nullptr ? Judgement::NotJudged : verdict->judgement;
  };
  // What fails comes first, what passes last.
  TensorTableColumn& column = addText(
      QStringLiteral("rules"),
      TensorColumnsWords::tr("Rules"),
      [judgementAt](const ShownTensor& at) { return judgementText(judgementAt(at)); },
      [judgementAt](const ShownTensor& at) {
        constexpr std::array kOrder{3.0, 1.0, 0.0, 2.0};
        return kOrder.at(static_cast<std::size_t>(judgementAt(at)));
      });
  column.exported = ofRow([judgementAt](const ShownTensor& at) {
    return report::DataCell(judgementKey(judgementAt(at)).toStdString());
  });
  column.roles[DimRole] = ofRow(
      [judgementAt](const ShownTensor& at) { return judgementAt(at) == Judgement::NotJudged; });
  column.roles[SeverityRole] = ofRow([judgementAt](const ShownTensor& at) {
    const Judgement judgement = judgementAt(at);
    return judgement == Judgement::NotJudged ? QVariant()
                                             : QVariant(static_cast<int>(severityOf(judgement)));
  });
  column.roles[Qt::ToolTipRole] = ofRow([verdicts, verdictAt](const ShownTensor& at) {
    const analysis::RowVerdict* const verdict = verdictAt(at);
    return verdict == nullptr ? QString() : reasonText(*verdict, *verdicts);
  });
}

void ColumnMaker::addMetric(int metric, const NoiseRuns& noise) {
  const MetricInfo& info = m_document.metrics()[static_cast<std::size_t>(metric)];
  const auto isNoise = [metric, noise](const ShownTensor& at) {
    return isWithinNoise(at.document, noise, {at.row.variant, at.row.site, metric});
  };
  const auto isNonFinite = [metric](const ShownTensor& at) {
    return at.document.isNonFinite(at.row.variant, at.row.site, metric);
  };
  TensorTableColumn& column =
      addValue(info.id,
               info,
               metricHelp(info),
               [metric](const ShownTensor& at) {
                 return at.document.value(at.row.variant, at.row.site, metric);
               },
               {});
  column.roles[Qt::DisplayRole] =
      ofRow([metric, key = column.key, isNonFinite](const ShownTensor& at) {
        return at.document.columnFormat(metric).text(key(at.row), isNonFinite(at));
      });
  column.roles[RawRole] =
      ofRow([isNonFinite, exact = column.roles[RawRole]](const ShownTensor& at) {
        return isNonFinite(at) ? QVariant(QStringLiteral("NaN")) : exact(at.row);
      });
  column.roles[NonFiniteRole] = ofRow(isNonFinite);
  column.exported = ofRow([&info, key = column.key](const ShownTensor& at) {
    return report::numberCell(inUnit(key(at.row), info), at.comparison().isAllNonFinite());
  });
  column.roles[DimRole] =
      ofRow([isNothing = column.roles[DimRole], isNoise, isNonFinite](const ShownTensor& at) {
        return (isNothing(at.row).toBool() && !isNonFinite(at)) || isNoise(at);
      });
  column.roles[Qt::ToolTipRole] =
      ofRow([&info, metric, noise, isNoise, exact = column.roles[RawRole]](const ShownTensor& at) {
        QStringList lines{exact(at.row).toString(),
                          spreadHelp(at.document.spread(at.row.variant, at.row.site, metric),
                                     at.document.variant(at.row.variant).samples,
                                     info),
                          ulpHelp(at.document, {at.row.variant, at.row.site, metric})};
        if (isNoise(at)) {
          lines << withinNoiseText(noise);
        }
        lines.removeAll(QString());
        return lines.join(QLatin1Char('\n'));
      });
}

void ColumnMaker::addInterval(int metric, MetricInfo info) {
  info.label = QStringLiteral("%1 ±").arg(info.label);
  addWidth(
      QStringLiteral("interval"),
      info,
      SampleColumnsWords::tr(
          "Half of the 95 % interval of the mean over the samples (Student's t), of "
          "the metric that charts show"),
      [metric](const ShownTensor& at) {
        return at.halfInterval(at.document.spread(at.row.variant, at.row.site, metric));
      },
      metric < 0 ? ColumnFormat() : m_document.intervalFormat(metric))
      .isOfShownMetric = true;
}

void ColumnMaker::addFloor(int metric, MetricInfo info) {
  info.label = SampleColumnsWords::tr("%1 noise floor").arg(info.label);
  addValue(
      QStringLiteral("floor"),
      info,
      SampleColumnsWords::tr(
          "How far the reference is from itself, in the metric that charts show: "
          "what is no worse need not be an effect of the variant"),
      [metric](const ShownTensor& at) {
        return metric >= 0 && at.document.hasNoiseFloor(at.row.variant)
                   ? at.document.noiseFloor().at(at.comparison().site,
                                                 static_cast<std::size_t>(metric))
                   : kUnknown;
      },
      [info](double number) { return metricText(number, info); })
      .isOfShownMetric = true;
}

void ColumnMaker::addGain() {
  MetricInfo info{.label = SampleColumnsWords::tr("Gain error"),
                  .unit = numerics::MetricUnit::Percent};
  addValue(
      QStringLiteral("gain_error"),
      info,
      SampleColumnsWords::tr(
          "How much larger (+) or smaller (−) the tensor is than that of %1, along "
          "it; mean over the samples")
          .arg(m_document.baselineNames().join(QStringLiteral(", "))),
      [](const ShownTensor& at) { return at.comparison().gainError; },
      [info](double number) { return metricText(number, info); })
      .roles[Qt::ToolTipRole] = ofRow([info](const ShownTensor& at) {
    return spreadHelp(
        at.comparison().gainSpread, at.document.variant(at.row.variant).samples, info);
  });
  info.label = SampleColumnsWords::tr("Gain error ±");
  addWidth(
      QStringLiteral("gain_error_ci95"),
      info,
      SampleColumnsWords::tr("Half of the 95 % interval of the gain error"),
      [](const ShownTensor& at) { return at.halfInterval(at.comparison().gainSpread); },
      ColumnFormat::ofWidths({}, info));
  addValue(
      QStringLiteral("gain_error_systematic"),
      {.label = SampleColumnsWords::tr("Systematic")},
      SampleColumnsWords::tr(
          "Whether the 95 % interval of the gain error excludes 0: the error has a "
          "direction"),
      [](const ShownTensor& at) {
        const report::Comparison& row = at.comparison();
        const bool isSystematic = report::isSystematic(
            row.gainError, row.gainSpread, at.document.variant(at.row.variant).samples);
        return std::isnan(row.gainError) ? kUnknown : (isSystematic ? 1 : 0);
      },
      [](double number) { return number == 1 ? TensorColumnsWords::tr("systematic") : QString(); })
      .roles.erase(Qt::ToolTipRole);
}

void ColumnMaker::addFlippedTokens() {
  const MetricInfo info{.label = SampleColumnsWords::tr("Flipped tokens"),
                        .unit = numerics::MetricUnit::Percent};
  addValue(
      QStringLiteral("flipped_tokens"),
      info,
      SampleColumnsWords::tr("Tokens for which the router, that of the block or those of the layer "
                             "choose other experts than in %1")
          .arg(m_document.baselineNames().join(QStringLiteral(", "))),
      [](const ShownTensor& at) {
        return report::flippedShareAt(at.document.variant(at.row.variant).routers, at.site());
      },
      [info](double number) { return metricText(number, info); });
}

}  // namespace

int firstSampleColumn(const ReportDocument& document) {
  return kFirstMetric + static_cast<int>(document.metrics().size());
}

std::vector<TensorTableColumn> tensorColumns(const ReportDocument& document,
                                             int metric,
                                             const NoiseRuns& noise,
                                             const RuleVerdictsPtr& verdicts) {
  ColumnMaker maker(document);
  maker.addBeforeMetrics();
  maker.addRules(verdicts);
  for (int i = 0; i < static_cast<int>(document.metrics().size()); ++i) {
    maker.addMetric(i, noise);
  }
  const MetricInfo shown =
      metric < 0 ? MetricInfo() : document.metrics()[static_cast<std::size_t>(metric)];
  if (document.hasSpread()) {
    maker.addInterval(metric, shown);
  }
  if (document.noiseFloor().isKnown()) {
    maker.addFloor(metric, shown);
  }
  if (document.hasSpread()) {
    maker.addGain();
  }
  const auto hasRouters = [&](int variant) { return !document.variant(variant).routers.empty(); };
  const auto variants = std::views::iota(0, document.variantCount());
  if (std::ranges::any_of(variants, hasRouters)) {
    maker.addFlippedTokens();
  }
  return maker.take();
}

}  // namespace ulp::views
