#include "views/plugins/rule_check/judged_rows.h"

#include <algorithm>

#include <QtCore/QCoreApplication>
#include <QtGui/QFont>
#include <QtGui/QGuiApplication>
#include <QtGui/QPalette>

#include "views/framework/widgets/severity.h"
#include "views/framework/words/site_text.h"
#include "views/framework/workspace/report_rules.h"

namespace ulp::views {
namespace {

using analysis::Judgement;

struct JudgedRowsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::JudgedRows)
};

Column<JudgedRun> countColumn(const QString& title, Judgement of) {
  const auto count = [of](const JudgedRun& run) {
    return static_cast<double>(run.counts.at(static_cast<std::size_t>(of)));
  };
  const auto text = [](double number) { return QString::number(number, 'f', 0); };
  Column<JudgedRun> column{.title = title,
                           .alignment = kNumberAlignment,
                           .roles = numberRoles<JudgedRun>(count, text, text)};
  column.roles[DimRole] = [count](const JudgedRun& run) { return count(run) == 0; };
  return column;
}

QString firstText(const JudgedRun& run) {
  return run.first ? siteText(*run.first) : run.reason.isEmpty() ? QStringLiteral("–") : run.reason;
}

JudgedRule outcomeOf(const analysis::VerdictRule& rule, const analysis::RuleTally& tally) {
  JudgedRule judged{.rule = QString::fromStdString(signText(rule)), .outcome = {}};
  const auto asked = static_cast<qulonglong>(tally.asked);
  if (tally.broken > 0) {
    const bool isError = rule.severity == analysis::RuleSeverity::Error;
    judged.severity = isError ? Severity::Broken : Severity::Look;
    judged.outcome = (isError ? JudgedRowsWords::tr("fails at %1 of %2")
                              : JudgedRowsWords::tr("warns at %1 of %2"))
                         .arg(static_cast<qulonglong>(tally.broken))
                         .arg(asked);
    if (rule.isAllclose() && tally.unasked > 0) {
      judged.outcome = JudgedRowsWords::tr("%1, not judged at %2")
                           .arg(judged.outcome)
                           .arg(static_cast<qulonglong>(tally.unasked));
    }
  } else if (rule.isOfUncompared()) {
    judged.isUnasked = true;
    judged.outcome = JudgedRowsWords::tr("not judged: a report holds compared rows alone");
  } else if (rule.isAllclose() && tally.unasked > 0) {
    judged.isUnasked = true;
    judged.outcome = JudgedRowsWords::tr("not judged at %1 of %2: needs the elements of both sides")
                         .arg(static_cast<qulonglong>(tally.unasked))
                         .arg(static_cast<qulonglong>(tally.asked + tally.unasked));
  } else if (tally.asked == 0) {
    judged.isUnasked = true;
    judged.outcome = JudgedRowsWords::tr("nothing to ask");
  } else {
    judged.outcome = JudgedRowsWords::tr("holds for %1").arg(asked);
  }
  return judged;
}

}  // namespace

