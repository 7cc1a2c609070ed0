#include "views/plugins/table/table_filter.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QtCore/QCoreApplication>

#include "core/base/kernels/kernel_name.h"
#include "core/base/undefined.h"
#include "views/framework/words/site_text.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

struct TableFilterWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::TableFilter)
};

/// "RMS rel" as one word, in which case does not matter.
QString keyOf(const QString& name) {
  return name.toLower().replace(u' ', u'_');
}

double countOf(std::uint64_t count) {
  return static_cast<double>(count);
}

/// Numbers of a row that are no metrics.
struct OwnNumber {
  const char* name;
  double (*of)(const report::Comparison&);
};

constexpr std::array<OwnNumber, 6> kOwnNumbers{
    {{"nan", [](const report::Comparison& row) { return countOf(row.variantNonFinite.nan); }},
     {"inf",
      [](const report::Comparison& row) {
        return countOf(row.variantNonFinite.total() - row.variantNonFinite.nan);
      }},
     {"nonfinite",
      [](const report::Comparison& row) { return countOf(row.variantNonFinite.total()); }},
     {"layer",
      [](const report::Comparison& row) {
        return row.site.layer < 0 ? kUndefined : row.site.layer;
      }},
     {"elements", [](const report::Comparison& row) { return countOf(row.count); }},
     {"gain_error", [](const report::Comparison& row) { return row.gainError * 100; }}}};

bool isPartOf(const QStringList& parts, const QString& text) {
  return parts.isEmpty() || std::ranges::any_of(parts, [&text](const QString& part) {
           return text.contains(part, Qt::CaseInsensitive);
         });
}

Error unknownName(const ReportDocument& document, const QString& name) {
  QStringList known;
  for (const MetricInfo& metric : document.metrics()) {
    known << metric.id;
  }
  for (const OwnNumber& own : kOwnNumbers) {
    known << QLatin1String(own.name);
  }
  return Error(ErrorCode::InvalidArgument,
               TableFilterWords::tr("no value is called “%1”; there are %2")
                   .arg(name, known.join(QStringLiteral(", ")))
                   .toStdString());
}

}  // namespace

Result<TableFilter> TableFilter::make(const ReportDocument& document,
                                      const QString& text,
                                      bool regex) {
  TableFilter filter;
  filter.m_variants.assign(static_cast<std::size_t>(document.variantCount()), true);
  if (regex) {
    filter.m_expression = ULP_TRY(
        RegularExpression::compile(text.toStdString(), RegularExpression::Dialect::NamesInAnyCase));
    return filter;
  }
  const QString words = ULP_TRY(filter.takeConditions(document, text));
  for (const QString& word : filterWords(words)) {
    filter.addWord(document, word);
  }
  return filter;
}

std::optional<TableFilter::Number> TableFilter::numberOf(const ReportDocument& document,
                                                         const QString& name) {
  const QString key = keyOf(name);
  for (int i = 0; i < static_cast<int>(document.metrics().size()); ++i) {
    const MetricInfo& metric = document.metrics()[static_cast<std::size_t>(i)];
    if (keyOf(metric.id) == key || keyOf(metric.label) == key) {
      return [i, metric](const ReportDocument& of, const TensorRow& row) {
        return inUnit(of.value(row.variant, row.site, i), metric);
      };
    }
  }
  const auto own = std::ranges::find(
      kOwnNumbers, key, [](const OwnNumber& number) { return QLatin1String(number.name); });
  if (own == kOwnNumbers.end()) {
    return std::nullopt;
  }
  return [value = own->of](const ReportDocument& of, const TensorRow& row) {
    return value(*of.comparison(row.variant, row.site));
  };
}

Result<QString> TableFilter::takeConditions(const ReportDocument& document, const QString& text) {
  std::optional<Error> error;
  const QString rest = takeComparisons(text, [&](const FilterComparison& comparison) {
    std::optional<Number> value = numberOf(document, comparison.name);
    if (!value && !comparison.number) {
      return false;
    }
    if (!error && !value) {
      error = unknownName(document, comparison.name);
    } else if (!error && !comparison.number) {
      error = Error(ErrorCode::InvalidArgument,
                    TableFilterWords::tr("“%1” is no number, with which %2 could be compared")
                        .arg(comparison.written, comparison.name)
                        .toStdString());
    } else if (!error) {
      m_conditions.push_back({std::move(*value), comparison});
    }
    return true;
  });
  return error ? tl::unexpected(*std::move(error)) : Result<QString>(rest);
}

