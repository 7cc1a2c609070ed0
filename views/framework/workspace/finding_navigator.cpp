#include "views/framework/workspace/finding_navigator.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include "core/analysis/depth/depth_curve.h"
#include "core/analysis/findings/all_findings.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/settings/settings_store.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/message.h"
#include "views/framework/words/term_text.h"
#include "views/framework/workspace/report_set.h"

namespace ulp::views {
namespace {

const QString kFindingsTag = QStringLiteral("findings");

const Setting<QByteArray> kThresholdsSetting{QStringLiteral("findings/thresholds"), {}};

const analysis::Threshold* findThreshold(const analysis::FindingRuleRegistry& rules,
                                         const std::string& id) {
  for (const analysis::FindingRule& rule : rules.all()) {
    for (const analysis::Threshold& threshold : rule.thresholds) {
      if (threshold.id == id) {
        return &threshold;
      }
    }
  }
  return nullptr;
}

/// Values of the settings file that this build can use.
analysis::ThresholdValues readThresholds(const SettingsStore& settings,
                                         const analysis::FindingRuleRegistry& rules) {
  analysis::ThresholdValues values;
  const QJsonObject stored = QJsonDocument::fromJson(settings.get(kThresholdsSetting)).object();
  for (auto entry = stored.begin(); entry != stored.end(); ++entry) {
    const std::string id = entry.key().toStdString();
    const analysis::Threshold* threshold = findThreshold(rules, id);
    const double value = entry.value().toDouble(std::nan(""));
    if (threshold != nullptr && value >= threshold->minimum && value <= threshold->maximum) {
      values[id] = value;
    }
  }
  return values;
}

/// The selection at another tensor, with all of it, and among what is shown.
Selection movedTo(Selection selection, const Site& site) {
  selection.site = QString::fromStdString(site.name);
  selection.pass = site.pass;
  selection.slice.clear();
  selection.element.clear();
  if (!accepts(onAxis(selection.shown), site.pass)) {
    selection.shown = filterOf(site.pass);
  }
  return selection;
}

struct FoundAll {
  std::vector<report::Finding> findings;
  std::optional<Error> problem;  ///< why the stored ones are not among them
};

/// What the reports say of themselves first. That is about errors against their own references, not
/// against another run.
FoundAll findAll(const ReportDocument& document,
                 const analysis::FindingRuleRegistry& rules,
                 const analysis::ThresholdValues& thresholds,
                 const std::stop_token& stop) {
  FoundAll all;
  const report::Report& judged = judgedReport(document);
  const OpenReports& open = *document.basis().open;
  if (judged.reference == open.joined.report->reference) {
    auto stored = analysis::storedFindings(open.joined, open.sources, rules);
    if (stored) {
      all.findings = std::move(*stored);
    } else {
      all.problem = std::move(stored.error());
    }
  }
  auto found = analysis::findFindings(judged, rules, thresholds, stop);
  std::move(found.begin(), found.end(), std::back_inserter(all.findings));
  analysis::eraseFindingsOfOthers(all.findings, [&](const std::string& run) {
    return document.findVariant(QString::fromStdString(run)) >= 0;
  });
  return all;
}

}  // namespace

FindingNavigator::FindingNavigator(ReportSet& reports,
                                   Messages& messages,
                                   SelectionContext& selection,
                                   SettingsStore& settings,
                                   Background& background)
    : m_reports(reports),
      m_messages(messages),
      m_selection(selection),
      m_settings(settings),
      m_background(background),
      m_rules(analysis::builtinFindingRules()),
      m_thresholds(readThresholds(settings, m_rules)) {
  connect(&reports, &ReportSet::documentChanged, this, &FindingNavigator::onDocumentChanged);
}

void FindingNavigator::onDocumentChanged() {
  const DocumentPtr& document = m_reports.document();
  const std::filesystem::path file = document ? document->loaded().file : std::filesystem::path();
  if (!document || file != m_file || !m_isWanted) {
    m_background.cancel(kFindingsTag);
    m_messages.dismiss(kFindingsTag);
    m_pendingStep = 0;
    m_current = -1;
    m_shown.clear();
    m_findings = nullptr;
    Q_EMIT findingsChanged();
  }
  m_file = file;
  if (document && m_isWanted) {
    compute();
  }
}

void FindingNavigator::request() {
  m_isWanted = true;
  if (m_reports.document() && !m_findings && !m_background.isBusy(kFindingsTag)) {
    compute();
  }
}

void FindingNavigator::compute() {
  const DocumentPtr document = m_reports.document();
  m_background.run<FoundAll>(
      kFindingsTag,
      this,
      [document, rules = m_rules, thresholds = m_thresholds](const std::stop_token& stop) {
        return findAll(*document, rules, thresholds, stop);
      },
      [this](FoundAll found) {
        if (found.problem) {
          m_messages.raise(messageOf(*found.problem, kFindingsTag));
        } else {
          m_messages.dismiss(kFindingsTag);
        }
        receive(std::make_shared<const std::vector<report::Finding>>(std::move(found.findings)));
      });
}

void FindingNavigator::receive(Findings findings) {
  m_current = sameFinding(*findings);
  m_findings = std::move(findings);
  m_shown.resize(m_findings->size());
  std::iota(m_shown.begin(), m_shown.end(), 0);
  Q_EMIT findingsChanged();
  if (const int pending = std::exchange(m_pendingStep, 0); pending != 0) {
    stepFinding(pending);
  }
}

int FindingNavigator::sameFinding(const std::vector<report::Finding>& findings) const {
  if (!m_findings || m_current < 0) {
    return -1;
  }
  const report::Finding& before = (*m_findings)[static_cast<std::size_t>(m_current)];
  const auto same = std::ranges::find_if(findings, [&](const auto& finding) {
    return finding.rule == before.rule && finding.runs == before.runs &&
           finding.sites.empty() == before.sites.empty() &&
           (finding.sites.empty() || finding.sites.front() == before.sites.front());
  });
  return same == findings.end() ? -1 : static_cast<int>(same - findings.begin());
}

double FindingNavigator::threshold(const std::string& id) const {
  const auto changed = m_thresholds.find(id);
  if (changed != m_thresholds.end()) {
    return changed->second;
  }
  const analysis::Threshold* known = findThreshold(m_rules, id);
  return known == nullptr ? std::nan("") : known->value;
}

void FindingNavigator::setThreshold(const std::string& id, double value) {
  const analysis::Threshold* known = findThreshold(m_rules, id);
  if (known == nullptr || threshold(id) == value) {
    return;
  }
  if (value == known->value) {
    m_thresholds.erase(id);
  } else {
    m_thresholds[id] = std::clamp(value, known->minimum, known->maximum);
  }
  storeThresholds();
}

void FindingNavigator::resetThresholds() {
  m_thresholds.clear();
  storeThresholds();
}

void FindingNavigator::storeThresholds() {
  QJsonObject stored;
  for (const auto& [id, value] : m_thresholds) {
    stored[QString::fromStdString(id)] = value;
  }
  m_settings.set(kThresholdsSetting, QJsonDocument(stored).toJson(QJsonDocument::Compact));
  if (m_isWanted && m_reports.document()) {
    compute();
  }
}

Selection FindingNavigator::placeOf(const report::Finding& finding) const {
  Selection place = m_selection.selection();
  const bool isAboutCurrent =
      std::ranges::find(finding.runs, place.run().toStdString()) != finding.runs.end();
  if (!isAboutCurrent && !finding.runs.empty()) {
    place.runs = QStringList{QString::fromStdString(finding.runs.front())};
  }
  return finding.sites.empty() ? place : movedTo(std::move(place), finding.sites.front());
}

const report::Finding* FindingNavigator::setCurrent(int index) {
  if (!m_findings || index < 0 || index >= static_cast<int>(m_findings->size())) {
    return nullptr;
  }
  m_current = index;
  return &(*m_findings)[static_cast<std::size_t>(index)];
}

void FindingNavigator::select(int index) {
  if (const report::Finding* finding = setCurrent(index)) {
    m_selection.select(placeOf(*finding));
    Q_EMIT currentChanged(index);
  }
}

void FindingNavigator::show(int index) {
  if (const report::Finding* finding = setCurrent(index)) {
    m_selection.goTo(placeOf(*finding), QString::fromStdString(finding->rule));
    Q_EMIT currentChanged(index);
  }
}

void FindingNavigator::showPlace(const QStringList& runs,
                                 const std::optional<Site>& site,
                                 const std::optional<QString>& rule) {
  Selection place = m_selection.selection();
  if (!runs.isEmpty()) {
    place.runs = runs;
  }
  m_selection.goTo(site ? movedTo(std::move(place), *site) : place, rule);
}

void FindingNavigator::stepFinding(int direction) {
  if (!m_reports.document()) {
    return;
  }
  if (!m_findings) {
    m_pendingStep = direction;
    request();
    return;
  }
  if (m_shown.empty()) {
    m_messages.raise({.severity = Severity::Fine,
                      .text = tr("No rule found anything in this report."),
                      .topic = QStringLiteral("navigation")});
    return;
  }
  const int count = static_cast<int>(m_shown.size());
  const auto at = std::ranges::find(m_shown, m_current);
  int place = direction > 0 ? 0 : count - 1;
  if (at != m_shown.end()) {
    place = (static_cast<int>(at - m_shown.begin()) + direction + count) % count;
  }
  const int index = m_shown[static_cast<std::size_t>(place)];
  if (const report::Finding* finding = setCurrent(index)) {
    m_selection.goTo(placeOf(*finding));
    Q_EMIT currentChanged(index);
  }
}

void FindingNavigator::step(const std::function<bool(int site)>& accepts,
                            int direction,
                            const QString& noneText) {
  const DocumentPtr& document = m_reports.document();
  const Selection& selection = m_selection.selection();
  const int count = static_cast<int>(document->sites().size());
  const int from = document->findSite(selection.site.toStdString(), selection.pass);
  int site = from < 0 && direction < 0 ? count : from;
  for (int i = 0; i < count; ++i) {
    site = (site + direction + count) % count;
    if (accepts(site)) {
      m_selection.goTo(movedTo(selection, document->sites()[static_cast<std::size_t>(site)]));
      return;
    }
  }
  m_messages.raise(
      {.severity = Severity::Fine, .text = noneText, .topic = QStringLiteral("navigation")});
}

void FindingNavigator::stepNonFinite(int direction) {
  const DocumentPtr& document = m_reports.document();
  const QString run = m_selection.selection().run();
  const int variant = document ? document->findVariant(run) : -1;
  if (variant < 0) {
    return;
  }
  step(
      [&](int site) {
        const report::Comparison* row = document->comparison(variant, site);
        return row != nullptr && row->variantNonFinite.total() > 0;
      },
      direction,
      tr("Every tensor of %1 is finite.").arg(run));
}

void FindingNavigator::stepJump(int direction) {
  const DocumentPtr& document = m_reports.document();
  const Selection selection = m_selection.selection();
  const int variant = document ? document->findVariant(selection.run()) : -1;
  if (variant < 0) {
    return;
  }
  const double factor = threshold("error_jump.factor");
  const std::vector<int> sites =
      jumpSites(*document, variant, document->findMetric(selection.metric), factor);
  step([&](int site) { return std::binary_search(sites.begin(), sites.end(), site); },
       direction,
       tr("The error of %1 nowhere grows %2-fold from one layer to the next.")
           .arg(selection.run(), QString::number(factor)));
}

std::vector<int> jumpSites(const ReportDocument& document, int variant, int metric, double factor) {
  const bool isKnown = metric >= 0 && metric < static_cast<int>(document.metrics().size());
  if (!isKnown) {
    return {};
  }
  const MetricInfo& info = document.metrics()[static_cast<std::size_t>(metric)];
  if (asDrawn(info).better != numerics::Better::Lower) {
    return {};
  }
  std::vector<analysis::JumpRow> rows;
  std::vector<int> places;
  for (const Pass pass : {Pass::Forward, Pass::Backward}) {
    for (std::size_t i = 0; i < document.sites().size(); ++i) {
      const Site& site = document.sites()[i];
      const report::Comparison* row = document.comparison(variant, static_cast<int>(i));
      if (site.pass == pass && site.level == Level::Layer && site.name != "loss" &&
          row != nullptr) {
        rows.push_back({pass,
                        asDrawn(document.value(variant, static_cast<int>(i), metric), info),
                        row->variantNonFinite.total()});
        places.push_back(static_cast<int>(i));
      }
    }
  }
  std::vector<int> sites;
  for (const analysis::Jump& jump : analysis::findJumps(rows, factor)) {
    sites.push_back(places[jump.point]);
  }
  std::sort(sites.begin(), sites.end());
  return sites;
}

const report::Report& judgedReport(const ReportDocument& document) {
  const bool areErrors = document.basis().relation == Relation::Error;
  return areErrors ? document.report() : *document.basis().open->joined.report;
}

}  // namespace ulp::views
