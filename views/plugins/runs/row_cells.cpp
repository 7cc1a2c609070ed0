#include "views/plugins/runs/row_cells.h"

#include <cmath>

namespace ulp::views {
QString shareText(double fraction) {
  constexpr double kPercent = 100;
  return QStringLiteral("%1 %").arg(static_cast<int>(std::floor(fraction * kPercent)));
}

QVariant stateCell(const StateText& state, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return QStringLiteral("%1 %2").arg(state.glyph, state.word);
    case RawRole:
      return state.word;
    case SeverityRole:
      return state.severity == Severity::Fine ? QVariant() : static_cast<int>(state.severity);
    default:
      return {};
  }
}

QVariant progressCell(double fraction, int role) {
  const bool isKnown = fraction >= 0;
  switch (role) {
    case Qt::DisplayRole:
      return isKnown ? shareText(fraction) : missingText();
    case RawRole:
      return isKnown ? shareText(fraction) : QString();
    case ProgressRole:
      return isKnown ? QVariant(fraction) : QVariant();
    case DimRole:
      return !isKnown;
    default:
      return {};
  }
}

void addCell(std::vector<report::DataCell>& cells, const QString& text) {
  if (text.isEmpty()) {
    cells.emplace_back();
  } else {
    cells.emplace_back(text.toStdString());
  }
}

void addCell(std::vector<report::DataCell>& cells, const std::optional<double>& number) {
  if (number) {
    cells.emplace_back(*number);
  } else {
    cells.emplace_back();
  }
}

}  // namespace ulp::views