void TableFilter::addWord(const ReportDocument& document, const QString& word) {
  const QString key = word.section(u':', 0, 0).toLower();
  const QString value = word.section(u':', 1);
  if (key == QLatin1String("variant") && !value.isEmpty()) {
    m_namesVariants = true;
    for (int variant = 0; variant < document.variantCount(); ++variant) {
      auto accepted = m_variants[static_cast<std::size_t>(variant)];
      accepted = accepted && document.variantName(variant).contains(value, Qt::CaseInsensitive);
    }
  } else if (key == QLatin1String("pass") && !value.isEmpty()) {
    m_passes << value;
  } else if (key == QLatin1String("format") && !value.isEmpty()) {
    m_formats << value;
  } else if (key == QLatin1String("rules") && !value.isEmpty()) {
    m_judgements << value;
  } else if (key == QLatin1String("kernel") && !value.isEmpty()) {
    addKernel(document, value);
  } else {
    m_words << word;
  }
}

void TableFilter::addKernel(const ReportDocument& document, const QString& part) {
  std::vector<std::vector<bool>>& variants = m_kernels.emplace_back();
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    std::vector<bool>& called = variants.emplace_back();
    for (const std::string& name : document.variant(variant).kernels.names) {
      called.push_back(utf8Text(name).contains(part, Qt::CaseInsensitive) ||
                       utf8Text(shortKernelName(name)).contains(part, Qt::CaseInsensitive));
    }
  }
}

bool TableFilter::acceptsKernels(const ReportDocument& document, const TensorRow& row) const {
  if (m_kernels.empty()) {
    return true;
  }
  const Site& site = document.sites()[static_cast<std::size_t>(row.site)];
  const KernelRecord::Rows& rows = document.variant(row.variant).kernels.of(site.pass);
  const auto ran = rows.find(site.name);
  return ran != rows.end() && std::ranges::all_of(m_kernels, [&](const auto& variants) {
           const std::vector<bool>& called = variants[static_cast<std::size_t>(row.variant)];
           return std::ranges::any_of(ran->second,
                                      [&](std::uint32_t kernel) { return bool(called[kernel]); });
         });
}

Result<bool> TableFilter::acceptsSite(const Site& site) const {
  if (m_expression) {
    const bool isNamed = ULP_TRY(m_expression->isFoundIn(site.name));
    return isNamed ? Result<bool>(true) : m_expression->isFoundIn(site.module);
  }
  const QString name = QString::fromStdString(site.name);
  const QString module = QString::fromStdString(site.module);
  return isPartOf(m_passes, passText(site.pass)) &&
         std::ranges::all_of(m_words, [&](const QString& word) {
           return name.contains(word, Qt::CaseInsensitive) ||
                  module.contains(word, Qt::CaseInsensitive);
         });
}

bool TableFilter::acceptsRow(const ReportDocument& document, const TensorRow& row) const {
  const report::Comparison& comparison = *document.comparison(row.variant, row.site);
  const auto isOfFormat = [&] {
    const QString format = QString::fromStdString(comparison.variantDType);
    // By its beginning: float16 is no bfloat16.
    return std::ranges::any_of(m_formats, [&format](const QString& wanted) {
      return format.startsWith(wanted, Qt::CaseInsensitive);
    });
  };
  return (m_formats.isEmpty() || isOfFormat()) && acceptsKernels(document, row) &&
         std::ranges::all_of(m_conditions, [&](const Condition& condition) {
           return condition.comparison.holdsFor(condition.value(document, row));
         });
}

bool TableFilter::acceptsVerdict(const RuleVerdicts* verdicts, const TensorRow& row) const {
  if (m_judgements.isEmpty()) {
    return true;
  }
  const analysis::RowVerdict* const verdict =
      verdicts == nullptr ? nullptr : verdicts->find(row.variant, row.site);
  return verdict != nullptr && std::ranges::all_of(m_judgements, [&](const QString& wanted) {
           return judgementKey(verdict->judgement).startsWith(wanted, Qt::CaseInsensitive) ||
                  judgementWord(verdict->judgement).startsWith(wanted, Qt::CaseInsensitive);
         });
}

bool looksLikeExpression(const QString& text) {
  static const QString kSigns = QStringLiteral("\\^$[](){}|*+?");
  const bool hasSign =
      std::ranges::any_of(text, [](QChar letter) { return kSigns.contains(letter); });
  return hasSign &&
         RegularExpression::compile(text.toStdString(), RegularExpression::Dialect::NamesInAnyCase)
             .has_value();
}

}  // namespace ulp::views
