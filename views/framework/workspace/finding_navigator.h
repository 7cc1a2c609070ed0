#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/analysis/findings/finding_rule.h"
#include "core/report/model/finding.h"
#include "views/framework/document/report_document.h"

namespace ulp::views {

class Background;
class Messages;
class ReportSet;
class SelectionContext;
class SettingsStore;

/// The findings of the open reports, those that they hold by rules of whoever made them (culprits
/// of a comparison of dumps) before those of this build's rules, and the ways from one place worth
/// a look to the next: findings, tensors that are not finite, jumps of the error. Findings are
/// computed in the background once somebody asks for them; thresholds are kept in the settings.
class FindingNavigator : public QObject {
  Q_OBJECT

 public:
  using Findings = std::shared_ptr<const std::vector<report::Finding>>;

  FindingNavigator(ReportSet& reports,
                   Messages& messages,
                   SelectionContext& selection,
                   SettingsStore& settings,
                   Background& background);

  [[nodiscard]] const analysis::FindingRuleRegistry& rules() const { return m_rules; }
  /// Null until they are computed.
  [[nodiscard]] const Findings& findings() const { return m_findings; }
  /// Computes the findings of the open report unless they are there.
  void request();

  /// Value in force: that of the user, else the default.
  [[nodiscard]] double threshold(const std::string& id) const;
  void setThreshold(const std::string& id, double value);
  void resetThresholds();
  [[nodiscard]] bool hasChangedThresholds() const { return !m_thresholds.empty(); }

  /// Index of the finding that was shown last, -1: none.
  [[nodiscard]] int current() const { return m_current; }
  /// The findings that steps go through, in order: those that a view has not filtered out.
  void setShown(std::vector<int> shown) { m_shown = std::move(shown); }
  /// Selects what the finding is about.
  void select(int index);
  /// Selects it, and has its proof shown.
  void show(int index);
  /// Selects a tensor of `runs` and its pass, and has it shown as SelectionContext::goTo() does. No
  /// runs or no site: those that are current.
  void showPlace(const QStringList& runs,
                 const std::optional<Site>& site,
                 const std::optional<QString>& rule = std::nullopt);

  /// `direction`: 1 for the next, -1 for the previous; beyond the last it goes on at the other end.
  void stepFinding(int direction);
  void stepNonFinite(int direction);
  void stepJump(int direction);

 Q_SIGNALS:
  void findingsChanged();
  void currentChanged(int index);

 private:
  void onDocumentChanged();
  [[nodiscard]] Selection placeOf(const report::Finding& finding) const;
  /// Remembers the finding as the current one; null: there is none of that index.
  const report::Finding* setCurrent(int index);
  void compute();
  void receive(Findings findings);
  void step(const std::function<bool(int site)>& accepts, int direction, const QString& noneText);
  void storeThresholds();
  /// Where the current finding stands among new ones, -1: nowhere.
  [[nodiscard]] int sameFinding(const std::vector<report::Finding>& findings) const;

  ReportSet& m_reports;
  Messages& m_messages;
  SelectionContext& m_selection;
  SettingsStore& m_settings;
  Background& m_background;
  analysis::FindingRuleRegistry m_rules;
  analysis::ThresholdValues m_thresholds;  ///< that the user changed
  Findings m_findings;
  std::filesystem::path m_file;  ///< of the report that they are from
  std::vector<int> m_shown;
  int m_current = -1;
  int m_pendingStep = 0;
  bool m_isWanted = false;
};

/// Sites at which the error of a variant, as charts draw it (asDrawn()), jumps between layers, in
/// the order of the report.
[[nodiscard]] std::vector<int> jumpSites(const ReportDocument& document,
                                         int variant,
                                         int metric,
                                         double factor);

/// The report whose errors are judged: that of the document, or what its ratios and differences to
/// a baseline are made of, of which rules would say nothing that holds.
[[nodiscard]] const report::Report& judgedReport(const ReportDocument& document);

}  // namespace ulp::views
