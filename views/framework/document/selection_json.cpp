#include "views/framework/document/selection_json.h"

#include <string>

#include <QtCore/QJsonArray>

namespace ulp::views {
namespace {

QString baselineKey() {
  return QStringLiteral("baseline");
}
QString relationKey() {
  return QStringLiteral("relation");
}
QString noiseKey() {
  return QStringLiteral("noise");
}
QString runsKey() {
  return QStringLiteral("runs");
}
QString siteKey() {
  return QStringLiteral("site");
}
QString passKey() {
  return QStringLiteral("pass");
}
QString metricKey() {
  return QStringLiteral("metric");
}
QString shownKey() {
  return QStringLiteral("shown");
}
QString sliceKey() {
  return QStringLiteral("slice");
}
QString elementKey() {
  return QStringLiteral("element");
}

}  // namespace

QJsonObject toJson(const Selection& selection) {
  QJsonArray element;
  for (const std::int64_t index : selection.element) {
    element << static_cast<qint64>(index);
  }
  return {{baselineKey(), selection.baseline},
          {relationKey(), static_cast<int>(selection.relation)},
          {noiseKey(), selection.noise},
          {runsKey(), QJsonArray::fromStringList(selection.runs)},
          {siteKey(), selection.site},
          {passKey(), QString::fromStdString(std::string(toString(selection.pass)))},
          {metricKey(), selection.metric},
          {shownKey(), static_cast<int>(selection.shown)},
          {sliceKey(), selection.slice},
          {elementKey(), element}};
}

Selection selectionFromJson(const QJsonObject& json) {
  Selection selection;
  selection.baseline = json[baselineKey()].toString();
  const int relation = json[relationKey()].toInt();
  if (!selection.baseline.isEmpty() && relation >= 0 &&
      relation <= static_cast<int>(Relation::Ratio)) {
    selection.relation = static_cast<Relation>(relation);
  }
  selection.noise = json[noiseKey()].toString();
  const QJsonArray runs = json[runsKey()].toArray();
  for (const auto& run : runs) {
    selection.runs << run.toString();
  }
  selection.runs.removeAll(QString());
  selection.site = json[siteKey()].toString();
  selection.pass = parsePass(json[passKey()].toString().toStdString()).value_or(selection.pass);
  selection.metric = json[metricKey()].toString();
  const int shown = json[shownKey()].toInt();
  if (shown >= 0 && shown <= static_cast<int>(PassFilter::Optimizer)) {
    selection.shown = static_cast<PassFilter>(shown);
  }
  selection.slice = json[sliceKey()].toString();
  const QJsonArray element = json[elementKey()].toArray();
  for (const auto& index : element) {
    selection.element.push_back(index.toInteger());
  }
  return selection;
}

}  // namespace ulp::views
