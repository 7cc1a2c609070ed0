#include "views/plugins/log_probabilities/loss_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <QtCore/QCoreApplication>

#include "core/base/text/format_number.h"
#include "views/framework/words/metric_text.h"
#include "views/plugins/log_probabilities/gap_data.h"

namespace ulp::views {
namespace {

using report::ClipSummary;
using report::LossTermSummary;

using Number = std::optional<double>;

struct LossRowsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::LogProbabilities)
};

QString textOf(const std::string& text) {
  return QString::fromStdString(text);
}

Number metricOf(const LossTermSummary& term, const std::string& name) {
  const auto found =
      std::ranges::find_if(term.metrics, [&](const auto& metric) { return metric.first == name; });
  return found == term.metrics.end() ? Number() : found->second;
}

/// Collects the rows of one run.
class RunRows {
 public:
  RunRows(const report::Run& run, const report::Run* baseline, int style)
      : m_run(run), m_baseline(baseline), m_style(style) {}

  std::vector<LossRow> take() && {
    const bool hasOtherLoss = m_baseline != nullptr && m_baseline->hasLoss;
    if (m_run.hasLoss) {
      add({},
          LossRowsWords::tr("loss"),
          m_run.loss,
          hasOtherLoss ? Number(m_baseline->loss) : Number());
    }
    for (std::size_t i = 0; i < m_run.step.terms.size(); ++i) {
      const LossTermSummary& term = m_run.step.terms[i];
      // Terms of another study are not the same ones.
      const bool hasOther = m_baseline != nullptr && i < m_baseline->step.terms.size() &&
                            m_baseline->step.terms[i].type == term.type;
      addTerm(term, hasOther ? &m_baseline->step.terms[i] : nullptr);
    }
    return std::move(m_rows);
  }

 private:
  void add(const QString& term, const QString& quantity, double value, const Number& baseline) {
    m_rows.push_back({.run = textOf(m_run.name),
                      .style = m_style,
                      .term = term,
                      .quantity = quantity,
                      .value = value,
                      .baseline = baseline});
  }

  void addTerm(const LossTermSummary& term, const LossTermSummary* other) {
    const QString type = textOf(term.type);
    add(type, LossRowsWords::tr("value"), term.value, other == nullptr ? Number() : other->value);
    for (const auto& [name, value] : term.metrics) {
      add(type, textOf(name), value, other == nullptr ? Number() : metricOf(*other, name));
    }
    if (term.clips) {
      addClips(type, *term.clips, other != nullptr && other->clips ? &*other->clips : nullptr);
    }
  }

  void addClips(const QString& term, const ClipSummary& clips, const ClipSummary* other) {
    const auto count = [&](const QString& quantity, auto of, const ClipSummary* beside) {
      const auto number = [&of](const ClipSummary& all) {
        return static_cast<double>(std::invoke(of, all));
      };
      add(term, quantity, number(clips), beside == nullptr ? Number() : number(*beside));
      m_rows.back().isCount = true;
      m_rows.back().total = static_cast<double>(clips.count);
    };
    const bool isToken = clips.unit == "token";
    count(isToken ? LossRowsWords::tr("tokens below the clip range")
                  : LossRowsWords::tr("documents below the clip range"),
          &ClipSummary::below,
          other);
    count(
        isToken ? LossRowsWords::tr("tokens within the clip range")
                : LossRowsWords::tr("documents within the clip range"),
        [](const ClipSummary& all) { return all.count - all.below - all.above; },
        other);
    count(isToken ? LossRowsWords::tr("tokens above the clip range")
                  : LossRowsWords::tr("documents above the clip range"),
          &ClipSummary::above,
          other);
    count(isToken ? LossRowsWords::tr("tokens without a gradient")
                  : LossRowsWords::tr("documents without a gradient"),
          &ClipSummary::stopped,
          other);
    if (clips.flips) {
      count(
          isToken ? LossRowsWords::tr("tokens whose clip decision flips")
                  : LossRowsWords::tr("documents whose clip decision flips"),
          [](const ClipSummary& all) { return *all.flips; },
          nullptr);
    }
    if (clips.gradientFlips) {
      count(
          isToken ? LossRowsWords::tr("tokens with a gradient in one run alone")
                  : LossRowsWords::tr("documents with a gradient in one run alone"),
          [](const ClipSummary& all) { return *all.gradientFlips; },
          nullptr);
    }
  }

