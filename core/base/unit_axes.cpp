#include "core/base/unit_axes.h"

#include <fmt/format.h>
#include <string_view>

namespace ulp {

std::string describe(const UnitAxes& axes) {
  std::string text = axes.run.empty() ? std::string() : "run " + axes.run;
  const auto add = [&](std::string_view axis, std::optional<std::int64_t> value) {
    if (value) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", axis, *value);
    }
  };
  add("step", axes.step);
  add("rank", axes.rank);
  add("token", axes.token);
  return text;
}

}  // namespace ulp