std::vector<JudgedRun> judgedRuns(const RuleVerdicts& verdicts) {
  std::vector<JudgedRun> rows;
  const ReportDocument& document = *verdicts.document;
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    JudgedRun row{.run = document.variantName(variant), .style = document.styleOf(variant)};
    if (const analysis::RunJudgement* run = verdicts.find(variant)) {
      const report::RunStatus status = document.variant(variant).status;
      // A study that goes on is open here while it does.
      const bool isAwaited =
          status == report::RunStatus::Pending || status == report::RunStatus::Running;
      row.overall =
          isAwaited && run->count(Judgement::Failed) == 0 ? Judgement::NotJudged : run->overall();
      row.counts = run->counts;
      if (run->isUnfinished && !isAwaited) {
        row.reason = JudgedRowsWords::tr("did not finish");
      }
      if (run->first) {
        row.first = document.variant(variant).comparisons[*run->first].site;
        row.reason = reasonText(run->rows[*run->first], verdicts);
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<JudgedRule> judgedRules(const RuleVerdicts& verdicts) {
  std::vector<JudgedRule> rows;
  for (std::size_t i = 0; i < verdicts.rules.all().size(); ++i) {
    const analysis::VerdictRule& rule = verdicts.rules.all()[i];
    const analysis::RuleTally& tally = verdicts.judgement.rules[i];
    if (!rule.isImplied || tally.asked > 0) {
      rows.push_back(outcomeOf(rule, tally));
    }
  }
  return rows;
}

QString judgementHeadline(const std::vector<JudgedRun>& runs) {
  const auto countOf = [&](Judgement judgement) {
    return static_cast<int>(std::ranges::count(runs, judgement, &JudgedRun::overall));
  };
  QStringList sentences;
  if (const int failed = countOf(Judgement::Failed); failed > 0) {
    sentences << JudgedRowsWords::tr("fail: %1 of %2 variants").arg(failed).arg(runs.size());
  }
  if (const int warned = countOf(Judgement::Warned); warned > 0) {
    sentences << JudgedRowsWords::tr("warnings: %1").arg(warned);
  }
  if (const int open = countOf(Judgement::NotJudged); open > 0) {
    sentences << JudgedRowsWords::tr("not judged: %1").arg(open);
  }
  if (const int passed = countOf(Judgement::Passed); passed > 0) {
    sentences << JudgedRowsWords::tr("pass: %1").arg(passed);
  }
  return sentences.join(QStringLiteral(" · "));
}

std::vector<Column<JudgedRun>> judgedRunColumns() {
  return {
      {.title = JudgedRowsWords::tr("Variant"),
       .roles = {{Qt::DisplayRole, [](const JudgedRun& run) { return run.run; }},
                 {VariantRole, [](const JudgedRun& run) { return run.style; }}}},
      {.title = JudgedRowsWords::tr("Verdict"),
       .roles = {{Qt::DisplayRole, [](const JudgedRun& run) { return judgementText(run.overall); }},
                 {SeverityRole,
                  [](const JudgedRun& run) {
                    return run.overall == Judgement::NotJudged
                               ? QVariant()
                               : QVariant(static_cast<int>(severityOf(run.overall)));
                  }}}},
      {.title = JudgedRowsWords::tr("First"),
       .toolTip = JudgedRowsWords::tr("The first row that fails, else the first with a warning"),
       .roles = {{Qt::DisplayRole, firstText},
                 {Qt::ToolTipRole, [](const JudgedRun& run) { return run.reason; }},
                 {Qt::FontRole,
                  [](const JudgedRun& run) {
                    QFont font = QGuiApplication::font();
                    font.setUnderline(true);
                    return run.first ? QVariant(font) : QVariant();
                  }},
                 {Qt::ForegroundRole,
                  [](const JudgedRun& run) {
                    return run.first ? QVariant(QGuiApplication::palette().brush(QPalette::Link))
                                     : QVariant();
                  }}}},
      countColumn(JudgedRowsWords::tr("Fail"), Judgement::Failed),
      countColumn(JudgedRowsWords::tr("Warning"), Judgement::Warned),
      countColumn(JudgedRowsWords::tr("Not judged"), Judgement::NotJudged),
      countColumn(JudgedRowsWords::tr("Pass"), Judgement::Passed)};
}

std::vector<Column<JudgedRule>> judgedRuleColumns() {
  return {{.title = JudgedRowsWords::tr("Rule"),
           .roles = textRoles<JudgedRule>([](const JudgedRule& row) { return row.rule; })},
          {.title = JudgedRowsWords::tr("Outcome"),
           .roles = {{Qt::DisplayRole,
                      [](const JudgedRule& row) {
                        const QString glyph =
                            row.isUnasked ? QStringLiteral("–") : severityGlyph(row.severity);
                        return QStringLiteral("%1 %2").arg(glyph, row.outcome);
                      }},
                     {Qt::ToolTipRole, [](const JudgedRule& row) { return row.outcome; }},
                     {DimRole, [](const JudgedRule& row) { return row.isUnasked; }},
                     {SeverityRole, [](const JudgedRule& row) {
                        return row.isUnasked ? QVariant()
                                             : QVariant(static_cast<int>(row.severity));
                      }}}}};
}

}  // namespace ulp::views