  const report::Run& m_run;
  const report::Run* m_baseline;
  int m_style;
  std::vector<LossRow> m_rows;
};

Column<LossRow> textColumn(const QString& title, QString LossRow::*member) {
  return {.title = title, .roles = textRoles<LossRow>(member)};
}

QVariant keyOf(const Number& value) {
  return value ? QVariant(*value) : QVariant();
}

QString numberText(const Number& value, bool isCount) {
  return !value    ? missingText()
         : isCount ? QString::number(*value, 'f', 0)
                   : QString::fromStdString(formatSignificant(*value, kLossDigits));
}

Column<LossRow> numberColumn(const QString& title, Number (*valueOf)(const LossRow&)) {
  const auto exact = [valueOf](const LossRow& row) {
    const Number value = valueOf(row);
    return value ? QString::fromStdString(formatExact(*value)) : QString();
  };
  return {
      .title = title,
      .alignment = kNumberAlignment,
      .roles = {{Qt::DisplayRole,
                 [valueOf](const LossRow& row) { return numberText(valueOf(row), row.isCount); }},
                {SortRole, [valueOf](const LossRow& row) { return keyOf(valueOf(row)); }},
                {RawRole, exact},
                {Qt::ToolTipRole, exact},
                {DimRole, [valueOf](const LossRow& row) { return !valueOf(row); }},
                {NonFiniteRole, [valueOf](const LossRow& row) {
                   const Number value = valueOf(row);
                   return value && !std::isfinite(*value);
                 }}}};
}

Number valueOf(const LossRow& row) {
  return row.value;
}

Number baselineOf(const LossRow& row) {
  return row.baseline;
}

Number differenceOf(const LossRow& row) {
  return row.baseline ? Number(row.value - *row.baseline) : Number();
}

/// What a count is of its total.
Column<LossRow> shareColumn() {
  const auto ofShare = [](auto make) {
    return [make](const LossRow& row) {
      return row.total > 0 ? QVariant(make(row.value / row.total)) : QVariant();
    };
  };
  return {.title = LossRowsWords::tr("Share, %"),
          .toolTip = LossRowsWords::tr("Of all tokens or documents of the term"),
          .alignment = kNumberAlignment,
          .roles = {{Qt::DisplayRole, ofShare([](double share) {
                       return QString::fromStdString(formatPercent(share));
                     })},
                    {SortRole, ofShare([](double share) { return share * 100; })},
                    {RawRole, ofShare([](double share) { return exactText(share * 100); })}}};
}

}  // namespace

std::vector<LossRow> makeLossRows(const ReportDocument& document, const QStringList& chosen) {
  const report::Report& joined = *document.basis().open->joined.report;
  std::vector<LossRow> rows;
  for (const report::Run& run : document.report().runs) {
    const QString own = textOf(run.name);
    const bool isShown = own != document.baselineName() && run.role == report::RunRole::Variant &&
                         run.status == report::RunStatus::Finished &&
                         (chosen.isEmpty() || chosen.contains(own));
    const report::Run* known = joined.findRun(run.name);
    if (!isShown || known == nullptr) {
      continue;
    }
    const report::Run* baseline = joined.findRun(gapBaseline(document, own).toStdString());
    for (LossRow& row : RunRows(*known, baseline, runStyle(document, own)).take()) {
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<Column<LossRow>> lossColumns() {
  std::vector<Column<LossRow>> columns{
      textColumn(LossRowsWords::tr("Run"), &LossRow::run),
      textColumn(LossRowsWords::tr("Term"), &LossRow::term),
      textColumn(LossRowsWords::tr("Quantity"), &LossRow::quantity),
      numberColumn(LossRowsWords::tr("Value"), valueOf),
      numberColumn(LossRowsWords::tr("Baseline"), baselineOf),
      numberColumn(LossRowsWords::tr("Value − baseline"), differenceOf),
      shareColumn()};
  columns.front().roles[VariantRole] = &LossRow::style;
  return columns;
}

}  // namespace ulp::views
