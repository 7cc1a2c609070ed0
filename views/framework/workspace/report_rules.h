#pragma once

#include <optional>
#include <stop_token>

#include <QtCore/QObject>
#include <QtCore/QString>

#include "core/analysis/rules/judged_report.h"
#include "core/base/error.h"
#include "views/framework/document/rule_verdicts.h"

namespace ulp::views {

class Background;
class ReportSet;
class SettingsStore;

/// A file of rules, or rules that ship, with the text that may have been edited since.
struct RulesChoice {
  QString origin;  ///< file, or name of a preset; empty: neither
  QString text;    ///< empty: no rules

  friend bool operator==(const RulesChoice&, const RulesChoice&) = default;
};

/// The rules that are asked of the open report, and what they say: in the background, first of what
/// the report holds, then of elements where "allclose" needs them. The choice is remembered with
/// the report. Lives on the GUI thread.
class ReportRules : public QObject {
  Q_OBJECT

 public:
  /// The rules of the reports of a window; made for whoever asks first, and dies with `reports`.
  [[nodiscard]] static ReportRules& of(ReportSet& reports,
                                       SettingsStore& settings,
                                       Background& background);

  [[nodiscard]] const RulesChoice& choice() const { return m_choice; }
  /// Asks other rules; an empty text: none.
  void apply(const RulesChoice& choice);
  /// Null: no rules, no report, or it is not known yet.
  [[nodiscard]] const RuleVerdictsPtr& verdicts() const { return m_verdicts; }
  /// Why the rules cannot be asked.
  [[nodiscard]] const std::optional<Error>& problem() const { return m_problem; }
  [[nodiscard]] bool isJudging() const { return m_isJudging; }

 Q_SIGNALS:
  void changed();

 private:
  ReportRules(ReportSet& reports, SettingsStore& settings, Background& background);

  void follow();
  void judge();
  void receive(const Result<RuleVerdictsPtr>& verdicts);

  ReportSet& m_reports;
  SettingsStore& m_settings;
  Background& m_background;
  QString m_tag;
  QString m_subject;  ///< what the choice is remembered with; empty: nothing is open
  RulesChoice m_choice;
  RuleVerdictsPtr m_verdicts;
  std::optional<Error> m_problem;
  bool m_isJudging = false;
};

/// Asks rules of what `options` choose of a document, as it is exported; reads elements where they
/// are needed. Errors: those of VerdictRules::parse() and analysis::judgeChosen().
[[nodiscard]] Result<analysis::JudgedReport> judgeForExport(const DocumentPtr& document,
                                                            const RulesChoice& choice,
                                                            const report::ExportOptions& options,
                                                            const std::stop_token& stop);

/// Why a row is judged so, in the user's language; empty: all is said.
[[nodiscard]] QString reasonText(const analysis::RowVerdict& verdict, const RuleVerdicts& verdicts);

}  // namespace ulp::views
