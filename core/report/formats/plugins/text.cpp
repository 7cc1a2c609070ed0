#include <algorithm>
#include <fmt/format.h>

#include "core/base/text/visible_text.h"
#include "core/report/formats/format.h"
#include "core/report/tables/text_table.h"

namespace ulp::report {
namespace {

std::string renderText(const Document& document) {
  std::string out = visibleLine(document.title) + "\n";
  std::size_t longest = 0;
  for (const auto& [name, value] : document.facts) {
    longest = std::max(longest, name.size());
  }
  for (const auto& [name, value] : document.facts) {
    out += fmt::format("  {:<{}}  {}\n", name, longest, visibleLine(value));
  }
  for (const DocumentPart& part : document.parts) {
    if (const auto* table = std::get_if<TextTable>(&part)) {
      appendAlignedTable(out, *table);
    } else if (const auto* note = std::get_if<std::string>(&part)) {
      out += "\n" + visibleText(*note) + "\n";
    }
  }
  return out;
}

}  // namespace

void registerText(FormatRegistry& registry) {
  registry.add({.id = "text",
                .title = "Aligned text",
                .extension = ".txt",
                .render = renderText,
                .order = PartOrder::SummaryLast,
                .rendersTables = false});
}

}  // namespace ulp::report
