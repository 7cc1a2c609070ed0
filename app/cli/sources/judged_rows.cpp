#include "app/cli/sources/judged_rows.h"

#include "app/cli/sources/report_pairs.h"
#include "app/cli/sources/rules_file.h"

namespace ulp::cli {

Result<std::optional<analysis::JudgedReport>> judgeRows(const std::string& rules,
                                                        const report::LoadedReport& loaded,
                                                        const report::ExportOptions& options) {
  const auto asked = ULP_TRY(readRules(rules));
  if (!asked) {
    return std::nullopt;
  }
  return ULP_TRY(whileDoing(
      rules,
      analysis::judgeChosen(*loaded.report, options, {*asked, rules}, pairReaderOf(loaded))));
}

ExitCode exitCodeOf(const std::optional<analysis::JudgedReport>& judged,
                    const CommandContext& context) {
  if (!judged) {
    return ExitCode::Done;
  }
  const analysis::ReportJudgement& judgement = judged->judgement;
  const ExitCode ofReading =
      judgement.unread ? context.reportErrors({*judgement.unread}) : ExitCode::Done;
  return judgement.hasFailed()                        ? ExitCode::RuleFailed
         : judgement.isUndecided(judged->asked.rules) ? ExitCode::BadInput
                                                      : ofReading;
}

}  // namespace ulp::cli
