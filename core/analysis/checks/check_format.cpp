#include "core/analysis/checks/check_format.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

std::vector<CheckFormat> checkFormats() {
  CheckFormatRegistry registry;
  registerBuiltin(registry);
  return registry.all();
}

std::string placeText(const CheckedRow& row) {
  return fmt::format("{}: {}", row.run, placeText(row.site));
}

std::string summaryText(const Check& check) {
  const std::size_t failed = check.count(Judgement::Failed);
  std::string text =
      fmt::format("{} of {} rows {}", failed, check.rows.size(), failed == 1 ? "fails" : "fail");
  const auto add = [&](std::size_t count, std::string_view what) {
    if (count > 0) {
      text += fmt::format(", {} {}", count, what);
    }
  };
  if (!check.baseline.empty()) {
    text += fmt::format(", {} of them new", check.newFailures());
    add(check.fixed.size(), "fixed");
    add(check.gone, "no longer there");
  }
  add(check.count(Judgement::Warned), "with a warning");
  add(check.count(Judgement::NotJudged), "not judged");
  add(check.unfinished.size(),
      check.unfinished.size() == 1 ? "run did not finish" : "runs did not finish");
  const auto idle = static_cast<std::size_t>(std::ranges::count_if(check.idle, &IdleRule::fails));
  add(idle, idle == 1 ? "rule is about nothing" : "rules are about nothing");
  return text;
}

}  // namespace ulp::analysis
