#include "views/plugins/experts/router_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtCore/QCoreApplication>

#include "core/base/text/format_number.h"

namespace ulp::views {
namespace {

struct RouterRowsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Experts)
};

QString routerNumber(double value) {
  return std::isnan(value) ? missingText() : QString::fromStdString(formatSignificant(value));
}

QString wholeNumber(double value) {
  return countText(static_cast<std::uint64_t>(value));
}

double percent(double share) {
  return share * 100;
}

template <class Of>
Column<RouterRow> numberColumn(const QString& title, const QString& toolTip, Of of) {
  const auto value = [of](const RouterRow& row) { return static_cast<double>(of(row.choice)); };
  return {.title = title,
          .toolTip = toolTip,
          .alignment = kNumberAlignment,
          .roles = numberRoles<RouterRow>(value, routerNumber)};
}

template <class Of>
Column<RouterRow> countColumn(const QString& title, const QString& toolTip, Of of) {
  const auto value = [of](const RouterRow& row) { return static_cast<double>(of(row.choice)); };
  return {.title = title,
          .toolTip = toolTip,
          .alignment = kNumberAlignment,
          .roles = numberRoles<RouterRow>(value, wholeNumber)};
}

using Choice = report::RouterChoice;

void addErrorColumns(std::vector<Column<RouterRow>>& columns) {
  const QString help = RouterRowsWords::tr(
      "RMS error of the block's output over these tokens, relative to the "
      "reference; – where the output was not captured or there are no such "
      "tokens");
  const QString group = RouterRowsWords::tr("Error of the output, %");
  columns.push_back(
      numberColumn(RouterRowsWords::tr("Other tokens"), help, [](const Choice& choice) {
        return percent(choice.same.relative());
      }));
  columns.push_back(numberColumn(RouterRowsWords::tr("Flipped"), help, [](const Choice& choice) {
    return percent(choice.other.relative());
  }));
  columns.push_back(numberColumn(
      RouterRowsWords::tr("Ratio"),
      RouterRowsWords::tr("Error of flipped tokens over that of the others"),
      [](const Choice& choice) { return choice.other.relative() / choice.same.relative(); }));
  for (std::size_t i = columns.size() - 3; i < columns.size(); ++i) {
    columns[i].group = group;
  }
}

void addMarginColumns(std::vector<Column<RouterRow>>& columns) {
  const QString help = RouterRowsWords::tr(
      "In the reference: score of the last expert chosen less that of the first one not chosen, in "
      "the numbers that the model compares; half of the tokens have at most this, to a factor of "
      "2");
  columns.push_back(numberColumn(RouterRowsWords::tr("All"), help, [](const Choice& choice) {
    return report::medianMargin(choice.margins, false);
  }));
  columns.push_back(numberColumn(RouterRowsWords::tr("Flipped"), help, [](const Choice& choice) {
    return report::medianMargin(choice.margins, true);
  }));
  for (std::size_t i = columns.size() - 2; i < columns.size(); ++i) {
    columns[i].group = RouterRowsWords::tr("Median margin");
  }
}

}  // namespace

std::vector<RouterRow> makeRouterRows(const ReportDocument& document,
                                      int variant,
                                      const QStringList& chosen) {
  std::vector<RouterRow> rows;
  for (int i = 0; i < document.variantCount(); ++i) {
    const QString name = document.variantName(i);
    if ((variant >= 0 && i != variant) || (!chosen.isEmpty() && !chosen.contains(name))) {
      continue;
    }
    for (const Choice& choice : document.variant(i).routers) {
      rows.push_back(
          {.run = name, .router = QString::fromStdString(choice.router), .choice = choice});
    }
  }
  return rows;
}

std::vector<Column<RouterRow>> routerColumns(bool hasRun) {
  std::vector<Column<RouterRow>> columns;
  if (hasRun) {
    columns.push_back(
        {.title = RouterRowsWords::tr("Variant"), .roles = textRoles<RouterRow>(&RouterRow::run)});
  }
  columns.push_back({.title = RouterRowsWords::tr("Layer"),
                     .alignment = kNumberAlignment,
                     .roles = {{Qt::DisplayRole,
                                [](const RouterRow& row) {
                                  return row.choice.layer < 0 ? QVariant(missingText())
                                                              : QVariant(row.choice.layer);
                                }},
                               {SortRole, [](const RouterRow& row) {
                                  return static_cast<double>(row.choice.layer);
                                }}}});
  columns.push_back(
      {.title = RouterRowsWords::tr("Router"), .roles = textRoles<RouterRow>(&RouterRow::router)});
  columns.push_back(
      {.title = RouterRowsWords::tr("Experts"),
       .toolTip = RouterRowsWords::tr("Experts that each token has, of all"),
       .roles = textRoles<RouterRow>([](const RouterRow& row) {
         return RouterRowsWords::tr("%1 of %2").arg(row.choice.chosen).arg(row.choice.experts);
       })});
  columns.push_back(countColumn(
      RouterRowsWords::tr("Tokens"), {}, [](const Choice& choice) { return choice.tokens; }));
  columns.push_back(numberColumn(
      RouterRowsWords::tr("Flipped, %"),
      RouterRowsWords::tr("Tokens for which the variant chooses another set of experts"),
      [](const Choice& choice) { return percent(choice.flippedShare()); }));
  columns.push_back(
      numberColumn(RouterRowsWords::tr("Experts changed, %"),
                   RouterRowsWords::tr("Choices of the reference that the variant does not make"),
                   [](const Choice& choice) {
                     return percent(static_cast<double>(choice.changed) /
                                    static_cast<double>(choice.tokens * choice.chosen));
                   }));
  addErrorColumns(columns);
  addMarginColumns(columns);
  return columns;
}

QString routerHeadline(const QString& run, const std::vector<RouterRow>& rows) {
  std::vector<Choice> choices;
  for (const RouterRow& row : rows) {
    choices.push_back(row.choice);
  }
  const double all = report::flippedShare(choices);
  if (std::isnan(all)) {
    return {};
  }
  if (all == 0) {
    return RouterRowsWords::tr("%1 chooses the experts of the reference for every token.").arg(run);
  }
  const auto most = std::ranges::max_element(
      rows, {}, [](const RouterRow& row) { return row.choice.flippedShare(); });
  const QString text =
      RouterRowsWords::tr("%1 chooses other experts for %2 % of the tokens, at layer %3 for %4 %.");
  return text.arg(run,
                  routerNumber(percent(all)),
                  QString::number(most->choice.layer),
                  routerNumber(percent(most->choice.flippedShare())));
}

}  // namespace ulp::views
