#include "views/plugins/config_diff/config_rows.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <QtCore/QCoreApplication>

#include "core/study/schema/schema.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

struct ConfigRowsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::ConfigDiff)
};

/// Who set a key, as reports spell it; a newer writer may know others.
QString originWord(const std::string& origin) {
  static const std::array<std::pair<const char*, const char*>, 6> kOrigins{{
      {"default", QT_TRANSLATE_NOOP("ulp::views::ConfigDiff", "default")},
      {"study", QT_TRANSLATE_NOOP("ulp::views::ConfigDiff", "study")},
      {"reference_fp32", QT_TRANSLATE_NOOP("ulp::views::ConfigDiff", "float32 everywhere")},
      {"variant", QT_TRANSLATE_NOOP("ulp::views::ConfigDiff", "variant")},
      {"command_line", QT_TRANSLATE_NOOP("ulp::views::ConfigDiff", "command line")},
      {"run", QT_TRANSLATE_NOOP("ulp::views::ConfigDiff", "the run itself")},
  }};
  const auto* known =
      std::ranges::find_if(kOrigins, [&](const auto& entry) { return origin == entry.first; });
  return known == kOrigins.end() ? QString::fromStdString(origin)
                                 : ConfigRowsWords::tr(known->second);
}

ConfigCell cellOf(const report::EffectiveKeys& keys, const std::string& key) {
  const auto found = keys.find(key);
  if (found == keys.end()) {
    return {};
  }
  return {.value = QString::fromStdString(found->second.value),
          .origin = found->second.follows ? ConfigRowsWords::tr("follows")
                                          : originWord(found->second.origin),
          .isDefault = found->second.origin == "default"};
}

ConfigRow rowOf(const report::EffectiveConfig& config, const std::string& key) {
  ConfigRow row{.key = QString::fromStdString(key)};
  if (const study::Key* known = study::findKey(key)) {
    row.help = utf8Text(known->help);
  }
  for (const auto& [run, keys] : config) {
    ConfigCell cell = cellOf(keys, key);
    if (!row.cells.empty()) {
      cell.differs = cell.value != row.cells.front().value;
      row.differs = row.differs || cell.differs;
    }
    row.cells.push_back(std::move(cell));
  }
  return row;
}

QString cellText(const ConfigCell& cell) {
  if (cell.isMissing()) {
    return missingText();
  }
  return cell.origin.isEmpty() ? cell.value
                               : QStringLiteral("%1  · %2").arg(cell.value, cell.origin);
}

QString cellToolTip(const ConfigRow& row, const ConfigCell& cell, const QString& run) {
  if (cell.isMissing()) {
    return ConfigRowsWords::tr("The report does not say what %1 used for %2.").arg(run, row.key);
  }
  return cell.origin.isEmpty() ? ConfigRowsWords::tr("%1 = %2 in %3").arg(row.key, cell.value, run)
                               : ConfigRowsWords::tr("%1 = %2 in %3, set by: %4")
                                     .arg(row.key, cell.value, run, cell.origin);
}

Column<ConfigRow> keyColumn() {
  return {.title = ConfigRowsWords::tr("Key"),
          .roles = {{Qt::DisplayRole, &ConfigRow::key},
                    {Qt::ToolTipRole, [](const ConfigRow& row) {
                       return row.help.isEmpty() ? row.key
                                                 : QStringLiteral("%1\n%2").arg(row.key, row.help);
                     }}}};
}

/// The roles of the value of the run at a place.
CellRoles<ConfigRow> valueRoles(std::size_t place, const QString& run) {
  return {{Qt::DisplayRole, [=](const ConfigRow& row) { return cellText(row.cells[place]); }},
          {SortRole, [=](const ConfigRow& row) { return row.cells[place].value; }},
          {RawRole, [=](const ConfigRow& row) { return row.cells[place].value; }},
          {Qt::ToolTipRole,
           [=](const ConfigRow& row) { return cellToolTip(row, row.cells[place], run); }},
          {DimRole,
           [=](const ConfigRow& row) {
             return row.cells[place].isMissing() || row.cells[place].isDefault;
           }},
          {EmphasisRole, [=](const ConfigRow& row) { return row.cells[place].differs; }}};
}

bool fits(const ConfigRow& row, const QString& text) {
  return row.key.contains(text, Qt::CaseInsensitive) ||
         std::ranges::any_of(row.cells, [&](const ConfigCell& cell) {
           return cellText(cell).contains(text, Qt::CaseInsensitive);
         });
}

}  // namespace

Result<ConfigTable> makeConfigTable(const ReportDocument& document) {
  const auto config = ULP_TRY(report::effectiveConfig(document.report()));
  ConfigTable table;
  std::set<std::string> keys;
  for (const auto& [run, values] : config) {
    table.runs.push_back(QString::fromStdString(run));
    for (const auto& [key, value] : values) {
      keys.insert(key);
    }
  }
  for (const std::string& key : keys) {
    table.rows.push_back(rowOf(config, key));
  }
  return table;
}

std::vector<ConfigRow> filterConfig(const ConfigTable& table,
                                    const QString& text,
                                    bool differencesOnly) {
  std::vector<ConfigRow> rows;
  for (const ConfigRow& row : table.rows) {
    if ((row.differs || !differencesOnly) && (text.isEmpty() || fits(row, text))) {
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<Column<ConfigRow>> configColumns(const ConfigTable& table) {
  std::vector<Column<ConfigRow>> columns{keyColumn()};
  for (std::size_t i = 0; i < table.runs.size(); ++i) {
    columns.push_back({.title = runLabel(table.runs[i]),
                       .toolTip = i == 0 ? ConfigRowsWords::tr("What the others are compared with")
                                         : ConfigRowsWords::tr("Set apart where it differs from %1")
                                               .arg(table.runs.front()),
                       .roles = valueRoles(i, table.runs[i])});
  }
  return columns;
}

report::DataTable configData(const QString& title,
                             const ConfigTable& table,
                             const std::vector<ConfigRow>& rows) {
  report::DataTable data{.title = title.toStdString(),
                         .columns = {{.title = ConfigRowsWords::tr("Key").toStdString()}}};
  for (const QString& run : table.runs) {
    for (const QString& heading : {ConfigRowsWords::tr("value"), ConfigRowsWords::tr("set by")}) {
      data.columns.push_back(
          {.title = heading.toStdString(), .group = runLabel(run).toStdString()});
    }
  }
  for (const ConfigRow& row : rows) {
    std::vector<report::DataCell>& line = data.rows.emplace_back();
    line.emplace_back(row.key.toStdString());
    for (const ConfigCell& cell : row.cells) {
      for (const QString& text : {cell.value, cell.origin}) {
        line.push_back(cell.isMissing() ? report::DataCell() : text.toStdString());
      }
    }
  }
  return data;
}

}  // namespace ulp::views
