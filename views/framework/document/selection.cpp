#include "views/framework/document/selection.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <QtCore/QJsonArray>

namespace ulp::views {
namespace {

/// Filters that show one pass alone.
constexpr std::array<std::pair<PassFilter, Pass>, 4> kFilters{
    {{PassFilter::Forward, Pass::Forward},
     {PassFilter::Backward, Pass::Backward},
     {PassFilter::ParameterGradient, Pass::ParameterGradient},
     {PassFilter::Optimizer, Pass::Optimizer}}};

const QString kBaselineKey = QStringLiteral("baseline");
const QString kRelationKey = QStringLiteral("relation");
const QString kNoiseKey = QStringLiteral("noise");
const QString kRunsKey = QStringLiteral("runs");
const QString kSiteKey = QStringLiteral("site");
const QString kPassKey = QStringLiteral("pass");
const QString kMetricKey = QStringLiteral("metric");
const QString kShownKey = QStringLiteral("shown");
const QString kSliceKey = QStringLiteral("slice");
const QString kElementKey = QStringLiteral("element");

}  // namespace

bool accepts(PassFilter filter, Pass pass) {
  if (filter == PassFilter::All) {
    return true;
  }
  return filter == PassFilter::ForwardBackward
             ? !isOfParameters(pass)
             : std::ranges::find(kFilters, std::pair(filter, pass)) != kFilters.end();
}

PassFilter filterOf(Pass pass) {
  const auto own = std::ranges::find(kFilters, pass, &std::pair<PassFilter, Pass>::second);
  return isOfParameters(pass) ? own->first : PassFilter::ForwardBackward;
}

PassFilter onAxis(PassFilter filter) {
  return filter == PassFilter::All ? PassFilter::ForwardBackward : filter;
}

QJsonObject toJson(const Selection& selection) {
  QJsonArray element;
  for (const std::int64_t index : selection.element) {
    element << static_cast<qint64>(index);
  }
  return {{kBaselineKey, selection.baseline},
          {kRelationKey, static_cast<int>(selection.relation)},
          {kNoiseKey, selection.noise},
          {kRunsKey, QJsonArray::fromStringList(selection.runs)},
          {kSiteKey, selection.site},
          {kPassKey, QString::fromStdString(std::string(toString(selection.pass)))},
          {kMetricKey, selection.metric},
          {kShownKey, static_cast<int>(selection.shown)},
          {kSliceKey, selection.slice},
          {kElementKey, element}};
}

Selection selectionFromJson(const QJsonObject& json) {
  Selection selection;
  selection.baseline = json[kBaselineKey].toString();
  const int relation = json[kRelationKey].toInt();
  if (!selection.baseline.isEmpty() && relation >= 0 &&
      relation <= static_cast<int>(Relation::Ratio)) {
    selection.relation = static_cast<Relation>(relation);
  }
  selection.noise = json[kNoiseKey].toString();
  selection.runs = json[kRunsKey].toVariant().toStringList();
  selection.runs.removeAll(QString());
  selection.site = json[kSiteKey].toString();
  selection.pass = parsePass(json[kPassKey].toString().toStdString()).value_or(selection.pass);
  selection.metric = json[kMetricKey].toString();
  const int shown = json[kShownKey].toInt();
  if (shown >= 0 && shown <= static_cast<int>(PassFilter::All)) {
    selection.shown = static_cast<PassFilter>(shown);
  }
  selection.slice = json[kSliceKey].toString();
  const QJsonArray element = json[kElementKey].toArray();
  for (const auto& index : element) {
    selection.element.push_back(index.toInteger());
  }
  return selection;
}

}  // namespace ulp::views
